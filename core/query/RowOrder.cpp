// SPDX-License-Identifier: Apache-2.0
#include "core/query/RowOrder.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <numeric>
#include <type_traits>

namespace kinetoscope::query {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::strong_ordering compareTexts(std::string_view a, std::string_view b) {
    const std::size_t common = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < common; ++i) {
        const auto x = static_cast<unsigned char>(lower(a[i]));
        const auto y = static_cast<unsigned char>(lower(b[i]));
        if (x != y) {
            return x <=> y;
        }
    }
    return a.size() != b.size() ? a.size() <=> b.size() : a <=> b;
}

template <class Key>
bool isLess(const Key& a, const Key& b) {
    if constexpr (std::is_same_v<Key, std::string_view>) {
        return std::is_lt(compareTexts(a, b));
    } else {
        return a < b;
    }
}

}  // namespace

std::vector<std::uint32_t> allRows(std::uint32_t rows) {
    std::vector<std::uint32_t> result(rows);
    std::iota(result.begin(), result.end(), 0U);
    return result;
}

std::vector<std::uint32_t> filterRows(std::span<const std::uint32_t> rows,
                                      const std::function<bool(std::uint32_t)>& keep) {
    std::vector<std::uint32_t> result;
    result.reserve(rows.size());
    std::ranges::copy_if(rows, std::back_inserter(result), keep);
    return result;
}

void sortRows(std::vector<std::uint32_t>& rows, const ColumnKeys& keys, SortOrder order) {
    std::visit(
        [&](const auto& column) {
            auto sortable = rows.end();
            if constexpr (std::is_same_v<std::decay_t<decltype(column)>, std::vector<double>>) {
                sortable = std::stable_partition(rows.begin(), rows.end(), [&](std::uint32_t row) {
                    return !std::isnan(column[row]);
                });
            }
            if (order == SortOrder::Ascending) {
                std::stable_sort(rows.begin(), sortable, [&](std::uint32_t a, std::uint32_t b) {
                    return isLess(column[a], column[b]);
                });
            } else {
                std::stable_sort(rows.begin(), sortable, [&](std::uint32_t a, std::uint32_t b) {
                    return isLess(column[b], column[a]);
                });
            }
        },
        keys);
}

bool containsText(std::string_view text, std::string_view part) {
    const auto found = std::search(text.begin(), text.end(), part.begin(), part.end(),
                                   [](char a, char b) { return lower(a) == lower(b); });
    return found != text.end() || part.empty();
}

}  // namespace kinetoscope::query
