// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/query/sql/Functions.h"
#include "core/query/sql/QueryOutput.h"
#include "core/text/Markdown.h"

namespace kinetoscope::query::sql {

namespace {

const char* typeName(ColumnType type) {
    return type == ColumnType::Integer ? "integer" : type == ColumnType::Real ? "real" : "text";
}

constexpr std::string_view kRankAbout = "of the file in its job; otherwise the file's index";

std::string markdown(const TableInfo& info) {
    std::string text = fmt::format(
        "### {}\n\n{}.\n\n| column | type | unit | what it is |\n| --- | --- | --- | --- |\n",
        info.name, text::markdownText(info.about));
    for (const Column& column : info.columns) {
        text += fmt::format("| `{}` | {} | {} | {} |\n", column.name, typeName(column.type),
                            column.unit, text::markdownText(column.about));
    }
    return text + (info.ofJob ? "\n" : fmt::format("| `rank` | integer |  | {} |\n\n", kRankAbout));
}

std::string describe(const TableInfo& info, const text::TextStyle& style) {
    text::TextTable columns(
        {{"Column", false}, {"Type", false}, {"Unit", false}, {"What it is", false}});
    for (const Column& column : info.columns) {
        columns.addRow({std::string(column.name), typeName(column.type), std::string(column.unit),
                        std::string(column.about)});
    }
    if (!info.ofJob) {
        columns.addRow({"rank", "integer", "", std::string(kRankAbout)});
    }
    return style.heading(std::string(info.name)) + "\n" +
           text::paragraph(info.about, style.width, 2) + columns.text(style);
}

std::string functions(const text::TextStyle& style) {
    std::string text = style.heading("Functions") + "\n";
    for (const FunctionInfo& function : allFunctions()) {
        text +=
            fmt::format("  {}\n{}", function.call, text::paragraph(function.about, style.width, 6));
    }
    return text;
}

}  // namespace

std::string tablesText(const text::TextStyle& style) {
    text::TextTable tables({{"Table", false}, {"Holds", false}});
    for (const TableInfo& info : allTables()) {
        tables.addRow({std::string(info.name), std::string(info.about)});
    }
    text::TextStyle wide = style;
    wide.width = 0;
    return tables.text(wide, 0);
}

Result<std::string> schemaText(std::string_view table, const text::TextStyle& style) {
    if (!table.empty()) {
        const TableInfo* const info = findTable(table);
        if (info == nullptr) {
            std::string names;
            for (const TableInfo& each : allTables()) {
                names += (names.empty() ? "" : ", ") + std::string(each.name);
            }
            return fail(fmt::format("no table '{}'; there are {}", table, names));
        }
        return describe(*info, style);
    }
    std::string text;
    for (const TableInfo& info : allTables()) {
        text += describe(info, style) + "\n";
    }
    return text + functions(style);
}

std::string schemaMarkdown() {
    std::string text;
    for (const TableInfo& info : allTables()) {
        text += markdown(info);
    }
    text += "### Functions\n\n| call | returns |\n| --- | --- |\n";
    for (const FunctionInfo& function : allFunctions()) {
        text += fmt::format("| {} | {} |\n", text::markdownCode(function.call),
                            text::markdownText(function.about));
    }
    return text;
}

}  // namespace kinetoscope::query::sql
