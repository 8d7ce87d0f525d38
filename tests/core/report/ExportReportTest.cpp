// SPDX-License-Identifier: Apache-2.0
#include <QFile>
#include <QtTest>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "core/report/Explain.h"
#include "core/report/Figures.h"
#include "core/report/ReportCsv.h"
#include "core/report/ReportJson.h"
#include "core/report/ReportMarkdown.h"
#include "core/report/ReportText.h"
#include "core/text/Printable.h"
#include "tests/core/report/ExportFixture.h"

using namespace kinetoscope;
using namespace kinetoscope::report;
using namespace kinetoscope::text;
using namespace kinetoscope::trace;

// Compares with tests/golden/cli_export; what was written instead stands beside it as .actual.
class ExportReportTest final : public QObject {
    Q_OBJECT

private slots:
    void textAtThreeWidths_data();
    void textAtThreeWidths();
    void everyFigureIsInEveryOutput();
    void fullNamesAreWhole();
    void markdown();
    void csv();
    void csvNamesTheFileAmongSeveral();
    void json();
    void jsonKeepsExactIntegersAndNulls();
    void jsonIsValidWhateverTheNamesHold();
    void deepFieldsAreTexts();
    void noFormatPassesControlCharactersOn();
    void linesStayWithinTheWidth_data();
    void linesStayWithinTheWidth();
    void traceWithoutGpuWorkSaysSo();
    void topLimitsTheKernels();
    void wallTimeAddsASecondShare();
    void timingShowsRates();
};

namespace {

QString goldenPath(const char* name) {
    return QStringLiteral(KINETOSCOPE_SOURCE_DIR "/tests/golden/cli_export/") +
           QString::fromLatin1(name);
}

// Without the lines of the figures of a GPU: everyFigureIsInEveryOutput() has those, and a new
// figure changes no golden file.
QByteArray withoutFigures(const QByteArray& text) {
    QByteArrayList kept;
    for (const QByteArray& line : text.split('\n')) {
        const bool isFigure = std::ranges::any_of(gpuFigures(), [&](const Figure& figure) {
            const auto name = QByteArray(figure.name().data(), qsizetype(figure.name().size()));
            const QByteArray stem = name.endsWith("_ns") ? name.chopped(3) : name;
            const QByteArray label = QByteArray::fromStdString(std::string(figure.label));
            const QByteArray inLine = QByteArray::fromStdString(midSentence(figure.label));
            const QByteArray bare = line.trimmed();
            return line.startsWith("  " + inLine + "  ") || line.startsWith("| " + label + " |") ||
                   line.startsWith("| " + label + ", ") || bare.startsWith('"' + name + "\":") ||
                   bare.startsWith('"' + stem + "_start_ns\":") ||
                   bare.startsWith('"' + stem + "_end_ns\":");
        });
        const bool isPlace = line.startsWith("    from ") && line.endsWith("after the first event");
        if (!isFigure && !isPlace) {
            kept.append(line);
        }
    }
    return kept.join('\n');
}

// Empty when `text` is what the golden file holds, else where they part.
QByteArray differenceToGolden(const char* name, const std::string& text) {
    QFile golden(goldenPath(name));
    const QByteArray expected = golden.open(QIODevice::ReadOnly) ? golden.readAll() : QByteArray();
    const QByteArray actual = withoutFigures(QByteArray::fromStdString(text));
    QFile::remove(goldenPath(name) + QStringLiteral(".actual"));
    if (actual == expected) {
        return {};
    }
    QFile file(goldenPath(name) + QStringLiteral(".actual"));
    if (file.open(QIODevice::WriteOnly)) {
        file.write(actual);
    }
    const auto expectedLines = expected.split('\n');
    const auto actualLines = actual.split('\n');
    for (qsizetype line = 0; line < std::min(expectedLines.size(), actualLines.size()); ++line) {
        if (expectedLines[line] != actualLines[line]) {
            return QByteArray(name) + " line " + QByteArray::number(line + 1) +
                   "\n  expected: " + expectedLines[line] + "\n  actual:   " + actualLines[line];
        }
    }
    return QByteArray(name) + ": one has more lines than the other";
}

}  // namespace

#define COMPARE_GOLDEN(name, text)                                    \
    do {                                                              \
        const QByteArray difference = differenceToGolden(name, text); \
        QVERIFY2(difference.isEmpty(), difference.constData());       \
    } while (false)

void ExportReportTest::textAtThreeWidths_data() {
    QTest::addColumn<int>("columns");
    QTest::newRow("80") << 80;
    QTest::newRow("120") << 120;
    QTest::newRow("200") << 200;
}

void ExportReportTest::textAtThreeWidths() {
    QFETCH(int, columns);
    const auto name = QStringLiteral("report_%1.txt").arg(columns).toLatin1();
    const TextStyle style{.width = static_cast<std::size_t>(columns)};
    COMPARE_GOLDEN(name.constData(), reportText(fixture::document(), style));
}

void ExportReportTest::everyFigureIsInEveryOutput() {
    const ReportDocument document = fixture::document();
    const GpuReport& gpu = document.report.gpus.front();
    const std::string text = gpuText(document, gpu, {.width = 200});
    const std::string markdown = reportMarkdown(document);
    const auto json = nlohmann::json::parse(reportJson(document));
    const std::string csv = figuresCsv(document, false);
    for (const Figure& figure : gpuFigures()) {
        const std::string label(figure.label);
        const auto value =
            std::visit([](auto of) { return nlohmann::json(of); }, figure.value(gpu));
        const std::string number = value.is_null() ? "" : std::to_string(figure.number(gpu));
        QVERIFY2(explainFigure(figure.name()) != nullptr, label.c_str());
        QVERIFY2(csv.find("\n0," + std::string(figure.key) + "," +
                          (label.find(',') == std::string::npos ? label : '"' + label + '"') + "," +
                          number + ",") != std::string::npos ||
                     csv.starts_with("0," + std::string(figure.key)),
                 label.c_str());
        std::string pointer = "/gpus/0/" + std::string(figure.key);
        std::ranges::replace(pointer, '.', '/');
        QCOMPARE(json.at(nlohmann::json::json_pointer(pointer)), value);
        if (figure.isShown == nullptr || figure.isShown(gpu)) {
            QVERIFY2(text.find(midSentence(label)) != std::string::npos, label.c_str());
            QVERIFY2(markdown.find("| " + label) != std::string::npos, label.c_str());
        }
    }
}

void ExportReportTest::fullNamesAreWhole() {
    const std::string text = kernelText(fixture::document(), {.width = 80, .fullNames = true});
    QVERIFY(text.find(fixture::kFill) != std::string::npos);
    QVERIFY(text.find("…") == std::string::npos);
}

void ExportReportTest::markdown() {
    COMPARE_GOLDEN("report.md", reportMarkdown(fixture::document()));
}

void ExportReportTest::csv() {
    ReportDocument document = fixture::document();
    document.top = 0;
    COMPARE_GOLDEN("kernels.csv", kernelCsvHeader(false) + kernelCsv(document, false));
}

void ExportReportTest::csvNamesTheFileAmongSeveral() {
    const ReportDocument document = fixture::document();
    QVERIFY(kernelCsvHeader(true).starts_with("file,gpu,"));
    QVERIFY(kernelCsv(document, true).starts_with("runs/train_step.json.gz,0,"));
}

void ExportReportTest::json() {
    ReportDocument document = fixture::document();
    document.timing = Timing{{{"load", 0.5, 1'000'000}, {"analyses", 0.25, 0}}, 12'345'678};
    COMPARE_GOLDEN("report.json", reportJson(document) + "\n");
}

void ExportReportTest::jsonKeepsExactIntegersAndNulls() {
    const auto json = nlohmann::json::parse(reportJson(fixture::document()));
    QCOMPARE(json["schema"].get<std::string>(), std::string("kinetoscope.report/1"));
    QVERIFY(json["gpus"][0]["busy_ns"].is_number_integer());
    QCOMPARE(json["gpus"][0]["busy_ns"].get<std::int64_t>(), std::int64_t{54'300'000});
    QCOMPARE(json["run"]["base_time_ns"].get<std::int64_t>(), 1'790'857'026'000'000'000);
    QVERIFY(json["kernels"][0]["total_ns"].is_number_integer());
    QVERIFY(json["kernels"][1]["occupancy"].is_null());
    QCOMPARE(json["kernels"][0]["occupancy"].get<int>(), 19);
    QVERIFY(json["compat"]["mm_conv_utilization"].is_null());
    QCOMPARE(json["compat"]["reason"].get<std::string>(), std::string("some event has no ts"));
    QCOMPARE(json["import"]["warnings"][1]["first_offset"].get<int>(), 5'678);
    QVERIFY(!json.contains("timing"));
}

void ExportReportTest::jsonIsValidWhateverTheNamesHold() {
    ReportDocument document = fixture::document();
    document.top = 0;
    document.report.kernels.back().shortName = "broken \xff\xfe";
    const std::string text = reportJson(document);
    const auto json = nlohmann::json::parse(text);
    QCOMPARE(json["kernels"][3]["name"].get<std::string>(), fixture::kHostileName);
    QCOMPARE(json["kernels"][3]["short_name"].get<std::string>(),
             std::string("broken \xef\xbf\xbd\xef\xbf\xbd"));
    // A field whose text is not JSON is kept as a text.
    QCOMPARE(json["run"]["fields"]["host\x1bname"].get<std::string>(),
             std::string("\"gpu-7\", oops"));
}

// Indented by its levels, such a document would take memory with the square of its depth.
void ExportReportTest::deepFieldsAreTexts() {
    TraceBuilder builder;
    const std::string deep = std::string(10'000, '[') + std::string(10'000, ']');
    builder.info().fields = {{"deep", deep}, {"flat", "[1, [2]]"}};
    ReportDocument document;
    document.trace = builder.finish();
    const std::string text = reportJson(document);
    QVERIFY(text.size() < 2 * deep.size());
    const auto json = nlohmann::json::parse(text);
    QCOMPARE(json["run"]["fields"]["deep"].get<std::string>(), deep);
    QCOMPARE(json["run"]["fields"]["flat"].size(), 2U);
}

void ExportReportTest::noFormatPassesControlCharactersOn() {
    ReportDocument document = fixture::document();
    document.top = 0;
    for (const std::string& text :
         {reportText(document, {.width = 120, .fullNames = true}), reportMarkdown(document),
          kernelCsv(document, true), reportJson(document)}) {
        for (const char c : text) {
            QVERIFY2(static_cast<unsigned char>(c) >= 0x20 || c == '\n', text.c_str());
        }
    }
}

void ExportReportTest::linesStayWithinTheWidth_data() {
    QTest::addColumn<int>("columns");
    for (const int columns : {60, 72, 80, 100, 132, 200}) {
        QTest::addRow("%d", columns) << columns;
    }
}

void ExportReportTest::linesStayWithinTheWidth() {
    QFETCH(int, columns);
    const auto width = static_cast<std::size_t>(columns);
    const std::string text = reportText(fixture::document(), {.width = width});
    for (const QByteArray& line : QByteArray::fromStdString(text).split('\n')) {
        QVERIFY2(displayWidth(line.toStdString()) <= width, line.constData());
        QVERIFY2(!line.endsWith(' '), line.constData());
    }
}

void ExportReportTest::traceWithoutGpuWorkSaysSo() {
    ReportDocument document = fixture::document();
    document.report = {};
    QVERIFY(reportText(document, {}).find("No GPU work") != std::string::npos);
    QVERIFY(reportMarkdown(document).find("No GPU work") != std::string::npos);
    const auto json = nlohmann::json::parse(reportJson(document));
    QVERIFY(json["gpus"].empty() && json["gpus"].is_array());
    QCOMPARE(kernelCsv(document, false), std::string());
}

void ExportReportTest::topLimitsTheKernels() {
    ReportDocument document = fixture::document();
    document.top = 1;
    QCOMPARE(shownKernels(document).size(), std::size_t{1});
    QVERIFY(kernelText(document, {}).find("Top 1 of 4 kernels") != std::string::npos);
    document.top = 99;
    QCOMPARE(shownKernels(document).size(), std::size_t{4});
    document.top = 0;
    QCOMPARE(shownKernels(document).size(), std::size_t{4});
}

void ExportReportTest::wallTimeAddsASecondShare() {
    ReportDocument document = fixture::document();
    document.wallNs = 108'600'000;
    QVERIFY(reportText(document, {}).find("of the wall time") != std::string::npos);
    QVERIFY(reportText(document, {}).find("50.00 %") != std::string::npos);
    const auto json = nlohmann::json::parse(reportJson(document));
    QCOMPARE(json["gpus"][0]["wall_ns"].get<std::int64_t>(), std::int64_t{108'600'000});
}

void ExportReportTest::timingShowsRates() {
    const Timing timing{{{"load", 0.5, 1024 * 1024}, {"write", 0.001, 0}}, 40 * 1024 * 1024};
    QCOMPARE(timingText(timing), std::string("load           500.000 ms  2.0 MiB/s\n"
                                             "write            1.000 ms\n"
                                             "peak memory      40.0 MiB\n"));
}

QTEST_APPLESS_MAIN(ExportReportTest)
#include "ExportReportTest.moc"
