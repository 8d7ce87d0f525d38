// SPDX-License-Identifier: Apache-2.0
#include "core/query/sql/Table.h"

#include <algorithm>

namespace kinetoscope::query::sql {

std::optional<std::uint32_t> CodeTexts::find(std::string_view text) const {
    if (m_pool != nullptr) {
        return m_pool->find(text);
    }
    const auto at = std::ranges::find(m_list, text);
    return at == m_list.end() ? std::nullopt
                              : std::optional(static_cast<std::uint32_t>(at - m_list.begin()));
}

int TableInfo::column(std::string_view wanted) const {
    const auto at = std::ranges::find(columns, wanted, &Column::name);
    return at == columns.end() ? -1 : static_cast<int>(at - columns.begin());
}

const std::vector<TableInfo>& allTables() {
    static const std::vector<TableInfo> kTables = [] {
        std::vector<TableInfo> all;
        for (auto* const part : {sliceTables, operationTables, sumTables, rowTables, eventTables,
                                 jobTables, resultTables}) {
            std::ranges::move(part(), std::back_inserter(all));
        }
        return all;
    }();
    return kTables;
}

const TableInfo* findTable(std::string_view name) {
    const auto at = std::ranges::find(allTables(), name, &TableInfo::name);
    return at == allTables().end() ? nullptr : &*at;
}

}  // namespace kinetoscope::query::sql
