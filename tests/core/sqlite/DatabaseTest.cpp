// SPDX-License-Identifier: Apache-2.0
// Databases of others: what they may not do, and what their rows hold.
#include <QtTest>
#include <random>
#include <stop_token>

#include "core/sqlite/FindLayout.h"
#include "core/sqlite/PageRows.h"
#include "tests/support/DatabasePages.h"
#include "tests/support/Mutator.h"

using namespace kinetoscope;
using namespace kinetoscope::sqlite;

namespace {

constexpr auto kEndless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

Result<Database> open(std::string bytes, Watch watch = {}) {
    return Database::openForeign(std::make_shared<test::BytesInMemory>(std::move(bytes)), "some.db",
                                 std::move(watch));
}

QString errorOfRunning(const Database& database, std::string_view sql) {
    auto statement = database.prepare(sql);
    auto row = statement ? statement->step() : tl::unexpected(statement.error());
    return row ? QString() : QString::fromStdString(row.error().message);
}

// A table as PageRows sees it; SQLite's own answers beside it.
struct BothWays {
    explicit BothWays(const Database& database, const std::string& table) {
        auto all = database.prepare("SELECT * FROM " + table);
        for (int i = 0; all && i < all->columns(); ++i) {
            columns.emplace_back(all->columnName(i));
            places.push_back(i);
        }
        layout = layoutOf(database, table, columns);
        std::string sql = "SELECT rowid";
        for (const std::string& column : columns) {
            sql += ", \"" + column + '"';
        }
        statement.emplace(std::move(
            *database.prepare(sql + " FROM " + table + " WHERE rowid BETWEEN ?1 AND ?2")));
        if (layout) {
            pages.emplace(database.bytes(), *layout, places);
        }
    }

    // What differs in the rows of a range; counts what was left to SQLite.
    QString difference(std::int64_t first, std::int64_t last) {
        statement->reset();
        statement->bind(1, first);
        statement->bind(2, last);
        pages->restart(first, last);
        while (pages->next()) {
            ++rows;
            if (!statement->step().value()) {
                return QStringLiteral("row %1 is too much").arg(pages->rowid());
            }
            const QString row = differenceOfRow();
            if (!row.isEmpty()) {
                return row;
            }
        }
        if (pages->isUnclear()) {
            ++unclear;
            return {};
        }
        return statement->step().value()
                   ? QStringLiteral("row %1 is missing").arg(statement->integer(0))
                   : QString();
    }

    std::vector<std::string> columns;
    std::vector<int> places;
    std::optional<TableLayout> layout;
    std::optional<Statement> statement;
    std::optional<PageRows> pages;
    int rows = 0;
    int unclear = 0;
    int converted = 0;

private:
    QString differenceOfRow() {
        if (pages->rowid() != statement->integer(0)) {
            return QStringLiteral("row %1 instead of %2")
                .arg(pages->rowid())
                .arg(statement->integer(0));
        }
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const int own = static_cast<int>(i) + 1;
            const auto integer = pages->integer(i);
            const auto real = pages->real(i);
            const auto text = pages->text(i);
            const ValueType type = statement->type(own);
            converted += (type == ValueType::Integer && !integer) ||
                         (type == ValueType::Real && !real) || (type >= ValueType::Text && !text);
            if (pages->isNull(i) != statement->isNull(own) ||
                (integer && *integer != statement->integer(own)) ||
                (real && *real != statement->real(own)) ||
                (text && *text != statement->text(own))) {
                return QStringLiteral("row %1, %2").arg(pages->rowid()).arg(columns[i].c_str());
            }
        }
        return {};
    }
};

std::string randomValue(std::mt19937_64& random) {
    const auto below = [&](std::uint64_t limit) { return random() % limit; };
    switch (below(10)) {
        case 0:
            return "NULL";
        case 1:
            return std::to_string(below(3));
        case 2:
            return std::to_string(static_cast<std::int64_t>(random()) >> below(64));
        case 3:
            return "-9223372036854775808";
        case 4:
            return std::to_string(below(1000)) + ".0";
        case 5:
            return below(9) == 0
                       ? "9e999"
                       : "-" + std::to_string(below(1000)) + ".625e" + std::to_string(below(20));
        case 6:
            return "'" + std::string(below(40), 'a') + "'";
        case 7:
            return "'" + std::to_string(below(1000)) + " words'";
        case 8:
            return "zeroblob(" + std::to_string(below(below(20) == 0 ? 9000 : 30)) + ")";
        default:
            return "hex(randomblob(" + std::to_string(below(below(20) == 0 ? 4000 : 20)) + "))";
    }
}

// Rows of many kinds: numbers far apart, some deleted, columns that came later.
std::string randomTable(std::uint64_t seed) {
    static constexpr std::array kTypes{"INTEGER", "REAL", "TEXT", "", "BLOB", "DOUBLE", "BIGINT"};
    static constexpr std::array kKeys{"", " INTEGER PRIMARY KEY", " INT PRIMARY KEY",
                                      " INTEGER NOT NULL PRIMARY KEY -- as it came, DESC\n"};
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t limit) { return random() % limit; };
    std::string sql = "PRAGMA page_size=" + std::to_string(512U << below(8)) + ";" +
                      (below(2) == 0 ? "PRAGMA auto_vacuum=1;" : "") + "CREATE TABLE t(id" +
                      kKeys[below(kKeys.size())];
    std::size_t columns = 1 + below(6);
    for (std::size_t i = 0; i < columns; ++i) {
        sql += ", c" + std::to_string(i) + ' ' + kTypes[below(kTypes.size())];
    }
    sql += "); BEGIN;";
    const std::uint64_t rows = below(4) == 0 ? below(4) : below(1500);
    for (std::uint64_t i = 0; i < rows; ++i) {
        if (i == rows / 2) {
            sql += "ALTER TABLE t ADD COLUMN later REAL;";
            ++columns;
        }
        sql += "INSERT OR IGNORE INTO t VALUES(" + (below(2) == 0 ? std::to_string(i) : "NULL");
        for (std::size_t column = 0; column < columns; ++column) {
            sql += ", " + randomValue(random);
        }
        sql += ");";
        if (below(50) == 0) {
            const auto from = std::to_string(below(i + 1));
            sql += "DELETE FROM t WHERE rowid > " + from + " AND rowid < " + from + " + 30;";
        }
        if (below(100) == 0) {
            sql += "UPDATE OR IGNORE t SET rowid = " +
                   std::to_string(static_cast<std::int64_t>(random()) >> below(60)) +
                   " WHERE rowid = " + std::to_string(i) + ";";
        }
    }
    return sql + "COMMIT;";
}

}  // namespace

class DatabaseTest : public QObject {
    Q_OBJECT

private slots:
    void typesAndTextsOfRows() {
        const std::string bytes = test::databaseOf(
            "CREATE TABLE t(a, b, c, d, e);"
            "INSERT INTO t VALUES(-9223372036854775808, 0.5, 'zé', x'00ff', NULL), (1, 2, 3, 4, "
            "5)");
        QVERIFY(isDatabase(bytes));
        const auto database = open(bytes);
        QVERIFY2(database, database ? "" : database.error().message.c_str());
        auto rows = database->prepare("SELECT a, b, c, d, e FROM t ORDER BY rowid");
        QVERIFY(rows && rows->columns() == 5 && rows->columnName(2) == "c");
        QVERIFY(rows->step().value());
        QCOMPARE(rows->integer(0), std::numeric_limits<std::int64_t>::min());
        QCOMPARE(rows->real(1), 0.5);
        QCOMPARE(rows->text(2), std::string_view("zé"));
        QCOMPARE(rows->text(3), std::string_view("\0\xff", 2));
        QVERIFY(rows->type(3) == ValueType::Blob && rows->isNull(4) && rows->text(4).empty());
        QVERIFY(rows->step().value() && rows->text(2) == "3");
        QVERIFY(!rows->step().value());
    }

    void nothingOfAForeignDatabaseRuns() {
        const auto database = open(test::databaseOf(
            "CREATE TABLE t(a); INSERT INTO t VALUES(1); CREATE VIEW v AS SELECT a FROM t;"
            "CREATE TABLE g(a, b AS (zeroblob(100000000))); INSERT INTO g VALUES(1)"));
        QVERIFY(database);
        QCOMPARE(errorOfRunning(*database, "SELECT a FROM t"), "");
        for (const char* sql :
             {"SELECT * FROM v", "INSERT INTO t VALUES(2)", "DELETE FROM t",
              "CREATE TEMP TABLE x(a)", "ATTACH '/etc/passwd' AS x", "PRAGMA cache_size=100000000",
              "SELECT randomblob(9) FROM t", "SELECT load_extension('x')", "SELECT b FROM g",
              "VACUUM INTO '/tmp/x'"}) {
            QVERIFY2(!errorOfRunning(*database, sql).isEmpty(), sql);
        }
    }

    // 14 levels of pages with 40 children each that are the same one.
    void aListOfTablesWithoutEndIsDamage() {
        using Pages = test::DatabasePages;
        Pages pages("CREATE TABLE t(a UNIQUE)");
        const std::string first = pages.page(1);
        const auto leafOf = [&](std::size_t cell) {
            std::string leaf = std::string(100, '\0') + first.substr(100);
            leaf.replace(0, 8, first.substr(100, 8)).replace(8, 2, first.substr(108 + 2 * cell, 2));
            Pages::put(leaf, 3, 1, 2);
            return leaf;
        };
        const std::size_t table = pages.append(leafOf(0));
        std::size_t below = pages.append(leafOf(1));
        for (int level = 0; level < 14; ++level) {
            below = pages.append(Pages::interior(std::vector<Pages::Child>(40, {below, 2})));
        }
        pages.set(
            1, first.substr(0, 100) + Pages::interior({{table, 1}, {below, 2}}, 100).substr(100));
        const auto database = open(pages.bytes());
        QVERIFY(!database);
        QCOMPARE(database.error().message, std::string("'some.db': the database is damaged"));
    }

    void viewsMayBeLongerThanStatements() {
        std::string sql =
            "CREATE TABLE t(a); INSERT INTO t VALUES(1);"
            "CREATE VIEW f AS SELECT coalesce(1, 2, 3, 4, 5, 6, 7, 8, 9);"
            "CREATE VIEW u AS SELECT a FROM t";
        std::string any = "a = 0";
        for (int i = 1; i < 60; ++i) {
            sql += " UNION ALL SELECT a FROM t";
            any += " OR a = " + std::to_string(i);
        }
        const auto database =
            open(test::databaseOf(sql + "; CREATE VIEW o AS SELECT a FROM t WHERE " + any));
        QVERIFY2(database, database ? "" : database.error().message.c_str());
        QCOMPARE(errorOfRunning(*database, "SELECT a FROM t"), "");
        QVERIFY(!errorOfRunning(*database, "SELECT a FROM t WHERE " + any).isEmpty());
    }

    void aStopAndAnEndOfTimeEndStatements() {
        std::stop_source stop;
        const auto database = open(test::databaseOf("CREATE TABLE t(a)"), {stop.get_token(), {}});
        QVERIFY(database);
        auto endless = database->prepare(kEndless);
        stop.request_stop();
        const auto stopped = endless->step();
        QVERIFY(!stopped && stopped.error().kind == ErrorKind::Cancelled);
        const auto memory = Database::inMemory({{}, std::chrono::steady_clock::now()});
        QCOMPARE(errorOfRunning(*memory, kEndless), "reading the database took longer than it may");
    }

    void pagesTellWhatSqliteTells() {
        std::mt19937_64 random(7);
        int rows = 0;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            const auto database = open(test::databaseOf(randomTable(seed)));
            QVERIFY(database);
            BothWays both(*database, "t");
            QVERIFY(both.layout);
            constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
            constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
            QCOMPARE(both.difference(kLeast, kMost), "");
            rows += both.rows;
            QCOMPARE(both.difference(kMost, kLeast), "");
            for (int i = 0; i < 20; ++i) {
                const auto first = static_cast<std::int64_t>(random() % 1600) - 10;
                QCOMPARE(both.difference(first, first + static_cast<std::int64_t>(random() % 300)),
                         "");
                QCOMPARE(both.difference(first, first), "");
            }
            QVERIFY(both.unclear == 0 && both.converted == 0);
        }
        QVERIFY(rows > 10'000);
    }

    void whatOnlySqliteKnowsIsLeftToIt() {
        for (const char* sql :
             {"CREATE TABLE t(a, b AS (a + 1)); INSERT INTO t VALUES(1)",
              "CREATE TABLE t(a INTEGER PRIMARY KEY DESC, b); INSERT INTO t VALUES(9, 1)",
              "CREATE TABLE t(rowid, b); INSERT INTO t VALUES(9, 1)",
              "PRAGMA encoding='UTF-16'; CREATE TABLE t(a); INSERT INTO t VALUES('x')"}) {
            const auto database = open(test::databaseOf(sql));
            QVERIFY(database && !BothWays(*database, "t").layout);
        }
        const auto database = open(test::databaseOf(
            "CREATE TABLE t(a); INSERT INTO t VALUES(1); ALTER TABLE t ADD COLUMN b DEFAULT 5;"
            "INSERT INTO t VALUES(2, 6)"));
        BothWays both(*database, "t");
        QCOMPARE(both.difference(1, 2), "");
        QVERIFY(both.unclear == 1 && both.rows == 0 && both.pages->nextRowid() == 1);
        QCOMPARE(both.difference(2, 2), "");
        QVERIFY(both.unclear == 1 && both.rows == 1);
    }

    void keysOfTheSameColumnTwiceAreNoNumbersOfRows() {
        for (const char* key : {"id, id", "(id), (id)", "\"id\" /* ) */, id"}) {
            const auto database = open(
                test::databaseOf("CREATE TABLE t(id INTEGER, b, PRIMARY KEY(" + std::string(key) +
                                 ")); INSERT INTO t VALUES(70, 'a'), (80, 'b')"));
            BothWays both(*database, "t");
            QVERIFY(both.layout);
            QCOMPARE(both.difference(1, 2), "");
            QCOMPARE(both.rows, 2);
        }
        const auto database = open(test::databaseOf(
            "CREATE TABLE t(id INTEGER, b, PRIMARY KEY(id)); INSERT INTO t VALUES(70, 'a')"));
        BothWays both(*database, "t");
        QCOMPARE(both.difference(70, 70), "");
        QCOMPARE(both.rows, 1);
    }

    // Rows of 20,359 bytes that share one page, which leads to itself.
    void pagesThatRowsShareAreReadOnce() {
        using Pages = test::DatabasePages;
        for (const std::size_t more : {50U, 0U}) {
            Pages pages("CREATE TABLE t(a)");
            const std::size_t shared = pages.count() + 1;
            std::string page(Pages::kPageBytes, 'x');
            Pages::put(page, 0, shared, 4);
            pages.append(page);
            std::vector<Pages::Child> leaves;
            for (int first = 1; first <= 100; first += 10) {
                std::string leaf(Pages::kPageBytes, '\0');
                leaf[0] = 13;
                leaf[4] = 10;
                for (int i = 0; i < 10; ++i) {
                    std::string cell =
                        "\x81\x9f\x07?\x04\x82\xbe\x13" + std::string(35, 'y') + "????";
                    cell[3] = static_cast<char>(first + i);
                    Pages::put(cell, cell.size() - 4, shared, 4);
                    const std::size_t at = leaf.size() - 47 * static_cast<std::size_t>(i + 1);
                    leaf.replace(at, cell.size(), cell);
                    Pages::put(leaf, 8 + 2 * static_cast<std::size_t>(i), at, 2);
                }
                leaves.emplace_back(pages.append(leaf), first + 9);
            }
            pages.set(pages.rootOf("t"), Pages::interior(leaves));
            for (std::size_t i = 0; i < more; ++i) {
                pages.append(page);
            }
            const auto database = open(pages.bytes());
            const auto layout = layoutOf(*database, "t", std::array<std::string, 1>{"a"});
            PageRows rows(database->bytes(), *layout, std::array{0});
            rows.restart(1, 100);
            std::size_t told = 0;
            while (rows.next()) {
                QCOMPARE(rows.text(0).value().size(), 20'355U);
                told += rows.text(0).value().size();
            }
            QVERIFY(rows.damage() && !rows.isUnclear());
            QVERIFY(told <= 2 * pages.bytes().size());
            QCOMPARE(told > 0, more > 0);  // else a row would be longer than the file
        }
    }

    void computedValuesAreNotMuchLongerThanTheFile() {
        const auto database = open(test::databaseOf(
            "CREATE TABLE t(a, b AS (a || a || a || a || a || a || a || a || a || a || a || a));"
            "INSERT INTO t VALUES(hex(zeroblob(50000)))"));
        QVERIFY(database);
        QCOMPARE(errorOfRunning(*database, "SELECT a FROM t"), "");
        QCOMPARE(errorOfRunning(*database, "SELECT b FROM t"), "'some.db': string or blob too big");
    }

    // Whatever stands in the pages: an end, and no row twice.
    void damagedPagesEnd() {
        const std::size_t count = test::mutations(300);
        const std::string good = test::databaseOf(randomTable(3));
        std::size_t opened = 0;
        for (std::uint64_t seed = 0; seed < count; ++seed) {
            test::Mutator mutator(seed);
            const auto database = open(good.substr(0, 100) + mutator.bytes(good.substr(100)));
            auto layout = database
                              ? layoutOf(*database, "t", std::array<std::string, 2>{"id", "c0"})
                              : std::nullopt;
            if (!layout) {
                continue;
            }
            ++opened;
            PageRows rows(database->bytes(), *layout, std::array{0, 1});
            rows.restart(-5'000'000'000, 5'000'000'000);
            std::optional<std::int64_t> before;
            while (rows.next()) {
                QVERIFY(!before || rows.rowid() > *before);
                before = rows.rowid();
                QVERIFY(rows.text(1).value_or("").size() < 1'000'000);
            }
        }
        QVERIFY(opened > count / 4);
    }

    // A page with a cell that leaves it: what can be read of it is the same the second time.
    void aDamagedPageIsReadTheSameTwice() {
        using Pages = test::DatabasePages;
        Pages pages("CREATE TABLE t(a)");
        std::string leaf(Pages::kPageBytes, '\0');
        leaf[0] = 13;
        leaf[4] = 2;
        leaf.replace(500, 5, "\x03\x01\x02\x01\x2a");  // row 1: 42
        Pages::put(leaf, 8, 500, 2);
        leaf.replace(490, 5, "\x7f\x02\x02\x01\x2a");  // row 2: 127 bytes
        Pages::put(leaf, 10, 490, 2);
        pages.set(pages.rootOf("t"), leaf);
        const auto database = open(pages.bytes());
        QVERIFY(database);
        for (int time = 0; time < 2; ++time) {
            auto row = database->prepare("SELECT a FROM t WHERE rowid = 1");
            QVERIFY(row);
            const auto found = row->step();
            QVERIFY2(found && *found, found ? "" : found.error().message.c_str());
            QCOMPARE(row->integer(0), 42);
        }
    }

    void damageIsSaidInWords() {
        std::string bytes = test::databaseOf("CREATE TABLE t(a); INSERT INTO t VALUES(1)");
        std::string damaged = bytes;
        std::fill(damaged.begin() + 4096, damaged.end(), '\xff');
        const auto database = open(damaged);
        QVERIFY(database);
        QCOMPARE(errorOfRunning(*database, "SELECT a FROM t"),
                 "'some.db': the database is damaged");
        bytes.resize(50);
        QVERIFY(!open(bytes));
        QVERIFY(!open("SQLite format 3"));
        QVERIFY(!isDatabase("SQLite format 3"));
    }
};

QTEST_APPLESS_MAIN(DatabaseTest)
#include "DatabaseTest.moc"
