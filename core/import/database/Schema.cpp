// SPDX-License-Identifier: Apache-2.0
#include "core/import/database/Schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/Ascii.h"
#include "core/sqlite/FindLayout.h"

namespace kinetoscope::import::database {

namespace {

constexpr std::size_t kMaxTables = 5'000;
constexpr const char* kDamaged = "the database is damaged";

bool sameName(std::string_view a, std::string_view b) {
    return equalIgnoringCase(a, b);
}

// The first or last row that can be there; nothing for an empty table. `damage` is said if it may
// not be the table's.
Result<std::optional<std::int64_t>> endOf(const sqlite::Database& database, const Table& table,
                                          bool last, std::string& damage) {
    constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
    constexpr auto kHighest = std::numeric_limits<std::int64_t>::max();
    const std::int64_t end = last ? kHighest : kLowest;
    sqlite::PageRows rows(database.bytes(), table.layout, {}, database.watched().stop);
    rows.restart(end, end);
    static_cast<void>(rows.next());
    if (rows.isStopped()) {
        return fail("cancelled", ErrorKind::Cancelled);
    }
    const auto& lost = rows.damage();
    if (!lost) {
        return rows.passed();
    }
    damage = kDamaged;
    if (rows.passed()) {
        return last ? std::max(lost->first, *rows.passed()) : std::min(lost->last, *rows.passed());
    }
    if (lost->first == kLowest && lost->last == kHighest) {
        return fail(kDamaged);
    }
    return last ? lost->first - 1 : lost->last + 1;
}

// What is computed is not read: an expression of a few bytes may take a second for each row.
Result<void> listColumns(const sqlite::Database& database, Table& table) {
    enum Column { Name = 1, Hidden = 6 };
    constexpr std::int64_t kComputed = 2;
    auto rows = database.prepare("PRAGMA table_xinfo(" + quotedName(table.name) + ")");
    if (!rows) {
        return tl::unexpected(rows.error());
    }
    auto more = rows->step();
    for (; more && *more; more = rows->step()) {
        const bool isComputed = rows->integer(Hidden) == kComputed;
        (isComputed ? table.computed : table.columns).emplace_back(rows->text(Name));
    }
    return more ? Result<void>() : tl::unexpected(more.error());
}

bool isAmong(const std::vector<std::string>& columns, std::string_view name) {
    return std::ranges::any_of(columns,
                               [&](const std::string& own) { return sameName(own, name); });
}

// `damage`: why rows at an end cannot be read.
Result<Table> describe(const sqlite::Database& database, const std::string& name,
                       std::string& damage) {
    Table table{name, {}, {}, {}, {}};
    if (auto listed = listColumns(database, table); !listed) {
        return tl::unexpected(listed.error());
    }
    const std::string number(table.rowNumber());
    if (number.empty()) {
        return fail("its columns hide the numbers of its rows");
    }
    const auto layout = sqlite::layoutOf(database, name, table.columns);
    const auto tree = layout ? layout : sqlite::treeOf(database, name);
    if (!tree) {
        return fail("the place of its rows is unknown");
    }
    table.layout = *tree;
    for (const bool last : {false, true}) {
        const auto end = endOf(database, table, last, damage);
        if (!end) {
            return tl::unexpected(end.error());
        }
        if (*end) {
            (last ? table.rows.last : table.rows.first) = **end;
        }
    }
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
    return isAmong(columns, column);
}

std::string_view Table::rowNumber() const {
    for (const std::string_view number : {"rowid", "_rowid_", "oid"}) {
        if (!has(number) && !isAmong(computed, number)) {
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
        std::string damage;
        if (auto table = describe(database, name, damage)) {
            schema.m_tables.push_back(std::move(*table));
            if (!damage.empty()) {
                schema.m_unreadable.push_back(fmt::format("{}: {}", name, damage));
            }
        } else if (table.error().kind == ErrorKind::Cancelled) {
            return tl::unexpected(table.error());
        } else {
            schema.m_unreadable.push_back(fmt::format("{}: {}", name, table.error().message));
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
                      std::uint64_t origin, std::shared_ptr<sqlite::ReadBudget> budget) {
    auto statement = database.prepare(table.select(columns));
    auto conversion = database.prepare("SELECT ?1");
    if (!statement || !conversion) {
        return tl::unexpected(statement ? conversion.error() : statement.error());
    }
    std::vector<int> places;
    for (const std::string_view column : columns) {
        const auto own = std::ranges::find_if(
            table.columns, [&](const std::string& name) { return sameName(name, column); });
        const bool isThere = own != table.columns.end() && !table.layout.columns.empty();
        places.push_back(isThere ? static_cast<int>(own - table.columns.begin()) : -1);
    }
    if (budget == nullptr) {
        budget = std::make_shared<sqlite::ReadBudget>(database.bytes()->readable());
    }
    Rows rows(std::move(*statement), std::move(*conversion),
              {database.bytes(), table.layout, places, database.watched().stop, budget},
              columns.size(), origin);
    rows.m_budget = std::move(budget);
    rows.restart(range);
    return rows;
}

void Rows::restart(RowRange range) {
    m_damage.clear();
    m_pages.restart(range.first, range.last);
}

// Where the pages have come to no row by themselves.
Result<bool> Rows::nextUnclear() {
    while (m_pages.isUnclear()) {
        auto asked = nextAsked();
        if (!asked || *asked) {
            return asked;
        }
        m_fromPages = m_pages.next();
        if (m_fromPages) {
            return true;
        }
    }
    if (m_pages.isStopped()) {
        return fail("cancelled", ErrorKind::Cancelled);
    }
    if (!m_damage.empty() || m_pages.damage()) {
        return fail(m_damage.empty() ? kDamaged : m_damage);
    }
    return false;
}

// The row that the pages leave to SQLite; false where it cannot be read either.
Result<bool> Rows::nextAsked() {
    m_statement.reset();
    m_statement.bind(1, m_pages.nextRowid());
    m_statement.bind(2, m_pages.nextRowid());
    m_pages.resume();
    auto found = m_statement.step();
    if (found && *found) {
        if (takeValues()) {
            return true;
        }
        m_damage = "its values are many times as long as the file";
        m_pages.restart(0, -1);
        return false;
    }
    if (!found && found.error().kind != ErrorKind::BadInput) {
        return found;
    }
    if (m_damage.empty()) {
        m_damage = found ? kDamaged : found.error().message;
    }
    return false;
}

// False once SQLite has told more than the file can have.
bool Rows::takeValues() {
    std::uint64_t bytes = 0;
    for (std::size_t column = 0; column < m_columns; ++column) {
        const sqlite::ValueType type = m_statement.type(at(column));
        if (type == sqlite::ValueType::Text || type == sqlite::ValueType::Blob) {
            bytes += m_statement.text(at(column)).size();
        }
    }
    return m_budget->takeComputed(bytes);
}

// A value by SQLite's rules. It is not asked for the row: what it finds of damaged pages depends on
// what lies behind them in memory.
const sqlite::Statement& Rows::converted(std::size_t column) const {
    m_conversion.reset();
    m_pages.value(column, [this](const auto& value) { m_conversion.bind(1, value); });
    static_cast<void>(m_conversion.step());
    return m_conversion;
}

Result<Rows> Rows::all(const sqlite::Database& database, const Table& table,
                       std::initializer_list<std::string_view> columns) {
    return of(database, table, {columns.begin(), columns.size()}, table.rows);
}

}  // namespace kinetoscope::import::database
