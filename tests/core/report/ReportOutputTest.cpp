// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/query/RowNames.h"
#include "core/report/MakeDocument.h"
#include "core/report/ReportCsv.h"
#include "core/report/ReportMarkdown.h"
#include "core/report/ReportOutput.h"
#include "core/report/ReportText.h"
#include "core/report/TabulateFile.h"
#include "tests/core/AnalysisFixture.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;
using namespace kinetoscope::report;
using namespace kinetoscope::analysis_test;
using text::OutputFormat;

namespace {

constexpr const char* kLine =
    "Output for tabulate: bert, 1.00%, 2.00%, 3.00%, 4.00%, 5.00%, 15.00%, 0.327ms";

/// Two kernels of 300 ns each in a window of 1 µs.
std::shared_ptr<const trace::Trace> twoKernels() {
    TraceMaker maker;
    maker.api(0, 10, 1);
    maker.kernel("a", 1'000, 300, {.correlation = 1});
    maker.api(20, 10, 2);
    maker.kernel("b", 1'700, 300, {.correlation = 2});
    return maker.finish();
}

ReportDocument documentOf(const DocumentRequest& request) {
    return makeDocument(twoKernels(), request).value();
}

std::vector<std::string> phasesOf(const ReportDocument& document) {
    std::vector<std::string> names;
    for (const PhaseTime& phase : document.timing->phases) {
        names.push_back(phase.name);
    }
    return names;
}

}  // namespace

class ReportOutputTest final : public QObject {
    Q_OBJECT

private slots:
    void anUnknownGpuComesLast() {
        const auto trace = test::importText(R"([
            {"ph": "X", "cat": "gpu_memcpy", "name": "lost", "pid": -1, "tid": 9, "ts": 3, "dur": 2},
            {"ph": "X", "cat": "kernel", "name": "stray", "pid": -1, "tid": 9, "ts": 6, "dur": 1},
            {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 5, "dur": 9}])");
        const ReportDocument document = makeDocument(*trace, {}).value();
        QCOMPARE(document.report.gpus.size(), 2U);
        QCOMPARE(document.report.gpus[0].gpu, 0);
        QCOMPARE(document.report.gpus[1].gpu, -1);
        const std::string text = reportText(document, {});
        QVERIFY(text.find("\nunknown GPU\n") != std::string::npos);
        QVERIFY(text.find("GPU -1") == std::string::npos);
        QVERIFY(text.find("\n    ?     1.000") != std::string::npos);
        QVERIFY(reportMarkdown(document, {}).find("\n| ? | `stray` |") != std::string::npos);
        const query::RowNames names{query::LaneIndex(*trace)};
        QCOMPARE(names.whole((*trace)->trackOf(0)), "unknown GPU, stream 9");
    }

    void ranksAreToldAsFarAsTheyAreKnown() {
        QCOMPARE(distributedText({"nccl", 3, 8}), "nccl, rank 3 of 8");
        QCOMPARE(distributedText({"", 0, -1}), "rank 0");
        QCOMPARE(distributedText({"gloo", -1, -1}), "gloo");
        QCOMPARE(distributedText({"gloo", -1, 2}), "gloo, 2 ranks");
    }

    void onlyWhatIsAskedForIsComputed() {
        const ReportDocument figures = documentOf({});
        QCOMPARE(figures.report.gpus.size(), std::size_t{1});
        QCOMPARE(figures.report.gpus.front().busyNs, TimeNs{600});
        QVERIFY(!figures.compat && !figures.operators && !figures.achieved);
        QCOMPARE(phasesOf(figures), std::vector<std::string>({"analyses"}));
        DocumentRequest request;
        request.figures = false;
        request.operators = 1;
        const ReportDocument operators = documentOf(request);
        QVERIFY(operators.report.gpus.empty());
        QVERIFY(operators.operators && operators.operatorRows == 1);
        QCOMPARE(phasesOf(operators), std::vector<std::string>({"operators"}));
    }

    // With or without a second thread.
    void compatIsTheSameBesideTheFigures() {
        analysis::CompatOptions options;
        options.wallMs = 0.002;
        DocumentRequest request;
        request.compat = options;
        const ReportDocument beside = documentOf(request);
        request.figures = false;
        request.threads = 1;
        const ReportDocument alone = documentOf(request);
        QVERIFY(alone.compat && beside.compat);
        QCOMPARE(alone.compat->text, beside.compat->text);
        QVERIFY(alone.compat->gpuBusy > 0.0);
        QCOMPARE(phasesOf(beside), std::vector<std::string>({"analyses", "compat"}));
    }

    void aStopEndsIt() {
        std::stop_source stop;
        stop.request_stop();
        DocumentRequest request;
        request.report.stop = stop.get_token();
        const auto document = makeDocument(twoKernels(), request);
        QVERIFY(!document);
        QCOMPARE(document.error().kind, ErrorKind::Cancelled);
    }

    void wallIsOfAllRuns() {
        QVERIFY(!wallOfRuns({}));
        analysis::CompatOptions options;
        options.wallMs = 0.3275;
        options.runs = 4;
        QCOMPARE(*wallOfRuns(options), TimeNs{1'310'000});
    }

    void oneFileIsAnObjectAndSeveralAreAnArray() {
        const ReportDocument document = documentOf({});
        ReportOutput one({.format = OutputFormat::Json}, {});
        const std::string alone = one.add(document) + one.end();
        QVERIFY(nlohmann::json::parse(alone).is_object());
        ReportOutput two({.format = OutputFormat::Json, .several = true}, {});
        std::string both = two.add(document);
        both += two.add(document);
        both += two.end();
        const auto array = nlohmann::json::parse(both);
        QCOMPARE(array.size(), std::size_t{2});
        QCOMPARE(array[1], nlohmann::json::parse(alone));
        // No file could be read: nothing is written at all.
        QCOMPARE(ReportOutput({.format = OutputFormat::Json, .several = true}, {}).end(),
                 std::string());
    }

    void tablesHaveOneHeader() {
        const ReportDocument document = documentOf({});
        for (const bool figures : {false, true}) {
            ReportOutput output({.format = OutputFormat::Csv, .figures = figures, .several = true},
                                {});
            const std::string first = output.add(document);
            const std::string header = figures ? figuresCsvHeader(true) : kernelCsvHeader(true);
            QVERIFY(first.starts_with(header));
            QCOMPARE(first.substr(header.size()), output.add(document));
        }
    }

    void textsStandApart() {
        const ReportDocument document = documentOf({});
        ReportOutput output({}, {});
        QCOMPARE(output.add(document), reportText(document, {}));
        QCOMPARE(output.add(document), "\n" + reportText(document, {}));
    }

    void whatNsightComputeMeasuredIsJoined() {
        TraceMaker maker;
        maker.kernel("void at::native::fill<4, float>(int, float)", 1'000, 300, {.grid = 2});
        maker.kernel("void at::native::fill<4, float>(int, float)", 2'000, 500, {.gpu = 1});
        maker.kernel("a", 3'000, 5'000);
        ReportDocument document = makeDocument(maker.finish(), {}).value();
        const auto join = [&](const std::string& name) {
            const auto profile =
                ncu::readProfile(KINETOSCOPE_SOURCE_DIR "/tests/data/ncu/" + name).value();
            document.ncu =
                ncu::joinProfile(*document.trace, document.report.kernels, profile, name);
            return nlohmann::json::parse(
                ReportOutput({.format = OutputFormat::Json}, {}).add(document))["ncu"];
        };
        const auto raw = join("raw.csv");
        QCOMPARE(raw["kernels"].size(), std::size_t{2});
        QCOMPARE(raw["kernels"][0]["name"], "a");
        const auto& fill = raw["kernels"][1];
        QVERIFY(fill["launches"] == 2 && fill["measured"] == 2 && fill["total_ns"] == 800);
        QCOMPARE(fill["metrics"][1]["mean"], 3'000.0);
        QCOMPARE(fill["metrics"][1]["max"], 3'500.0);
        QCOMPARE(fill["metrics"][3]["launches"], 1);
        QCOMPARE(raw["others"][0]["name"], "not_in_the_trace");
        const std::string text = ReportOutput({}, {.width = 120}).add(document);
        QVERIFY(text.find("Nsight Compute (2 of 2 kernels, raw.csv)") != std::string::npos);
        QVERIFY(text.find("fill<4, float>      2    0.400         2    3.00  81.25") !=
                std::string::npos);
        QVERIFY(text.find("is no kernel of the trace: not_in_the_trace") != std::string::npos);
        const std::string markdown =
            ReportOutput({.format = OutputFormat::Markdown}, {}).add(document);
        QVERIFY(markdown.find("| 2 | 0.400 | 2 | 3.00 | 81.25 |") != std::string::npos);
        // The details page calls kernels by their short names.
        const auto details = join("details.csv");
        QCOMPARE(details["kernels"].size(), std::size_t{1});
        QCOMPARE(details["kernels"][0]["metrics"][0]["mean"], 631'250.0);
        QVERIFY(details["others"].empty());
        QVERIFY(!ncu::readProfile("/nonexistent.csv"));
    }

    // Two kernels with one short name are told apart by grid and block, or not at all.
    void measuredKernelsOfOneName() {
        TraceMaker maker;
        maker.kernel("void fill<4>(int)", 1'000, 300, {.grid = 2});
        maker.kernel("void fill<8>(int)", 2'000, 500, {.grid = 3});
        const ReportDocument document = makeDocument(maker.finish(), {}).value();
        const auto joined = [&](const std::string& grid) {
            const ncu::Profile profile{{{"x", ""}}, {{"fill", grid, "(0, 0, 0)", {1.0}}}};
            return ncu::joinProfile(*document.trace, document.report.kernels, profile, "");
        };
        const ncu::Table told = joined("(3, 1, 1)");
        QCOMPARE(told.kernels.size(), std::size_t{1});
        QCOMPARE(document.trace->text(told.kernels[0].name), std::string_view("void fill<8>(int)"));
        QVERIFY(joined("(9, 1, 1)").others.at(0).isAmbiguous);
        QVERIFY(joined("(9999999999999, 1, 1)").kernels.empty());
    }

    void linesOfATextAreItsRows() {
        const std::string path = write("a.txt", std::string("noise\n") + kLine + "\r\n" +
                                                    std::string(200'000, 'x') + "\n" + kLine);
        const auto rows = readTabulateFile(path);
        QVERIFY(rows && *rows);
        QCOMPARE((*rows)->size(), std::size_t{2});
        QCOMPARE((*rows)->back().name, std::string("bert"));
        QCOMPARE((*rows)->back().percent[5], 15.0);
        QCOMPARE((*rows)->back().wallMs, 0.327);
        QCOMPARE((*rows)->back().file, path);
    }

    void tracesAreLeftToOthers_data() {
        QTest::addColumn<std::string>("content");
        QTest::newRow("object") << std::string(" {\"traceEvents\": []}");
        QTest::newRow("array") << std::string("[{}]");
        QTest::newRow("gzip") << std::string("\x1f\x8b\x08 and so on");
        QTest::newRow("nothing") << std::string();
    }
    void tracesAreLeftToOthers() {
        QFETCH(std::string, content);
        const auto rows = readTabulateFile(write("b", content));
        QVERIFY(rows && !*rows);
        QVERIFY(!*readTabulateFile(m_folder.filePath("missing").toStdString()));
    }

    void otherTextsFail() {
        const std::string path = write("c.txt", "no such line\n");
        const auto rows = readTabulateFile(path);
        QVERIFY(!rows);
        QVERIFY(rows.error().message.starts_with(path + ": neither a trace nor a text"));
    }

    void aTraceHasOneRow() {
        QCOMPARE(tabulateName("runs/bert.train.json.gz"), std::string("bert"));
        analysis::CompatReport compat;
        QVERIFY(tabulateRow(compat, "x.json")
                    .error()
                    .message.starts_with("x.json: the trace has no time"));
        compat.tabulateLine = kLine;
        QCOMPARE(tabulateRow(compat, "x.json")->file, std::string("x.json"));
    }

private:
    std::string write(const char* name, const std::string& content) {
        const std::string path = m_folder.filePath(name).toStdString();
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }

    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(ReportOutputTest)
#include "ReportOutputTest.moc"
