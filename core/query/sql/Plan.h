// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/query/sql/Table.h"

struct sqlite3_index_info;

namespace kinetoscope::query::sql {

/// A comparison of a column that the table itself takes care of; its value comes with the question.
struct Condition {
    int column = 0;
    unsigned char comparison = 0;  ///< SQLITE_INDEX_CONSTRAINT_…

    friend bool operator==(const Condition&, const Condition&) = default;
};

struct SortKey {
    int column = 0;
    bool descending = false;

    friend bool operator==(const SortKey&, const SortKey&) = default;
};

/// How the rows that a statement wants are found.
struct Plan {
    std::vector<Condition> conditions;
    int path = -1;  ///< the column in whose order they are looked for; -1: all, as they are
    std::vector<SortKey> keys;  ///< the order in which they come; empty: any

    friend bool operator==(const Plan&, const Plan&) = default;
};

/// The best plan for SQLite's constraints; sets the costs, and which constraints it need not check
/// again. `rows`: of the table; `oneFile`: the order of its rows is that of the whole table.
[[nodiscard]] Plan makePlan(sqlite3_index_info& request, const TableInfo& table, double rows,
                            bool oneFile);

}  // namespace kinetoscope::query::sql
