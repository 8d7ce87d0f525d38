// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <memory_resource>
#include <vector>

#include "core/query/RowOrder.h"

namespace kinetoscope::models {

/// Keys of rows, taken one after the other, with copies of their texts: their source may change
/// meanwhile. Nothing is moved as they grow: with millions of rows that would take longer than a
/// frame.
class RowKeys final {
public:
    /// Room for so many.
    explicit RowKeys(std::size_t rows = 0) : m_rows(rows) {}

    /// All of one kind.
    void add(const query::SortKey& key);
    [[nodiscard]] std::size_t size() const { return m_size; }

    /// As many rows as keys, by theirs; stable.
    [[nodiscard]] std::vector<std::uint32_t> sorted(const std::vector<std::uint32_t>& rows,
                                                    query::SortOrder order) &&;

private:
    [[nodiscard]] query::ColumnKeys take();

    template <class Key>
    void append(std::vector<Key>& keys, const Key& key);

    std::size_t m_rows;
    std::size_t m_size = 0;
    std::vector<double> m_numbers;
    std::vector<std::int64_t> m_integers;
    std::vector<std::string_view> m_texts;  ///< in m_letters
    std::unique_ptr<std::pmr::monotonic_buffer_resource> m_letters;
};

}  // namespace kinetoscope::models
