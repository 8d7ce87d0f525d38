// SPDX-License-Identifier: Apache-2.0
#include "core/sqlite/Statement.h"

#include <fmt/format.h>
#include <sqlite3.h>

namespace kinetoscope::sqlite {

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

Result<bool> Statement::step() {
    const int code = sqlite3_step(m_statement.get());
    if (code == SQLITE_ROW || code == SQLITE_DONE) {
        return code == SQLITE_ROW;
    }
    return tl::unexpected(errorOf(sqlite3_db_handle(m_statement.get()), code, *m_connection));
}

void Statement::reset() {
    sqlite3_reset(m_statement.get());
}

int Statement::columns() const {
    return sqlite3_column_count(m_statement.get());
}

std::string_view Statement::columnName(int column) const {
    const char* name = sqlite3_column_name(m_statement.get(), column);
    return name == nullptr ? std::string_view() : name;
}

ValueType Statement::type(int column) const {
    switch (sqlite3_column_type(m_statement.get(), column)) {
        case SQLITE_INTEGER:
            return ValueType::Integer;
        case SQLITE_FLOAT:
            return ValueType::Real;
        case SQLITE_TEXT:
            return ValueType::Text;
        case SQLITE_BLOB:
            return ValueType::Blob;
        default:
            return ValueType::Null;
    }
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(m_statement.get(), column);
}

double Statement::real(int column) const {
    return sqlite3_column_double(m_statement.get(), column);
}

std::string_view Statement::text(int column) const {
    // In this order: the length is that of what the first call made.
    const void* bytes = sqlite3_column_type(m_statement.get(), column) == SQLITE_BLOB
                            ? sqlite3_column_blob(m_statement.get(), column)
                            : sqlite3_column_text(m_statement.get(), column);
    const int length = sqlite3_column_bytes(m_statement.get(), column);
    return bytes == nullptr ? std::string_view()
                            : std::string_view(static_cast<const char*>(bytes),
                                               static_cast<std::size_t>(length));
}

void Statement::bind(int parameter, std::int64_t value) {
    sqlite3_bind_int64(m_statement.get(), parameter, value);
}

void Statement::bind(int parameter, double value) {
    sqlite3_bind_double(m_statement.get(), parameter, value);
}

void Statement::bind(int parameter, std::string_view value) {
    sqlite3_bind_text64(m_statement.get(), parameter, value.data(), value.size(), SQLITE_TRANSIENT,
                        SQLITE_UTF8);
}

Error errorOf(sqlite3* handle, int code, const Connection& connection) {
    const std::string place =
        connection.name.empty() ? std::string() : fmt::format("'{}': ", connection.name);
    switch (code & 0xff) {
        case SQLITE_NOMEM:
            return {place + "the database needs more memory than it may take", ErrorKind::Output};
        case SQLITE_INTERRUPT:
            return connection.watch.stop.stop_requested() || !connection.watch.until
                       ? Error{"cancelled", ErrorKind::Cancelled}
                       : Error{place + "reading the database took longer than it may"};
        case SQLITE_NOTADB:
            return {place + "this is not a database of SQLite, or an encrypted one"};
        case SQLITE_CORRUPT:
            return {place + "the database is damaged"};
        case SQLITE_IOERR:
            return {place + "the database cannot be read to its end"};
        default:
            return {place + (handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code))};
    }
}

}  // namespace kinetoscope::sqlite
