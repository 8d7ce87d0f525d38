// SPDX-License-Identifier: Apache-2.0
#include "core/pickle/Machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ranges>

namespace kinetoscope::pickle {

namespace {

constexpr char kBinGet = 'h';
constexpr char kLongBinGet = 'j';
constexpr char kAppends = 'e';

bool maybeKey(Kind kind) {
    return kind != Kind::List && kind != Kind::Dict && kind != Kind::Set;
}

}  // namespace

void Machine::pushLong(std::string_view bytes) {
    if (bytes.size() > sizeof(std::uint64_t)) {
        std::string digits = "0x";
        for (const char byte : bytes | std::views::reverse) {
            digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
        }
        pushText(Kind::Huge, digits);
        return;
    }
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    }
    const bool negative = !bytes.empty() && (static_cast<unsigned char>(bytes.back()) & 0x80U) != 0;
    if (negative && bytes.size() < sizeof value) {
        value |= ~std::uint64_t{0} << (8 * bytes.size());
    }
    pushInt(static_cast<std::int64_t>(value));
}

void Machine::checkRoom(std::size_t more) const {
    if (m_document.containers() >= kMaxContainers || m_document.held() + more > kMaxHeld) {
        throw Damage{"it holds more values than any recorder writes"};
    }
}

void Machine::pushContainer(Kind kind) {
    checkRoom(0);
    push(kind == Kind::Dict ? m_document.addDict() : m_document.addSequence(kind, {}));
}

Value Machine::top() const {
    if (m_size == 0 || (!m_marks.empty() && m_marks.back() == m_size)) {
        throw Damage{"a value is missing"};
    }
    return m_stack[m_size - 1];
}

Value Machine::pop() {
    const Value value = top();
    --m_size;
    return value;
}

void Machine::growStack(std::size_t more) {
    if (m_size + more > kMaxStack) {
        throw Damage{"more values wait for a container than any recorder writes"};
    }
    m_stack.resize(std::max(m_size + more, 2 * m_stack.size()));
}

void Machine::drop() {
    if (!m_marks.empty() && m_marks.back() == m_size) {
        m_marks.pop_back();
        return;
    }
    (void)pop();
}

std::size_t Machine::lastMark() const {
    if (m_marks.empty()) {
        throw Damage{"a mark is missing"};
    }
    return m_marks.back();
}

void Machine::popMark() {
    dropFrom(lastMark());
    m_marks.pop_back();
}

void Machine::makeTuple(std::size_t count) {
    const std::size_t least = m_marks.empty() ? 0 : m_marks.back();
    if (m_size - least < count) {
        throw Damage{"a tuple's values are missing"};
    }
    checkRoom(count);
    const std::size_t from = m_size - count;
    const Value tuple = m_document.addSequence(Kind::Tuple, above(from));
    dropFrom(from);
    push(tuple);
}

void Machine::makeFromMark(Kind kind) {
    const std::size_t from = lastMark();
    checkRoom(m_size - from);
    Value made;
    if (kind == Kind::Dict) {
        made = m_document.addDict();
        setMembers(made, above(from));
    } else {
        made = m_document.addSequence(kind, above(from));
    }
    popMark();
    push(made);
}

void Machine::extend(Value target, std::span<const Value> elements) {
    if (target.kind() != Kind::List && target.kind() != Kind::Set) {
        throw Damage{"values are to go into something that is not a list"};
    }
    checkRoom(elements.size());
    m_document.append(target, elements);
}

void Machine::setMembers(Value target, std::span<const Value> keysAndValues) {
    if (target.kind() != Kind::Dict) {
        throw Damage{"keys are to go into something that is not a dict"};
    }
    if (keysAndValues.size() % 2 != 0) {
        throw Damage{"a key has no value"};
    }
    for (std::size_t i = 0; i < keysAndValues.size(); i += 2) {
        if (!maybeKey(keysAndValues[i].kind())) {
            throw Damage{"a key is a list, a set or a dict"};
        }
    }
    checkRoom(keysAndValues.size());
    m_document.setItems(target, keysAndValues);
}

void Machine::append() {
    const Value element = pop();
    extend(top(), std::span(&element, 1));
}

void Machine::appends() {
    const std::size_t from = lastMark();
    m_marks.pop_back();
    const std::span<const Value> elements = above(from);
    if (from == 0 || (!m_marks.empty() && m_marks.back() == from)) {
        throw Damage{"a list is missing"};
    }
    extend(m_stack[from - 1], elements);
    dropFrom(from);
}

void Machine::setItem() {
    const Value value = pop();
    const std::array item{pop(), value};
    setMembers(top(), item);
}

void Machine::setItems() {
    const std::size_t from = lastMark();
    m_marks.pop_back();
    if (from == 0 || (!m_marks.empty() && m_marks.back() == from)) {
        throw Damage{"a dict is missing"};
    }
    setMembers(m_stack[from - 1], above(from));
    dropFrom(from);
}

// An index may be any number: what no counting gives is kept apart, so that a large one takes no
// memory.
void Machine::remember(std::uint64_t index) {
    const Value value = top();
    if (index < m_memo.size()) {
        m_remembered += m_memo[index] == kNothing ? 1U : 0U;
        m_memo[index] = value;
        // What runs recall may be another thing from now on.
        m_runs.clear();
        m_runOf.clear();
    } else if (index <= m_memo.size() + 1) {
        if (index > m_memo.size()) {
            m_memo.push(kNothing);
        }
        m_memo.push(value);
        ++m_remembered;
    } else {
        m_remembered += m_farMemo.insert_or_assign(index, value).second ? 1U : 0U;
    }
}

const char* Machine::recallMany(const char* from, const char* end) {
    constexpr std::ptrdiff_t kLongest = 5;
    constexpr std::size_t kMax = 1024;  // in one step
    if (*from != kBinGet && *from != kLongBinGet) {
        return from;
    }
    const bool fills = fillsEmptyList();
    if (const char* const after = fills ? recallRun(from, end) : nullptr) {
        return after;
    }
    const char* const begin = from;
    if (m_stack.size() - m_size < kMax) {
        growStack(kMax);
    }
    Value* next = m_stack.data() + m_size;
    Value* const full = next + kMax;
    const std::size_t known = m_memo.size();
    while (next != full && end - from >= kLongest) {
        std::uint32_t index = 0;
        std::ptrdiff_t length = 2;
        if (*from == kBinGet) {
            index = static_cast<unsigned char>(from[1]);
        } else if (*from == kLongBinGet) {
            std::memcpy(&index, from + 1, sizeof index);
            length = kLongest;
        } else {
            break;
        }
        const Value value = index < known ? m_memo[index] : kNothing;
        if (value == kNothing) {
            break;
        }
        *next++ = value;
        from += length;
    }
    m_size = static_cast<std::size_t>(next - m_stack.data());
    if (fills && from != end && *from == kAppends) {
        const Value list = m_stack[m_marks.back() - 1];
        appends();
        addRun({begin, from}, list);
        ++from;
    }
    return from;
}

bool Machine::fillsEmptyList() const {
    if (m_marks.empty() || m_marks.back() != m_size || m_size == 0 ||
        (m_marks.size() > 1 && m_marks[m_marks.size() - 2] == m_size)) {
        return false;
    }
    const Value list = m_stack[m_size - 1];
    return list.kind() == Kind::List && m_document.elements(list).empty();
}

// Null if the next value is none of the guessed runs.
const char* Machine::recallRun(const char* from, const char* end) {
    if (m_lastRun >= m_runs.size()) {
        return nullptr;
    }
    const auto left = static_cast<std::size_t>(end - from);
    for (const std::size_t guess : {m_runs[m_lastRun].next, m_lastRun}) {
        const Run& run = m_runs[guess];
        const std::size_t length = run.bytes.size();
        if (length < left && from[length] == kAppends &&
            std::memcmp(from, run.bytes.data(), length) == 0) {
            m_document.share(m_stack[m_size - 1], run.elements);
            m_marks.pop_back();
            m_lastRun = guess;
            return from + length + 1;
        }
    }
    return nullptr;
}

void Machine::addRun(std::string_view bytes, Value list) {
    constexpr std::size_t kMaxRuns = 1U << 16U;
    constexpr std::size_t kMaxBytes = 4096;  // of one
    const std::span<const Value> elements = m_document.elements(list);
    if (bytes.size() > kMaxBytes) {
        return;
    }
    const auto [at, isNew] = m_runOf.try_emplace(elements.data(), m_runs.size());
    if (isNew) {
        if (m_runs.size() == kMaxRuns) {
            m_runOf.erase(at);
            return;
        }
        m_runs.push_back({std::string(bytes), elements, m_runs.size()});
    }
    const std::size_t run = isNew ? m_runs.size() - 1 : at->second;
    if (m_lastRun < m_runs.size()) {
        m_runs[m_lastRun].next = run;
    }
    m_lastRun = run;
}

void Machine::recallFar(std::uint64_t index) {
    const auto found = m_farMemo.find(index);
    if (found == m_farMemo.end()) {
        throw Damage{fmt::format("value {} is used before it is set", index)};
    }
    push(found->second);
}

}  // namespace kinetoscope::pickle
