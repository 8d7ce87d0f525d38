// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QTemporaryDir>
#include <QTest>
#include <QTextDocument>
#include <algorithm>
#include <limits>

#include "core/import/load/LoadTrace.h"
#include "core/trace/TraceBuilder.h"
#include "tests/support/TraceText.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/models/CategoryModel.h"
#include "widgets/models/IdleModels.h"
#include "widgets/models/ImportLogModel.h"
#include "widgets/models/KernelTableModel.h"
#include "widgets/models/StepModel.h"
#include "widgets/models/TableText.h"
#include "widgets/models/Text.h"
#include "widgets/models/details/DetailsModel.h"
#include "widgets/models/roofline/RooflineModel.h"
#include "widgets/style/PlainText.h"

using namespace kinetoscope;
using namespace kinetoscope::analysis;
using namespace kinetoscope::import;
using namespace kinetoscope::models;
using namespace kinetoscope::query;
using namespace kinetoscope::report;
using namespace kinetoscope::style;
using namespace kinetoscope::trace;

namespace {

using Tester = QAbstractItemModelTester;

constexpr const char* kLongName = "void at::native::reduce_kernel<512, 1, Sum>(Sum)";
constexpr const char* kOtherLongName = "void at::native::reduce_kernel<512, 1, Max>(Max)";

std::shared_ptr<const Trace> testTrace() {
    return makeTrace({{"triton_poi_fused_add_0", 0, 100},
                      {"triton_poi_fused_add_0", 200, 300},
                      {"nvjet_hsh_256x128", 600, 1000},
                      {kLongName, 2000, 50},
                      {kOtherLongName, 2100, 60}});
}

std::shared_ptr<const Report> reportOf(const Trace& trace, GroupBy group = GroupBy::Inductor) {
    const auto report = makeReport(trace, {.window = {}, .group = group});
    return report ? std::make_shared<const Report>(*report) : nullptr;
}

QStringList columnTexts(const ColumnTableModel& model, int column) {
    QStringList texts;
    for (int row = 0; row < model.rowCount(); ++row) {
        texts.append(model.index(row, column).data().toString());
    }
    return texts;
}

Report withSteps() {
    Report report;
    for (int number = 9; number <= 11; ++number) {
        Step step;
        step.name = "ProfilerStep#" + std::to_string(number);
        step.number = number;
        step.span = {number * 1'000'000, number * 1'000'000 + 500'000};
        step.busyNs = 125'000 * (number - 8);
        report.steps.push_back(step);
    }
    return report;
}

}  // namespace

class ModelsTest final : public QObject {
    Q_OBJECT

private slots:
    void init() { failOnQtWarnings(); }

    // One unit a column, that of its longest time.
    void longTimesAreNotToldInMicroseconds() {
        IdleGapModel gaps;
        auto list = std::make_shared<IdleList>();
        list->gaps.resize(2);
        list->gaps[0].span = {0, 15'447'224};
        list->gaps[1].span = {20'000'000, 20'080'000};
        gaps.setList(testTrace(), list);
        QCOMPARE(columnTexts(gaps, IdleGapModel::Length), QStringList({"15.447", "0.080"}));
        QCOMPARE(gaps.headerData(IdleGapModel::Length, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QString("Length ms"));
        auto roofline = std::make_shared<model::Roofline>();
        roofline->rows.resize(3);
        roofline->rows[0].timeNs = 15'388'622;
        roofline->rows[0].recoverableNs = 0;
        roofline->rows[1].timeNs = 40'000;
        roofline->rows[1].recoverableNs = 30'000;
        roofline->rows[2].timeNs = 20'000;  // no roof is known
        RooflineModel rows;
        rows.setRoofline(roofline);
        const int time = rows.columnOf("time_ns");
        const int recoverable = rows.columnOf("recoverable_ns");
        QCOMPARE(columnTexts(rows, time), QStringList({"15.389", "0.040", "0.020"}));
        QCOMPARE(columnTexts(rows, recoverable), QStringList({"0.000", "0.030", ""}));
        QCOMPARE(rows.headerData(recoverable, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QString("Recoverable ms"));
        roofline = std::make_shared<model::Roofline>(*roofline);
        roofline->rows.erase(roofline->rows.begin());
        rows.setRoofline(roofline);
        QCOMPARE(columnTexts(rows, time), QStringList({"40.000", "20.000"}));
        QCOMPARE(rows.headerData(time, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QString::fromUtf8("Time µs"));
    }

    void everyModelKeepsTheContract() {
        const auto trace = testTrace();
        const auto report = reportOf(*trace);
        QVERIFY(report);
        KernelTableModel kernels;
        CategoryModel categories;
        ImportLogModel log;
        StepModel steps;
        DetailsModel details;
        for (ColumnTableModel* model :
             {static_cast<ColumnTableModel*>(&kernels), static_cast<ColumnTableModel*>(&categories),
              static_cast<ColumnTableModel*>(&log), static_cast<ColumnTableModel*>(&steps),
              static_cast<ColumnTableModel*>(&details)}) {
            new Tester(model, Tester::FailureReportingMode::QtTest, model);
        }
        kernels.setReport(trace, report);
        categories.setReport(report);
        log.setTrace(trace);
        steps.setReport(trace, std::make_shared<const Report>(withSteps()));
        details.setLines({{"a", "1"}, {"b", "2"}});
        for (int column = 0; column < kernels.columnCount(); ++column) {
            kernels.sort(column, Qt::AscendingOrder);
        }
        kernels.setFilter(QStringLiteral("triton"));
        kernels.setFilter(QString());
        steps.sort(StepModel::Length, Qt::DescendingOrder);
        kernels.setReport(nullptr, nullptr);
        QCOMPARE(kernels.rowCount(), 0);
        QCOMPARE(details.rowCount(), 2);
    }

    void kernelsSortByNumberNotByText() {
        const auto trace = testTrace();
        KernelTableModel model;
        model.setReport(trace, reportOf(*trace));
        model.sort(KernelTableModel::Total, Qt::AscendingOrder);
        QCOMPARE(columnTexts(model, KernelTableModel::Total),
                 QStringList({"0.050", "0.060", "0.400", "1.000"}));
        model.sort(KernelTableModel::Total, Qt::DescendingOrder);
        QCOMPARE(columnTexts(model, KernelTableModel::Total).first(), QStringLiteral("1.000"));
    }

    void anUnknownGpuIsNoNumber() {
        const auto trace = test::importText(R"([
            {"ph": "X", "cat": "kernel", "name": "a", "pid": -1, "tid": 9, "ts": 6, "dur": 2},
            {"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 5, "dur": 1}])")
                               .value();
        KernelTableModel kernels;
        kernels.setReport(trace, reportOf(*trace));
        kernels.sort(KernelTableModel::Total, Qt::DescendingOrder);
        QCOMPARE(columnTexts(kernels, KernelTableModel::Gpu), QStringList({"?", "0"}));
        auto list = std::make_shared<IdleList>();
        list->gaps.resize(1);
        list->gaps[0].gpu = -1;
        IdleGapModel gaps;
        gaps.setList(trace, list);
        QCOMPARE(columnTexts(gaps, IdleGapModel::Gpu), QStringList({"?"}));
    }

    void aSelectedRowStaysTheSameKernelWhenSorted() {
        const auto trace = testTrace();
        KernelTableModel model;
        model.setReport(trace, reportOf(*trace));
        const QPersistentModelIndex kept = model.index(0, KernelTableModel::Name);
        const QString name = kept.data().toString();
        model.sort(KernelTableModel::Total, Qt::AscendingOrder);
        QCOMPARE(kept.row(), 3);
        QCOMPARE(kept.data().toString(), name);
    }

    void theFilterMatchesWholeNamesInAnyCase() {
        const auto trace = testTrace();
        KernelTableModel model;
        model.setReport(trace, reportOf(*trace));
        model.setFilter(QStringLiteral("AT::NATIVE"));
        QCOMPARE(model.rowCount(), 2);
        model.setFilter(QStringLiteral("nothing like it"));
        QCOMPARE(model.rowCount(), 0);
        model.setFilter(QString());
        QCOMPARE(model.rowCount(), 4);
    }

    void aCategoryKeepsItsKernelsOnly() {
        const auto trace = testTrace();
        KernelTableModel model;
        model.setReport(trace, reportOf(*trace));
        model.setCategory(QStringLiteral("triton_pointwise"));
        QCOMPARE(columnTexts(model, KernelTableModel::Name),
                 QStringList({"triton_poi_fused_add_0"}));
    }

    void kernelsOfOneShortNameShowTheirTemplateArguments() {
        const auto trace = testTrace();
        KernelTableModel model;
        model.setReport(trace, reportOf(*trace));
        const QStringList names = columnTexts(model, KernelTableModel::Name);
        QVERIFY2(names.filter("reduce_kernel<512, 1, Sum>").size() == 1,
                 qPrintable(names.join(';')));
        QVERIFY(names.contains("triton_poi_fused_add_0"));
    }

    void sharesOfKernelsSumToOne() {
        const auto trace = testTrace();
        KernelTableModel model;
        model.setReport(trace, reportOf(*trace));
        double sum = 0.0;
        for (int row = 0; row < model.rowCount(); ++row) {
            sum += model.index(row, KernelTableModel::Share).data(ShareRole).toDouble();
        }
        QCOMPARE(sum, 1.0);
    }

    void csvHoldsWholeNamesAndPlainNumbers() {
        const auto trace = testTrace();
        KernelTableModel model;
        model.setReport(trace, reportOf(*trace));
        const QStringList lines = tableAsCsv(model).split('\n');
        QVERIFY(lines[0].startsWith("name,gpu,category,percent_of_sum,total_ns,count,mean_ns"));
        QVERIFY2(lines[1].startsWith("nvjet_hsh_256x128,0,unknown,66.2252,1000,1,1000.0"),
                 qPrintable(lines[1]));
        QVERIFY(lines.filter('"' + QString(kLongName) + '"').size() == 1);
        QCOMPARE(lines.size(), 6);
    }

    void markdownEscapesBars() {
        DetailsModel model;
        model.setLines({{"a|b", "x"}});
        QCOMPARE(tableAsMarkdown(model),
                 QStringLiteral("| Property | Value |\n| --- | --- |\n| a\\|b | x |\n"));
    }

    void stepsSortByNumber() {
        StepModel model;
        model.setReport(nullptr, std::make_shared<const Report>(withSteps()));
        model.sort(StepModel::Name, Qt::AscendingOrder);
        QCOMPARE(columnTexts(model, StepModel::Name),
                 QStringList({"ProfilerStep#9", "ProfilerStep#10", "ProfilerStep#11"}));
        QCOMPARE(columnTexts(model, StepModel::BusyShare),
                 QStringList({"25.00 %", "50.00 %", "75.00 %"}));
    }

    void theLogNamesSeverityCountAndPlace() {
        TraceBuilder builder;
        builder.log().add("negative_duration", Severity::Warning, 120, "{\"dur\": -1}", 3);
        builder.log().add("truncated_array", Severity::DataLoss, 900, "…", 1);
        ImportLogModel model;
        model.setTrace(builder.finish());
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(columnTexts(model, ImportLogModel::Level), QStringList({"warning", "data loss"}));
        QCOMPARE(columnTexts(model, ImportLogModel::Count), QStringList({"3", "1"}));
        QCOMPARE(columnTexts(model, ImportLogModel::Offset), QStringList({"120", "900"}));
        QCOMPARE(model.index(1, 0).data(IconNameRole).toString(), QStringLiteral("error"));
    }

    void everyHeaderSaysWhatItMeans() {
        KernelTableModel kernels;
        CategoryModel categories;
        StepModel steps;
        for (const ColumnTableModel* model :
             {static_cast<ColumnTableModel*>(&kernels), static_cast<ColumnTableModel*>(&categories),
              static_cast<ColumnTableModel*>(&steps)}) {
            for (const TableColumn& column : model->columns()) {
                QVERIFY2(!column.toolTip.isEmpty(), qPrintable(column.key));
            }
        }
    }

    void plainTextIsShownLetterByLetter() {
        QCOMPARE(plainToolTip({}), QString());
        const QString tip = plainToolTip("a  <b>&amp;\nc", "R&D");
        QTextDocument document;
        document.setHtml(tip);
        QCOMPARE(document.toPlainText(), QStringLiteral("R&D\na  <b>&amp;\nc"));
        QVERIFY(Qt::mightBeRichText(plainToolTip("plain")));
        QCOMPARE(plainActionText("a&b\tc"), QStringLiteral("a&&b c"));
    }

    void longTextIsCutBetweenLetters() {
        const QString clef = QString::fromUtf8("\xf0\x9d\x84\x9e");  // two UTF-16 units
        const QString text = clef.repeated(600);
        const QString shown = shownText(text);
        QVERIFY(shown.size() <= kMaxLetters && shown.size() >= kMaxLetters - 1);
        QVERIFY(shown.endsWith(QChar(0x2026)) && shown.startsWith(clef));
        QVERIFY(shown[shown.size() - 2].isLowSurrogate());
        QCOMPARE(shownText(std::string_view(text.toStdString())), shown);
        QCOMPARE(shownText(QString(1000, 'x')), QString(1000, 'x'));
        QCOMPARE(shownText(std::string_view("\xff\x80")).size(), 2);
    }

    void nameOfMegabytesIsCutBeforeAnyWidget() {
        const std::string name(20U << 20U, 'k');
        const auto trace = makeTrace({{name.c_str(), 0, 100}});
        KernelTableModel kernels;
        kernels.setReport(trace, std::make_shared<const Report>(*makeReport(*trace, {})));
        LaneIndex lanes(trace);
        DetailsModel details;
        details.setLines(detailLines(lanes, {}, 1));
        for (const ColumnTableModel* model :
             {static_cast<ColumnTableModel*>(&kernels), static_cast<ColumnTableModel*>(&details)}) {
            for (int row = 0; row < model->rowCount(); ++row) {
                for (int column = 0; column < model->columnCount(); ++column) {
                    const QModelIndex index = model->index(row, column);
                    QVERIFY(index.data().toString().size() <= kMaxLetters);
                    QVERIFY(index.data(Qt::ToolTipRole).toString().size() < 5000);
                    QVERIFY(index.data(SwatchRole).toString().size() <= kMaxToolTipLetters);
                }
            }
        }
        // What is copied and written is whole.
        QCOMPARE(details.wholeText(1, DetailsModel::Value).size(), qsizetype(name.size()));
        QCOMPARE(kernels.exportText(0, KernelTableModel::Name).size(), qsizetype(name.size()));
    }

    void exportedNumbersAreWhole() {
        QCOMPARE(plainNumber(123'456'789'012'345.0), QString("123456789012345"));
        QCOMPARE(plainNumber(-7.0), QString("-7"));
        QCOMPARE(plainNumber(0.1), QString("0.1"));
        QCOMPARE(plainNumber(1.0 / 3.0).toDouble(), 1.0 / 3.0);
        QCOMPARE(plainNumber(std::numeric_limits<double>::quiet_NaN()), QString());
        QCOMPARE(plainNumber(1e300).toDouble(), 1e300);
    }

    void argumentsWithoutEndAreBounded() {
        std::string text =
            "{'ph':'X','cat':'cpu_op','name':'x','pid':1,'tid':1,'ts':1,'dur':1,'args':{";
        for (int i = 0; i < 100; ++i) {
            text += "'d':{";
        }
        text += "'e':1" + std::string(100, '}');
        for (int i = 0; i < 20'000; ++i) {
            text += ",'k" + std::to_string(i) + "':" + std::to_string(i);
        }
        text += "}}";
        std::ranges::replace(text, '\'', '"');
        QTemporaryDir folder;
        QFile file(folder.filePath("many.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(("{\"traceEvents\":[" + text + "]}").c_str());
        file.close();
        const auto trace = loadTrace(file.fileName().toStdString(), {});
        QVERIFY(trace.has_value());
        LaneIndex lanes(*trace);
        const auto lines = detailLines(lanes, {}, 0);
        QVERIFY2(lines.size() < 6000, qPrintable(QString::number(lines.size())));
        QVERIFY(std::ranges::any_of(
            lines, [](const DetailLine& line) { return line.value.startsWith("and "); }));
        const auto deepest = std::ranges::max(lines, {}, &DetailLine::level);
        QVERIFY(deepest.level > 4 && deepest.level < 10);
    }

    // Of the GPU's own counters, over the time of the kernel: 100 for 30 µs, 400 for 10.
    void detailsTellTheCountersOfAKernel() {
        std::string text =
            "{'traceEvents':[{'ph':'X','cat':'kernel','name':'copy','pid':0,'tid':7,'ts':10,"
            "'dur':40,'args':{'device':0,'stream':7}}";
        const auto count = [&](int gpu, const char* series, int ts, int value) {
            text += ",{'ph':'C','name':'DRAM','pid':" + std::to_string(gpu) +
                    ",'ts':" + std::to_string(ts) + ",'args':{'" + series +
                    "':" + std::to_string(value) + "}}";
        };
        for (int ts = 0; ts < 80; ts += 5) {
            count(0, "read", ts, ts < 40 ? 100 : 400);
            count(1, "read", ts, 7);
        }
        count(0, "slow", 0, 3);
        count(0, "slow", 45, 3);
        text += "]}";
        std::ranges::replace(text, '\'', '"');
        const auto trace = test::importText(text);
        QVERIFY(trace.has_value());
        LaneIndex lanes(*trace);
        const auto lines = detailLines(lanes, TrackMarks(**trace), 0);
        const auto heading = std::ranges::find(
            lines, QStringLiteral("Counters while it ran, means"), &DetailLine::label);
        QVERIFY(heading != lines.end());
        QCOMPARE((heading + 1)->label, QStringLiteral("DRAM, read"));
        QCOMPARE((heading + 1)->value, QStringLiteral("175"));
        QVERIFY((heading + 2)->heading);
    }

    void detailsFindTheEnclosingOperator() {
        const auto trace = testTrace();
        LaneIndex lanes(trace);
        QCOMPARE(enclosingSlice(lanes, 1), kNoSlice);
        const auto lines = detailLines(lanes, {}, 1);
        const auto line = [&](const QString& label) {
            for (const DetailLine& candidate : lines) {
                if (candidate.label == label) {
                    return candidate.value;
                }
            }
            return QString();
        };
        QCOMPARE(line("Name"), QStringLiteral("triton_poi_fused_add_0"));
        QCOMPARE(line("Grid"), QStringLiteral("4 × 1 × 1"));
        QVERIFY(!line("Not available").isEmpty());
    }
};

QTEST_GUILESS_MAIN(ModelsTest)
#include "ModelsTest.moc"
