// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/arrange/RowKeys.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace kinetoscope::models {

void RowKeys::add(const query::SortKey& key) {
    ++m_size;
    if (const auto* number = std::get_if<double>(&key)) {
        m_numbers.push_back(*number);
    } else if (const auto* integer = std::get_if<std::int64_t>(&key)) {
        m_integers.push_back(*integer);
    } else {
        m_letters += std::get<std::string_view>(key);
        m_ends.push_back(m_letters.size());
    }
}

query::ColumnKeys RowKeys::take() {
    if (!m_numbers.empty()) {
        return std::move(m_numbers);
    }
    if (!m_integers.empty()) {
        return std::move(m_integers);
    }
    std::vector<std::string_view> texts;
    texts.reserve(m_ends.size());
    std::size_t begin = 0;
    for (const std::size_t end : m_ends) {
        texts.push_back(std::string_view(m_letters).substr(begin, end - begin));
        begin = end;
    }
    return texts;
}

std::vector<std::uint32_t> RowKeys::sorted(const std::vector<std::uint32_t>& rows,
                                           query::SortOrder order) && {
    std::vector<std::uint32_t> places = query::allRows(static_cast<std::uint32_t>(rows.size()));
    query::sortRows(places, take(), order);
    std::ranges::transform(places, places.begin(),
                           [&](std::uint32_t place) { return rows[place]; });
    return places;
}

}  // namespace kinetoscope::models
