// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace kinetoscope::import::repair {

/// Strict JSON (see isStrictJson) that says what `text`, a value that a tolerant reader has
/// understood, says: raw control characters and unknown escapes are escaped, broken UTF-8 becomes
/// U+FFFD, numbers such as 1. and 007 lose what is too much, words such as NaN become null, surplus
/// commas go. Where an object's members are damaged, what is between two of them goes; a key
/// without a value has null, and so has a nest deeper than kMaxJsonDepth. Empty when there is no
/// value.
[[nodiscard]] std::string repairedJson(std::string_view text);

/// isStrictJson() of any text.
[[nodiscard]] bool isStrictCopy(std::string_view text);

}  // namespace kinetoscope::import::repair
