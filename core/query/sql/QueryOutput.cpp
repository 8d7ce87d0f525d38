// SPDX-License-Identifier: Apache-2.0
#include "core/query/sql/QueryOutput.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/json/Json.h"
#include "core/text/Csv.h"
#include "core/text/Format.h"
#include "core/text/Markdown.h"
#include "core/text/Printable.h"

namespace kinetoscope::query::sql {

namespace {

constexpr std::size_t kPieceBytes = 1U << 16U;

std::string realText(double value) {
    const double size = std::abs(value);
    return size >= 1e15 || (size > 0.0 && size < 1e-3) ? fmt::format("{:.6g}", value)
           : size >= 1000.0                            ? fmt::format("{:.1f}", value)
                                                       : fmt::format("{:.4g}", value);
}

// Gathers what is written, so that rows are not written one by one.
class Pieces {
public:
    explicit Pieces(Write write) : m_write(std::move(write)) {}

    [[nodiscard]] Result<void> add(std::string_view text) {
        m_text += text;
        return m_text.size() < kPieceBytes ? Result<void>() : flush();
    }
    [[nodiscard]] Result<void> flush() {
        auto done = m_text.empty() ? Result<void>() : m_write(m_text);
        m_text.clear();
        return done;
    }

private:
    Write m_write;
    std::string m_text;
};

class JsonOutput final : public QueryOutput {
public:
    explicit JsonOutput(Write write) : m_pieces(std::move(write)) {}

    Result<void> begin(std::vector<std::string> columns) override {
        if (!m_keys.empty()) {
            return fail("--json takes a single SELECT; the SQL has several");
        }
        for (const std::string& name : uniqueNames(std::move(columns))) {
            m_keys.push_back(json::safeJson(json::quotedJson(name)) + ": ");
        }
        return {};
    }
    Result<void> row(std::span<const Cell> cells) override {
        std::string line = m_isFirst ? "[\n{" : ",\n{";
        m_isFirst = false;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            line += (i > 0 ? ", " : "") + m_keys[i] + cellJson(cells[i]);
        }
        return m_pieces.add(line + "}");
    }
    Result<void> finish() override {
        auto done = m_pieces.add(m_isFirst ? "[]\n" : "\n]\n");
        return done ? m_pieces.flush() : done;
    }

private:
    Pieces m_pieces;
    std::vector<std::string> m_keys;
    bool m_isFirst = true;
};

class CsvOutput final : public QueryOutput {
public:
    explicit CsvOutput(Write write) : m_pieces(std::move(write)) {}

    Result<void> begin(std::vector<std::string> columns) override {
        const bool isFirst = !m_began;
        m_began = true;
        std::ranges::transform(columns, columns.begin(), text::csvName);
        return m_pieces.add((isFirst ? "" : "\n") + text::csvLine(columns));
    }
    Result<void> row(std::span<const Cell> cells) override {
        std::vector<std::string> fields;
        for (const Cell& cell : cells) {
            fields.push_back(cell.kind == Cell::Kind::Text   ? text::csvName(cell.text)
                             : cell.kind == Cell::Kind::Real ? fmt::format("{}", cell.real)
                             : cell.isNull()                 ? std::string()
                                                             : std::to_string(cell.integer));
        }
        return m_pieces.add(text::csvLine(fields));
    }
    Result<void> finish() override { return m_pieces.flush(); }

private:
    Pieces m_pieces;
    bool m_began = false;
};

// Text and Markdown need all rows of a statement before they write the first one.
class TableOutput final : public QueryOutput {
public:
    TableOutput(bool isMarkdown, const text::TextStyle& style, std::size_t maxBytes, Write write)
        : m_isMarkdown(isMarkdown),
          m_style(style),
          m_maxBytes(maxBytes),
          m_pieces(std::move(write)) {}

    Result<void> begin(std::vector<std::string> columns) override {
        auto done = m_columns.empty() ? Result<void>() : writeTable();
        m_columns = std::move(columns);
        m_isText.assign(m_columns.size(), false);
        m_rows.clear();
        return done;
    }
    Result<void> row(std::span<const Cell> cells) override {
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            m_isText[i] = m_isText[i] || cells[i].kind == Cell::Kind::Text;
            texts.push_back(cellText(cells[i]));
            m_bytes += sizeof(std::string) + texts.back().size();
        }
        m_rows.push_back(std::move(texts));
        if (m_maxBytes > 0 && m_bytes > m_maxBytes) {
            return fail(
                "the table exceeds the memory limit; add a LIMIT, or use --csv or --json, which "
                "have none");
        }
        return {};
    }
    Result<void> finish() override {
        auto done = m_columns.empty() ? Result<void>() : writeTable();
        return done ? m_pieces.flush() : done;
    }

private:
    [[nodiscard]] Result<void> writeTable() {
        const bool isFirst = !m_wrote;
        m_wrote = true;
        return m_pieces.add((isFirst ? "" : "\n") + (m_isMarkdown ? markdown() : plain()));
    }
    [[nodiscard]] std::string plain() const {
        constexpr std::size_t kNarrowest = 12;
        std::vector<text::TextTable::Column> columns;
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            columns.push_back({.title = text::printable(m_columns[i]),
                               .rightAligned = !m_isText[i],
                               .shrinkTo = m_isText[i] && !m_style.fullNames ? kNarrowest : 0});
        }
        text::TextTable table(std::move(columns));
        for (const auto& row : m_rows) {
            table.addRow(row);
        }
        return table.text(m_style, 0) +
               fmt::format("{} {}\n", text::formatCount(static_cast<std::int64_t>(m_rows.size())),
                           m_rows.size() == 1 ? "row" : "rows");
    }
    [[nodiscard]] std::string markdown() const {
        std::vector<std::string> cells;
        std::ranges::transform(m_columns, std::back_inserter(cells), text::markdownText);
        std::string text = text::markdownRow(cells);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            cells[i] = m_isText[i] ? "---" : "---:";
        }
        text += text::markdownRow(cells);
        for (const auto& row : m_rows) {
            std::ranges::transform(row, cells.begin(), text::markdownText);
            text += text::markdownRow(cells);
        }
        return text;
    }

    bool m_isMarkdown;
    text::TextStyle m_style;
    std::size_t m_maxBytes;
    Pieces m_pieces;
    std::vector<std::string> m_columns;
    std::vector<bool> m_isText;
    std::vector<std::vector<std::string>> m_rows;
    std::size_t m_bytes = 0;
    bool m_wrote = false;
};

}  // namespace

std::unique_ptr<QueryOutput> makeOutput(text::OutputFormat format, const text::TextStyle& style,
                                        std::size_t maxBytes, Write write) {
    switch (format) {
        case text::OutputFormat::Json:
            return std::make_unique<JsonOutput>(std::move(write));
        case text::OutputFormat::Csv:
            return std::make_unique<CsvOutput>(std::move(write));
        default:
            return std::make_unique<TableOutput>(format == text::OutputFormat::Markdown, style,
                                                 maxBytes, std::move(write));
    }
}

std::vector<std::string> uniqueNames(std::vector<std::string> names) {
    std::set<std::string> taken;
    for (std::string& name : names) {
        const std::string wanted = name;
        for (int number = 2; !taken.insert(name).second; ++number) {
            name = fmt::format("{}_{}", wanted, number);
        }
    }
    return names;
}

std::string cellJson(const Cell& cell) {
    switch (cell.kind) {
        case Cell::Kind::Integer:
            return std::to_string(cell.integer);
        case Cell::Kind::Real:
            return json::jsonText(nlohmann::json(cell.real));
        case Cell::Kind::Text:
            return json::safeJson(json::quotedJson(cell.text));
        default:
            return "null";
    }
}

std::string cellText(const Cell& cell) {
    switch (cell.kind) {
        case Cell::Kind::Integer:
            return std::to_string(cell.integer);
        case Cell::Kind::Real:
            return realText(cell.real);
        case Cell::Kind::Text:
            return text::printable(cell.text);
        default:
            return "–";
    }
}

}  // namespace kinetoscope::query::sql
