// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/pickle/Document.h"
#include "core/pickle/Limits.h"

namespace kinetoscope::pickle {

/// The machine that a pickle is a program of, as far as it makes data: a stack, marks on it, and a
/// memo. Every operation checks what it takes and throws Damage.
class Machine {
public:
    explicit Machine(Document& document) : m_document(document) {}

    /// Lets memory be touched before it is needed.
    void touchBy(PageToucher& toucher) {
        m_document.touchBy(&toucher);
        m_memo.touchBy(&toucher);
    }

    void push(Value value) {
        if (m_size == m_stack.size()) {
            growStack(1);
        }
        m_stack.data()[m_size++] = value;
    }
    void pushInt(std::int64_t value) { push(m_document.addInt(value)); }
    /// Little-endian, two's complement.
    void pushLong(std::string_view bytes);
    void pushText(Kind kind, std::string_view text) { push(m_document.addText(kind, text)); }
    void pushContainer(Kind kind);
    void mark() {
        if (m_marks.size() == kMaxStack) {
            throw Damage{"more marks than any recorder writes"};
        }
        m_marks.push_back(m_size);
    }

    [[nodiscard]] Value pop();
    /// The topmost value or, if there is none above it, the last mark.
    void drop();
    void popMark();
    void duplicate() { push(top()); }
    [[nodiscard]] Value top() const;

    /// The topmost `count` values as a tuple.
    void makeTuple(std::size_t count);
    /// The values above the last mark as a sequence or a dict.
    void makeFromMark(Kind kind);
    void append();
    void appends();
    void setItem();
    void setItems();

    void remember(std::uint64_t index);
    void rememberNext() { remember(m_remembered); }
    /// Takes the instructions BINGET and LONG_BINGET at `from` as long as there are such and five
    /// bytes of each: most of a stack's frames. Where they fill a list that is empty, that too.
    /// Gives where it stopped, at an instruction that is left to others.
    [[nodiscard]] const char* recallMany(const char* from, const char* end);
    void recall(std::uint64_t index) {
        if (index < m_memo.size() && m_memo[index] != kNothing) {
            push(m_memo[index]);
            return;
        }
        recallFar(index);
    }

    /// A class by its name; refused unless it is plain data.
    void pushClass(std::string_view module, std::string_view name);
    /// The call of such a class with a tuple of arguments.
    void call();

private:
    // Where the memo has nothing: no value is of that kind.
    static constexpr Value kNothing{static_cast<Kind>(15), 0};

    [[nodiscard]] std::size_t lastMark() const;
    [[nodiscard]] std::span<const Value> above(std::size_t place) const {
        return std::span(m_stack).first(m_size).subspan(place);
    }
    void dropFrom(std::size_t place) { m_size = place; }
    void growStack(std::size_t more);
    void extend(Value target, std::span<const Value> elements);
    void setMembers(Value target, std::span<const Value> keysAndValues);
    void checkRoom(std::size_t more) const;
    void recallFar(std::uint64_t index);
    [[nodiscard]] bool fillsEmptyList() const;
    [[nodiscard]] const char* recallRun(const char* from, const char* end);
    void addRun(std::string_view bytes, Value list);
    [[nodiscard]] std::vector<Value> copyOf(Value sequence);
    [[nodiscard]] Value called(std::string_view name, std::span<const Value> arguments);

    Document& m_document;
    std::vector<Value> m_stack;  // the first m_size are on it
    std::size_t m_size = 0;
    std::vector<std::size_t> m_marks;
    Store<Value> m_memo;
    std::unordered_map<std::uint64_t, Value> m_farMemo;
    std::uint64_t m_remembered = 0;  // entries of both

    /// The instructions that filled a list, and what it has: a program allocates at the same places
    /// again and again, mostly in the same order, so that the next stack can be guessed and
    /// compared as a whole.
    struct Run {
        std::string bytes;
        std::span<const Value> elements;
        std::size_t next = 0;  ///< the run that came after it
    };
    std::vector<Run> m_runs;
    std::unordered_map<const Value*, std::size_t> m_runOf;  // by their elements
    std::size_t m_lastRun = 0;
    std::size_t m_copied = 0;  // values, by calls
};

}  // namespace kinetoscope::pickle
