// SPDX-License-Identifier: Apache-2.0
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include "core/metrics/CompileTables.h"

using namespace kinetoscope;
using namespace kinetoscope::metrics;

namespace {

const char* const kForward =
    R"({"kind": "region", "time": 30, "process": 7, "rank": "0", "region": "forward", "graph_id": 0,)"
    R"( "compile_id": "0/0", "before": {"generated_kernel_count": 2, "node_runtimes": 0.5,)"
    R"( "lacking": null}, "after": {"generated_kernel_count": 5, "node_runtimes": 0.75,)"
    R"( "lacking": null}, "entries": {"node_runtimes": 4}, "nodes": [["op0", 4096, 0.25]]})";

const char* const kRed =
    R"({"kind": "row", "time": 1, "process": 7, "rank": null, "model": "bert",)"
    R"( "table": "persistent_red_perf", "row": [["kernel0_path", "a.py"], ["kernel1_path", "b.py"],)"
    R"( ["kernel2_path", ""], ["kernel3_path", ""], ["kernel0_latency", 0.5],)"
    R"( ["kernel1_latency", 0.25], ["kernel2_latency", null], ["kernel3_latency", null],)"
    R"( ["size_hints", "{'x': 8}"], ["reduction_hint", "INNER"]]})";

std::string graphRow(int time, int graph) {
    return R"({"kind": "row", "time": )" + std::to_string(time) +
           R"(, "process": 7, "rank": null, "model": null, "table": "graph_stats", "row": )"
           R"([["graph_id", )" +
           std::to_string(graph) +
           R"(], ["num_nodes_before_fusion", 12], ["num_nodes_after_fusion", 4.0]]})";
}

}  // namespace

class CompileTablesTest final : public QObject {
    Q_OBJECT

private slots:
    void init();
    void rowsOfAllProcessesStandInTheirOrder();
    void regionGivesCountersAndNodes();
    void kernelsAreReadFromTheirText();
    void persistentReductionsAsTheyWere();
    void tableHasTheColumnsOfItsFirstRow();
    void fileWithOtherColumnsIsNotMixed();
    void nameReplacesTheBenchmarks();
    void damagedLinesAreTold_data();
    void damagedLinesAreTold();
    void missingFolderIsAnError();

private:
    void write(const char* name, const QByteArray& text) const {
        QFile file(m_folder->filePath(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    void write(const char* name, std::initializer_list<std::string> lines) const {
        QByteArray text;
        for (const std::string& line : lines) {
            text += QByteArray::fromStdString(line + "\n");
        }
        write(name, text);
    }
    [[nodiscard]] CompileLog log() const {
        return readCompileLog(m_folder->path().toStdString()).value();
    }
    [[nodiscard]] QByteArray table(const char* name) const {
        QFile file(m_folder->filePath(QStringLiteral("metric_table_%1.csv").arg(name)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(no file)");
    }
    [[nodiscard]] MetricTables tables(const char* enabled,
                                      MetricFormat format = MetricFormat::Current) const {
        MetricTables tables(m_folder->path().toStdString(), format);
        registerCompileTables(tables);
        return tables.enable(enabled).map([&] { return tables; }).value();
    }
    void fill(MetricTables tables, const AddOptions& options = {}) const {
        const auto problems = addToTables(log(), tables, options);
        QVERIFY2(problems, problems ? "" : problems.error().message.c_str());
        QVERIFY(problems->empty());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void CompileTablesTest::init() {
    m_folder = std::make_unique<QTemporaryDir>();
}

void CompileTablesTest::rowsOfAllProcessesStandInTheirOrder() {
    write("9.jsonl",
          {R"({"kind": "start", "time": 5, "process": 9, "torch": "2.11.0"})", graphRow(20, 2)});
    write("7.jsonl", {graphRow(10, 0), graphRow(30, 1)});
    write("other.txt", {"not ours"});
    QCOMPARE(log().torch, std::vector<std::string>{"2.11.0"});
    QVERIFY(log().problems.empty());
    fill(tables("graph_stats"));
    QCOMPARE(table("graph_stats"),
             QByteArray("model_name,graph_id,num_nodes_before_fusion,num_nodes_after_fusion\n"
                        ",0,12,4.000000\n,2,12,4.000000\n,1,12,4.000000\n"));
}

void CompileTablesTest::regionGivesCountersAndNodes() {
    write("7.jsonl", {kForward});
    fill(tables("counters,nodes"));
    QCOMPARE(table("counters"),
             QByteArray("model_name,process,rank,region,kind,compile_id,graph_id,counter,before,"
                        "after,delta,entries\n"
                        ",7,0,1,forward,0/0,0,generated_kernel_count,2,5,3,\n"
                        ",7,0,1,forward,0/0,0,node_runtimes,0.500000,0.750000,0.250000,4\n"
                        ",7,0,1,forward,0/0,0,lacking,,,,\n"));
    QCOMPARE(table("nodes"), QByteArray("model_name,process,rank,region,kind,compile_id,graph_id,"
                                        "node,num_elem,runtime_ms\n"
                                        ",7,0,1,forward,0/0,0,op0,4096,0.250000\n"));
}

void CompileTablesTest::kernelsAreReadFromTheirText() {
    write(
        "7.jsonl",
        {R"({"kind": "kernel", "time": 1, "process": 7, "model": "m", "name": "triton_poi_fused_0",)"
         R"( "path": "/c/k.py", "text": "\n@triton_heuristics.pointwise(size_hints={'x': 8})\n)"
         R"(@triton.jit\ndef triton_(in_ptr0, xnumel):\n    xnumel = 7\n    tl.load(in_ptr0)\n"})",
         R"({"kind": "kernel", "time": 2, "process": 7, "name": "halide_0", "path": "", "text": "x"})"});
    MetricTables filled = tables("kernel_metadata");
    const auto problems = addToTables(log(), filled, {});
    QVERIFY(problems);
    QCOMPARE(problems->size(), 1U);
    QVERIFY(problems->front().starts_with("halide_0: "));
    const QByteArrayList lines = table("kernel_metadata").split('\n');
    QCOMPARE(lines.size(), 3);
    QCOMPARE(lines.at(1),
             QByteArray("m,triton_poi_fused_0,/c/k.py,pointwise,{'x': 8},,3,1,0,0,0,2,7,,,"));
}

void CompileTablesTest::persistentReductionsAsTheyWere() {
    write("7.jsonl", {kRed});
    fill(tables("persistent_red_perf", MetricFormat::Original));
    QCOMPARE(table("persistent_red_perf"),
             QByteArray("model_name,kernel1_name,kernel2_name,kernel1_latency,kernel2_latency,"
                        "size_hints,reduction_hint,speedup\n"
                        "bert,a.py,b.py,0.500000,0.250000,{'x': 8},INNER,0.500000\n"));
    QFile::remove(m_folder->filePath(QStringLiteral("metric_table_persistent_red_perf.csv")));
    fill(tables("persistent_red_perf"));
    QVERIFY(table("persistent_red_perf")
                .endsWith("bert,a.py,b.py,,,0.500000,0.250000,,,{'x': 8},INNER\n"));
}

void CompileTablesTest::tableHasTheColumnsOfItsFirstRow() {
    write("7.jsonl", {R"({"kind": "row", "time": 1, "process": 7, "table": "kernel_autotune",)"
                      R"( "row": [["kernel_path", "k.py"], ["latency_ms", 0.125]]})",
                      R"({"kind": "row", "time": 2, "process": 7, "table": "graph_stats",)"
                      R"( "row": [["graph_id", 3], ["num_nodes", 5]]})"});
    fill(tables("graph_stats"));
    QCOMPARE(table("kernel_autotune"),
             QByteArray("model_name,kernel_path,latency_ms\n,k.py,0.125000\n"));
    QCOMPARE(table("graph_stats"), QByteArray("model_name,graph_id,num_nodes\n,3,5\n"));
}

void CompileTablesTest::fileWithOtherColumnsIsNotMixed() {
    write("7.jsonl", {graphRow(1, 0)});
    const QByteArray before = "model_name,graph_id\nx,1\n";
    write("metric_table_graph_stats.csv", before);
    MetricTables refused = tables("graph_stats");
    const auto problems = addToTables(log(), refused, {});
    QVERIFY(!problems);
    QVERIFY(problems.error().message.find("--purge") != std::string::npos);
    QCOMPARE(table("graph_stats"), before);
    fill(tables("graph_stats"), {{}, true});
    QCOMPARE(table("graph_stats").count('\n'), 2);
}

void CompileTablesTest::nameReplacesTheBenchmarks() {
    write("7.jsonl", {kRed, graphRow(2, 0)});
    fill(tables("persistent_red_perf,graph_stats"), {"mine", false});
    QVERIFY(table("persistent_red_perf").contains("\nmine,a.py"));
    QVERIFY(table("graph_stats").contains("\nmine,0"));
}

void CompileTablesTest::damagedLinesAreTold_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("cut") << QByteArray(kForward).left(80);
    QTest::newRow("no object") << QByteArray("[1, 2]");
    QTest::newRow("unknown kind") << QByteArray(R"({"kind": "surprise"})");
    QTest::newRow("deep") << QByteArray(100'000, '[');
}

void CompileTablesTest::damagedLinesAreTold() {
    QFETCH(QByteArray, line);
    write("7.jsonl", QByteArray::fromStdString(graphRow(1, 0)) + "\n" + line + "\n" +
                         QByteArray::fromStdString(graphRow(2, 1)));
    QCOMPARE(log().events.size(), 2U);
    QCOMPARE(log().problems.size(), 1U);
    QVERIFY(log().problems.front().find("process 7") != std::string::npos);
}

void CompileTablesTest::missingFolderIsAnError() {
    QVERIFY(!readCompileLog("/nonexistent/folder"));
}

QTEST_APPLESS_MAIN(CompileTablesTest)
#include "CompileTablesTest.moc"
