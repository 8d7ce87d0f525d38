// SPDX-License-Identifier: Apache-2.0
#include "core/import/database/RowNumbers.h"

#include <algorithm>

#include "core/import/database/EventTable.h"

namespace kinetoscope::import::database {

namespace {

bool fits(RowRange rows) {
    return rows.first >= 0 && rows.last < static_cast<std::int64_t>(kMaxRowsOfTable);
}

}  // namespace

Result<RowNumbers> RowNumbers::of(const sqlite::Database& database, const Table& table) {
    RowNumbers numbers;
    auto rows = Rows::all(database, table, {});
    auto more = rows ? rows->next() : tl::unexpected(rows.error());
    for (; more && *more; more = rows->next()) {
        numbers.m_numbers.push_back(static_cast<std::int64_t>(rows->offset()));
    }
    if (!more && more.error().kind != ErrorKind::BadInput) {
        return tl::unexpected(more.error());
    }
    std::ranges::sort(numbers.m_numbers);
    return numbers;
}

std::uint64_t RowNumbers::placeOf(std::int64_t number) const {
    const auto found = std::ranges::lower_bound(m_numbers, number);
    return found != m_numbers.end() && *found == number
               ? static_cast<std::uint64_t>(found - m_numbers.begin())
               : kMaxRowsOfTable - 1;
}

std::optional<std::int64_t> RowNumbers::at(std::uint64_t place) const {
    return place < m_numbers.size() ? std::optional(m_numbers[place]) : std::nullopt;
}

Result<void> numberRows(const sqlite::Database& database, std::vector<EventTable>& tables) {
    for (std::size_t number = 0; number < tables.size(); ++number) {
        EventTable& table = tables[number];
        const std::uint64_t origin = originOf(number);
        if (fits(table.table->rows)) {
            continue;
        }
        auto numbers = RowNumbers::of(database, *table.table);
        if (!numbers) {
            return tl::unexpected(numbers.error());
        }
        table.numbers = std::make_shared<const RowNumbers>(std::move(*numbers));
        table.read = [read = std::move(table.read), numbers = table.numbers, origin](
                         const Rows& row, Unit& unit) {
            const auto ownNumber = static_cast<std::int64_t>(row.offset() - origin);
            unit.ownOffset = origin + numbers->placeOf(ownNumber);
            read(row, unit);
            unit.ownOffset.reset();
        };
    }
    return {};
}

}  // namespace kinetoscope::import::database
