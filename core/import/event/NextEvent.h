// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "core/import/source/TextWindow.h"

namespace kinetoscope::import::event {

enum class NextKind : std::uint8_t {
    Event,      ///< `at` is the '{' of a well-formed event
    ArrayEnd,   ///< `at` is the ']' that ends the events
    EndOfText,  ///< neither follows before the limit, or a stop was requested
};

/// Keeps recovery linear in the length of the text, however hostile it is: bytes looked at in vain
/// are charged, and together they may not be more than a few times the text read so far.
class RecoveryBudget {
public:
    void charge(std::ptrdiff_t bytes) { m_spent += static_cast<std::uint64_t>(bytes); }
    /// Bytes that an attempt at this offset may look at.
    [[nodiscard]] std::uint64_t left(std::uint64_t offset) const {
        const std::uint64_t allowed = kFree + kPerByte * offset;
        return m_spent < allowed ? allowed - m_spent : 0;
    }
    [[nodiscard]] bool untouched() const { return m_spent == 0; }

private:
    static constexpr std::uint64_t kFree = 1024 * 1024;
    static constexpr std::uint64_t kPerByte = 8;
    std::uint64_t m_spent = 0;
};

/// What the ']' that ends the events looks like.
enum class ArrayEndForm : std::uint8_t {
    None,      ///< there can be none any more
    Member,    ///< the rest of an object follows it
    Document,  ///< nothing follows it
};

/// Finds where reading can go on after the damage at `at`: the next '{' behind something that
/// separates elements from which a well-formed event with a "ph" can be read, or the end of the
/// array. Does not look for events that begin at `limit` or behind it.
[[nodiscard]] NextKind findNextEvent(
    source::TextWindow& window, const char*& at, ArrayEndForm arrayEnd, RecoveryBudget& budget,
    std::uint64_t limit = std::numeric_limits<std::uint64_t>::max());

}  // namespace kinetoscope::import::event
