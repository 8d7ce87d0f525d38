// SPDX-License-Identifier: Apache-2.0
#include "core/sqlite/Database.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <span>
#include <utility>

#include "core/sqlite/BytesVfs.h"
#include "core/sqlite/PageRows.h"

namespace kinetoscope::sqlite {

namespace {

constexpr std::uint64_t kMaxRowBytes = 64 * 1024 * 1024;
constexpr std::uint64_t kMinRowBytes = 1024 * 1024;  // as small as the file may be
constexpr int kMaxSqlBytes = 1024 * 1024;
constexpr int kOperationsBetweenLooks = 10'000;  // less than a millisecond

using Limit = std::pair<int, int>;
constexpr std::array<Limit, 5> kLimits{{{SQLITE_LIMIT_SQL_LENGTH, kMaxSqlBytes},
                                        {SQLITE_LIMIT_COLUMN, 2000},
                                        {SQLITE_LIMIT_ATTACHED, 0},
                                        {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                                        {SQLITE_LIMIT_WORKER_THREADS, 0}}};
// Views that are not used may be longer: only the schema is parsed without these.
constexpr std::array<Limit, 5> kStatementLimits{{{SQLITE_LIMIT_EXPR_DEPTH, 50},
                                                 {SQLITE_LIMIT_COMPOUND_SELECT, 20},
                                                 {SQLITE_LIMIT_VDBE_OP, 100'000},
                                                 {SQLITE_LIMIT_FUNCTION_ARG, 8},
                                                 {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100}}};

void limit(sqlite3* handle, std::span<const Limit> limits) {
    for (const auto& [option, value] : limits) {
        sqlite3_limit(handle, option, value);
    }
}

// What a statement over an untrusted database may do: read its tables, compute, and list columns.
int authorize(void*, int action, const char* name, const char* detail, const char*, const char*) {
    constexpr std::array<std::string_view, 7> kFunctions = {"count", "min", "max",   "sum",
                                                            "total", "avg", "length"};
    switch (action) {
        case SQLITE_SELECT:
        case SQLITE_READ:
        case SQLITE_RECURSIVE:
            return SQLITE_OK;
        case SQLITE_FUNCTION:
            for (const std::string_view known : kFunctions) {
                if (detail != nullptr && known == detail) {
                    return SQLITE_OK;
                }
            }
            return SQLITE_DENY;
        case SQLITE_PRAGMA:
            return name == std::string_view("table_xinfo") ? SQLITE_OK : SQLITE_DENY;
        default:
            return SQLITE_DENY;
    }
}

}  // namespace

struct Database::State {
    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { sqlite3_close_v2(handle); }

    [[nodiscard]] bool isOver() const {
        const Watch& watch = words.watch;
        return watch.stop.stop_requested() ||
               (watch.until && std::chrono::steady_clock::now() >= *watch.until);
    }

    std::unique_ptr<BytesVfs> vfs;  // destroyed after the connection that uses it
    sqlite3* handle = nullptr;
    Connection words;
};

Database::Database(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::openForeign(std::shared_ptr<const DatabaseBytes> bytes, std::string name,
                                       Watch watch) {
    auto state = std::make_unique<State>();
    state->vfs = std::make_unique<BytesVfs>(std::move(bytes));
    state->words.name = std::move(name);
    const int code = sqlite3_open_v2(
        "database", &state->handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, state->vfs->name());
    if (code != SQLITE_OK) {
        return tl::unexpected(errorOf(state->handle, code, state->words));
    }
    Database database(std::move(state));
    database.watch(std::move(watch));
    database.guardForeign();
    if (auto loaded = database.loadSchema(); !loaded) {
        return tl::unexpected(loaded.error());
    }
    limit(database.handle(), kStatementLimits);
    sqlite3_set_authorizer(database.handle(), authorize, nullptr);
    return database;
}

Result<Database> Database::inMemory(Watch watch) {
    auto state = std::make_unique<State>();
    const int code =
        sqlite3_open_v2(":memory:", &state->handle,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
    if (code != SQLITE_OK) {
        return tl::unexpected(errorOf(state->handle, code, state->words));
    }
    Database database(std::move(state));
    database.watch(std::move(watch));
    return database;
}

void Database::guardForeign() const {
    sqlite3* handle = m_state->handle;
    for (const auto& [option, value] : {std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                        {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
                                        {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0}}) {
        sqlite3_db_config(handle, option, value, nullptr);
    }
    limit(handle, kLimits);
    // Only what is computed can be longer than the file.
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH,
                  static_cast<int>(std::clamp(bytes()->readable(), kMinRowBytes, kMaxRowBytes)));
    // Cells are checked where they are read: cell_size_check refuses a damaged page the first time
    // alone, so that what can be read of it would depend on what a thread has read before.
    sqlite3_exec(handle, "PRAGMA temp_store=MEMORY; PRAGMA cell_size_check=OFF", nullptr, nullptr,
                 nullptr);
}

// Pages of the list of tables that lead to others over and over would keep SQLite without end.
Result<void> Database::loadSchema() const {
    const auto layout = schemaLayout(*bytes());
    if (layout) {
        PageRows rows(bytes(), *layout, std::array{0, 1, 2, 3, 4}, watched().stop);
        constexpr auto kHighest = std::numeric_limits<std::int64_t>::max();
        rows.restart(std::numeric_limits<std::int64_t>::min(), kHighest);
        while (rows.next()) {
        }
        if (rows.isUnclear() || rows.damage() || rows.isStopped()) {
            const int code = watched().stop.stop_requested() ? SQLITE_INTERRUPT : SQLITE_CORRUPT;
            return tl::unexpected(errorOf(handle(), code, m_state->words));
        }
    }
    auto first = prepare("SELECT 1 FROM sqlite_schema");
    const auto row = first ? first->step() : tl::unexpected(first.error());
    // Pages are read once, in order.
    return row ? run("PRAGMA cache_size=-4096") : tl::unexpected(row.error());
}

Result<Statement> Database::prepare(std::string_view sql) const {
    std::string_view rest;
    auto statement = prepare(sql, rest);
    return statement && statement->handle() == nullptr ? fail("there is no SQL statement")
                                                       : std::move(statement);
}

Result<Statement> Database::prepare(std::string_view sql, std::string_view& rest) const {
    sqlite3_stmt* prepared = nullptr;
    const char* behind = sql.data() + sql.size();
    const int code = sqlite3_prepare_v3(m_state->handle, sql.data(), static_cast<int>(sql.size()),
                                        0, &prepared, &behind);
    Statement statement(prepared, m_state->words);
    if (code != SQLITE_OK) {
        return tl::unexpected(errorOf(m_state->handle, code, m_state->words));
    }
    rest = sql.substr(static_cast<std::size_t>(behind - sql.data()));
    return statement;
}

Result<void> Database::run(std::string_view sql) const {
    const int code =
        sqlite3_exec(m_state->handle, std::string(sql).c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) {
        return tl::unexpected(errorOf(m_state->handle, code, m_state->words));
    }
    return {};
}

void Database::watch(Watch watch) const {
    m_state->words.watch = std::move(watch);
    const bool unwatched =
        !m_state->words.watch.stop.stop_possible() && !m_state->words.watch.until;
    sqlite3_progress_handler(
        m_state->handle, unwatched ? 0 : kOperationsBetweenLooks,
        [](void* state) { return static_cast<const State*>(state)->isOver() ? 1 : 0; },
        m_state.get());
}

std::shared_ptr<const DatabaseBytes> Database::bytes() const {
    return m_state->vfs == nullptr ? nullptr : m_state->vfs->bytes();
}

const Watch& Database::watched() const {
    return m_state->words.watch;
}

sqlite3* Database::handle() const {
    return m_state->handle;
}

}  // namespace kinetoscope::sqlite
