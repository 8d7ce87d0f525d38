// SPDX-License-Identifier: Apache-2.0
#include "core/text/PrintedTable.h"

#include <fmt/format.h>

#include "core/text/Markdown.h"

namespace kinetoscope::text {

namespace {

constexpr std::size_t kMinName = 8;  // columns that a shortened name keeps

std::string markdownCells(const std::vector<std::string>& row) {
    std::vector<std::string> escaped;
    escaped.reserve(row.size());
    for (const std::string& cell : row) {
        escaped.push_back(markdownText(cell));
    }
    return markdownRow(escaped);
}

}  // namespace

std::string shownTable(const PrintedTable& table, const TextStyle& style, std::size_t most) {
    if (table.rows.empty()) {
        return {};
    }
    std::vector<TextTable::Column> columns;
    columns.reserve(table.columns.size());
    for (const PrintedTable::Column& column : table.columns) {
        columns.push_back({.title = column.title,
                           .rightAligned = !column.isName && !column.isWord,
                           .droppable = static_cast<int>(columns.size()),
                           .shrinkTo = column.isName ? kMinName : 0U});
    }
    TextTable shown(std::move(columns));
    for (std::size_t i = 0; i < table.rows.size() && i < most; ++i) {
        shown.addRow(table.rows[i]);
    }
    std::string text = "\n" + style.heading(table.title) + "\n" + shown.text(style);
    if (table.rows.size() > most) {
        text +=
            style.faint(fmt::format("  {} more rows: --json has all\n", table.rows.size() - most));
    }
    return text;
}

std::string markdownTable(const PrintedTable& table) {
    if (table.rows.empty()) {
        return {};
    }
    std::vector<std::string> titles;
    titles.reserve(table.columns.size());
    for (const PrintedTable::Column& column : table.columns) {
        titles.push_back(column.title);
    }
    std::string text = "\n## " + markdownText(table.title) + "\n\n" + markdownCells(titles) + "|";
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        text += " --- |";
    }
    text += "\n";
    for (const auto& row : table.rows) {
        text += markdownCells(row);
    }
    return text;
}

}  // namespace kinetoscope::text
