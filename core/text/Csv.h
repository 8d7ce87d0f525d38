// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace kinetoscope::text {

/// A name or another text for csvLine(): what a spreadsheet would take for a formula, because it
/// begins with = + - @, a tab or a line break, gets a ' in front. Not for numbers.
[[nodiscard]] std::string csvText(std::string_view text);

/// One line of RFC 4180, ended by "\n": fields with a comma, a quote or a line break are quoted,
/// and so is an empty one that is alone, as Python's csv module does it by default.
[[nodiscard]] std::string csvLine(std::span<const std::string> fields);

/// A text for csvLine() that a terminal may show as well: csvText() of printable().
[[nodiscard]] std::string csvName(std::string_view text);

/// Nanoseconds to a tenth: "15088", "15088.3".
[[nodiscard]] std::string csvNs(double ns);

}  // namespace kinetoscope::text
