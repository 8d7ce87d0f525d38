// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <vector>

#include "core/query/sql/Table.h"

namespace kinetoscope::query::sql {

/// What rows are compared by: the number of an integer or the code of a text, kNullKey for nothing.
[[nodiscard]] std::int64_t keyOf(const Rows& rows, ColumnType type, std::size_t row, int column);

/// The rows of a table in the order of one column.
class Order {
public:
    Order(const Rows& rows, std::span<const Column> columns, int column, int endColumn,
          const std::stop_token& stop);

    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] std::size_t row(std::size_t position) const {
        return m_rows.empty() ? position : m_rows[position];
    }
    /// The first position whose key is not below `key`.
    [[nodiscard]] std::size_t firstFrom(std::int64_t key) const;
    /// The first position from `position` on whose row may end at `time` or later: blocks of rows
    /// that have all ended before are passed over. Of the order by start alone.
    [[nodiscard]] std::size_t firstThatReaches(std::size_t position, std::int64_t time) const;

private:
    static constexpr std::size_t kBlock = 64;

    void sortByCode(const std::stop_token& stop);
    void sortByNumber(const std::stop_token& stop);
    void findReach(int endColumn);

    const Rows& m_rowsOf;
    ColumnType m_type;
    int m_column;
    std::size_t m_size;
    std::vector<std::uint32_t> m_rows;  ///< empty: as they are
    // The last end in each block of rows, and in each block of those.
    std::vector<std::int64_t> m_reach;
    std::vector<std::int64_t> m_farReach;
};

/// The orders of one table, each made on first use.
class Orders {
public:
    Orders(const Rows& rows, const TableInfo& table) : m_rows(rows), m_table(table) {}
    [[nodiscard]] const Order& by(int column, const std::stop_token& stop);

private:
    const Rows& m_rows;
    const TableInfo& m_table;
    std::map<int, Order> m_orders;
};

}  // namespace kinetoscope::query::sql
