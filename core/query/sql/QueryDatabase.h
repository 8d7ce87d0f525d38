// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/query/sql/QueryOptions.h"
#include "core/query/sql/Table.h"
#include "core/sqlite/Database.h"
#include "core/trace/Trace.h"

namespace kinetoscope::query::sql {

class Guard;
class VirtualTable;

/// Takes the rows of a statement.
class RowTaker {
public:
    RowTaker() = default;
    RowTaker(const RowTaker&) = delete;
    RowTaker& operator=(const RowTaker&) = delete;
    virtual ~RowTaker() = default;

    /// Once for each statement with rows.
    [[nodiscard]] virtual Result<void> begin(std::vector<std::string> columns) = 0;
    /// As many cells as columns; their texts are valid during the call.
    [[nodiscard]] virtual Result<void> row(std::span<const Cell> cells) = 0;
};

/// SQL over traces: the tables of allTables() as SQLite sees them, without a copy of their columns.
/// Nothing of it can be written but views of its own (CREATE TEMP VIEW), which stay. Of one thread
/// at a time.
class QueryDatabase {
public:
    /// `results`: files of results; without any the saved ones are what bench_results has.
    [[nodiscard]] static Result<std::unique_ptr<QueryDatabase>> open(
        std::span<const std::shared_ptr<const trace::Trace>> traces,
        std::vector<std::string> results = {}, const std::stop_token& stop = {});
    QueryDatabase(const QueryDatabase&) = delete;
    QueryDatabase& operator=(const QueryDatabase&) = delete;
    ~QueryDatabase();

    /// Runs the statements one after the other. Fails with SQLite's reason and what can be asked
    /// instead; with ErrorKind::Cancelled after a stop.
    [[nodiscard]] Result<void> run(std::string_view sql, RowTaker& taker,
                                   const QueryOptions& options = {});
    /// Writes all tables with their indices as a database of its own. `path` is the name of a file
    /// that is there, empty.
    [[nodiscard]] Result<void> exportTo(const std::string& path, const std::stop_token& stop);

    /// The time of one of the traces that is shown as 0.
    [[nodiscard]] TimeNs origin(const trace::Trace& trace) const;

private:
    QueryDatabase();

    [[nodiscard]] Result<void> setUp();
    [[nodiscard]] Result<void> runAll(std::string_view sql, RowTaker& taker);
    [[nodiscard]] Result<void> takeRows(sqlite::Statement& statement, RowTaker& taker);
    [[nodiscard]] Error explained(const Error& error, std::string_view sql) const;
    void setWindow(const std::optional<TimeSpan>& window);

    std::unique_ptr<Material> m_material;
    std::vector<std::unique_ptr<VirtualTable>> m_tables;
    std::optional<sqlite::Database> m_database;
    std::unique_ptr<Guard> m_guard;
};

/// exportTo() a file that is there whole or not at all; gives its bytes.
[[nodiscard]] Result<std::uint64_t> writeDatabase(QueryDatabase& database, const std::string& path,
                                                  const std::stop_token& stop);

}  // namespace kinetoscope::query::sql
