// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/query/RowOrder.h"

namespace kinetoscope::models {

/// Keys of rows, taken one after the other, with letters of their own: whoever gave them may change
/// meanwhile.
class RowKeys final {
public:
    /// All of one kind.
    void add(const query::SortKey& key);
    [[nodiscard]] std::size_t size() const { return m_size; }

    /// As many rows as keys, by theirs; stable.
    [[nodiscard]] std::vector<std::uint32_t> sorted(const std::vector<std::uint32_t>& rows,
                                                    query::SortOrder order) &&;

private:
    [[nodiscard]] query::ColumnKeys take();

    std::size_t m_size = 0;
    std::vector<double> m_numbers;
    std::vector<std::int64_t> m_integers;
    std::string m_letters;
    std::vector<std::size_t> m_ends;  ///< of each text in m_letters
};

}  // namespace kinetoscope::models
