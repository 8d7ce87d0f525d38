// SPDX-License-Identifier: Apache-2.0
#include "core/query/sql/QueryDatabase.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>

#include "core/base/Threads.h"
#include "core/query/sql/Functions.h"
#include "core/query/sql/Guard.h"
#include "core/query/sql/Material.h"
#include "core/query/sql/VirtualTable.h"

namespace kinetoscope::query::sql {

namespace {

std::string hexText(std::string_view bytes) {
    return fmt::format(
        "x'{:02x}'",
        fmt::join(std::basic_string_view<unsigned char>(
                      reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()),
                  ""));
}

// `kept` holds what is not a text of SQLite's own.
Cell cellOf(const sqlite::Statement& statement, int column, std::string& kept) {
    switch (statement.type(column)) {
        case sqlite::ValueType::Integer:
            return Cell::of(statement.integer(column));
        case sqlite::ValueType::Real:
            return Cell::of(statement.real(column));
        case sqlite::ValueType::Text:
            return Cell::of(statement.text(column));
        case sqlite::ValueType::Blob:
            kept = hexText(statement.text(column));
            return Cell::of(std::string_view(kept));
        default:
            return {};
    }
}

bool isWordCharacter(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool namesTable(std::string_view sql, std::string_view table) {
    for (std::size_t at = sql.find(table); at != std::string_view::npos;
         at = sql.find(table, at + 1)) {
        const std::size_t behind = at + table.size();
        if ((at == 0 || !isWordCharacter(sql[at - 1])) &&
            (behind == sql.size() || !isWordCharacter(sql[behind]))) {
            return true;
        }
    }
    return false;
}

std::string tableNames() {
    std::vector<std::string_view> names;
    std::ranges::transform(allTables(), std::back_inserter(names), &TableInfo::name);
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string columnsOf(const TableInfo& table) {
    std::vector<std::string_view> names;
    std::ranges::transform(table.columns, std::back_inserter(names), &Column::name);
    if (!table.ofJob) {
        names.emplace_back("rank");
    }
    return fmt::format("{} has {}", table.name, fmt::join(names, ", "));
}

}  // namespace

QueryDatabase::QueryDatabase() = default;

QueryDatabase::~QueryDatabase() {
    m_guard.reset();
    m_database.reset();  // before the tables that it knows
}

Result<std::unique_ptr<QueryDatabase>> QueryDatabase::open(
    std::span<const std::shared_ptr<const trace::Trace>> traces, std::vector<std::string> results,
    const std::stop_token& stop) {
    auto material = Material::make(traces, std::move(results), stop);
    if (!material) {
        return tl::unexpected(material.error());
    }
    std::unique_ptr<QueryDatabase> made(new QueryDatabase());
    made->m_material = std::move(*material);
    if (auto done = made->setUp(); !done) {
        return tl::unexpected(done.error());
    }
    return made;
}

Result<void> QueryDatabase::setUp() {
    auto database = sqlite::Database::inMemory();
    if (!database) {
        return tl::unexpected(database.error());
    }
    m_database.emplace(std::move(*database));
    for (const TableInfo& info : allTables()) {
        m_tables.push_back(std::make_unique<VirtualTable>(info, *m_material));
        if (auto done = m_tables.back()->addTo(m_database->handle()); !done) {
            return done;
        }
    }
    m_guard = std::make_unique<Guard>(m_database->handle());
    return addFunctions(m_database->handle(), *m_material);
}

TimeNs QueryDatabase::origin(const trace::Trace& trace) const {
    const auto file = std::ranges::find_if(m_material->files, [&](const Material::File& each) {
        return &each.facts->trace() == &trace;
    });
    return file == m_material->files.end() ? 0 : file->origin;
}

void QueryDatabase::setWindow(const std::optional<TimeSpan>& window) {
    if (m_material->window == window) {
        return;
    }
    m_material->window = window;
    for (const auto& table : m_tables) {
        if (table->info().sums) {
            table->clear();
        }
    }
}

Result<void> QueryDatabase::run(std::string_view sql, RowTaker& taker,
                                const QueryOptions& options) {
    setWindow(options.window);
    m_material->stop = options.stop;
    m_material->maxBytes = options.limits.bytes;
    m_material->until.reset();
    if (options.limits.time.count() > 0) {
        m_material->until = std::chrono::steady_clock::now() + options.limits.time;
    }
    m_guard->begin(options.limits, options.stop);
    auto done = guarded([&] { return runAll(sql, taker); });
    m_material->stop = {};
    return done;
}

Result<void> QueryDatabase::runAll(std::string_view sql, RowTaker& taker) {
    bool any = false;
    while (!sql.empty()) {
        std::string_view rest;
        auto statement = m_database->prepare(sql, rest);
        if (!statement) {
            return tl::unexpected(explained(statement.error(), sql));
        }
        if (statement->handle() != nullptr) {
            any = true;
            auto done = takeRows(*statement, taker);
            if (!done) {
                return tl::unexpected(m_guard->reason().value_or(explained(done.error(), sql)));
            }
        }
        sql = rest;
    }
    return any ? Result<void>{} : fail("the SQL has no statement, nothing but comments or blanks");
}

Result<void> QueryDatabase::takeRows(sqlite::Statement& statement, RowTaker& taker) {
    const int columns = statement.columns();
    std::vector<std::string> names;
    names.reserve(static_cast<std::size_t>(columns));
    for (int column = 0; column < columns; ++column) {
        names.emplace_back(statement.columnName(column));
    }
    if (columns > 0) {
        if (auto begun = taker.begin(std::move(names)); !begun) {
            return begun;
        }
    }
    std::vector<Cell> cells(static_cast<std::size_t>(columns));
    std::vector<std::string> kept(cells.size());
    while (true) {
        const auto row = statement.step();
        if (!row) {
            return tl::unexpected(row.error());
        }
        if (!*row) {
            return {};
        }
        for (int column = 0; column < columns; ++column) {
            const auto at = static_cast<std::size_t>(column);
            cells[at] = cellOf(statement, column, kept[at]);
        }
        if (auto taken = taker.row(cells); !taken) {
            return taken;
        }
    }
}

Error QueryDatabase::explained(const Error& error, std::string_view sql) const {
    if (error.kind == ErrorKind::Cancelled || error.kind == ErrorKind::Output) {
        return error;
    }
    const std::string& said = error.message;
    std::string more;
    if (said.starts_with("no such table")) {
        more = "; the tables are " + tableNames();
    } else if (said.starts_with("no such column") ||
               said.find("has no column") != std::string::npos) {
        for (const TableInfo& table : allTables()) {
            more += namesTable(sql, table.name) ? "; " + columnsOf(table) : "";
        }
    } else if (said.starts_with("no such function")) {
        std::vector<std::string_view> calls;
        std::ranges::transform(allFunctions(), std::back_inserter(calls), &FunctionInfo::call);
        more = fmt::format("; in addition to SQLite's own functions there are {}",
                           fmt::join(calls, ", "));
    } else if (said.find("not authorized") != std::string::npos ||
               said.find("prohibited") != std::string::npos) {
        more = "; traces are read-only: only SELECT, WITH and CREATE TEMP VIEW are allowed";
    }
    return {"SQL: " + said + more, error.kind};
}

}  // namespace kinetoscope::query::sql
