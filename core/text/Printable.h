// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kinetoscope::text {

/// `text` as one line that is safe on a terminal: control characters, line separators and
/// direction marks become \n, \t, \x1b or \u202e, bytes that are not UTF-8 become \xff. Everything
/// else stays, backslashes included.
[[nodiscard]] std::string printable(std::string_view text);

/// The same line by line: line breaks stay.
[[nodiscard]] std::string printableLines(std::string_view text);

/// Columns that valid UTF-8 takes on a terminal: 0 for combining marks, 2 for wide characters.
[[nodiscard]] std::size_t displayWidth(std::string_view text);

/// `text` in at most `width` columns: the middle of a longer one gives way to "…", because kernel
/// names differ at both ends.
[[nodiscard]] std::string fitWidth(std::string_view text, std::size_t width);

/// The same, but its end gives way.
[[nodiscard]] std::string fitEnd(std::string_view text, std::size_t width);

/// `text` filled up with blanks to `width` columns.
[[nodiscard]] std::string padLeft(std::string_view text, std::size_t width);
[[nodiscard]] std::string padRight(std::string_view text, std::size_t width);

}  // namespace kinetoscope::text
