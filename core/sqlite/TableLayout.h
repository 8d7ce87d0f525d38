// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/sqlite/Database.h"

namespace kinetoscope::sqlite {

/// How the rows of a table lie in its file, for PageRows.
struct TableLayout {
    struct Column {
        bool isRowid = false;  ///< INTEGER PRIMARY KEY: records hold null in its place
        bool isReal = false;   ///< whole numbers are stored as integers
    };

    std::vector<Column> columns;  ///< in the order of records
    std::uint32_t root = 0;       ///< page of the tree, from 1
    std::uint32_t pageBytes = 0;
    std::uint32_t usableBytes = 0;  ///< of a page, from its beginning
    bool hasDefaults = false;  ///< columns that came later may be other than null in older rows
};

/// Of the list of all tables, sqlite_schema: its five columns. Nothing if this is no database.
[[nodiscard]] std::optional<TableLayout> schemaLayout(const DatabaseBytes& bytes);

/// `columns` are all of the table's. Nothing if only SQLite can decode the rows: computed columns,
/// texts in UTF-16, a column that hides the rowid.
[[nodiscard]] std::optional<TableLayout> layoutOf(const Database& database,
                                                  const std::string& table,
                                                  std::span<const std::string> columns);

}  // namespace kinetoscope::sqlite
