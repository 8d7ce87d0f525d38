// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>

#include "core/base/Result.h"
#include "core/query/sql/QueryOptions.h"

struct sqlite3;

namespace kinetoscope::query::sql {

/// Keeps the statements of a connection to reading, and to the time and memory they may take.
class Guard {
public:
    /// `database` outlives it.
    explicit Guard(sqlite3* database);
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard();

    /// From now on.
    void begin(const QueryLimits& limits, std::stop_token stop);
    /// Why the statement was ended; nothing when it was not.
    [[nodiscard]] std::optional<Error> reason();
    /// While it lives anything may be run: for what this program writes itself.
    class Lifted {
    public:
        explicit Lifted(sqlite3* database);
        Lifted(const Lifted&) = delete;
        Lifted& operator=(const Lifted&) = delete;
        ~Lifted();

    private:
        sqlite3* m_database;
    };

private:
    enum class Ended : std::uint8_t { No, Cancelled, Time, Memory };

    [[nodiscard]] bool isOver();

    sqlite3* m_database;
    QueryLimits m_limits;
    std::stop_token m_stop;
    std::chrono::steady_clock::time_point m_until;
    std::int64_t m_bytesBefore = 0;
    Ended m_reason = Ended::No;
};

}  // namespace kinetoscope::query::sql
