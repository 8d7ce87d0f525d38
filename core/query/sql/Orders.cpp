// SPDX-License-Identifier: Apache-2.0
#include "core/query/sql/Orders.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/base/SortRuns.h"
#include "core/base/Threads.h"

namespace kinetoscope::query::sql {

namespace {

struct KeyedRow {
    std::int64_t key;
    std::uint32_t row;
};

constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();

std::vector<std::int64_t> greatestOfBlocks(std::span<const std::int64_t> values,
                                           std::size_t block) {
    std::vector<std::int64_t> greatest;
    for (std::size_t at = 0; at < values.size(); at += block) {
        greatest.push_back(
            std::ranges::max(values.subspan(at, std::min(block, values.size() - at))));
    }
    return greatest;
}

}  // namespace

std::int64_t keyOf(const Rows& rows, ColumnType type, std::size_t row, int column) {
    if (type == ColumnType::Code) {
        return rows.code(row, column);
    }
    const Cell cell = rows.cell(row, column);
    return cell.isNull() ? kNullKey : cell.integer;
}

Order::Order(const Rows& rows, std::span<const Column> columns, int column, int endColumn,
             const std::stop_token& stop)
    : m_rowsOf(rows),
      m_type(columns[static_cast<std::size_t>(column)].type),
      m_column(column),
      m_size(rows.count()) {
    if (m_type == ColumnType::Code) {
        sortByCode(stop);
    } else {
        sortByNumber(stop);
    }
    throwIfStopped(stop);
    if (endColumn >= 0) {
        findReach(endColumn);
    }
}

// Codes are few: their rows are counted, none are compared.
void Order::sortByCode(const std::stop_token& stop) {
    std::vector<std::uint32_t> codes(m_size);
    std::vector<std::uint32_t> places;  // where the rows of each code begin
    for (std::size_t row = 0; row < m_size; ++row) {
        codes[row] = m_rowsOf.code(row, m_column);
        if (codes[row] + std::size_t{1} >= places.size()) {
            places.resize(2 * (codes[row] + std::size_t{1}));
        }
        ++places[codes[row] + std::size_t{1}];
    }
    throwIfStopped(stop);
    if (std::ranges::is_sorted(codes)) {
        return;
    }
    std::partial_sum(places.begin(), places.end(), places.begin());
    m_rows.resize(m_size);
    for (std::size_t row = 0; row < m_size; ++row) {
        m_rows[places[codes[row]]++] = static_cast<std::uint32_t>(row);
    }
}

void Order::sortByNumber(const std::stop_token& stop) {
    std::vector<KeyedRow> keyed(m_size);
    for (std::size_t row = 0; row < m_size; ++row) {
        keyed[row] = {keyOf(m_rowsOf, m_type, row, m_column), static_cast<std::uint32_t>(row)};
    }
    throwIfStopped(stop);
    if (!std::ranges::is_sorted(keyed, {}, &KeyedRow::key)) {
        sortRuns(std::span(keyed),
                 [](const KeyedRow& a, const KeyedRow& b) { return a.key < b.key; });
        m_rows.resize(m_size);
        std::ranges::transform(keyed, m_rows.begin(), &KeyedRow::row);
    }
}

void Order::findReach(int endColumn) {
    std::vector<std::int64_t> ends(m_size);
    for (std::size_t position = 0; position < m_size; ++position) {
        const Cell end = m_rowsOf.cell(row(position), endColumn);
        ends[position] = end.isNull() ? kForever : end.integer;
    }
    m_reach = greatestOfBlocks(ends, kBlock);
    m_farReach = greatestOfBlocks(m_reach, kBlock);
}

std::size_t Order::firstFrom(std::int64_t key) const {
    std::size_t first = 0;
    for (std::size_t count = m_size; count > 0;) {
        const std::size_t half = count / 2;
        if (keyOf(m_rowsOf, m_type, row(first + half), m_column) < key) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

std::size_t Order::firstThatReaches(std::size_t position, std::int64_t time) const {
    std::size_t block = position / kBlock;
    while (block < m_reach.size()) {
        if (block % kBlock == 0 && m_farReach[block / kBlock] < time) {
            block += kBlock;
        } else if (m_reach[block] < time) {
            ++block;
        } else {
            return std::max(position, block * kBlock);
        }
    }
    return m_size;
}

const Order& Orders::by(int column, const std::stop_token& stop) {
    const auto known = m_orders.find(column);
    if (known != m_orders.end()) {
        return known->second;
    }
    const int end = column == m_table.column("start") ? m_table.column("end") : -1;
    return m_orders.try_emplace(column, m_rows, m_table.columns, column, end, stop).first->second;
}

}  // namespace kinetoscope::query::sql
