// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/TextWindow.h"

namespace kinetoscope {

enum class NextKind : std::uint8_t {
    Event,      ///< `at` is the '{' of a well-formed event
    ArrayEnd,   ///< `at` is the ']' that ends the events
    EndOfText,  ///< neither comes any more, or a stop was asked for
};

/// Finds where reading can go on after the damage at `at`: the next '{' behind something that
/// separates elements from which a well-formed event with a "ph" can be read, or the end of the
/// array. `bareArray`: the array is the whole document. Takes time linear in the distance, however
/// hostile the text.
[[nodiscard]] NextKind findNextEvent(TextWindow& window, const char*& at, bool bareArray);

}  // namespace kinetoscope
