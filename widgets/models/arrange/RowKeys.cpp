// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/arrange/RowKeys.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace kinetoscope::models {

template <class Key>
void RowKeys::append(std::vector<Key>& keys, const Key& key) {
    if (keys.empty()) {
        keys.reserve(m_rows);
    }
    keys.push_back(key);
}

void RowKeys::add(const query::SortKey& key) {
    ++m_size;
    if (const auto* number = std::get_if<double>(&key)) {
        append(m_numbers, *number);
    } else if (const auto* integer = std::get_if<std::int64_t>(&key)) {
        append(m_integers, *integer);
    } else {
        const auto text = std::get<std::string_view>(key);
        if (!m_letters) {
            m_letters = std::make_unique<std::pmr::monotonic_buffer_resource>();
        }
        auto* letters = static_cast<char*>(m_letters->allocate(text.size(), 1));
        std::ranges::copy(text, letters);
        append(m_texts, std::string_view(letters, text.size()));
    }
}

query::ColumnKeys RowKeys::take() {
    if (!m_numbers.empty()) {
        return std::move(m_numbers);
    }
    if (!m_integers.empty()) {
        return std::move(m_integers);
    }
    return std::move(m_texts);
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
