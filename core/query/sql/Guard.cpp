// SPDX-License-Identifier: Apache-2.0
#include "core/query/sql/Guard.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/text/Format.h"

namespace kinetoscope::query::sql {

namespace {

constexpr int kOperationsBetweenLooks = 1000;  // far below a millisecond
constexpr int kMaxValueBytes = 64 << 20U;
constexpr int kMaxSqlBytes = 1 << 20U;

// SQLite writes there itself, for a view or to register a virtual table; statements cannot.
bool isSchema(const char* table) {
    static constexpr std::array<std::string_view, 4> kSchemas{
        "sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema"};
    return table != nullptr && std::ranges::count(kSchemas, table) > 0;
}

bool isHarmlessPragma(const char* name) {
    static constexpr std::array<std::string_view, 3> kHarmless{"table_info", "table_xinfo",
                                                               "table_list"};
    return name != nullptr && std::ranges::count(kHarmless, name) > 0;
}

int authorize(void*, int action, const char* first, const char* second, const char* database,
              const char*) {
    switch (action) {
        case SQLITE_SELECT:
        case SQLITE_READ:
        case SQLITE_RECURSIVE:
        case SQLITE_CREATE_TEMP_VIEW:
        case SQLITE_DROP_TEMP_VIEW:
            return SQLITE_OK;
        case SQLITE_FUNCTION:
            return second != nullptr && std::string_view(second) == "load_extension" ? SQLITE_DENY
                                                                                     : SQLITE_OK;
        case SQLITE_DELETE:  // of a view when it is dropped; there is nothing else in there
            return isSchema(first) || (database != nullptr && std::string_view(database) == "temp")
                       ? SQLITE_OK
                       : SQLITE_DENY;
        case SQLITE_INSERT:
        case SQLITE_UPDATE:
            return isSchema(first) ? SQLITE_OK : SQLITE_DENY;
        case SQLITE_PRAGMA:
            return isHarmlessPragma(first) ? SQLITE_OK : SQLITE_DENY;
        default:
            return SQLITE_DENY;
    }
}

}  // namespace

Guard::Guard(sqlite3* database) : m_database(database) {
    // Sorting beyond the limit must not fill a disk instead.
    sqlite3_exec(database, "PRAGMA temp_store=MEMORY", nullptr, nullptr, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    for (const auto& [limit, value] : {std::pair{SQLITE_LIMIT_LENGTH, kMaxValueBytes},
                                       {SQLITE_LIMIT_SQL_LENGTH, kMaxSqlBytes},
                                       {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
                                       {SQLITE_LIMIT_EXPR_DEPTH, 200},
                                       {SQLITE_LIMIT_COMPOUND_SELECT, 100},
                                       {SQLITE_LIMIT_WORKER_THREADS, 0}}) {
        sqlite3_limit(database, limit, value);
    }
    sqlite3_set_authorizer(database, authorize, nullptr);
    sqlite3_progress_handler(
        database, kOperationsBetweenLooks,
        [](void* guard) { return static_cast<Guard*>(guard)->isOver() ? 1 : 0; }, this);
}

Guard::~Guard() {
    sqlite3_progress_handler(m_database, 0, nullptr, nullptr);
}

void Guard::begin(const QueryLimits& limits, std::stop_token stop) {
    m_limits = limits;
    m_stop = std::move(stop);
    m_until = std::chrono::steady_clock::now() + limits.time;
    m_bytesBefore = sqlite3_memory_used();
    m_reason = Ended::No;
}

bool Guard::isOver() {
    if (m_reason == Ended::No) {
        const auto bytes = static_cast<std::uint64_t>(
            std::max<std::int64_t>(0, sqlite3_memory_used() - m_bytesBefore));
        if (m_stop.stop_requested()) {
            m_reason = Ended::Cancelled;
        } else if (m_limits.time.count() > 0 && std::chrono::steady_clock::now() >= m_until) {
            m_reason = Ended::Time;
        } else if (m_limits.bytes > 0 && bytes > m_limits.bytes) {
            m_reason = Ended::Memory;
        }
    }
    return m_reason != Ended::No;
}

std::optional<Error> Guard::reason() {
    (void)isOver();
    switch (m_reason) {
        case Ended::Time:
            return Error{
                fmt::format("the query took longer than {}; ask for less, or raise the time limit",
                            text::formatDuration(std::chrono::nanoseconds(m_limits.time).count()))};
        case Ended::Memory:
            return Error{
                fmt::format("the query needs more than {} of memory; ask for less, or raise the "
                            "memory limit",
                            text::formatBytes(m_limits.bytes))};
        default:
            return m_reason == Ended::Cancelled
                       ? std::optional(Error{"cancelled", ErrorKind::Cancelled})
                       : std::nullopt;
    }
}

Guard::Lifted::Lifted(sqlite3* database) : m_database(database) {
    sqlite3_set_authorizer(database, nullptr, nullptr);
}

Guard::Lifted::~Lifted() {
    sqlite3_set_authorizer(m_database, authorize, nullptr);
}

}  // namespace kinetoscope::query::sql
