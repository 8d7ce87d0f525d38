// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Utf8.h"
#include "core/sqlite/Database.h"
#include "core/sqlite/PageRows.h"

namespace kinetoscope::import::database {

/// Rows of one table by their rowid, both ends included.
struct RowRange {
    std::int64_t first = 0;
    std::int64_t last = -1;
};

/// A table of the database. Views, virtual tables and tables without a rowid do not count.
struct Table {
    std::string name;
    std::vector<std::string> columns;   ///< those that are stored
    std::vector<std::string> computed;  ///< for each row, by expressions: not read
    RowRange rows;                      ///< of those that can be read; empty: there is none
    sqlite::TableLayout layout;

    [[nodiscard]] bool has(std::string_view column) const;
    /// What SQL calls the number of a row: one of the names that no column hides; empty if all are.
    [[nodiscard]] std::string_view rowNumber() const;
    /// The statement for some of its rows by number: "SELECT rowid, …". Missing columns are null.
    [[nodiscard]] std::string select(std::span<const std::string_view> wanted) const;
};

/// All tables by name. SQLite ignores case.
class Schema {
public:
    /// Fails where the list itself cannot be read.
    [[nodiscard]] static Result<Schema> of(const sqlite::Database& database);

    [[nodiscard]] const Table* find(std::string_view name) const;
    [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
    [[nodiscard]] std::span<const Table> tables() const { return m_tables; }
    /// Tables that cannot be read at all, or not to one of their ends, with the reason.
    [[nodiscard]] std::span<const std::string> unreadable() const { return m_unreadable; }
    /// How many there are beyond the most that are looked at.
    [[nodiscard]] std::size_t leftOut() const { return m_leftOut; }

private:
    std::vector<Table> m_tables;
    std::vector<std::string> m_unreadable;
    std::size_t m_leftOut = 0;
};

/// The rows of a range, one after the other, from the pages. SQLite decodes what these leave to it,
/// and converts values of another type than requested. Damaged pages and rows are skipped.
class Rows {
public:
    /// `origin` is added to the rowid for offset(). `table` must outlive the rows. `budget`: of all
    /// ranges of the table; without one these rows have their own.
    [[nodiscard]] static Result<Rows> of(const sqlite::Database& database, const Table& table,
                                         std::span<const std::string_view> columns, RowRange range,
                                         std::uint64_t origin = 0,
                                         std::shared_ptr<sqlite::ReadBudget> budget = nullptr);
    /// All of them.
    [[nodiscard]] static Result<Rows> all(const sqlite::Database& database, const Table& table,
                                          std::initializer_list<std::string_view> columns);

    /// Other ones next.
    void restart(RowRange range);
    /// Behind the last row it is an error that some were lost.
    [[nodiscard]] Result<bool> next() {
        m_fromPages = m_pages.next();
        return m_fromPages ? Result<bool>(true) : nextUnclear();
    }

    /// Columns are numbered as they were requested.
    [[nodiscard]] bool isNull(std::size_t column) const {
        return m_fromPages ? m_pages.isNull(column) : m_statement.isNull(at(column));
    }
    [[nodiscard]] sqlite::ValueType type(std::size_t column) const {
        return m_fromPages ? m_pages.type(column) : m_statement.type(at(column));
    }
    [[nodiscard]] std::int64_t integer(std::size_t column) const {
        if (!m_fromPages) {
            return m_statement.integer(at(column));
        }
        const auto plain = m_pages.integer(column);
        return plain ? *plain : converted(column).integer(0);
    }
    [[nodiscard]] std::optional<std::int64_t> number(std::size_t column) const {
        return isNull(column) ? std::nullopt : std::optional(integer(column));
    }
    [[nodiscard]] double real(std::size_t column) const {
        if (!m_fromPages) {
            return m_statement.real(at(column));
        }
        const auto plain = m_pages.real(column);
        return plain ? *plain : converted(column).real(0);
    }
    /// Valid UTF-8, until next() or the same column is asked for again.
    [[nodiscard]] std::string_view text(std::size_t column) const {
        if (!m_fromPages) {
            return asUtf8(m_statement.text(at(column)), m_made[column]);
        }
        const auto plain = m_pages.text(column);
        return plain ? asUtf8(*plain, m_made[column]) : m_made[column] = converted(column).text(0);
    }
    /// Of a text or blob as it is stored.
    [[nodiscard]] std::size_t bytes(std::size_t column) const {
        return (m_fromPages ? m_pages.text(column).value_or(std::string_view())
                            : m_statement.text(at(column)))
            .size();
    }
    /// Names the row among all tables of a trace.
    [[nodiscard]] std::uint64_t offset() const {
        return m_origin + static_cast<std::uint64_t>(m_pages.rowid());
    }

private:
    Rows(sqlite::Statement statement, sqlite::Statement conversion, sqlite::PageRows pages,
         std::size_t columns, std::uint64_t origin)
        : m_statement(std::move(statement)),
          m_conversion(std::move(conversion)),
          m_columns(columns),
          m_made(columns),
          m_pages(std::move(pages)),
          m_origin(origin) {}
    [[nodiscard]] static int at(std::size_t column) { return static_cast<int>(column) + 1; }
    [[nodiscard]] Result<bool> nextUnclear();
    [[nodiscard]] Result<bool> nextAsked();
    [[nodiscard]] bool takeValues();
    [[nodiscard]] const sqlite::Statement& converted(std::size_t column) const;

    sqlite::Statement m_statement;           // of a row by its number
    mutable sqlite::Statement m_conversion;  // of any value, which is bound to it
    std::size_t m_columns;
    mutable std::vector<std::string> m_made;  // by column: texts that are not so in the file
    sqlite::PageRows m_pages;
    bool m_fromPages = false;  // the row's values
    std::shared_ptr<sqlite::ReadBudget> m_budget;
    std::string m_damage;  // why SQLite refused the first row that it did
    std::uint64_t m_origin;
};

/// `name` between double quotes, as SQL wants it.
[[nodiscard]] std::string quotedName(std::string_view name);

}  // namespace kinetoscope::import::database
