// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/Result.h"
#include "core/import/database/Schema.h"

namespace kinetoscope::import::database {

struct EventTable;

/// Numbers of a table's rows that are too large, or too small, to be part of an event's number: its
/// rows are counted instead.
class RowNumbers {
public:
    /// Fails when stopped. Rows behind damage have no place.
    [[nodiscard]] static Result<RowNumbers> of(const sqlite::Database& database,
                                               const Table& table);

    /// How many rows come before that of `number`; one that no row has if it is unknown.
    [[nodiscard]] std::uint64_t placeOf(std::int64_t number) const;
    /// The number of the row at `place`.
    [[nodiscard]] std::optional<std::int64_t> at(std::uint64_t place) const;

private:
    std::vector<std::int64_t> m_numbers;  // ascending
};

/// Gives the tables that need them their row numbers. `tables` do not change places after it.
[[nodiscard]] Result<void> numberRows(const sqlite::Database& database,
                                      std::vector<EventTable>& tables);

}  // namespace kinetoscope::import::database
