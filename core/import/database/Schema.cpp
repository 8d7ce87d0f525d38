// SPDX-License-Identifier: Apache-2.0
#include "core/import/database/Schema.h"

#include <algorithm>

#include "core/base/Ascii.h"

namespace kinetoscope::import::database {

namespace {

constexpr std::size_t kMaxTables = 5'000;

bool sameName(std::string_view a, std::string_view b) {
    return equalIgnoringCase(a, b);
}

Result<Table> describe(const sqlite::Database& database, const std::string& name) {
    Table table{name, {}, {}, {}};
    auto columns = database.prepare("SELECT * FROM " + quotedName(name));
    if (!columns) {
        return tl::unexpected(columns.error());
    }
    for (int column = 0; column < columns->columns(); ++column) {
        table.columns.emplace_back(columns->columnName(column));
    }
    const std::string number(table.rowNumber());
    if (number.empty()) {
        return fail("its columns hide the numbers of its rows");
    }
    for (const bool last : {false, true}) {
        auto row = database.prepare((last ? "SELECT max(" : "SELECT min(") + number + ") FROM " +
                                    quotedName(name));
        const auto found = row ? row->step() : tl::unexpected(row.error());
        if (!found) {
            return tl::unexpected(found.error());
        }
        if (*found && !row->isNull(0)) {
            (last ? table.rows.last : table.rows.first) = row->integer(0);
        }
    }
    table.layout = sqlite::layoutOf(database, name, table.columns);
    return table;
}

}  // namespace

std::string quotedName(std::string_view name) {
    std::string quoted = "\"";
    for (const char c : name) {
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    }
    return quoted + '"';
}

bool Table::has(std::string_view column) const {
    return std::ranges::any_of(columns,
                               [&](const std::string& own) { return sameName(own, column); });
}

std::string_view Table::rowNumber() const {
    for (const std::string_view number : {"rowid", "_rowid_", "oid"}) {
        if (!has(number)) {
            return number;
        }
    }
    return {};
}

std::string Table::select(std::span<const std::string_view> wanted) const {
    const std::string number(rowNumber());
    std::string sql = "SELECT " + number;
    for (const std::string_view column : wanted) {
        sql += ", " + (has(column) ? quotedName(column) : std::string("NULL"));
    }
    return sql + " FROM " + quotedName(name) + " WHERE " + number + " BETWEEN ?1 AND ?2";
}

Result<Schema> Schema::of(const sqlite::Database& database) {
    // Entries without a root page are views or virtual tables.
    auto rows = database.prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name");
    if (!rows) {
        return tl::unexpected(rows.error());
    }
    Schema schema;
    std::vector<std::string> names;
    auto more = rows->step();
    for (; more && *more; more = rows->step()) {
        if (names.size() < kMaxTables) {
            names.emplace_back(rows->text(0));
        } else {
            ++schema.m_leftOut;
        }
    }
    if (!more) {
        return tl::unexpected(more.error());
    }
    for (const std::string& name : names) {
        if (auto table = describe(database, name)) {
            schema.m_tables.push_back(std::move(*table));
        } else if (table.error().kind == ErrorKind::Cancelled) {
            return tl::unexpected(table.error());
        } else {
            schema.m_unreadable.push_back(name + ": " + table.error().message);
        }
    }
    return schema;
}

const Table* Schema::find(std::string_view name) const {
    const auto found = std::ranges::find_if(
        m_tables, [&](const Table& table) { return sameName(table.name, name); });
    return found == m_tables.end() ? nullptr : &*found;
}

Result<Rows> Rows::of(const sqlite::Database& database, const Table& table,
                      std::span<const std::string_view> columns, RowRange range,
                      std::uint64_t origin) {
    auto statement = database.prepare(table.select(columns));
    if (!statement) {
        return tl::unexpected(statement.error());
    }
    Rows rows(std::move(*statement), columns.size(), origin);
    if (table.layout) {
        std::vector<int> places;
        for (const std::string_view column : columns) {
            const auto own = std::ranges::find_if(
                table.columns, [&](const std::string& name) { return sameName(name, column); });
            places.push_back(
                own == table.columns.end() ? -1 : static_cast<int>(own - table.columns.begin()));
        }
        rows.m_pages.emplace(database.bytes(), *table.layout, places, database.watched().stop);
    }
    rows.restart(range);
    return rows;
}

void Rows::restart(RowRange range) {
    m_range = range;
    m_isBehindLast = false;
    m_fromPages = m_pages.has_value();
    if (m_fromPages) {
        m_pages->restart(range.first, range.last);
    } else {
        ask(range);
    }
}

void Rows::ask(RowRange range) const {
    m_statement.reset();
    m_statement.bind(1, range.first);
    m_statement.bind(2, range.last);
}

Result<bool> Rows::next() {
    m_isAtRow = false;
    if (m_fromPages) {
        if (m_pages->next()) {
            return true;
        }
        if (!m_pages->isUnclear()) {
            return false;
        }
        m_fromPages = false;
        m_range.first = m_pages->nextRowid();
        ask(m_range);
    }
    return nextAsked();
}

// SQLite follows pages that lead to others over and over; numbers of rows grow in sound ones.
Result<bool> Rows::nextAsked() {
    auto more = m_statement.step();
    if (more && *more) {
        const std::int64_t rowid = m_statement.integer(0);
        if (rowid < m_range.first || rowid > m_range.last || m_isBehindLast) {
            return fail("the numbers of the rows do not grow: the database is damaged");
        }
        m_isBehindLast = rowid == m_range.last;
        m_range.first = m_isBehindLast ? rowid : rowid + 1;
    }
    return more;
}

// The same row by SQLite, which converts values to the requested types.
const sqlite::Statement& Rows::converted() const {
    if (m_fromPages && !m_isAtRow) {
        ask({m_pages->rowid(), m_pages->rowid()});
        m_isAtRow = m_statement.step().has_value();
    }
    return m_statement;
}

Result<Rows> Rows::all(const sqlite::Database& database, const Table& table,
                       std::initializer_list<std::string_view> columns) {
    return of(database, table, {columns.begin(), columns.size()}, table.rows);
}

}  // namespace kinetoscope::import::database
