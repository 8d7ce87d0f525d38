// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kinetoscope::query {

/// The sort key of one row; of one kind in a column.
using SortKey = std::variant<double, std::int64_t, std::string_view>;

/// One key a row. Not-a-number sorts last in both directions.
using ColumnKeys =
    std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::string_view>>;

enum class SortOrder : std::uint8_t { Ascending, Descending };

/// 0 to rows - 1.
[[nodiscard]] std::vector<std::uint32_t> allRows(std::uint32_t rows);

/// The rows that `keep` accepts, in the order given.
[[nodiscard]] std::vector<std::uint32_t> filterRows(std::span<const std::uint32_t> rows,
                                                    const std::function<bool(std::uint32_t)>& keep);

/// Stable in both directions: rows with equal keys keep their order. Texts compare without regard
/// to ASCII case, then by bytes. `rows` are indices into the keys.
void sortRows(std::vector<std::uint32_t>& rows, const ColumnKeys& keys, SortOrder order);

/// Whether `text` contains `part`, without regard to ASCII case. An empty part is in every text.
[[nodiscard]] bool containsText(std::string_view text, std::string_view part);

}  // namespace kinetoscope::query
