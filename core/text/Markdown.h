// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace kinetoscope::text {

/// `text` as a code span that stays whole inside a table.
[[nodiscard]] std::string markdownCode(std::string_view text);

/// `text` with every character that Markdown or HTML would take for markup escaped.
[[nodiscard]] std::string markdownText(std::string_view text);

/// The same line by line: line breaks stay.
[[nodiscard]] std::string markdownLines(std::string_view text);

/// One line of a table; cells must be markdownText() or markdownCode().
[[nodiscard]] std::string markdownRow(std::span<const std::string> cells);

}  // namespace kinetoscope::text
