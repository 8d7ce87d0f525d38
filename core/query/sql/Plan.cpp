// SPDX-License-Identifier: Apache-2.0
#include "core/query/sql/Plan.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace kinetoscope::query::sql {

namespace {

// The cost of starting, in rows: of two tables the shorter one is scanned, and the longer one is
// queried again and again.
constexpr double kSetup = 25.0;

bool isRange(unsigned char comparison) {
    return comparison == SQLITE_INDEX_CONSTRAINT_EQ || comparison == SQLITE_INDEX_CONSTRAINT_GT ||
           comparison == SQLITE_INDEX_CONSTRAINT_LE || comparison == SQLITE_INDEX_CONSTRAINT_LT ||
           comparison == SQLITE_INDEX_CONSTRAINT_GE;
}

bool isPattern(unsigned char comparison) {
    return comparison == SQLITE_INDEX_CONSTRAINT_LIKE ||
           comparison == SQLITE_INDEX_CONSTRAINT_GLOB ||
           comparison == SQLITE_INDEX_CONSTRAINT_REGEXP;
}

class Planner {
public:
    Planner(sqlite3_index_info& request, const TableInfo& table, double rows, bool oneFile)
        : m_request(request), m_table(table), m_rows(std::max(rows, 1.0)), m_oneFile(oneFile) {}

    Plan make() {
        takeConditions();
        choosePath();
        takeOrder();
        m_request.estimatedRows = std::max<sqlite3_int64>(1, std::llround(m_found));
        m_request.estimatedCost = kSetup + m_visited + std::log2(m_rows);
        return std::move(m_plan);
    }

private:
    [[nodiscard]] ColumnType typeOf(int column) const {
        const auto at = static_cast<std::size_t>(column);
        return at < m_table.columns.size() ? m_table.columns[at].type : ColumnType::Integer;
    }

    // -1 is SQLite's own number of the row.
    [[nodiscard]] bool takes(int index) const {
        const auto& constraint = m_request.aConstraint[index];
        if (constraint.usable == 0 || constraint.iColumn < 0) {
            return false;
        }
        switch (typeOf(constraint.iColumn)) {
            case ColumnType::Integer:
                return isRange(constraint.op);
            case ColumnType::Code:
                return isPattern(constraint.op) ||
                       (constraint.op == SQLITE_INDEX_CONSTRAINT_EQ &&
                        std::string_view(sqlite3_vtab_collation(&m_request, index)) == "BINARY");
            default:
                return false;
        }
    }

    void takeConditions() {
        for (int i = 0; i < m_request.nConstraint; ++i) {
            if (!takes(i)) {
                continue;
            }
            const auto& constraint = m_request.aConstraint[i];
            m_plan.conditions.push_back({constraint.iColumn, constraint.op});
            auto& usage = m_request.aConstraintUsage[i];
            usage.argvIndex = static_cast<int>(m_plan.conditions.size());
            // A text may equal a number in ways that only SQLite knows.
            usage.omit =
                typeOf(constraint.iColumn) == ColumnType::Integer || isPattern(constraint.op);
        }
    }

    [[nodiscard]] bool has(int column, std::initializer_list<int> comparisons) const {
        return std::ranges::any_of(m_plan.conditions, [&](const Condition& condition) {
            return condition.column == column &&
                   std::ranges::count(comparisons, condition.comparison) > 0;
        });
    }

    // The part of all rows that are looked at by the order of that column; 1: no use.
    [[nodiscard]] double partBy(int column) const {
        const Column& info = m_table.columns[static_cast<std::size_t>(column)];
        if (has(column, {SQLITE_INDEX_CONSTRAINT_EQ})) {
            return info.few ? 2.0 / m_rows : info.type == ColumnType::Code ? 1.0 / 40 : 1.0 / 10;
        }
        if (info.type == ColumnType::Code) {
            return 1.0;
        }
        const int end = info.name == "start" ? m_table.column("end") : -1;
        const bool low = has(column, {SQLITE_INDEX_CONSTRAINT_GT, SQLITE_INDEX_CONSTRAINT_GE});
        const bool high = has(column, {SQLITE_INDEX_CONSTRAINT_LT, SQLITE_INDEX_CONSTRAINT_LE});
        const bool endsLater = has(end, {SQLITE_INDEX_CONSTRAINT_GT, SQLITE_INDEX_CONSTRAINT_GE});
        const bool endsBefore = has(end, {SQLITE_INDEX_CONSTRAINT_LT, SQLITE_INDEX_CONSTRAINT_LE});
        if (low && (high || endsBefore)) {
            return 1.0 / 64;
        }
        if (endsLater && (high || endsBefore)) {
            return 1.0 / 32;
        }
        return low || high || endsLater || endsBefore ? 1.0 / 3 : 1.0;
    }

    void choosePath() {
        double best = 1.0;
        for (int column = 0; column < static_cast<int>(m_table.columns.size()); ++column) {
            const double part =
                m_table.columns[static_cast<std::size_t>(column)].indexed ? partBy(column) : 1.0;
            if (part < best) {
                best = part;
                m_plan.path = column;
            }
        }
        m_visited = m_rows * best;
        m_found = m_visited;
        for (const Condition& condition : m_plan.conditions) {
            if (condition.column != m_plan.path) {
                m_found *= condition.comparison == SQLITE_INDEX_CONSTRAINT_EQ ? 0.2 : 0.5;
            }
        }
    }

    // Codes tell whether texts are equal, but not their order.
    void takeOrder() {
        const int mode = sqlite3_vtab_distinct(&m_request);
        const bool isGrouping = mode == 1 || mode == 2;
        std::vector<SortKey> keys;
        for (int i = 0; i < m_request.nOrderBy; ++i) {
            const auto& term = m_request.aOrderBy[i];
            const bool known = term.iColumn >= 0 &&
                               static_cast<std::size_t>(term.iColumn) < m_table.columns.size();
            const ColumnType type = known ? typeOf(term.iColumn) : ColumnType::Text;
            if (type != ColumnType::Integer && (type != ColumnType::Code || !isGrouping)) {
                return;
            }
            keys.push_back({term.iColumn, term.desc != 0});
        }
        if (m_oneFile && !keys.empty()) {
            m_plan.keys = std::move(keys);
            m_request.orderByConsumed = 1;
        }
    }

    sqlite3_index_info& m_request;
    const TableInfo& m_table;
    double m_rows;
    bool m_oneFile;
    Plan m_plan;
    double m_visited = 0.0;
    double m_found = 0.0;
};

}  // namespace

Plan makePlan(sqlite3_index_info& request, const TableInfo& table, double rows, bool oneFile) {
    return Planner(request, table, rows, oneFile).make();
}

}  // namespace kinetoscope::query::sql
