// SPDX-License-Identifier: Apache-2.0
// Databases whose pages are others than SQLite writes them: what is kept of them, and that reading
// them ends.
#include <QtTest>

#include "tests/core/import/NsysFixture.h"
#include "tests/support/DatabasePages.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;
using namespace kinetoscope::trace;
using namespace kinetoscope::test::nsys;

namespace {

const std::string kRanges =
    "CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, eventType INTEGER, text TEXT,"
    " globalTid INTEGER);";

// Ranges with the numbers of a table's rows from 1 on.
std::string ranges(int count) {
    return kTexts + kRanges +
           "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " +
           std::to_string(count) +
           ") INSERT INTO NVTX_EVENTS SELECT i * 10, i * 10 + 5, 59, 'range ' || i, " +
           std::to_string(kThread) + " FROM n;";
}

std::shared_ptr<const Trace> loaded(const std::string& bytes) {
    const auto trace = test::importText(bytes);
    if (!trace) {
        throw std::runtime_error(trace.error().message);
    }
    return *trace;
}

std::uint64_t damageOf(const Trace& trace) {
    const ImportIssue* issue = trace.log().find("damaged_table");
    return issue == nullptr ? 0 : issue->count;
}

}  // namespace

class DatabaseDamageTest : public QObject {
    Q_OBJECT

private slots:
    // 14 levels of pages with 40 children each that are the same one: 40^14 leaves.
    void pagesThatComeAgainEnd() {
        const auto interior = [](std::size_t below) {
            return test::DatabasePages::interior(
                std::vector<test::DatabasePages::Child>(40, {below, 1}));
        };
        test::DatabasePages pages(ranges(1));
        const std::size_t root = pages.rootOf("NVTX_EVENTS");
        std::size_t below = pages.append(pages.page(root));
        for (int level = 0; level < 13; ++level) {
            below = pages.append(interior(below));
        }
        pages.set(root, interior(below));
        const auto trace = loaded(pages.bytes());
        QCOMPARE(trace->sliceCount(), 1U);
        QVERIFY(damageOf(*trace) > 0);
    }

    void damagedPagesLoseOnlyTheirRows() {
        // Rows that only SQLite can decode, too.
        for (const std::string& before :
             {std::string(), std::string("PRAGMA encoding='UTF-16';")}) {
            const test::DatabasePages sound(before + ranges(2'000));
            const auto leaves = sound.leavesBelow(sound.rootOf("NVTX_EVENTS"));
            for (const std::size_t leaf : {leaves.front(), leaves[leaves.size() / 2],
                                           leaves[leaves.size() / 2 + 1], leaves.back()}) {
                test::DatabasePages pages = sound;
                pages.set(leaf, std::string(test::DatabasePages::kPageBytes, '\0'));
                const auto trace = loaded(pages.bytes());
                QCOMPARE(trace->sliceCount(), 2'000 - sound.rowsIn(leaf));
                QCOMPARE(damageOf(*trace), 1U);
                QVERIFY(trace->eventText()->event(trace->offset(0)));
            }
        }
    }

    void whatStandsBeforeACutIsKept() {
        test::DatabasePages pages(ranges(2'000));
        const std::size_t root = pages.rootOf("NVTX_EVENTS");
        pages.cutTo(pages.count() * 3 / 4);
        std::size_t rows = 0;
        for (const std::size_t leaf : pages.leavesBelow(root)) {
            rows += pages.rowsIn(leaf);
        }
        const auto trace = loaded(pages.cut());
        QVERIFY(rows > 1'000 && rows < 2'000);
        QCOMPARE(trace->sliceCount(), rows);
        QVERIFY(damageOf(*trace) > 0);
    }

    void damagedCellsLoseOnlyTheirRows() {
        test::DatabasePages pages(ranges(200));
        const std::size_t leaf = pages.leavesBelow(pages.rootOf("NVTX_EVENTS"))[3];
        std::string page = pages.page(leaf);
        page[8 + 2] = '\x7f';  // the place of its second cell
        pages.set(leaf, page);
        const auto trace = loaded(pages.bytes());
        QCOMPARE(trace->sliceCount(), 199U);
        QCOMPARE(damageOf(*trace), 1U);
    }

    // SQLite, which converts numbers to texts, does not find the rows of such a page by their
    // number.
    void numbersAsTextsOfADamagedPage() {
        test::DatabasePages pages(
            kTexts +
            "CREATE TABLE NVTX_EVENTS(start, end, eventType, text, globalTid);"
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10)"
            "INSERT INTO NVTX_EVENTS SELECT i * 10, i * 10 + 5, 59, i * 7, " +
            std::to_string(kThread) + " FROM n;");
        const std::size_t root = pages.rootOf("NVTX_EVENTS");
        std::string page = pages.page(root);
        test::DatabasePages::put(page, 8 + 2 * 4, 0, 2);  // the cell where it begins to search
        pages.set(root, page);
        const auto trace = loaded(pages.bytes());
        std::string names;
        for (SliceId slice = 0; slice < trace->sliceCount(); ++slice) {
            names += std::string(trace->name(slice)) + " ";
        }
        QCOMPARE(names, "7 14 21 28 42 49 56 63 70 ");
        for (SliceId slice = 0; slice < trace->sliceCount(); ++slice) {
            const auto event = trace->eventText()->event(trace->offset(slice));
            QVERIFY(event && event->find("\"eventType\": 59") != std::string::npos);
        }
    }

    // What it finds beside a damaged cell depends on what lies behind the page in memory.
    void rowsThatOnlySqliteDecodesOfADamagedPage() {
        test::DatabasePages pages("PRAGMA encoding='UTF-16';" + ranges(200));
        const std::size_t leaf = pages.leavesBelow(pages.rootOf("NVTX_EVENTS"))[3];
        const std::size_t rows = pages.rowsIn(leaf);
        std::string page = pages.page(leaf);
        page[8 + 2] = '\x7f';  // the place of its second cell
        pages.set(leaf, page);
        const auto trace = loaded(pages.bytes());
        QVERIFY(rows > 5);
        QCOMPARE(trace->sliceCount(), 200 - rows);
        QCOMPARE(damageOf(*trace), 1U);
    }

    // A text that stands once in the file and many times in its rows.
    void longDefaultsEnd() {
        const auto trace =
            loaded(test::databaseOf(ranges(200) +
                                    "ALTER TABLE NVTX_EVENTS DROP COLUMN text;"
                                    "ALTER TABLE NVTX_EVENTS ADD COLUMN text TEXT DEFAULT '" +
                                    std::string(900'000, 'z') + "'"));
        QVERIFY(trace->sliceCount() > 10 && trace->sliceCount() < 100);
        QCOMPARE(trace->log().find("damaged_table")->example,
                 std::string("NVTX_EVENTS: its values are many times as long as the file"));
    }

    void columnsThatHideTheNumbersOfRows() {
        const auto rows = [](const std::string& columns) {
            return kTexts + "CREATE TABLE NVTX_EVENTS(" + columns +
                   ", start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER);"
                   "INSERT INTO NVTX_EVENTS(start, end, eventType, text) VALUES"
                   " (1, 2, 59, 'one'), (3, 4, 59, 'two'), (5, 6, 59, 'three');"
                   "CREATE TABLE META_DATA_EXPORT(name TEXT, value TEXT);";
        };
        for (const char* columns : {"rowid INTEGER", "RowId, _rowid_", "rowid, oid TEXT"}) {
            const auto trace = loaded(test::databaseOf(rows(columns)));
            QCOMPARE(trace->sliceCount(), 3U);
            QCOMPARE(damageOf(*trace), 0U);
        }
        const auto trace = loaded(test::databaseOf(rows("rowid, oid, _ROWID_")));
        QCOMPARE(trace->sliceCount(), 0U);
        QCOMPARE(trace->log().find("damaged_table")->example,
                 std::string("NVTX_EVENTS: its columns hide the numbers of its rows"));
    }

    void tablesBeyondTheMostAreSaid() {
        std::string sql = "BEGIN;";
        for (int i = 0; i < 5'000; ++i) {
            sql += "CREATE TABLE z" + std::to_string(i) + "(a);";
        }
        const auto trace = loaded(test::databaseOf(sql + ranges(1) + "COMMIT"));
        QCOMPARE(trace->sliceCount(), 1U);
        const ImportIssue* issue = trace->log().find("too_many_tables");
        QVERIFY(issue != nullptr && issue->severity == Severity::DataLoss);
        QCOMPARE(issue->count, 2U);  // the texts and the ranges come first
        QCOMPARE(issue->example, std::string("only the first 5000 tables by name are read"));
    }
};

QTEST_APPLESS_MAIN(DatabaseDamageTest)
#include "DatabaseDamageTest.moc"
