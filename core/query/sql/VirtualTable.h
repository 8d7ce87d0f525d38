// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/query/sql/Material.h"
#include "core/query/sql/Orders.h"
#include "core/query/sql/Plan.h"

struct sqlite3;

namespace kinetoscope::query::sql {

/// A table of a connection: its rows, made on first use, and the plans of the statements that use
/// it. Outlives the connection.
class VirtualTable {
public:
    VirtualTable(const TableInfo& info, Material& material) : m_info(info), m_material(material) {}

    /// Registers it: a table of that name is there from now on.
    [[nodiscard]] Result<void> addTo(sqlite3* database);

    [[nodiscard]] const TableInfo& info() const { return m_info; }
    [[nodiscard]] Material& material() { return m_material; }
    /// Its rows come from so many files.
    [[nodiscard]] std::size_t parts() const { return m_info.ofJob ? 1 : m_material.files.size(); }
    struct Part {
        std::unique_ptr<Rows> rows;
        std::unique_ptr<Orders> orders;
    };
    [[nodiscard]] Part& part(std::size_t file);
    [[nodiscard]] double expectedRows() const;
    /// The number of the plan, for Plan of().
    [[nodiscard]] int keep(Plan plan);
    [[nodiscard]] const Plan& plan(int number) const {
        return m_plans[static_cast<std::size_t>(number)];
    }
    /// Forgets its rows.
    void clear() { m_parts.clear(); }

private:
    const TableInfo& m_info;
    Material& m_material;
    std::vector<Part> m_parts;
    std::deque<Plan> m_plans;
};

/// The table's columns with their types, as CREATE TABLE has them.
[[nodiscard]] std::string columnList(const TableInfo& info);
/// A name as SQL has it.
[[nodiscard]] std::string quotedName(std::string_view name);

}  // namespace kinetoscope::query::sql
