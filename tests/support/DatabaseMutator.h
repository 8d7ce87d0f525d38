// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/import/database/Schema.h"
#include "tests/support/LoadedDatabase.h"

namespace kinetoscope::test {

/// Changes databases by SQL, so that their pages stay as SQLite writes them: values, rows, columns
/// and tables; always the same way for one seed. The 16 bytes that every database begins with are
/// not part of what is changed.
class DatabaseMutator {
public:
    explicit DatabaseMutator(std::uint64_t seed) : m_random(seed) {}

    /// One to four changes; nothing where SQLite cannot read it. Values of `other` are not used.
    [[nodiscard]] std::string change(const std::string& rest, std::string_view /*other*/) {
        const LoadedDatabase database(std::string(kHead) + rest);
        if (!database.isLoaded()) {
            return {};
        }
        for (std::size_t left = 1 + below(4); left > 0; --left) {
            database.run(statement(database));
        }
        const std::string bytes = database.bytes();
        return bytes.substr(std::min(kHead.size(), bytes.size()));
    }

private:
    static constexpr std::string_view kHead{"SQLite format 3\0", 16};

    [[nodiscard]] std::size_t below(std::size_t limit) {
        return static_cast<std::size_t>(m_random() % limit);
    }

    [[nodiscard]] std::string oneOf(const std::vector<std::string>& texts) {
        return texts.empty() ? "x" : texts[below(texts.size())];
    }

    [[nodiscard]] std::string tableOf(const LoadedDatabase& database) {
        return import::database::quotedName(
            oneOf(database.texts("SELECT name FROM sqlite_schema WHERE type = 'table'")));
    }

    [[nodiscard]] std::string columnOf(const LoadedDatabase& database, const std::string& table) {
        return import::database::quotedName(
            oneOf(database.texts("SELECT name FROM pragma_table_info(" + table + ")")));
    }

    [[nodiscard]] std::string row(const std::string& table) {
        return fmt::format("(SELECT rowid FROM {} LIMIT 1 OFFSET {})", table, below(8));
    }

    [[nodiscard]] std::string statement(const LoadedDatabase& database) {
        const std::string table = tableOf(database);
        const std::string column = columnOf(database, table);
        switch (below(12)) {
            case 0:
                return fmt::format("DELETE FROM {0} WHERE rowid = {1}", table, row(table));
            case 1:
                return copyOfARow(database, table);
            case 2:
                return fmt::format("UPDATE OR IGNORE {0} SET rowid = {1} WHERE rowid = {2}", table,
                                   value(database, table, "rowid"), row(table));
            case 3:
                return fmt::format("UPDATE OR IGNORE {0} SET {1} = {2}", table, column,
                                   value(database, table, column));
            case 4:
                return changeOfTables(database, table, column);
            default:
                return fmt::format("UPDATE OR REPLACE {0} SET {1} = {2} WHERE rowid = {3}", table,
                                   column, value(database, table, column), row(table));
        }
    }

    [[nodiscard]] std::string copyOfARow(const LoadedDatabase& database, const std::string& table) {
        std::string columns;
        for (const std::string& column :
             database.texts("SELECT name FROM pragma_table_info(" + table + ") WHERE NOT pk")) {
            columns += (columns.empty() ? "" : ", ") + import::database::quotedName(column);
        }
        return fmt::format("INSERT OR IGNORE INTO {0}({1}) SELECT {1} FROM {0} WHERE rowid = {2}",
                           table, columns, row(table));
    }

    [[nodiscard]] std::string changeOfTables(const LoadedDatabase& database,
                                             const std::string& table, const std::string& column) {
        const std::string other = tableOf(database);
        switch (below(6)) {
            case 0:
                return "DROP TABLE " + table;
            case 1:
                return fmt::format("ALTER TABLE {} DROP COLUMN {}", table, column);
            case 2:
                return fmt::format("ALTER TABLE {} ADD COLUMN {} DEFAULT {}", table,
                                   columnOf(database, other), plainValue());
            case 3:
                return fmt::format("ALTER TABLE {} RENAME COLUMN {} TO {}", table, column,
                                   columnOf(database, other));
            case 4:
                return fmt::format("DROP TABLE {0}; ALTER TABLE {1} RENAME TO {0}", table, other);
            default:
                return fmt::format("DELETE FROM {}", table);
        }
    }

    // An expression for a column of a row.
    [[nodiscard]] std::string value(const LoadedDatabase& database, const std::string& table,
                                    const std::string& column) {
        switch (below(6)) {
            case 0:
                return column + (below(2) == 0 ? " + 1" : " - 1");
            case 1:
                return fmt::format("(SELECT {} FROM {} LIMIT 1 OFFSET {})", column, table,
                                   below(8));
            case 2:
                return columnOf(database, table);
            case 3: {
                const std::string other = tableOf(database);
                return fmt::format("(SELECT {} FROM {} LIMIT 1 OFFSET {})",
                                   columnOf(database, other), other, below(8));
            }
            default:
                return plainValue();
        }
    }

    [[nodiscard]] std::string plainValue() {
        static constexpr std::array kValues{"NULL",
                                            "''",
                                            "0",
                                            "1",
                                            "-1",
                                            "2",
                                            "0.5",
                                            "-0.0",
                                            "1e3",
                                            "9e999",
                                            "9223372036854775807",
                                            "-9223372036854775808",
                                            "4294967296",
                                            "9007199254740993",
                                            "'1'",
                                            "' 12 '",
                                            "'1e3'",
                                            "'0x1f'",
                                            "'1 word'",
                                            "x'00'",
                                            "x'ff80'",
                                            "x''",
                                            "'\"\\'",
                                            "char(10, 9, 0, 8238)",
                                            "'{\"a\": [1, 2]}'",
                                            "'[1'",
                                            "zeroblob(40)",
                                            "printf('%.*c', 600, 'n')"};
        return kValues[below(kValues.size())];
    }

    std::mt19937_64 m_random;
};

}  // namespace kinetoscope::test
