// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/Result.h"
#include "core/sqlite/ValueType.h"

struct sqlite3;
struct sqlite3_stmt;

namespace kinetoscope::sqlite {

/// When statements end before they are done.
struct Watch {
    std::stop_token stop;  ///< within some milliseconds; ErrorKind::Cancelled
    std::optional<std::chrono::steady_clock::time_point> until;
};

/// A connection's part of error messages; outlives its statements.
struct Connection {
    std::string name;
    Watch watch;
};

/// A statement that is run row by row. Columns count from 0, parameters from 1, as SQLite does.
class Statement {
public:
    /// Takes `statement` over, as sqlite3_prepare_v3() made it.
    Statement(sqlite3_stmt* statement, const Connection& connection)
        : m_statement(statement), m_connection(&connection) {}

    /// Goes to the next row; false behind the last one.
    [[nodiscard]] Result<bool> step();
    /// Back to before the first row, parameters as they are.
    void reset();

    [[nodiscard]] int columns() const;
    [[nodiscard]] std::string_view columnName(int column) const;

    /// Of the row that step() went to.
    [[nodiscard]] ValueType type(int column) const;
    [[nodiscard]] bool isNull(int column) const { return type(column) == ValueType::Null; }
    /// Converted where the value is of another type, as SQLite does; 0 or empty for null.
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] double real(int column) const;
    /// Of a text or blob, valid until the next step().
    [[nodiscard]] std::string_view text(int column) const;

    void bind(int parameter, std::int64_t value);
    void bind(int parameter, double value);
    void bind(int parameter, std::string_view value);

    [[nodiscard]] sqlite3_stmt* handle() const { return m_statement.get(); }

private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };

    std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
    const Connection* m_connection;
};

/// Why one of SQLite's functions returned `code`, in words. `handle` may be null.
[[nodiscard]] Error errorOf(sqlite3* handle, int code, const Connection& connection);

}  // namespace kinetoscope::sqlite
