// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "core/base/Time.h"
#include "core/query/sql/Bounds.h"
#include "core/query/sql/Orders.h"

namespace kinetoscope::query::sql {

/// Goes through the rows of one file that meet the conditions, in the plan's order.
class Walk {
public:
    /// `window`: of the rows that have times those that overlap it. All outlive the walk.
    Walk(const TableInfo& table, const Rows& rows, Orders& orders, const Plan& plan,
         const Bounds& bounds, std::optional<TimeSpan> window, const Material& material);

    /// The next row; nothing behind the last one. Throws Stopped.
    [[nodiscard]] std::optional<std::size_t> next();

private:
    struct CodeTest {
        int column = 0;
        std::vector<bool> allowed;  ///< by code; empty: only `only`
        std::uint32_t only = 0;
    };

    void makeTests(const Bounds& bounds);
    [[nodiscard]] CodeTest testOf(const TextBounds& bounds);
    void choosePositions(Orders& orders, const Plan& plan, const Bounds& bounds);
    void narrowPositions(int column, const Bounds& bounds);
    void gather(const std::vector<SortKey>& keys);
    [[nodiscard]] bool passes(std::size_t row) const;
    [[nodiscard]] bool isInWindow(std::size_t row) const;
    [[nodiscard]] std::optional<std::size_t> nextPosition();
    void look();

    const TableInfo& m_table;
    const Rows& m_rows;
    const Material& m_material;
    std::vector<NumberBounds> m_numbers;
    std::vector<CodeTest> m_codes;
    std::optional<TimeSpan> m_window;
    int m_startColumn;
    int m_endColumn;
    int m_timeColumn;
    const Order* m_order = nullptr;  ///< null: positions are rows
    std::vector<std::size_t> m_gathered;
    bool m_isGathered = false;
    std::size_t m_first = 0;  ///< positions left
    std::size_t m_last = 0;
    bool m_backwards = false;
    std::optional<std::int64_t> m_reaches;  ///< rows that end before are passed over
    std::size_t m_looked = 0;
};

}  // namespace kinetoscope::query::sql
