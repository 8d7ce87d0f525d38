// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <cmath>
#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "core/bench/results/ResultStore.h"
#include "core/bench/results/ResultStream.h"
#include "tests/support/SampleResults.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/models/OperatorTableModel.h"
#include "widgets/models/results/ResultModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/plots/BarPlot.h"
#include "widgets/plots/OperatorSpeedupChart.h"
#include "widgets/style/ElidedLabel.h"
#include "widgets/style/MessageBar.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::bench::results;
using namespace kinetoscope::models;
using namespace kinetoscope::plots;
using namespace kinetoscope::session;
using namespace kinetoscope::style;

namespace {

constexpr const char* kWorker = KINETOSCOPE_SOURCE_DIR "/tests/widgets/fake_kscope.sh";

BenchItem sampleOf(std::size_t index, double eagerNs, double jitNs) {
    BenchItem sample;
    sample.index = index;
    sample.count = 3;
    sample.name = "((T([8, 16], f32),), {})";
    for (const auto& [name, time] : {std::pair{"eager", eagerNs}, std::pair{"jit", jitNs}}) {
        if (time > 0.0) {
            BenchSeries one;
            one.name = name;
            one.repeatsNs = {time};
            sample.series.push_back(std::move(one));
        }
    }
    return sample;
}

BenchItem operatorOf(const char* name, const std::vector<double>& speedups) {
    BenchItem result;
    result.name = name;
    for (const double speedup : speedups) {
        result.parts.push_back(sampleOf(result.parts.size(), 12000.0, 12000.0 / speedup));
    }
    return result;
}

// Three operators: jit halves the speed of one, doubles that of another; the third breaks.
ResultDocument operatorsOf() {
    ResultDocument document(ResultKind::Operators);
    document.created = "2026-01-02T03:04:05Z";
    document.options.suite = "timm";
    document.options.dtype = "float32";
    document.device = "cpu";
    document.torchVersion = "9.9";
    document.options.implementations = {"eager", "jit"};
    document.items = {operatorOf("aten.slower.default", {2.0, 2.0, 3.0}),
                      operatorOf("aten.faster.Tensor", {0.5}),
                      operatorOf("aten.broken.out", {0.0})};
    document.items[2].parts[0] = sampleOf(0, 0.0, 0.0);
    return document;
}

ResultDocument modulesOf(const QString& trace) {
    const auto runner = [](const char* name, double ms) {
        BenchItem result;
        result.name = name;
        std::vector<double> forward;
        std::vector<double> backward;
        for (int i = 0; i < 20; ++i) {
            forward.push_back(ms + 0.001 * i);
            backward.push_back(2.0 * ms + 0.001 * i);
        }
        result.series = {test::directionOf("forward", forward),
                         test::directionOf("backward", backward)};
        return result;
    };
    ResultDocument document(ResultKind::Modules);
    document.created = "2026-01-02T03:04:05Z";
    document.device = "cpu";
    document.torchVersion = "9.9";
    BenchItem lost = runner("py", 1.0);
    lost.series.clear();
    lost.reason = "it fell over";
    document.items = {
        test::groupOf("lstm", "LSTM", {runner("cudnn", 4.0), runner("jit", 2.0), lost}),
        test::groupOf("resnet", "ResNet", {runner("resnet18", 50.0)})};
    document.items[0].parts[1].profile = RunnerProfile{trace.toStdString(), 1, 2.0, {}, {}};
    return document;
}

}  // namespace

class TorchBenchTest final : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    struct Shown {
        Settings settings{Settings::InMemory{}};
        MainWindow window{settings};
        QString panel;

        explicit Shown(const char* name) : panel(QString::fromLatin1(name)) {
            window.resize(1600, 1000);
            window.show();
            window.docks().showPanel(panel);
        }
        template <class T>
        T* part(const char* name) {
            return window.docks().panel(panel)->findChild<T*>(QString::fromLatin1(name));
        }
        QTableView* view(const char* name) { return part<QTableView>(name); }
        QString cell(const char* name, int row, int column) {
            return view(name)->model()->index(row, column).data().toString();
        }
        /// Of a table of results, by the column's key.
        QString cell(const char* name, int row, const char* key) {
            const auto* model = qobject_cast<const ResultModel*>(view(name)->model());
            return cell(name, row, model->columnOf(key));
        }
        void click(const char* button) {
            QTest::mouseClick(part<QPushButton>(button), Qt::LeftButton);
        }
        MessageBar* errors() { return window.docks().panel(panel)->findChild<MessageBar*>(); }
        bool idle() {
            return waitFor([&] { return part<QPushButton>("run")->isVisible(); });
        }
    };

    QString log() {
        QFile file(m_folder.filePath("log"));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).trimmed()
                                              : QString();
    }

    // What the stand-in for kscope says; "WAIT" lines take until go() is called.
    void speak(const std::vector<std::string>& lines) {
        QFile file(m_folder.filePath("lines"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (const std::string& line : lines) {
            file.write(line.c_str());
            file.write("\n");
        }
        qputenv("FAKE_LINES", file.fileName().toUtf8());
        qputenv("FAKE_WAIT", m_folder.filePath("go").toUtf8());
    }
    void go() {
        QFile file(m_folder.filePath("go"));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }

    // The plan, the first operator whole, then a wait in the second.
    std::vector<std::string> operatorLines() {
        ResultDocument whole = operatorsOf();
        for (std::size_t i = 0; i < whole.items.size(); ++i) {
            whole.items[i].done = true;
            for (BenchItem& sample : whole.items[i].parts) {
                sample.reason = i == 2 ? "it crashed" : "";
            }
        }
        ResultDocument plan = whole;
        for (BenchItem& one : plan.items) {
            one.done = false;
            for (BenchItem& sample : one.parts) {
                sample.series.clear();
                sample.reason.clear();
            }
        }
        std::vector<std::string> lines{planLine(plan)};
        for (std::size_t i = 0; i < whole.items.size(); ++i) {
            const BenchItem& one = whole.items[i];
            lines.push_back(startLine(i));
            if (i == 1) {
                lines.emplace_back("WAIT");
            }
            for (std::size_t at = 0; at < one.parts.size(); ++at) {
                lines.push_back(partLine(i, at, one.parts[at]));
            }
            lines.push_back(itemLine(whole, i));
        }
        return lines;
    }

    // A product of a trace: as it was there, and in another type.
    static std::vector<std::string> tracedLines() {
        ResultDocument document(ResultKind::Operators);
        document.created = "2026-01-02T03:04:05Z";
        document.options.dtype = "recorded";
        document.device = "cuda";
        document.options.implementations = {"eager"};
        document.trace = TraceOrigin{"trace.json", "GPU", 9000.0, {}};
        BenchItem product = operatorOf("aten.mm.default", {1.0, 1.0});
        product.done = true;
        for (BenchItem& sample : product.parts) {
            sample.series.resize(1);
            sample.series[0].repeatsNs = {2000.0};
            sample.series[0].kernels = {{"gemm", 1800.0}};
        }
        product.parts[0].traced = TracedCall{3000.0, 9000.0, {{"gemm", 3000.0}}, {}};
        product.parts[1].recast = "f16";
        document.items = {product};
        return {planLine(document), startLine(0), itemLine(document, 0)};
    }

private slots:
    void initTestCase() {
        applyTheme(ThemeChoice::Light);
        qputenv("KINETOSCOPE_KSCOPE", kWorker);
        qputenv("FAKE_LOG", m_folder.filePath("log").toUtf8());
        qputenv("KINETOSCOPE_RESULTS", m_folder.filePath("results").toUtf8());
    }
    void init() {
        failOnQtWarnings();
        for (const char* name : {"log", "lines", "go"}) {
            QFile::remove(m_folder.filePath(name));
        }
        for (const char* name : {"FAKE_WAIT", "FAKE_CODE", "FAKE_ERROR", "FAKE_LINES"}) {
            qunsetenv(name);
        }
    }

    void operatorsFillWhileTheyRun() {
        Shown shown("operator-bench");
        auto* chart = shown.part<OperatorSpeedupChart>("operatorChart");
        QVERIFY(!chart->hint().isEmpty());
        speak(operatorLines());
        shown.part<QComboBox>("suite")->setCurrentText("timm");
        shown.part<QComboBox>("op")->setEditText("aten.add.Tensor");
        shown.part<QComboBox>("device")->setCurrentText("cpu");
        shown.click("run");
        QVERIFY(waitFor([&] { return chart->order().size() == 1; }));
        QCOMPARE(log(),
                 QString("bench operators --stream --suite timm --op aten.add.Tensor --dtype "
                         "float32 --max-samples 15 --device cpu"));
        QVERIFY(shown.part<QPushButton>("stop")->isVisible());
        auto* progress = shown.part<QProgressBar>("progress");
        QVERIFY(waitFor([&] { return progress->value() == 1; }));
        QCOMPARE(progress->maximum(), 3);
        QVERIFY(waitFor([&] { return shown.cell("speedups", 1, "state") == "running"; }));
        QCOMPARE(shown.cell("speedups", 0, "state"), QString("measured"));
        QCOMPARE(shown.cell("speedups", 2, "state"), QString());
        go();
        QVERIFY(shown.idle());
        // The slower one is left of the faster one; the broken one has no range.
        QCOMPARE(chart->order(), (std::vector<int>{1, 0}));
        QCOMPARE(shown.cell("speedups", 2, "state"), QString("1 not run: it crashed"));
        QCOMPARE(shown.cell("speedups", 0, "eager_ns"), QString("12.00"));
        QCOMPARE(shown.cell("speedups", 0, "jit_q20"), QString("2.00"));
        QCOMPARE(shown.cell("speedups", 0, "jit_q80"), QString("2.60"));
        QVERIFY(shown.part<QWidget>("facts")->isVisible());
        QVERIFY(!shown.errors()->isVisible());
    }

    void rangesAreDrawnAndAClickShowsSamples() {
        Shown shown("operator-bench");
        speak(operatorLines());
        go();
        shown.click("run");
        auto* chart = shown.part<OperatorSpeedupChart>("operatorChart");
        QVERIFY(waitFor([&] { return chart->order().size() == 2; }));
        QVERIFY(shown.idle());
        QTest::qWait(50);
        // On the logarithmic axis 0.5, 1 and 2 are equally far apart.
        const QRectF slow = chart->rangeRect(1, "jit");
        const QRectF fast = chart->rangeRect(0, "jit");
        const double rule = chart->yAxis->coordToPixel(1.0);
        QVERIFY(slow.top() > rule && fast.bottom() < rule);
        QVERIFY(std::abs((slow.top() - rule) - (rule - fast.bottom())) < 1.5);
        const QImage picture = chart->grab().toImage();
        const QPoint median(static_cast<int>(fast.center().x()),
                            static_cast<int>(chart->yAxis->coordToPixel(2.0)));
        QCOMPARE(picture.pixelColor(median), chart->colorOf("jit"));
        const QColor inside = picture.pixelColor(fast.center().toPoint());
        QVERIFY(inside != picture.pixelColor(QPoint(median.x(), static_cast<int>(slow.top()))));

        QTest::mouseClick(chart, Qt::LeftButton, {}, fast.center().toPoint());
        auto* samples = shown.view("samples");
        QCOMPARE(samples->model()->rowCount(), 3);
        QCOMPARE(shown.cell("samples", 2, "input"), QString("T([8, 16], f32)"));
        QCOMPARE(shown.cell("samples", 2, "eager_ns"), QString("12.00"));
        QCOMPARE(shown.cell("samples", 2, "jit_ns"), QString("4.00"));
        QCOMPARE(shown.cell("samples", 2, "jit_speedup"), QString("3.00"));
        QCOMPARE(shown.part<ElidedLabel>("operatorTitle")->text(),
                 QString("aten.slower.default   jit 2.00 (2.00 – 2.60)"));
        // The table follows, and leads to the other one.
        auto* table = shown.view("speedups");
        QCOMPARE(table->currentIndex().row(), 0);
        qobject_cast<QTabWidget*>(table->parentWidget()->parentWidget())->setCurrentWidget(table);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(2, 0)).center());
        QCOMPARE(samples->model()->rowCount(), 1);
        QCOMPARE(shown.cell("samples", 0, "state"), QString("it crashed"));
    }

    void accuracyHasItsColumns() {
        ResultDocument document = operatorsOf();
        document.options.accuracyChecking = true;
        auto& jit = document.items[1].parts[0].series[1];
        jit.accuracy = Accuracy{.cosine = 0.5, .maxAbsolute = 7.25, .same = false};
        const ResultStore store(ResultStore::defaultFolder());
        const auto id = store.saveText(document.created, resultJson(document));
        QVERIFY(id.has_value());
        Shown shown("operator-bench");
        // By the menu of saved results.
        auto* menu = shown.part<QToolButton>("results")->menu();
        emit menu->aboutToShow();
        QCOMPARE(menu->actions().size(), 1);
        QVERIFY(menu->actions().first()->text().startsWith(QString::fromStdString(*id)));
        menu->actions().first()->trigger();
        auto* chart = shown.part<OperatorSpeedupChart>("operatorChart");
        QTest::qWait(50);
        QTest::mouseClick(chart, Qt::LeftButton, {},
                          chart->rangeRect(1, "jit").center().toPoint() + QPoint(0, 12));
        QCOMPARE(shown.cell("samples", 0, "jit_cosine"), QString("0.500000"));
        QCOMPARE(shown.cell("samples", 0, "jit_max_abs"), QString("7.25"));
        QCOMPARE(shown.cell("samples", 0, "state"), QString("jit differs from eager"));
        QVERIFY(store.remove(*id).has_value());
    }

    void ratiosOfTheAxisKeepTheirDistance() {
        ResultDocument document;
        document.options.implementations = {"eager", "jit"};
        document.items = {operatorOf("aten.add.Tensor", {1.04}),
                          operatorOf("aten.mm.default", {0.7})};
        OperatorSpeedupChart chart;
        chart.setDocument(&document);
        std::vector<qsizetype> counts;
        for (const int height : {130, 600}) {
            chart.resize(500, height);
            chart.show();
            QTest::qWait(50);
            const QVector<double> ticks = chart.yAxis->tickVector();
            counts.push_back(ticks.size());
            QVERIFY(ticks.contains(1.0));
            for (qsizetype at = 1; at < ticks.size(); ++at) {
                const double gap =
                    chart.yAxis->coordToPixel(ticks[at - 1]) - chart.yAxis->coordToPixel(ticks[at]);
                QVERIFY2(gap >= chart.fontMetrics().ascent(), qPrintable(QString::number(gap)));
            }
        }
        QVERIFY(counts[0] >= 2);
        QVERIFY(counts[1] > counts[0]);
    }

    // From its row and from Details; what is measured stands beside the trace's time.
    void anOperatorOfATraceIsBenched() {
        Shown shown("operators");
        shown.window.openFiles({samplePath()});
        QTRY_VERIFY(shown.view("operators")->model()->rowCount() > 0);
        int row = 0;
        while (shown.cell("operators", row, OperatorTableModel::Name) != "aten::mm") {
            QVERIFY(++row < shown.view("operators")->model()->rowCount());
        }
        shown.view("operators")->selectRow(row);
        const auto bench = [&](const char* panel) {
            auto* action = shown.window.docks()
                               .panel(QString::fromLatin1(panel))
                               ->findChild<QAction*>(QStringLiteral("benchOperator"));
            QVERIFY(action != nullptr);
            action->trigger();
        };
        speak(tracedLines());
        go();
        bench("operators");
        shown.panel = QStringLiteral("operator-bench");
        QTRY_COMPARE(shown.view("samples")->model()->rowCount(), 2);
        QVERIFY(shown.idle());
        QVERIFY(shown.part<QWidget>("samples")->isVisible());
        const auto trace = shown.window.session().current()->trace;
        const QString prefix =
            QStringLiteral("bench operators --stream --from %1 --event ").arg(samplePath());
        const auto namedAt = [&](const QString& line) {
            const auto offset = line.mid(prefix.size()).toULongLong();
            for (trace::SliceId slice = 0; slice < trace->sliceCount(); ++slice) {
                if (trace->offset(slice) == offset) {
                    return std::string(trace->name(slice));
                }
            }
            return std::string();
        };
        QVERIFY2(log().startsWith(prefix), qPrintable(log()));
        QCOMPARE(namedAt(log()), std::string("aten::mm"));
        const auto cell = [&](int at, const char* key) { return shown.cell("samples", at, key); };
        QCOMPARE(cell(0, "trace_ns"), QString("3.00"));
        QCOMPARE(cell(0, "eager_ns"), QString("2.00"));
        QCOMPARE(cell(0, "kernels_ns"), QString("1.80"));
        QCOMPARE(cell(0, "trace_ratio"), QString("1.50"));
        QCOMPARE(shown.cell("samples", 0, "state"), QString("longer in the trace; same kernels"));
        QCOMPARE(cell(1, "trace_ns"), QString());
        // Another one, from what is selected.
        trace::SliceId other = 0;
        while (trace->name(other) != "aten::addmm") {
            ++other;
        }
        shown.window.session().view().select(other);
        bench("details");
        QTRY_COMPARE(log().count(QLatin1Char('\n')), 1);
        QCOMPARE(namedAt(log().section(QLatin1Char('\n'), 1)), std::string("aten::addmm"));
        QVERIFY(shown.idle());
    }

    void stopEndsTheRunAndKeepsWhatIsThere() {
        Shown shown("operator-bench");
        speak(operatorLines());
        shown.click("run");
        auto* chart = shown.part<OperatorSpeedupChart>("operatorChart");
        QVERIFY(waitFor([&] { return chart->order().size() == 1; }));
        shown.click("stop");
        QVERIFY(shown.idle());
        QVERIFY(!shown.errors()->isVisible());
        QCOMPARE(chart->order().size(), 1U);
        QCOMPARE(shown.cell("speedups", 1, "state"), QString());
    }

    void missingPyTorchIsSaid() {
        for (const char* panel : {"operator-bench", "module-bench"}) {
            Shown shown(panel);
            qputenv("FAKE_CODE", "2");
            qputenv("FAKE_ERROR", "kscope-torch is not there: docs/operators.md tells how");
            speak({});
            shown.click("run");
            QVERIFY(waitFor([&] { return shown.errors()->isVisible(); }));
            QVERIFY(shown.errors()->text().contains("docs/operators.md"));
            QVERIFY(shown.idle());
        }
    }

    void suitesOfferTheirOperators() {
        Shown shown("operator-bench");
        auto* op = shown.part<QComboBox>("op");
        QVERIFY(op->findText("aten.add.Tensor") > 0);
        QCOMPARE(op->currentText(), QString("all"));
        QVERIFY(op->findText("aten.hardswish_.default") < 0);
        shown.part<QComboBox>("suite")->setCurrentText("timm");
        QVERIFY(op->findText("aten.hardswish_.default") > 0);
    }

    void modulesFillAndLeadToTheirTraces() {
        Shown shown("module-bench");
        const QString trace = samplePath();
        const ResultDocument whole = modulesOf(trace);
        ResultDocument plan = whole;
        for (BenchItem& group : plan.items) {
            for (BenchItem& one : group.parts) {
                BenchItem empty;
                empty.name = one.name;
                one = empty;
            }
        }
        std::vector<std::string> lines{planLine(plan)};
        lines.push_back(deviceLine(whole));
        std::size_t item = 0;
        for (const BenchItem& group : whole.items) {
            for (const BenchItem& one : group.parts) {
                lines.push_back(startLine(item));
                if (one.name == "py") {
                    lines.emplace_back("WAIT");
                }
                lines.push_back(itemLine(whole, item++));
            }
        }
        speak(lines);
        shown.part<QComboBox>("group")->setCurrentIndex(1);
        emit shown.part<QComboBox>("group")->activated(1);
        shown.part<QComboBox>("runner")->setCurrentText("jit_premul");
        shown.click("run");
        QVERIFY(waitFor([&] { return shown.cell("modules", 2, "state") == "running"; }));
        QCOMPARE(log(), QString("bench modules --stream --nloops 100 --group rnns --rnns "
                                "jit_premul"));
        QCOMPARE(shown.part<QProgressBar>("progress")->value(), 2);
        QCOMPARE(shown.part<QProgressBar>("progress")->maximum(), 4);
        QCOMPARE(shown.cell("modules", 1, "forward_ms"), QString("2.010"));
        QCOMPARE(shown.cell("modules", 1, "forward_verdict"), QString("FASTER"));
        go();
        QVERIFY(shown.idle());
        QCOMPARE(shown.cell("modules", 2, "state"), QString("it fell over"));
        // Bars of the selected group, to scale, the faster one green.
        auto* forward = shown.part<BarPlot>("forward");
        auto* backward = shown.part<BarPlot>("backward");
        QCOMPARE(forward->title(), QString("LSTM forward, ms"));
        QCOMPARE(forward->bars().size(), 3U);
        QVERIFY(!forward->bars()[2].value.has_value());
        const QRectF slow = backward->barRect(0);
        const QRectF fast = backward->barRect(1);
        QVERIFY(std::abs(slow.width() / fast.width() - 2.0) < 0.02);
        QCOMPARE(backward->grab().toImage().pixelColor(fast.center().toPoint()),
                 Theme::current().good());
        const auto [low, high] = forward->whiskerEnds(0);
        QVERIFY(low < forward->barRect(0).right() + 0.01 && high > forward->barRect(0).right());
        // A click on a bar selects its row, the button opens its trace.
        auto* open = shown.part<QPushButton>("openTrace");
        QVERIFY(!open->isEnabled());
        auto* canvas = forward->findChild<QWidget*>();
        QTest::mouseClick(canvas, Qt::LeftButton, {},
                          canvas->mapFrom(forward, forward->barRect(1).center().toPoint()));
        QCOMPARE(shown.view("modules")->currentIndex().row(), 1);
        QVERIFY(open->isEnabled());
        QTest::mouseClick(open, Qt::LeftButton);
        QVERIFY(waitFor([&] { return shown.window.session().indexOf(trace) >= 0; }));
        // The other group has bars of its own.
        shown.window.docks().showPanel("module-bench");
        shown.view("modules")->selectRow(3);
        QCOMPARE(forward->title(), QString("ResNet forward, ms"));
        QCOMPARE(forward->bars().size(), 1U);
    }

    void resultFilesOpenInTheirPanels() {
        const QString operators = m_folder.filePath("a.json");
        const QString modules = m_folder.filePath("b.json");
        for (const auto& [path, text] : {std::pair{operators, resultJson(operatorsOf())},
                                         std::pair{modules, resultJson(modulesOf("gone.json"))}}) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text.c_str());
        }
        Shown shown("summary");
        shown.window.openFiles({operators});
        QVERIFY(!shown.window.docks().panel("operator-bench")->visibleRegion().isEmpty());
        shown.panel = "operator-bench";
        QCOMPARE(shown.view("speedups")->model()->rowCount(), 3);
        shown.window.openFiles({modules});
        shown.panel = "module-bench";
        QVERIFY(!shown.window.docks().panel("module-bench")->visibleRegion().isEmpty());
        QCOMPARE(shown.view("modules")->model()->rowCount(), 4);
        // A trace that was deleted since.
        auto* table = shown.view("modules");
        const auto* model = qobject_cast<const ResultModel*>(table->model());
        QTest::mouseClick(
            table->viewport(), Qt::LeftButton, {},
            table->visualRect(table->model()->index(1, model->columnOf("trace"))).center());
        QVERIFY(shown.errors()->text().contains("gone.json"));
    }
};

QTEST_MAIN(TorchBenchTest)
#include "TorchBenchTest.moc"
