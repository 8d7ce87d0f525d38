// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/sqlite/Database.h"
#include "core/sqlite/TableLayout.h"

namespace kinetoscope::sqlite {

/// Of any table with a rowid, without its columns: where its rows are, but not their values.
[[nodiscard]] std::optional<TableLayout> treeOf(const Database& database, const std::string& table);

/// `columns` are all of the table's. Nothing if only SQLite can decode the rows: computed columns,
/// texts in UTF-16, a column that hides the rowid.
[[nodiscard]] std::optional<TableLayout> layoutOf(const Database& database,
                                                  const std::string& table,
                                                  std::span<const std::string> columns);

}  // namespace kinetoscope::sqlite
