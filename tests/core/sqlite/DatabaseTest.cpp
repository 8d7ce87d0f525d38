// SPDX-License-Identifier: Apache-2.0
// Databases of others: what they may not do, and what their rows hold.
#include <QtTest>
#include <stop_token>

#include "core/sqlite/Database.h"
#include "tests/support/DatabaseText.h"

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
