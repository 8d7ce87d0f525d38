// SPDX-License-Identifier: Apache-2.0
#include "core/pickle/Document.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace kinetoscope::pickle {

namespace {

constexpr std::size_t kFirstBlock = std::size_t{1} << 12U;  // values
// Longer lists hardly ever come twice.
constexpr std::size_t kMaxShared = 4096;
constexpr std::int64_t kMaxInt = (std::int64_t{1} << 59U) - 1;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t bits) {
    return std::rotl((hash ^ bits) * 0x9e3779b97f4a7c15ULL, 29);
}

}  // namespace

Document::Document() {
    m_shapes.emplace_back();
}

std::optional<std::int64_t> Document::integer(Value value) const {
    switch (value.kind()) {
        case Kind::Bool:
        case Kind::Int:
            return value.signedPayload();
        case Kind::Wide:
            return m_wide[value.payload()];
        case Kind::Float: {
            const double number = m_floats[value.payload()];
            constexpr double kLimit = 9.2e18;
            if (std::abs(number) < kLimit && std::trunc(number) == number) {
                return static_cast<std::int64_t>(number);
            }
            return std::nullopt;
        }
        default:
            return std::nullopt;
    }
}

std::optional<double> Document::number(Value value) const {
    if (value.kind() == Kind::Float) {
        return m_floats[value.payload()];
    }
    const auto whole = integer(value);
    return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

std::string_view Document::text(Value value) const {
    switch (value.kind()) {
        case Kind::Text:
        case Kind::Bytes:
        case Kind::Huge:
        case Kind::Record:
            return m_texts.view(static_cast<NameId>(value.payload()));
        default:
            return {};
    }
}

std::span<const Value> Document::elements(Value value) const {
    if (!value.isSequence()) {
        return {};
    }
    const Object& object = m_objects[value.payload()];
    return {object.items, object.count};
}

std::size_t Document::members(Value dict) const {
    return dict.kind() == Kind::Dict ? m_objects[dict.payload()].count : 0;
}

Item Document::member(Value dict, std::size_t index) const {
    const Object& object = m_objects[dict.payload()];
    if ((object.shape & kGrown) != 0) {
        return {object.items[2 * index], object.items[2 * index + 1]};
    }
    return {m_shapes[object.shape][index], object.items[index]};
}

std::optional<std::uint32_t> Document::shape(Value dict) const {
    if (dict.kind() != Kind::Dict || (m_objects[dict.payload()].shape & kGrown) != 0) {
        return std::nullopt;
    }
    return m_objects[dict.payload()].shape;
}

Value Document::find(Value dict, std::string_view key) const {
    return find(dict, this->key(key));
}

Value Document::find(Value dict, Value key) const {
    for (std::size_t i = members(dict); i > 0; --i) {
        const Item item = member(dict, i - 1);
        if (item.key == key) {
            return item.value;
        }
    }
    return {};
}

Value Document::key(std::string_view text) const {
    const auto found = m_texts.find(text);
    // Lists are not keys.
    return found ? Value(Kind::Text, *found) : Value(Kind::List, 0);
}

Value Document::addInt(std::int64_t value) {
    if (value >= -kMaxInt && value <= kMaxInt) {
        return {Kind::Int, static_cast<std::uint64_t>(value)};
    }
    m_wide.push_back(value);
    return {Kind::Wide, m_wide.size() - 1};
}

Value Document::addFloat(double value) {
    m_floats.push_back(value);
    return {Kind::Float, m_floats.size() - 1};
}

Value Document::addText(Kind kind, std::string_view text) {
    return {kind, m_texts.intern(text)};
}

Value* Document::store(std::size_t count) {
    if (count > m_room) {
        m_room = std::max(count, m_blocks.size() < 4 ? kFirstBlock << 2 * m_blocks.size() : kBlock);
        m_blocks.push_back(m_pieces.take(m_room * sizeof(Value)));
        m_next = static_cast<Value*>(m_blocks.back().get());
    }
    Value* const place = m_next;
    m_next += count;
    m_room -= count;
    m_held += count;
    return place;
}

const Value* Document::shared(std::span<const Value> elements) {
    const auto keep = [&] {
        Value* const place = store(elements.size());
        std::ranges::copy(elements, place);
        return place;
    };
    if (elements.size() > kMaxShared) {
        return keep();
    }
    std::uint64_t hash = elements.size();
    for (const Value value : elements) {
        hash = mixed(hash, value.bits());
    }
    std::vector<Slice>& same = m_slices[hash];
    for (const Slice& slice : same) {
        if (std::ranges::equal(elements, std::span(slice.items, slice.count))) {
            return slice.items;
        }
    }
    constexpr std::size_t kMaxChain = 8;  // damage may be made to collide
    const Value* const place = keep();
    if (same.size() < kMaxChain) {
        same.push_back({place, static_cast<std::uint32_t>(elements.size())});
    }
    return place;
}

Value Document::addSequence(Kind kind, std::span<const Value> elements) {
    m_objects.push({});
    const Value value(kind, m_objects.size() - 1);
    append(value, elements);
    return value;
}

Value Document::addDict() {
    m_objects.push({});
    return {Kind::Dict, m_objects.size() - 1};
}

// Makes room behind a container's content.
std::vector<Value>& Document::grow(Object& object, bool isDict) {
    if ((object.shape & kGrown) != 0) {
        return m_grown[object.shape & ~kGrown];
    }
    std::vector<Value>& grown = m_grown.emplace_back();
    for (std::size_t i = 0; i < object.count; ++i) {
        if (isDict) {
            grown.push_back(m_shapes[object.shape][i]);
        }
        grown.push_back(object.items[i]);
    }
    object.shape = kGrown | static_cast<std::uint32_t>(m_grown.size() - 1);
    return grown;
}

void Document::append(Value sequence, std::span<const Value> elements) {
    Object& object = m_objects[sequence.payload()];
    if (elements.empty()) {
        return;
    }
    if (object.count == 0) {
        object.items = shared(elements);
        object.count = static_cast<std::uint32_t>(elements.size());
        return;
    }
    std::vector<Value>& grown = grow(object, false);
    grown.insert(grown.end(), elements.begin(), elements.end());
    m_held += elements.size();
    object.items = grown.data();
    object.count = static_cast<std::uint32_t>(grown.size());
}

std::uint32_t Document::shapeOf(std::span<const Value> keysAndValues) {
    const std::size_t count = keysAndValues.size() / 2;
    const auto fits = [&](std::uint32_t id) {
        const std::vector<Value>& keys = m_shapes[id];
        if (keys.size() != count) {
            return false;
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (keys[i] != keysAndValues[2 * i]) {
                return false;
            }
        }
        return true;
    };
    if (fits(m_lastShape)) {
        return m_lastShape;
    }
    std::uint64_t hash = count;
    for (std::size_t i = 0; i < count; ++i) {
        hash = mixed(hash, keysAndValues[2 * i].bits());
    }
    std::vector<std::uint32_t>& same = m_shapeIds[hash];
    for (const std::uint32_t id : same) {
        if (fits(id)) {
            return m_lastShape = id;
        }
    }
    std::vector<Value>& keys = m_shapes.emplace_back();
    for (std::size_t i = 0; i < count; ++i) {
        keys.push_back(keysAndValues[2 * i]);
    }
    m_held += count;
    m_lastShape = static_cast<std::uint32_t>(m_shapes.size() - 1);
    same.push_back(m_lastShape);
    return m_lastShape;
}

void Document::setItems(Value dict, std::span<const Value> keysAndValues) {
    Object& object = m_objects[dict.payload()];
    if (keysAndValues.empty()) {
        return;
    }
    constexpr std::size_t kMaxShape = 128;  // keys; what has more is a table of its own
    if (object.count == 0 && object.shape == 0 && keysAndValues.size() / 2 <= kMaxShape) {
        object.shape = shapeOf(keysAndValues);
        Value* const values = store(keysAndValues.size() / 2);
        for (std::size_t i = 0; i < keysAndValues.size() / 2; ++i) {
            values[i] = keysAndValues[2 * i + 1];
        }
        object.items = values;
        object.count = static_cast<std::uint32_t>(keysAndValues.size() / 2);
        return;
    }
    std::vector<Value>& grown = grow(object, true);
    grown.insert(grown.end(), keysAndValues.begin(), keysAndValues.end());
    m_held += keysAndValues.size();
    object.items = grown.data();
    object.count = static_cast<std::uint32_t>(grown.size() / 2);
}

}  // namespace kinetoscope::pickle
