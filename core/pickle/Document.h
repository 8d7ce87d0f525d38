// SPDX-License-Identifier: Apache-2.0
// Plain values as a pickle has them, made small: a value takes eight bytes, equal texts are one,
// dicts with the same keys share them, and lists with the same elements share those.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/StringPool.h"
#include "core/pickle/Store.h"

namespace kinetoscope::pickle {

enum class Kind : std::uint8_t {
    None,
    Bool,
    Int,   ///< of 60 bits
    Wide,  ///< another int of 64 bits
    Huge,  ///< an int beyond, as hexadecimal text
    Float,
    Text,
    Bytes,
    List,
    Tuple,
    Set,
    Dict,
    Record,  ///< the name of a class
};

/// Equal bits are equal values, but for containers and floats, where they are the same one.
class Value {
public:
    constexpr Value() = default;
    constexpr Value(Kind kind, std::uint64_t payload)
        : m_bits(payload << 4U | static_cast<std::uint64_t>(kind)) {}

    [[nodiscard]] Kind kind() const { return static_cast<Kind>(m_bits & 15U); }
    [[nodiscard]] std::uint64_t payload() const { return m_bits >> 4U; }
    [[nodiscard]] std::int64_t signedPayload() const {
        return static_cast<std::int64_t>(m_bits) >> 4U;
    }
    [[nodiscard]] std::uint64_t bits() const { return m_bits; }
    [[nodiscard]] bool isNone() const { return kind() == Kind::None; }
    [[nodiscard]] bool isSequence() const { return kind() >= Kind::List && kind() <= Kind::Set; }

    friend bool operator==(Value, Value) = default;

private:
    std::uint64_t m_bits = 0;  // none
};

/// One member of a dict.
struct Item {
    Value key;
    Value value;
};

/// The contents of a pickle. May contain itself: walk it only to a known depth.
class Document {
public:
    Document();

    [[nodiscard]] Value root() const { return m_root; }
    /// Bytes that it was read from.
    [[nodiscard]] std::uint64_t textBytes() const { return m_textBytes; }

    /// Of Bool, Int, Wide, and of a float that is whole; nothing else.
    [[nodiscard]] std::optional<std::int64_t> integer(Value value) const;
    [[nodiscard]] std::optional<double> number(Value value) const;
    /// Of Text, Bytes, Huge and Record; empty for everything else.
    [[nodiscard]] std::string_view text(Value value) const;
    /// Of a list, a tuple or a set; empty for everything else. Valid until the container grows.
    [[nodiscard]] std::span<const Value> elements(Value value) const;
    /// Members of a dict in their order, of an equal key all of them; 0 for everything else.
    [[nodiscard]] std::size_t members(Value dict) const;
    [[nodiscard]] Item member(Value dict, std::size_t index) const;

    /// The value of a key, the last one; none where it is missing.
    [[nodiscard]] Value find(Value dict, std::string_view key) const;
    [[nodiscard]] Value find(Value dict, Value key) const;
    /// The text as a key for find(); a key that no dict has where the document lacks the text.
    [[nodiscard]] Value key(std::string_view text) const;

    /// Dicts of one number have the same keys in the same places; none for one that is a table of
    /// its own.
    [[nodiscard]] std::optional<std::uint32_t> shape(Value dict) const;
    /// The values of a dict that has a shape, in the order of its keys.
    [[nodiscard]] const Value* shapedValues(Value dict) const {
        return m_objects[dict.payload()].items;
    }

    // For who makes one.
    /// Lets memory be touched before it is needed, until setRoot().
    void touchBy(PageToucher* toucher) {
        m_objects.touchBy(toucher);
        m_pieces.touchBy(toucher);
    }
    void setRoot(Value root, std::uint64_t textBytes) {
        m_root = root;
        m_textBytes = textBytes;
        touchBy(nullptr);
    }
    [[nodiscard]] Value addInt(std::int64_t value);
    [[nodiscard]] Value addFloat(double value);
    /// Text, Bytes, Huge or Record.
    [[nodiscard]] Value addText(Kind kind, std::string_view text);
    /// List, Tuple or Set.
    [[nodiscard]] Value addSequence(Kind kind, std::span<const Value> elements);
    [[nodiscard]] Value addDict();
    void append(Value sequence, std::span<const Value> elements);
    /// An empty sequence gets what another one of this document has, which is kept once.
    void share(Value sequence, std::span<const Value> elements) {
        Object& object = m_objects[sequence.payload()];
        object.items = elements.data();
        object.count = static_cast<std::uint32_t>(elements.size());
    }
    /// Key, value, key, value…
    void setItems(Value dict, std::span<const Value> keysAndValues);
    /// Containers made so far.
    [[nodiscard]] std::size_t containers() const { return m_objects.size(); }
    /// Values that containers hold, shared ones once.
    [[nodiscard]] std::size_t held() const { return m_held; }

private:
    struct Object {
        const Value* items = nullptr;
        std::uint32_t count = 0;
        // Dict: its shape, or kGrown and where its items are. Sequence: 0, or kGrown likewise.
        std::uint32_t shape = 0;
    };
    struct Slice {
        const Value* items = nullptr;
        std::uint32_t count = 0;
    };
    static constexpr std::uint32_t kGrown = 1U << 31U;

    [[nodiscard]] Value* store(std::size_t count);
    [[nodiscard]] const Value* shared(std::span<const Value> elements);
    [[nodiscard]] std::uint32_t shapeOf(std::span<const Value> keysAndValues);
    [[nodiscard]] std::vector<Value>& grow(Object& object, bool isDict);

    Value m_root;
    std::uint64_t m_textBytes = 0;
    Store<Object> m_objects;
    std::vector<std::int64_t> m_wide;
    std::vector<double> m_floats;
    StringPool m_texts;

    static constexpr std::size_t kBlock = std::size_t{1} << 20U;  // values
    Pieces m_pieces{kBlock * sizeof(Value)};
    std::vector<Memory> m_blocks;
    std::size_t m_room = 0;  // of the last block
    Value* m_next = nullptr;
    std::size_t m_held = 0;
    std::unordered_map<std::uint64_t, std::vector<Slice>> m_slices;  // by hash
    std::vector<std::vector<Value>> m_shapes;                        // keys
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> m_shapeIds;
    std::uint32_t m_lastShape = 0;
    std::deque<std::vector<Value>> m_grown;
};

}  // namespace kinetoscope::pickle
