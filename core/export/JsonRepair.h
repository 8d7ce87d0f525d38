// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace kinetoscope {

/// Strict JSON (RFC 8259, valid UTF-8) that says what `text`, a value that a tolerant reader has
/// understood, says: raw control characters and unknown escapes are escaped, broken UTF-8 becomes
/// U+FFFD, words such as NaN become null, surplus commas go. Empty when that is not enough.
[[nodiscard]] std::string repairedJson(std::string_view text);

}  // namespace kinetoscope
