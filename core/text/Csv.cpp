// SPDX-License-Identifier: Apache-2.0
#include "core/text/Csv.h"

#include <fmt/format.h>

#include "core/text/Printable.h"

#include <algorithm>
#include <array>

namespace kinetoscope::text {

namespace {

// OWASP's list; the last four are the full-width forms, which some spreadsheets take as well.
bool beginsFormula(std::string_view text) {
    static constexpr std::array<std::string_view, 11> kBeginnings{
        "=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"};
    return std::ranges::any_of(kBeginnings,
                               [text](std::string_view begin) { return text.starts_with(begin); });
}

void appendQuoted(std::string& line, std::string_view field) {
    line += '"';
    for (std::size_t quote = field.find('"'); quote != std::string_view::npos;
         quote = field.find('"')) {
        line += field.substr(0, quote + 1);
        line += '"';
        field.remove_prefix(quote + 1);
    }
    line += field;
    line += '"';
}

}  // namespace

std::string csvText(std::string_view text) {
    return (beginsFormula(text) ? "'" : "") + std::string(text);
}

std::string csvLine(std::span<const std::string> fields) {
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::string& field = fields[i];
        line += i > 0 ? "," : "";
        const bool alone = fields.size() == 1 && field.empty();
        if (alone || field.find_first_of(",\"\n\r") != std::string::npos) {
            appendQuoted(line, field);
        } else {
            line += field;
        }
    }
    line += '\n';
    return line;
}

std::string csvName(std::string_view text) {
    return csvText(printable(text));
}

std::string csvNs(double ns) {
    std::string text = fmt::format("{:.1f}", ns);
    if (text.ends_with(".0")) {
        text.resize(text.size() - 2);
    }
    return text == "-0" ? "0" : text;
}

}  // namespace kinetoscope::text
