// SPDX-License-Identifier: Apache-2.0
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <random>
#include <thread>

#include "core/analysis/GpuBusy.h"
#include "core/import/load/LoadTrace.h"
#include "core/query/EventDetails.h"
#include "core/query/sql/QueryDatabase.h"
#include "core/query/sql/QueryOutput.h"
#include "core/ranks/Job.h"
#include "core/ranks/ReadRank.h"
#include "tests/core/AnalysisFixture.h"

using namespace kinetoscope;
using namespace kinetoscope::query::sql;
using namespace kinetoscope::trace;
using TracePtr = std::shared_ptr<const Trace>;

class SqlTest final : public QObject {
    Q_OBJECT

private slots:
    void pushedDownConditionsGiveWhatAScanGives();
    void groupsAndOrdersAreThoseOfAScan();
    void joinsAreThoseOfAScan();
    void rowsAreFoundWithoutLookingAtAll();
    void figuresAreThoseOfTheAnalyses();
    void argumentsAreThoseOfTheFile();
    void argumentsKeepTheirType();
    void nestingIsThatOfEachPair();
    void aWindowKeepsWhatRunsInIt();
    void ranksOfAJobShareAClock();
    void onlyReadingIsPossible_data();
    void onlyReadingIsPossible();
    void errorsSayWhatThereIs();
    void limitsEndAQuery();
    void aQueryCanBeCancelled();
    void hostileNamesStayInTheirCells();
    void viewsStay();
    void theExportHasTheSameRows();
};

namespace {

class Taken final : public RowTaker {
public:
    Result<void> begin(std::vector<std::string> columns) override {
        names = std::move(columns);
        return {};
    }
    Result<void> row(std::span<const Cell> cells) override {
        std::vector<std::string> texts;
        for (const Cell& cell : cells) {
            texts.push_back(cellJson(cell));
        }
        rows.push_back(std::move(texts));
        return {};
    }

    std::vector<std::string> names;
    std::vector<std::vector<std::string>> rows;
};

using Table = std::vector<std::vector<std::string>>;

std::unique_ptr<QueryDatabase> openAll(const std::vector<TracePtr>& traces) {
    auto database = QueryDatabase::open(traces);
    return database ? std::move(*database) : nullptr;
}

Table ask(QueryDatabase& database, const std::string& sql, const QueryOptions& options = {}) {
    Taken taken;
    const auto done = database.run(sql, taken, options);
    return done ? taken.rows : Table{{"failed: " + done.error().message}};
}

Error failure(QueryDatabase& database, const std::string& sql, const QueryOptions& options = {}) {
    Taken taken;
    const auto done = database.run(sql, taken, options);
    return done ? Error{"it did not fail"} : done.error();
}

std::int64_t number(QueryDatabase& database, const std::string& sql) {
    const Table table = ask(database, sql);
    return table.size() == 1 && table[0].size() == 1
               ? QByteArray::fromStdString(table[0][0]).toLongLong()
               : std::numeric_limits<std::int64_t>::min();
}

TracePtr load(const char* path) {
    const auto trace = import::loadTrace(std::string(KINETOSCOPE_SOURCE_DIR "/") + path);
    return trace ? *trace : nullptr;
}

// A few hundred slices and operations with few different times, names and numbers, so that all
// comparisons meet equal ones.
TracePtr randomTrace(std::mt19937& random) {
    analysis_test::TraceMaker maker;
    const auto upTo = [&](int most) {
        return static_cast<std::int64_t>(random() % (static_cast<unsigned>(most) + 1U));
    };
    static constexpr std::array kNames{"a", "b", "A", "5", "aten::mm", "", "x%y", "_"};
    for (int i = 0; i < 300; ++i) {
        const std::string name = kNames[random() % kNames.size()];
        if (random() % 3 == 0) {
            maker.kernel(name, upTo(60), upTo(8),
                         {.gpu = static_cast<std::int32_t>(upTo(1)),
                          .stream = upTo(3),
                          .correlation = upTo(40)});
        } else {
            maker.cpu(random() % 2 == 0 ? Category::CpuOp : Category::Runtime, name, upTo(60),
                      upTo(20), {.tid = upTo(2), .correlation = upTo(4) == 0 ? kNoId : upTo(40)});
        }
    }
    return maker.finish();
}

}  // namespace

// LIMIT keeps SQLite from handing conditions to the table below.
static const std::string kScan = "(SELECT * FROM slices LIMIT -1)";
static const std::string kOperationScan = "(SELECT * FROM gpu_ops LIMIT -1)";

void SqlTest::pushedDownConditionsGiveWhatAScanGives() {
    std::mt19937 random(7);
    static constexpr std::array kNumbers{"start", "end",         "dur", "id",
                                         "track", "correlation", "rank"};
    static constexpr std::array kTexts{"name", "category"};
    static constexpr std::array kComparisons{"=", "<", "<=", ">", ">=", "!=", "IS", "IN"};
    static constexpr std::array kPatterns{"LIKE", "NOT LIKE", "GLOB", "REGEXP", "="};
    static constexpr std::array kValues{"0",
                                        "7",
                                        "30",
                                        "30.5",
                                        "-1.5",
                                        "1e30",
                                        "-1e30",
                                        "'12'",
                                        "'12.0'",
                                        "'x'",
                                        "NULL",
                                        "x'41'",
                                        "'-9e99'",
                                        "9223372036854775807",
                                        "-9223372036854775808"};
    static constexpr std::array kWords{"'a'", "'A'",   "'5'", "5",    "'%a%'",   "'*a*'",
                                       "''",  "'x%y'", "'_'", "NULL", "'kernel'"};
    static constexpr std::array kExpressions{"'a'", "'^A$'", "'^$'", "'e.*l'", "'5|x'", "NULL"};
    const auto pick = [&](const auto& all) { return std::string(all[random() % all.size()]); };
    for (int round = 0; round < 20; ++round) {
        std::vector<TracePtr> traces{randomTrace(random)};
        if (round % 2 == 1) {
            traces.push_back(randomTrace(random));
        }
        const auto database = openAll(traces);
        QVERIFY(database != nullptr);
        for (int i = 0; i < 60; ++i) {
            std::string where;
            const auto parts = 1 + random() % 3;
            for (unsigned part = 0; part < parts; ++part) {
                where += part > 0 ? " AND " : "";
                if (random() % 3 == 0) {
                    const std::string pattern = pick(kPatterns);
                    where += pick(kTexts) + " " + pattern + " " +
                             (pattern == "REGEXP" ? pick(kExpressions) : pick(kWords));
                } else {
                    const std::string comparison = pick(kComparisons);
                    where += '"' + pick(kNumbers) + "\" " + comparison + " " +
                             (comparison == "IN" ? "(" + pick(kValues) + ", " + pick(kValues) + ")"
                                                 : pick(kValues));
                }
            }
            const std::string order = " WHERE " + where + " ORDER BY rank, +id";
            const Table found = ask(*database, "SELECT rank, id FROM slices" + order);
            const Table wanted = ask(*database, "SELECT rank, id FROM " + kScan + order);
            QVERIFY2(found == wanted, where.c_str());
        }
    }
}

void SqlTest::groupsAndOrdersAreThoseOfAScan() {
    std::mt19937 random(11);
    static constexpr std::array kColumns{"name", "category", "gpu",        "stream",
                                         "dur",  "start",    "correlation"};
    for (int round = 0; round < 10; ++round) {
        const auto database = openAll({randomTrace(random)});
        QVERIFY(database != nullptr);
        for (int i = 0; i < 20; ++i) {
            const std::string first = kColumns[random() % kColumns.size()];
            const std::string second = kColumns[random() % kColumns.size()];
            const std::string where = random() % 2 == 0 ? " WHERE start > 20 AND dur < 7" : "";
            const std::string group = where + " GROUP BY " + first + ", " + second;
            const std::string sums =
                "SELECT " + first + ", " + second + ", count(*), sum(dur) FROM ";
            Table found = ask(*database, sums + "gpu_ops" + group);
            Table wanted = ask(*database, sums + kOperationScan + group);
            std::ranges::sort(found);
            std::ranges::sort(wanted);
            QCOMPARE(found, wanted);
            Table names = ask(*database, "SELECT DISTINCT " + first + " FROM gpu_ops" + where);
            Table wantedNames =
                ask(*database, "SELECT DISTINCT " + first + " FROM " + kOperationScan + where);
            std::ranges::sort(names);
            std::ranges::sort(wantedNames);
            QCOMPARE(names, wantedNames);
            const std::string order = where + " ORDER BY " + first + " DESC, " + second;
            const std::string list = "SELECT " + first + ", " + second + " FROM ";
            QCOMPARE(ask(*database, list + "gpu_ops" + order),
                     ask(*database, list + kOperationScan + order));
        }
    }
}

void SqlTest::joinsAreThoseOfAScan() {
    std::mt19937 random(13);
    const auto database = openAll({randomTrace(random)});
    QVERIFY(database != nullptr);
    for (const char* on :
         {"a.start >= b.start AND a.\"end\" <= b.\"end\"",
          "a.start < b.\"end\" AND a.\"end\" > b.start", "a.name = b.name AND a.start > b.start",
          "a.correlation = b.correlation AND a.id < b.id", "a.parent = b.id",
          "overlaps(a.start, a.\"end\", b.start, b.\"end\") AND a.track = b.track"}) {
        const std::string rest = std::string(" b ON ") + on;
        const std::string count = "SELECT count(*), sum(a.id), sum(b.id) FROM ";
        const Table found = ask(*database, count + "slices a JOIN slices" + rest);
        QVERIFY2(found == ask(*database, count + kScan + " a JOIN " + kScan + rest), on);
        QVERIFY2(found[0][0] != "0", on);
    }
}

// The plan says what SQLite hands over; a plan without it would still be right, but slow.
void SqlTest::rowsAreFoundWithoutLookingAtAll() {
    const auto database = openAll({load("resources/sample.json.gz")});
    QVERIFY(database != nullptr);
    const Table grouped =
        ask(*database, "EXPLAIN QUERY PLAN SELECT name, sum(dur) FROM gpu_ops GROUP BY name");
    for (const auto& row : grouped) {
        QVERIFY2(row.back().find("TEMP B-TREE") == std::string::npos, row.back().c_str());
    }
    const Table joined = ask(*database,
                             "EXPLAIN QUERY PLAN SELECT count(*) FROM slices s JOIN steps t ON "
                             "s.start >= t.start AND s.\"end\" <= t.\"end\"");
    QVERIFY(joined.size() >= 2);
    QVERIFY2(joined[0].back().find("SCAN t") != std::string::npos, joined[0].back().c_str());
}

void SqlTest::figuresAreThoseOfTheAnalyses() {
    const TracePtr trace = load("resources/sample.json.gz");
    QVERIFY(trace != nullptr);
    const auto database = openAll({trace});
    QVERIFY(database != nullptr);
    QCOMPARE(number(*database, "SELECT count(*) FROM slices"),
             static_cast<std::int64_t>(trace->sliceCount()));
    TimeNs busy = 0;
    for (const auto& strips : analysis::busyStrips(*trace)) {
        for (const TimeSpan& span : strips.all) {
            busy += span.duration();
        }
    }
    QCOMPARE(
        number(*database,
               "SELECT sum(busy(0, 1000000000000, gpu)) FROM (SELECT DISTINCT gpu FROM gpu_ops)"),
        busy);
    QCOMPARE(number(*database, "SELECT sum(sum) FROM kernels"),
             number(*database, "SELECT sum(dur) FROM gpu_ops WHERE category = 'kernel'"));
    QCOMPARE(number(*database,
                    "SELECT count(*) FROM kernels k WHERE abs(k.median - (SELECT "
                    "percentile(dur, 50) FROM gpu_ops g WHERE g.name = k.name AND "
                    "g.gpu = k.gpu AND g.category = 'kernel')) > 0.001"),
             0);
    QCOMPARE(number(*database,
                    "SELECT count(*) FROM launches WHERE in_graph = 0 AND delay != start - "
                    "call_start - call_dur"),
             0);
    QCOMPARE(ask(*database, "SELECT percentile(column1, 25) FROM (VALUES (1), (2), (10), (NULL))"),
             (Table{{"1.5"}}));
    QCOMPARE(ask(*database, "SELECT percentile(dur, 50) FROM slices WHERE 0"), (Table{{"null"}}));
}

void SqlTest::argumentsAreThoseOfTheFile() {
    const TracePtr trace = load("resources/sample.json.gz");
    QVERIFY(trace != nullptr);
    const auto database = openAll({trace});
    const Table all =
        ask(*database, "SELECT id, arg(id, 'External id'), arg(id, 'stream') FROM slices");
    QCOMPARE(all.size(), trace->sliceCount());
    for (SliceId slice = 0; slice < trace->sliceCount(); slice += 997) {
        std::string external = "null";
        std::string stream = "null";
        const auto details = query::eventDetails(*trace, slice);
        QVERIFY(details.has_value());
        for (const query::DetailRow& row : *details) {
            external = row.level == 1 && row.key == "External id" ? row.value : external;
            stream = row.level == 1 && row.key == "stream" ? row.value : stream;
        }
        QCOMPARE(all[slice], (std::vector{std::to_string(slice), external, stream}));
    }
    QVERIFY(failure(*database, "SELECT arg(-1, 'x')").message.find("no slice") !=
            std::string::npos);
}

// A number in quotes is a text, as it is for every reader of JSON.
void SqlTest::argumentsKeepTheirType() {
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("typed.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(
        R"({"traceEvents": [{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 5,
            "args": {"group": "0", "none": "null", "yes": "true", "path": "C:\\tmp",
                     "text": "a\nb \"q\" \u00e9", "empty": "", "count": 3, "part": 1.5,
                     "on": false, "null": null, "list": "[1]", "odd": "\ud800x"}}]})");
    file.close();
    const auto trace = import::loadTrace(file.fileName().toStdString());
    QVERIFY(trace.has_value());
    const auto database = openAll({*trace});
    const auto typed = [&](const std::string& key) {
        const Table table = ask(
            *database, "SELECT typeof(arg(id, '" + key + "')), arg(id, '" + key + "') FROM slices");
        return table.size() == 1 && table[0].size() == 2 ? table[0][0] + " " + table[0][1]
                                                         : std::string("no row");
    };
    QCOMPARE(typed("group"), std::string(R"("text" "0")"));
    QCOMPARE(typed("none"), std::string(R"("text" "null")"));
    QCOMPARE(typed("yes"), std::string(R"("text" "true")"));
    QCOMPARE(typed("path"), std::string(R"("text" "C:\\tmp")"));
    QCOMPARE(typed("text"), std::string("\"text\" \"a\\nb \\\"q\\\" \u00e9\""));
    QCOMPARE(typed("empty"), std::string(R"("text" "")"));
    QCOMPARE(typed("list"), std::string(R"("text" "[1]")"));
    QCOMPARE(typed("odd"), std::string(R"("text" "\\ud800x")"));
    QCOMPARE(typed("count"), std::string(R"("integer" 3)"));
    QCOMPARE(typed("part"), std::string(R"("real" 1.5)"));
    QCOMPARE(typed("on"), std::string(R"("integer" 0)"));
    QCOMPARE(typed("null"), std::string(R"("null" null)"));
    QCOMPARE(number(*database, "SELECT count(*) FROM slices WHERE arg(id, 'group') = '0'"), 1);
}

void SqlTest::nestingIsThatOfEachPair() {
    std::mt19937 random(17);
    analysis_test::TraceMaker maker;
    for (int i = 0; i < 400; ++i) {  // nested, as calls are
        const auto depth = static_cast<std::int64_t>(random() % 5);
        const std::int64_t length = std::int64_t{1} << (12 - 2 * depth);
        const std::int64_t start = static_cast<std::int64_t>(random() % 4096) / length * length;
        maker.cpu(Category::CpuOp, "op", start, length - depth,
                  {.tid = static_cast<std::int64_t>(random() % 2)});
    }
    const auto database = openAll({maker.finish()});
    // Of several with one span the first in the file is outside.
    QCOMPARE(
        number(*database,
               "WITH pairs AS (SELECT s.id child, p.id parent, s.depth, row_number() OVER "
               "(PARTITION BY "
               "s.id ORDER BY p.dur, -p.id) place, count(*) OVER (PARTITION BY s.id) around FROM " +
                   kScan + " s JOIN " + kScan +
                   " p ON p.track = s.track AND p.start <= s.start AND p.\"end\" >= s.\"end\" AND "
                   "(p.dur > s.dur OR p.id < s.id)) SELECT count(*) FROM pairs JOIN slices s ON "
                   "s.id = child "
                   "WHERE place = 1 AND (s.parent IS NOT pairs.parent OR s.depth != around)"),
        0);
    QVERIFY(number(*database, "SELECT count(*) FROM slices WHERE parent IS NOT NULL") > 100);
    QCOMPARE(
        number(*database, "SELECT sum(self) FROM slices"),
        number(*database,
               "SELECT sum(dur) - (SELECT sum(c.dur) FROM slices c JOIN slices p ON "
               "c.parent = p.id) + (SELECT sum(p.self - p.dur + (SELECT sum(c.dur) FROM slices c "
               "WHERE c.parent = p.id)) FROM slices p) FROM slices"));
}

void SqlTest::aWindowKeepsWhatRunsInIt() {
    std::mt19937 random(19);
    const auto database = openAll({randomTrace(random)});
    QueryOptions options;
    options.window = TimeSpan{20, 30};
    const Table inside = ask(*database, "SELECT id FROM slices ORDER BY +id", options);
    const Table wanted =
        ask(*database, "SELECT id FROM slices WHERE overlaps(start, \"end\", 20, 30) ORDER BY +id");
    QVERIFY(!inside.empty());
    QCOMPARE(inside, wanted);
    QCOMPARE(ask(*database, "SELECT sum(count) FROM kernels", options),
             ask(*database, "SELECT count(*) FROM gpu_ops WHERE start >= 20 AND start < 30"));
}

void SqlTest::ranksOfAJobShareAClock() {
    const std::vector<TracePtr> traces{load("tests/data/traces/ddp_gpt_rank1.json.gz"),
                                       load("tests/data/traces/ddp_gpt_rank0.json.gz")};
    QVERIFY(traces[0] != nullptr && traces[1] != nullptr);
    const auto database = openAll(traces);
    QVERIFY(database != nullptr);
    std::vector<ranks::RankRecord> records;
    for (const TracePtr& trace : traces) {
        records.push_back(*ranks::readRank(*trace));
    }
    const auto job = ranks::makeJob(std::move(records));
    QVERIFY(job.has_value());
    QCOMPARE(ask(*database, "SELECT rank FROM ranks ORDER BY rank"), (Table{{"0"}, {"1"}}));
    TimeNs exposed = 0;
    for (const auto& wait : job->waits) {
        exposed += wait.exposedSum();
    }
    QVERIFY(exposed > 0);
    QCOMPARE(number(*database, "SELECT sum(exposed_wait) FROM collectives"), exposed);
    // Who takes part in a collective ends together: by less than a hundred microseconds.
    QCOMPARE(number(*database,
                    "SELECT count(*) FROM collectives a JOIN collectives b ON a.collective = "
                    "b.collective AND a.rank < b.rank AND abs(a.\"end\" - b.\"end\") > 100000"),
             0);
    QCOMPARE(number(*database, "SELECT count(*) FROM slices WHERE rank = 1"),
             static_cast<std::int64_t>(traces[0]->sliceCount()));
}

void SqlTest::onlyReadingIsPossible_data() {
    QTest::addColumn<QString>("sql");
    for (const char* sql :
         {"ATTACH '/tmp/x.db' AS x", "PRAGMA journal_mode=DELETE", "PRAGMA temp_store=1",
          "CREATE TABLE t(a)", "CREATE TEMP TABLE t(a)", "CREATE VIEW v AS SELECT 1",
          "INSERT INTO slices VALUES (1)", "DELETE FROM slices", "UPDATE slices SET name = 'x'",
          "DROP TABLE slices", "VACUUM INTO '/tmp/x'", "BEGIN", "SAVEPOINT a",
          "SELECT load_extension('/tmp/x.so')", "ANALYZE",

          "CREATE VIRTUAL TABLE t USING fts5(a)",
          "INSERT INTO sqlite_temp_master VALUES (1,1,1,1,1)",
          "CREATE TEMP TRIGGER t AFTER INSERT ON slices BEGIN SELECT 1; END", "DETACH main"}) {
        QTest::newRow(sql) << QString::fromLatin1(sql);
    }
}

void SqlTest::onlyReadingIsPossible() {
    QFETCH(QString, sql);
    std::mt19937 random(1);
    const auto database = openAll({randomTrace(random)});
    const Error error = failure(*database, sql.toStdString());
    QVERIFY2(error.message.starts_with("SQL: "), error.message.c_str());
    QCOMPARE(number(*database, "SELECT count(*) FROM slices"), 300);
}

void SqlTest::errorsSayWhatThereIs() {
    std::mt19937 random(1);
    const auto database = openAll({randomTrace(random)});
    const auto says = [&](const std::string& sql, const char* text) {
        const Error error = failure(*database, sql);
        return error.message.find(text) != std::string::npos && error.kind == ErrorKind::BadInput;
    };
    QVERIFY(says("SELECT duration FROM slices", "slices has id, name, category, start, dur, end"));
    QVERIFY(says("SELECT * FROM kernel", "the tables are slices, gpu_ops"));
    QVERIFY(says("SELECT median(dur) FROM slices", "percentile(value, p)"));
    QVERIFY(says("SELEC 1", "syntax error"));
    QVERIFY(says("SELECT * FROM slices WHERE name REGEXP '('", "cannot be read"));
    QVERIFY(says("SELECT percentile(dur, 101) FROM slices", "from 0 to 100"));
    QVERIFY(says("SELECT busy(0, 1)", "start, end, gpu"));
    QVERIFY(says("-- nothing", "no statement"));
    QVERIFY(says(" ; ;", "no statement"));
}

void SqlTest::limitsEndAQuery() {
    std::mt19937 random(1);
    const auto database = openAll({randomTrace(random)});
    const std::string endless =
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c";
    QueryOptions options;
    options.limits.time = std::chrono::milliseconds(50);
    Error error = failure(*database, endless, options);
    QVERIFY2(error.message.find("longer than") != std::string::npos, error.message.c_str());
    options.limits = {.time = std::chrono::milliseconds(0), .bytes = std::size_t{8} << 20U};
    for (const char* sql :
         {"WITH RECURSIVE c(x) AS (SELECT 1 UNION SELECT x + 1 FROM c) SELECT max(x) FROM c",
          "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c ORDER "
          "BY x % 7",
          "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT percentile(x, 5) "
          "FROM c"}) {
        error = failure(*database, sql, options);
        QVERIFY2(error.message.find("memory") != std::string::npos, error.message.c_str());
    }
    QVERIFY(failure(*database, "SELECT length(zeroblob(900000000))", options)
                .message.starts_with("SQL: "));
    QCOMPARE(number(*database, "SELECT count(*) FROM slices"), 300);
}

void SqlTest::aQueryCanBeCancelled() {
    std::mt19937 random(1);
    const auto database = openAll({randomTrace(random)});
    std::stop_source stop;
    QueryOptions options;
    options.stop = stop.get_token();
    const std::jthread asker([&stop] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        stop.request_stop();
    });
    const Error error = failure(
        *database,
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c",
        options);
    QCOMPARE(error.kind, ErrorKind::Cancelled);
    QCOMPARE(number(*database, "SELECT count(*) FROM slices"), 300);
}

void SqlTest::hostileNamesStayInTheirCells() {
    using namespace std::string_view_literals;
    analysis_test::TraceMaker maker;
    maker.cpu(Category::CpuOp, "a|b\n<b>\x1b[31m\"'\0x\xff"sv, 0, 10);
    maker.cpu(Category::CpuOp, "=1+1", 20, 10);
    const auto database = openAll({maker.finish()});
    QCOMPARE(number(*database, "SELECT length(hex(name)) / 2 FROM slices WHERE start = 0"), 17);
    for (const auto format : {text::OutputFormat::Text, text::OutputFormat::Json,
                              text::OutputFormat::Csv, text::OutputFormat::Markdown}) {
        std::string written;
        const auto output = makeOutput(format, {}, 0, [&](std::string_view text) {
            written += text;
            return Result<void>();
        });
        QVERIFY(database->run("SELECT name, name FROM slices", *output).has_value());
        QVERIFY(output->finish().has_value());
        QVERIFY(written.find('\x1b') == std::string::npos);
        QVERIFY(written.find('\0') == std::string::npos);
        QVERIFY(QString::fromStdString(written).toStdString() == written);
        const auto lines = std::ranges::count(written, '\n');
        QCOMPARE(lines, format == text::OutputFormat::Csv    ? 3
                        : format == text::OutputFormat::Text ? 5
                                                             : 4);
    }
}

void SqlTest::viewsStay() {
    std::mt19937 random(1);
    const auto database = openAll({randomTrace(random)});
    QVERIFY(ask(*database, "CREATE TEMP VIEW long AS SELECT * FROM slices WHERE dur > 5").empty());
    QCOMPARE(ask(*database, "SELECT count(*) FROM long"),
             ask(*database, "SELECT count(*) FROM slices WHERE dur > 5"));
    QVERIFY(ask(*database, "DROP VIEW long").empty());
}

void SqlTest::theExportHasTheSameRows() {
    const TracePtr trace = load("resources/sample.json.gz");
    const auto database = openAll({trace});
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("out.sqlite")).toStdString();
    const auto bytes = writeDatabase(*database, path, {});
    QVERIFY2(bytes.has_value(), bytes ? "" : bytes.error().message.c_str());
    QFile file(QString::fromStdString(path));
    QCOMPARE(file.size(), static_cast<qint64>(*bytes));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.read(16).startsWith("SQLite format 3"));
    // Afterwards the connection reads the trace again, and nothing can be attached to it.
    QCOMPARE(number(*database, "SELECT count(*) FROM slices"),
             static_cast<std::int64_t>(trace->sliceCount()));
    QVERIFY(failure(*database, "ATTACH ':memory:' AS x").message.starts_with("SQL: "));
    QVERIFY(!writeDatabase(*database, folder.path().toStdString(), {}).has_value());
}

QTEST_GUILESS_MAIN(SqlTest)
#include "SqlTest.moc"
