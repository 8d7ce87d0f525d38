// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "core/query/sql/QueryDatabase.h"
#include "core/text/OutputFormat.h"
#include "core/text/TextTable.h"

namespace kinetoscope::query::sql {

using Write = std::function<Result<void>(std::string_view text)>;

/// Takes the rows of statements and writes them.
class QueryOutput : public RowTaker {
public:
    /// Writes what is left. To be called once, at the end.
    [[nodiscard]] virtual Result<void> finish() = 0;
};

/// JSON: one array of objects, of one statement. CSV and JSON are written row by row; text and
/// Markdown once a statement has all its rows, which may take `maxBytes` (0: no limit).
[[nodiscard]] std::unique_ptr<QueryOutput> makeOutput(text::OutputFormat format,
                                                      const text::TextStyle& style,
                                                      std::size_t maxBytes, Write write);

/// "SELECT name" asked twice: JSON and tables need names of their own, "name", "name_2".
[[nodiscard]] std::vector<std::string> uniqueNames(std::vector<std::string> names);
/// A value as JSON.
[[nodiscard]] std::string cellJson(const Cell& cell);
/// As tables show it, in one line.
[[nodiscard]] std::string cellText(const Cell& cell);

/// ".tables": names and what they hold.
[[nodiscard]] std::string tablesText(const text::TextStyle& style);
/// ".schema": columns with type, unit and meaning, of one table, or (empty) of all, and functions.
/// Fails, in a line that names the tables, if there is none of that name.
[[nodiscard]] Result<std::string> schemaText(std::string_view table, const text::TextStyle& style);
/// The same of all tables, as docs/sql.md has it.
[[nodiscard]] std::string schemaMarkdown();

}  // namespace kinetoscope::query::sql
