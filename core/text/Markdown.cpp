// SPDX-License-Identifier: Apache-2.0
#include "core/text/Markdown.h"

#include "core/text/Printable.h"

namespace kinetoscope::text {

std::string markdownCode(std::string_view text) {
    std::string code;
    std::size_t run = 0;
    std::size_t longest = 0;
    for (const char c : printable(text)) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
        // A table is cut at bars before code spans are found.
        code += c == '|' ? "\\|" : std::string(1, c);
    }
    const std::string fence(longest + 1, '`');
    return longest > 0 ? fence + " " + code + " " + fence : fence + code + fence;
}

std::string markdownText(std::string_view text) {
    static constexpr std::string_view kMarkup = "\\`*_{}[]<>#|~&";
    std::string safe;
    for (const char c : printable(text)) {
        if (kMarkup.find(c) != std::string_view::npos) {
            safe += '\\';
        }
        safe += c;
    }
    return safe;
}

std::string markdownLines(std::string_view text) {
    std::string lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        lines += markdownText(text.substr(0, end));
        lines += end == std::string_view::npos ? "" : "\n";
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    return lines;
}

std::string markdownRow(std::span<const std::string> cells) {
    std::string line = "|";
    for (const std::string& cell : cells) {
        line += " " + cell + " |";
    }
    return line + "\n";
}

}  // namespace kinetoscope::text
