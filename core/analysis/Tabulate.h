// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kinetoscope::analysis {

/// An empty cell, text, or a number that is printed with six significant digits.
using TableCell = std::variant<std::monostate, std::string, double>;

/// A plain text table as Python's `tabulate` prints it in its "simple" format: columns of numbers
/// aligned at the decimal point, all others to the left, two spaces between columns. A column is
/// numeric when it holds numbers and no text. Rows have as many cells as there are headers; text is
/// UTF-8, each code point one column wide. No line end after the last row.
[[nodiscard]] std::string tabulateSimple(const std::vector<std::string>& headers,
                                         const std::vector<std::vector<TableCell>>& rows);

/// The first `count` code points of UTF-8 text.
[[nodiscard]] std::string_view firstCodePoints(std::string_view text, std::size_t count);

}  // namespace kinetoscope::analysis
