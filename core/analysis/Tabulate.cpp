// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/Tabulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

namespace kinetoscope::analysis {

namespace {

// tabulate leaves at least this much more room than a header needs.
constexpr std::size_t kHeaderPadding = 2;
constexpr std::string_view kGap = "  ";
// What Python's str.strip() takes off, within ASCII.
constexpr std::string_view kSpaces = " \t\n\v\f\r\x1c\x1d\x1e\x1f";

using Lines = std::vector<std::string>;

bool isContinuation(char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
}

std::size_t codePoints(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return !isContinuation(c); }));
}

std::string_view strip(std::string_view text) {
    const auto first = text.find_first_not_of(kSpaces);
    return first == std::string_view::npos
               ? std::string_view()
               : text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

Lines splitLines(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
        lines.emplace_back(text.substr(0, end));
        const bool isPair = text.substr(end).starts_with("\r\n");
        text.remove_prefix(std::min(end + (isPair ? 2U : 1U), text.size()));
    }
    return lines;
}

/// Characters after the point of a printed number; -1 when it is a whole number.
int afterPoint(std::string_view number) {
    auto at = number.rfind('.');
    at = at == std::string_view::npos ? number.rfind('e') : at;
    return at == std::string_view::npos ? -1 : static_cast<int>(number.size() - at - 1);
}

struct Column {
    bool isNumeric = false;
    std::size_t width = 0;
    std::vector<Lines> cells;
};

void alignDecimals(Column& column) {
    int most = -1;
    for (const Lines& cell : column.cells) {
        most = std::max(most, cell.empty() ? -1 : afterPoint(cell.front()));
    }
    for (Lines& cell : column.cells) {
        if (cell.empty()) {
            cell.emplace_back();
        }
        cell.front().append(static_cast<std::size_t>(most - afterPoint(cell.front())), ' ');
    }
}

Column makeColumn(const std::string& header, const std::vector<std::vector<TableCell>>& rows,
                  std::size_t at) {
    Column column;
    const auto has = [&]<class T>(std::type_identity<T>) {
        return std::ranges::any_of(
            rows, [&](const auto& row) { return std::holds_alternative<T>(row[at]); });
    };
    column.isNumeric = has(std::type_identity<double>()) && !has(std::type_identity<std::string>());
    for (const auto& row : rows) {
        if (const auto* text = std::get_if<std::string>(&row[at]); text != nullptr) {
            column.cells.push_back(splitLines(strip(*text)));
        } else if (const auto* number = std::get_if<double>(&row[at]); number != nullptr) {
            column.cells.push_back({fmt::format("{:g}", *number)});
        } else {
            column.cells.emplace_back();
        }
    }
    if (column.isNumeric) {
        alignDecimals(column);
    }
    column.width = codePoints(header) + kHeaderPadding;
    for (const Lines& cell : column.cells) {
        for (const std::string& line : cell) {
            column.width = std::max(column.width, codePoints(line));
        }
    }
    return column;
}

void addCell(std::string& line, std::string_view text, const Column& column, bool isFirst) {
    const std::string padding(column.width - codePoints(text), ' ');
    line += isFirst ? std::string_view() : kGap;
    line += column.isNumeric ? padding : "";
    line += text;
    line += column.isNumeric ? "" : padding;
}

void endLine(std::string& table, std::string_view line) {
    const auto last = line.find_last_not_of(kSpaces);
    table += table.empty() ? "" : "\n";
    table += line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// One row of the table; a cell with line breaks makes it several lines high.
void addRow(std::string& table, const std::vector<Column>& columns, std::size_t row) {
    std::size_t height = 1;
    for (const Column& column : columns) {
        height = std::max(height, column.cells[row].size());
    }
    for (std::size_t at = 0; at < height; ++at) {
        std::string line;
        for (const Column& column : columns) {
            const Lines& cell = column.cells[row];
            addCell(line, at < cell.size() ? cell[at] : std::string(), column,
                    &column == &columns.front());
        }
        endLine(table, line);
    }
}

}  // namespace

std::string tabulateSimple(const std::vector<std::string>& headers,
                           const std::vector<std::vector<TableCell>>& rows) {
    std::vector<Column> columns;
    for (std::size_t at = 0; at < headers.size(); ++at) {
        columns.push_back(makeColumn(headers[at], rows, at));
    }
    std::string heading;
    std::string rule;
    for (std::size_t at = 0; at < headers.size(); ++at) {
        addCell(heading, headers[at], columns[at], at == 0);
        addCell(rule, std::string(columns[at].width, '-'), columns[at], at == 0);
    }
    std::string table;
    endLine(table, heading);
    endLine(table, rule);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        addRow(table, columns, row);
    }
    return table;
}

std::string_view firstCodePoints(std::string_view text, std::size_t count) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!isContinuation(text[at]) && count-- == 0) {
            return text.substr(0, at);
        }
    }
    return text;
}

}  // namespace kinetoscope::analysis
