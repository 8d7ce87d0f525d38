// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

#include "core/metrics/Csv.h"
#include "core/metrics/KernelMetadata.h"
#include "core/metrics/MetricTables.h"
#include "core/metrics/PyParser.h"
#include "core/metrics/SourceFolder.h"
#include "core/metrics/TableText.h"
#include "core/ncu/Profile.h"
#include "core/text/Csv.h"
#include "tests/support/Mutator.h"

using namespace kinetoscope;
using namespace kinetoscope::metrics;
using namespace kinetoscope::text;

namespace {

const std::string kData = KINETOSCOPE_SOURCE_DIR "/tests/golden/plans/cache";
const std::string kTables = KINETOSCOPE_SOURCE_DIR "/tests/golden/metric_tables";

std::string fieldOf(const MetricRow& row, const std::string& column) {
    for (const auto& [name, value] : row) {
        if (name == column) {
            return metricText(value);
        }
    }
    return "(no such column)";
}

std::string kernel(const std::string& decorator, const std::string& function) {
    return "import triton\n\n@triton_heuristics." + decorator + "\n@triton.jit\n" + function;
}

const char* const kOldKernel =
    "def triton_(in_ptr0, out_ptr0, xnumel, rnumel, XBLOCK : tl.constexpr, RBLOCK : "
    "tl.constexpr):\n"
    "    xnumel = 3000\n"
    "    rnumel = 77\n"
    "    for roffset in range(0, rnumel, RBLOCK):\n"
    "        tmp0 = tl.load(in_ptr0 + (rindex), rmask)\n"
    "        tl.atomic_add(out_ptr0 + (x0), tmp0, xmask)\n"
    "\n"
    "\n"
    "def get_args():\n"
    "    arg_0 = rand_strided((3000, 77), (77, 1), device='cuda:0', dtype=torch.float32)\n"
    "    arg_1 = rand_strided((3000,), (1,), device='cuda:0', dtype=torch.float32)\n"
    "    return arg_0, arg_1,\n"
    "\n"
    "def call(args):\n"
    "    triton_.run(*args, 3000, 77, grid=grid(3000), stream=stream0)\n";

QByteArray content(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(no file)");
}

}  // namespace

class MetricsTest final : public QObject {
    Q_OBJECT

private slots:
    void pythonLiterals();
    void pythonRefusesWhatItCannotKnow_data();
    void pythonRefusesWhatItCannotKnow();
    void deepNestingEndsInAnError();
    void csvQuotesAsPythonDoes();
    void csvReadsItsOwnLines();
    void csvOfPyTorchIsReadAndWrittenBack_data();
    void csvOfPyTorchIsReadAndWrittenBack();
    void tableColumnsAreThoseOfPyTorch_data();
    void tableColumnsAreThoseOfPyTorch();
    void headerIsWrittenOnlyOnce();
    void disabledTableAsksForNoRow();
    void rowIsCheckedAgainstTheColumns();
    void unregisteredNameEnablesNothing();
    void purgeLeavesOnlyHeaders();
    void metadataOfTodaysKernels();
    void metadataOfOldKernel();
    void categoryNeedsExactlyOneDecorator();
    void smallGigabytesKeepTheirExponent();
    void cacheFolderIsCounted();
    void everyKernelOfAFolderIsARow();
    void tablesAreShownAsWideAsThereIsRoom();
    void bothPagesOfNsightCompute();
    void anyBytesAreATableOrAMessage();
};

void MetricsTest::pythonLiterals() {
    const auto value = parsePython("{'a': (1, -2.5e1, None,), 'b': [True, {'x': f(3, k='v')}]}");
    QVERIFY2(value, value ? "" : value.error().message.c_str());
    const PyValue* a = value->find("a");
    QVERIFY(a != nullptr);
    QCOMPARE(a->kind, PyValue::Kind::Tuple);
    QCOMPARE(a->items.at(1).asNumber().value_or(0), -25.0);
    QCOMPARE(a->items.at(2).kind, PyValue::Kind::None);
    const PyValue* call = value->find("b")->items.at(1).find("x");
    QCOMPARE(QString::fromStdString(call->text), QStringLiteral("f"));
    QCOMPARE(QString::fromStdString(call->find("k")->text), QStringLiteral("v"));
    QCOMPARE(parsePython("(4096 * 3) // 2 - 1")->asInt().value_or(0), 6143);
    QCOMPARE(QString::fromStdString(parsePython("'a\\n' r'\\n' \"\"\"q'\"\"\"")->text),
             QStringLiteral("a\n\\nq'"));
}

void MetricsTest::pythonRefusesWhatItCannotKnow_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("power") << "2 ** 9999999";
    QTest::newRow("overflow") << "9223372036854775807 + 1";
    QTest::newRow("integer too large") << "92233720368547758080";
    QTest::newRow("open bracket") << "(1, 2";
    QTest::newRow("open string") << "'abc";
    QTest::newRow("lambda") << "lambda: 1";
    QTest::newRow("comprehension") << "[x for x in y]";
    QTest::newRow("call of a call") << "1(2)";
    QTest::newRow("nothing") << "";
}

void MetricsTest::pythonRefusesWhatItCannotKnow() {
    QFETCH(QString, text);
    const auto value = parsePython(text.toStdString());
    QVERIFY(!value);
    QVERIFY(!value.error().message.empty());
}

void MetricsTest::deepNestingEndsInAnError() {
    QVERIFY(!parsePython(std::string(100000, '[')));
    std::string minuses(100000, '-');
    minuses.push_back('1');
    QVERIFY(!parsePython(minuses));
    QVERIFY(parsePython(std::string(20, '[') + std::string(20, ']')));
}

void MetricsTest::csvQuotesAsPythonDoes() {
    const std::vector<std::string> fields{"", "a b", "a,b", "say \"x\"", "two\nlines", "{'x': 8}"};
    QCOMPARE(QString::fromStdString(csvLine(fields)),
             QStringLiteral(",a b,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",{'x': 8}\n"));
    QCOMPARE(QString::fromStdString(csvLine(std::vector<std::string>{""})),
             QStringLiteral("\"\"\n"));
}

void MetricsTest::csvReadsItsOwnLines() {
    const std::vector<std::string> columns{"a", "b"};
    const std::vector<std::string> row{"1,2\n\"3\"", ""};
    const auto table = parseCsv(csvLine(columns) + csvLine(row));
    QVERIFY(table);
    QCOMPARE(table->columns, columns);
    QCOMPARE(table->rows.size(), 1U);
    QCOMPARE(table->rows[0], row);
    QVERIFY(!parseCsv("a,b\n1\n"));
    QVERIFY(!parseCsv("a,b\n\"1,2\n"));
    QVERIFY(!parseCsv(""));
}

void MetricsTest::csvOfPyTorchIsReadAndWrittenBack_data() {
    QTest::addColumn<QString>("file");
    for (const QString& name : QDir(QString::fromStdString(kTables)).entryList(QDir::Files)) {
        QTest::newRow(qPrintable(name)) << QString::fromStdString(kTables) + '/' + name;
    }
}

void MetricsTest::csvOfPyTorchIsReadAndWrittenBack() {
    QFETCH(QString, file);
    const std::string text = content(file).toStdString();
    const auto table = parseCsv(text);
    QVERIFY(table);
    std::string again = csvLine(table->columns);
    for (const auto& row : table->rows) {
        again += csvLine(row);
    }
    QCOMPARE(QString::fromStdString(again), QString::fromStdString(text));
}

void MetricsTest::tableColumnsAreThoseOfPyTorch_data() {
    QTest::addColumn<QString>("table");
    const MetricTables tables("");
    for (const MetricTable& table : tables.tables()) {
        QTest::newRow(table.name.c_str()) << QString::fromStdString(table.name);
    }
}

void MetricsTest::tableColumnsAreThoseOfPyTorch() {
    QFETCH(QString, table);
    QTemporaryDir folder;
    MetricTables tables(folder.path().toStdString());
    QVERIFY(tables.enable(table.toStdString()));
    QVERIFY(tables.purge());
    const QString name = "metric_table_" + table + ".csv";
    const QByteArray theirs = content(QString::fromStdString(kTables) + '/' + name);
    const QByteArray ours = content(folder.filePath(name));
    QCOMPARE(ours, theirs.left(theirs.indexOf('\n') + 1));
}

void MetricsTest::headerIsWrittenOnlyOnce() {
    QTemporaryDir folder;
    const auto row = [] {
        return MetricRow{{"num_nodes_after_fusion", std::int64_t{8}},
                         {"graph_id", std::monostate()},
                         {"num_nodes_before_fusion", 1.5}};
    };
    for (int process = 0; process < 2; ++process) {
        MetricTables tables(folder.path().toStdString());
        tables.setModelName("resnet, 18");
        QVERIFY(tables.enable(" graph_stats , "));
        QVERIFY(tables.addRow("graph_stats", row));
    }
    QCOMPARE(content(folder.filePath("metric_table_graph_stats.csv")),
             QByteArray("model_name,graph_id,num_nodes_before_fusion,num_nodes_after_fusion\n"
                        "\"resnet, 18\",,1.500000,8\n"
                        "\"resnet, 18\",,1.500000,8\n"));
}

void MetricsTest::disabledTableAsksForNoRow() {
    QTemporaryDir folder;
    MetricTables tables(folder.path().toStdString());
    bool called = false;
    QVERIFY(tables.addRow("graph_stats", [&] {
        called = true;
        return MetricRow{};
    }));
    QVERIFY(!called);
    QVERIFY(QDir(folder.path()).isEmpty());
}

void MetricsTest::rowIsCheckedAgainstTheColumns() {
    QTemporaryDir folder;
    MetricTables tables(folder.path().toStdString());
    tables.registerTable("mine", {"a", "b"});
    QVERIFY(tables.enable("mine"));
    QVERIFY(!tables.addRow("mine", [] { return MetricRow{{"a", std::int64_t{1}}}; }));
    QVERIFY(!tables.addRow("mine", [] {
        return MetricRow{{"a", std::int64_t{1}}, {"c", std::int64_t{2}}};
    }));
    QVERIFY(!tables.addRow("other", [] { return MetricRow{}; }));
    QVERIFY(QDir(folder.path()).isEmpty());
}

void MetricsTest::unregisteredNameEnablesNothing() {
    MetricTables tables("");
    const auto done = tables.enable("graph_stats,nonsense");
    QVERIFY(!done);
    QVERIFY(done.error().message.find("nonsense") != std::string::npos);
    QVERIFY(!tables.isEnabled("graph_stats"));
    QVERIFY(tables.enable("graph_stats,slow_fusion"));
    QVERIFY(tables.isEnabled("graph_stats"));
    QVERIFY(!tables.isEnabled("kernel_metadata"));
}

void MetricsTest::purgeLeavesOnlyHeaders() {
    QTemporaryDir folder;
    MetricTables tables(folder.path().toStdString());
    tables.registerTable("mine", {"a"});
    QVERIFY(tables.enable("mine"));
    QVERIFY(tables.addRow("mine", [] { return MetricRow{{"a", std::string("x")}}; }));
    QVERIFY(tables.purge());
    QCOMPARE(content(folder.filePath("metric_table_mine.csv")), QByteArray("model_name,a\n"));
    QVERIFY(tables.addRow("mine", [] { return MetricRow{{"a", std::string("y")}}; }));
    QCOMPARE(content(folder.filePath("metric_table_mine.csv")), QByteArray("model_name,a\n,y\n"));
}

void MetricsTest::metadataOfTodaysKernels() {
    const auto folder = readSources(kData);
    QVERIFY(folder);
    QStringList rows;
    for (const KernelSource& source : folder->kernels) {
        QStringList fields;
        for (const auto& [column, value] : kernelMetadataRow(source, source.key)) {
            fields += QString::fromStdString(metricText(value));
        }
        rows += fields.join('|');
    }
    // Counted by hand in the sources.
    QVERIFY(
        rows.contains("triton_poi_fused_add_clone_sin_t_0|"
                      "c2bhmxwytl3ofj4p6ipllxz7hb7hkp7vm5vrx35k2572t64ysadi|pointwise|"
                      "{'y': 2048, 'x': 2048}||16|2|1|0|0|6|2048|2048||0.033554"));
    QVERIFY(
        rows.contains("triton_red_fused_sum_0|"
                      "ctt4wlotu3tdbj3si7x2bwctdr43yj2atwpbog4mrplnf25v57ug|reduction|"
                      "{'x': 65536, 'r0_': 128}|OUTER|29|1|1|1|0|6|50048||128|0.025800"));
    QVERIFY(
        rows.contains("triton_spl_fused_cumsum_0|"
                      "cz5eqrz6z7v67uzil474hxfq4lfrzgtv6g7gn7hmgdzb6jvjh6bb|split_scan|"
                      "{'x': 1, 'r0_': 4194304}||33|1|1|0|0|6|1||4000000|0.032000"));
}

void MetricsTest::metadataOfOldKernel() {
    const auto source = parseKernelSource(
        kernel("reduction(\n    size_hints=[4096, 128],\n    reduction_hint=ReductionHint.INNER,\n"
               "    inductor_meta={'kernel_num_gb': 0.000936}\n)",
               kOldKernel),
        "/x/cabc.py");
    QVERIFY2(source, source ? "" : source.error().message.c_str());
    const MetricRow row = kernelMetadataRow(*source, source->path);
    QCOMPARE(fieldOf(row, "size_hints"), std::string("[4096, 128]"));
    QCOMPARE(fieldOf(row, "reduction_hint"), std::string("INNER"));
    QCOMPARE(fieldOf(row, "line_of_code"), std::string("6"));
    QCOMPARE(fieldOf(row, "num_for_loop"), std::string("1"));
    QCOMPARE(fieldOf(row, "num_atomic_add"), std::string("1"));
    QCOMPARE(fieldOf(row, "num_args"), std::string("6"));
    QCOMPARE(fieldOf(row, "xnumel"), std::string("3000"));
    QCOMPARE(fieldOf(row, "ynumel"), std::string());
    QCOMPARE(fieldOf(row, "rnumel"), std::string("77"));
    QCOMPARE(fieldOf(row, "kernel_args_num_gb"), std::string("0.000936"));
    QCOMPARE(source->key, std::string("cabc"));
    QCOMPARE(source->arguments.size(), 2U);
    QCOMPARE(source->runCall->items.size(), 2U);
}

void MetricsTest::categoryNeedsExactlyOneDecorator() {
    QCOMPARE(kernelCategory("@triton_heuristics.persistent_reduction("),
             std::string("persistent_reduction"));
    QCOMPARE(kernelCategory("@triton_heuristics.cooperative_reduction("), std::string("unknown"));
    QCOMPARE(kernelCategory("@triton_heuristics.reduction( @triton_heuristics.pointwise("),
             std::string("unknown"));
    QVERIFY(!parseKernelSource("def f(): pass\n", "f.py"));
}

void MetricsTest::smallGigabytesKeepTheirExponent() {
    const auto source = parseKernelSource(
        kernel("pointwise(size_hints={'x': 8}, inductor_meta={'kernel_num_gb': 1.6e-05})",
               "def triton_poi_(x, xnumel):\n    pass\n"),
        "k.py");
    QVERIFY(source);
    QCOMPARE(fieldOf(kernelMetadataRow(*source, ""), "kernel_args_num_gb"),
             std::string("0.000016"));
    QCOMPARE(fieldOf(kernelMetadataRow(*source, "", MetricFormat::Original), "kernel_args_num_gb"),
             std::string("1.600000"));
    QCOMPARE(bytesAccessed({*source}), 16000);
}

void MetricsTest::cacheFolderIsCounted() {
    const auto folder = readSources(kData);
    QVERIFY(folder);
    QCOMPARE(folder->kernels.size(), 5U);
    // 0.033554432 + 0.006291456 + 0.025800192 + 0.032 GB; the foreach kernel has no figure.
    QCOMPARE(bytesAccessed(folder->kernels), 97646080);
    QCOMPARE(kernelsByCategory(folder->kernels).size(), 5U);
    QVERIFY(!readSources("/nonexistent/folder"));
    QCOMPARE(kernelsSummary(folder->kernels),
             std::string("5 generated kernels: 1 pointwise, 1 template, 1 reduction, "
                         "1 foreach, 1 split_scan; 97646080 bytes accessed"));
}

void MetricsTest::everyKernelOfAFolderIsARow() {
    const QTemporaryDir folder;
    MetricTables tables(folder.path().toStdString());
    QVERIFY(tables.enable(kKernelTable));
    QVERIFY(rowsAdded(tables).empty());
    const auto added = addKernels(tables, kData);
    QVERIFY(added);
    const std::string path = tables.path(*tables.table(kKernelTable));
    QCOMPARE(rowsAdded(tables), std::vector<std::string>({path + ": 5 rows added"}));
    const auto csv = parseCsv(content(QString::fromStdString(path)).toStdString());
    QVERIFY(csv);
    QCOMPARE(csv->rows.size(), added->kernels.size());
    QVERIFY(!addKernels(tables, "/nonexistent/folder"));
}

void MetricsTest::tablesAreShownAsWideAsThereIsRoom() {
    const std::string csv = "name,count\na\x1b[31m,1\nb,22\n";
    const auto wide = metricTableText(csv, {.width = 80});
    QVERIFY(wide);
    QCOMPARE(wide->columnsShown, std::size_t{2});
    QCOMPARE(wide->columns, std::size_t{2});
    QVERIFY(wide->text.find('\x1b') == std::string::npos);
    QVERIFY(wide->text.find("    1\n") != std::string::npos);  // numbers stand at the right
    QVERIFY(!metricTableText("a,b\n1\n", {}));
}

void MetricsTest::bothPagesOfNsightCompute() {
    const auto text = [](const QString& name) {
        return content(KINETOSCOPE_SOURCE_DIR "/tests/data/ncu/" + name).toStdString();
    };
    const auto raw = ncu::parseProfile(text("raw.csv"));
    QVERIFY(raw);
    QCOMPARE(raw->metrics,
             (std::vector<ncu::Metric>{{"dram__bytes.sum", "byte"},
                                       {"gpu__time_duration.sum", "ns"},
                                       {"launch__registers_per_thread", "register/thread"},
                                       {"sm__throughput.avg.pct_of_peak_sustained_elapsed", "%"}}));
    QCOMPARE(raw->launches.size(), std::size_t{4});
    QCOMPARE(raw->launches[0].values, (std::vector<double>{1'234.5e6, 2'500, 32, 81.25}));
    QCOMPARE(raw->launches[0].block, "(128, 1, 1)");
    QVERIFY(std::isnan(raw->launches[1].values[3]));
    const auto details = ncu::parseProfile(text("details.csv"));
    QVERIFY(details);
    QCOMPARE(details->metrics,
             (std::vector<ncu::Metric>{
                 {"Duration", "ns"}, {"Memory Throughput", "%"}, {"Memory Throughput", "byte/s"}}));
    QCOMPARE(details->launches.size(), std::size_t{2});
    QCOMPARE(details->launches[0].values, (std::vector<double>{12'500, 40.25, 1.5e12}));
    QCOMPARE(details->launches[1].values[0], 1.25e6);
    for (const char* wrong : {"", "a,b\n1,2\n", "\"Kernel Name\",\"x\"\n\"a\",\"b\"\n",
                              "\"Kernel Name\",\"x\"\n\"a\",\"1"}) {
        QVERIFY(!ncu::parseProfile(wrong));
    }
}

void MetricsTest::anyBytesAreATableOrAMessage() {
    const std::string good =
        content(KINETOSCOPE_SOURCE_DIR "/tests/data/ncu/details.csv").toStdString();
    const std::size_t count = test::mutations(300);
    test::Mutator mutator(20261124);
    for (std::size_t round = 0; round < count; ++round) {
        const auto profile = ncu::parseProfile(mutator.json(good));
        QVERIFY(profile || !profile.error().message.empty());
        for (std::size_t i = 0; profile && i < profile->launches.size(); ++i) {
            QCOMPARE(profile->launches[i].values.size(), profile->metrics.size());
        }
    }
}

QTEST_APPLESS_MAIN(MetricsTest)
#include "MetricsTest.moc"
