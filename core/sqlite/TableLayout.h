// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/sqlite/DatabaseBytes.h"

namespace kinetoscope::sqlite {

/// How the rows of a table lie in its file, for PageRows.
struct TableLayout {
    struct Column {
        bool isRowid = false;  ///< INTEGER PRIMARY KEY: records hold null in its place
        bool isReal = false;   ///< whole numbers are stored as integers
    };

    std::vector<Column> columns;  ///< in the order of records; none: SQLite alone decodes them
    std::uint32_t root = 0;       ///< page of the tree, from 1
    std::uint32_t pageBytes = 0;
    std::uint32_t usableBytes = 0;  ///< of a page, from its beginning
    bool isUtf8 = false;            ///< as texts are
    bool hasDefaults = false;  ///< columns that came later may be other than null in older rows
};

/// Of a file, without any table. Nothing if SQLite does not open it.
[[nodiscard]] std::optional<TableLayout> fileLayout(const DatabaseBytes& bytes);

/// Of the list of all tables, sqlite_schema: its five columns.
[[nodiscard]] std::optional<TableLayout> schemaLayout(const DatabaseBytes& bytes);

}  // namespace kinetoscope::sqlite
