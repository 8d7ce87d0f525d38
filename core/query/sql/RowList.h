// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "core/query/sql/Table.h"

namespace kinetoscope::query::sql {

/// Rows that were worked out once and are kept, of tables that are short.
class RowList final : public Rows {
public:
    explicit RowList(std::size_t columns) : m_columns(columns) {}

    /// As many cells as there are columns.
    void add(std::initializer_list<Cell> cells) { m_cells.insert(m_cells.end(), cells); }
    /// A cell with a text of its own.
    [[nodiscard]] Cell keep(std::string_view text) {
        return Cell::of(m_texts.view(m_texts.intern(text)));
    }
    /// The same; null for an empty one.
    [[nodiscard]] Cell keepIfAny(std::string_view text) {
        return text.empty() ? Cell() : keep(text);
    }

    [[nodiscard]] std::size_t count() const override { return m_cells.size() / m_columns; }
    [[nodiscard]] Cell cell(std::size_t row, int column) const override {
        return m_cells[row * m_columns + static_cast<std::size_t>(column)];
    }

private:
    std::size_t m_columns;
    std::vector<Cell> m_cells;
    StringPool m_texts;
};

}  // namespace kinetoscope::query::sql
