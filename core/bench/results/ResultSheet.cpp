// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/ResultSheet.h"

#include <algorithm>

#include "core/text/Markdown.h"

namespace kinetoscope::bench::results {

namespace {

std::string lines(const std::vector<std::string>& notes, std::string_view indent = {}) {
    std::string text;
    for (const std::string& note : notes) {
        text.append(indent).append(note) += '\n';
    }
    return text;
}

std::string tableText(const ResultSheet::Section& section, const text::TextStyle& style) {
    if (section.rows.empty()) {
        return section.instead.empty() ? "" : "  " + section.instead + "\n";
    }
    text::TextTable table(section.columns);
    for (const auto& row : section.rows) {
        table.addRow(row);
    }
    return table.text(style);
}

std::string tableMarkdown(const ResultSheet::Section& section) {
    std::vector<std::string> titles;
    std::vector<std::string> rules;
    for (const auto& column : section.columns) {
        titles.push_back(text::markdownText(column.title));
        rules.emplace_back(column.rightAligned ? "---:" : "---");
    }
    std::string text = text::markdownRow(titles) + text::markdownRow(rules);
    for (const auto& row : section.rows) {
        std::vector<std::string> cells;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool code = std::ranges::find(section.code, i) != section.code.end();
            cells.push_back(code ? text::markdownCode(row[i]) : text::markdownText(row[i]));
        }
        text += text::markdownRow(cells);
    }
    return text;
}

std::string sectionMarkdown(const ResultSheet::Section& section) {
    std::string text;
    if (!section.title.empty()) {
        text += "\n**" + text::markdownText(section.title) + "**\n";
    }
    if (!section.columns.empty()) {
        text += "\n" + tableMarkdown(section);
    }
    return section.notes.empty() ? text : text + "\n" + text::markdownLines(lines(section.notes));
}

}  // namespace

ResultSheet resultSheet(const ResultDocument& document, bool allConfigs) {
    switch (document.kind) {
        case ResultKind::Operators:
            return operatorSheet(document);
        case ResultKind::Modules:
            return moduleSheet(document);
        case ResultKind::Kernels:
            break;
    }
    return kernelSheet(document, allConfigs);
}

std::string resultCsv(const ResultDocument& document) {
    switch (document.kind) {
        case ResultKind::Operators:
            return operatorCsv(document);
        case ResultKind::Modules:
            return moduleCsv(document);
        case ResultKind::Kernels:
            break;
    }
    return kernelCsv(document);
}

std::string sheetText(const ResultSheet& sheet, const text::TextStyle& style) {
    std::string text = style.heading(sheet.title) + "\n" + lines(sheet.facts);
    for (const ResultSheet::Section& section : sheet.sections) {
        text += "\n";
        text += section.title.empty() ? "" : style.heading(section.title) + "\n";
        text += tableText(section, style) + lines(section.notes, "  ");
    }
    return text;
}

std::string sheetMarkdown(const ResultSheet& sheet) {
    std::string text = sheet.facts.empty() ? text::markdownText(sheet.title) + "\n"
                                           : text::markdownLines(lines(sheet.facts));
    for (const ResultSheet::Section& section : sheet.sections) {
        text += sectionMarkdown(section);
    }
    return text;
}

}  // namespace kinetoscope::bench::results
