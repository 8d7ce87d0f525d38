// SPDX-License-Identifier: GPL-3.0-or-later
// What a person comes for, each in at most three actions, counted: a click, a key, a drag, a text
// that is typed. At two sizes of the window; once more on a screen of twice the density.
#include <QCheckBox>
#include <QPushButton>
#include <QTemporaryDir>
#include <QToolButton>
#include "tests/Patience.h"

#include "core/text/Format.h"
#include "tests/widgets/TaskDesk.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/models/CompareModel.h"
#include "widgets/models/IdleModels.h"
#include "widgets/models/ImportLogModel.h"
#include "widgets/models/KernelTableModel.h"
#include "widgets/models/OperatorTableModel.h"
#include "widgets/panels/find/FigureLine.h"
#include "widgets/style/WindowStyle.h"
#include "widgets/timeline/SelectionChip.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::models;
using namespace kinetoscope::panels;
using namespace kinetoscope::session;
using namespace kinetoscope::style;
using namespace kinetoscope::timeline;
using namespace kinetoscope::trace;

namespace {

const QString kWithModules =
    QStringLiteral(KINETOSCOPE_SOURCE_DIR "/tests/data/traces/lstm_fwd_bwd.json.gz");

SliceId longestKernel(const Trace& trace) {
    SliceId longest = kNoSlice;
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (trace.category(slice) == Category::Kernel &&
            (longest == kNoSlice || trace.duration(slice) > trace.duration(longest))) {
            longest = slice;
        }
    }
    return longest;
}

}  // namespace

class TasksTest final : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

private slots:
    void initTestCase_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1280x800") << QSize(1280, 800);
        QTest::newRow("1600x1000") << QSize(1600, 1000);
    }
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init() { failOnQtWarnings(); }

    void firstStart() {
        Desk desk;
        QPushButton* sample = nullptr;
        for (auto* button : desk.window.findChildren<QPushButton*>()) {
            sample = button->text().contains("sample") ? button : sample;
        }
        QVERIFY(sample != nullptr);
        desk.act.click(*sample);
        QVERIFY(desk.ready());
        QVERIFY(desk.figures().contains("13.25 %"));
        QVERIFY(desk.timeline().isVisible());
        QVERIFY(desk.act.count() <= kMaxActions);
    }

    void longestKernelAndWhoLaunchedIt() {
        Desk desk({samplePath()});
        QVERIFY(desk.ready());
        auto& kernels = desk.part<DataTable>("kernels", "kernels");
        QVERIFY(!kernels.viewport()->visibleRegion().isEmpty());
        desk.act.clickHeader(kernels, KernelTableModel::Max);
        kernels.scrollTo(kernels.model()->index(0, KernelTableModel::Name));
        desk.act.doubleClick(kernels, 0, KernelTableModel::Name);
        const SliceId longest = longestKernel(desk.trace());
        QCOMPARE(desk.trace().duration(desk.selected()), desk.trace().duration(longest));
        QVERIFY(desk.isInView(desk.selected()));
        QVERIFY(desk.detail("Launched by").startsWith("cudaLaunchKernel"));
        QVERIFY(desk.detail("Operator").contains("aten::"));
        QVERIFY(desk.act.count() <= kMaxActions);
    }

    void longestKernelsModuleAndLine() {
        Desk desk({kWithModules});
        QVERIFY(desk.ready());
        auto& kernels = desk.part<DataTable>("kernels", "kernels");
        desk.act.clickHeader(kernels, KernelTableModel::Max);
        kernels.scrollTo(kernels.model()->index(0, KernelTableModel::Name));
        desk.act.doubleClick(kernels, 0, KernelTableModel::Name);
        QCOMPARE(desk.trace().duration(desk.selected()),
                 desk.trace().duration(longestKernel(desk.trace())));
        QVERIFY(desk.detail("Module").startsWith("nn.Module: LSTM_0"));
        QVERIFY(desk.detail("Python line").startsWith("traces.py(56): run"));
        // The way into the program stands before the launch's sizes, and leads there.
        const int line = desk.detailRow("Python line");
        QVERIFY(line < desk.detailRow("Grid"));
        auto& details = desk.part<DataTable>("details");
        details.scrollTo(details.model()->index(line, DetailsModel::Value));
        desk.act.click(details, line, DetailsModel::Value);
        QCOMPARE(desk.trace().name(desk.selected()), std::string_view("traces.py(56): run"));
        QVERIFY(desk.isInView(desk.selected()));
        QVERIFY(desk.act.count() <= kMaxActions);
    }

    void longestGapAndWhy() {
        Desk desk({samplePath()});
        QVERIFY(desk.ready());
        desk.act.key(desk.window, Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(desk.ready());
        auto& gaps = desk.part<DataTable>("idle", "gaps");
        desk.act.click(gaps, 0, IdleGapModel::Start);
        // Independently: the longest time in which none of the GPU's operations runs.
        std::vector<TimeSpan> spans;
        for (const GpuOperation& operation : desk.trace().gpuOperations()) {
            spans.push_back(desk.trace().span(operation.slice));
        }
        std::ranges::sort(spans, {}, &TimeSpan::start);
        TimeSpan longest;
        TimeNs end = spans.front().end;
        for (const TimeSpan span : spans) {
            if (span.start - end > longest.duration()) {
                longest = {end, span.start};
            }
            end = std::max(end, span.end);
        }
        const double length =
            desk.text("idle", "gaps", 0, IdleGapModel::Length).remove(QLatin1Char(',')).toDouble();
        QVERIFY(std::abs(length * 1e3 - static_cast<double>(longest.duration())) < 1.0);
        QVERIFY(!desk.text("idle", "gaps", 0, IdleGapModel::Reason).isEmpty());
        QVERIFY(!desk.text("idle", "gaps", 0, IdleGapModel::Host).isEmpty());
        const TimeSpan visible = desk.window.view().visible();
        QVERIFY(visible.start <= longest.start && longest.end <= visible.end);
        QVERIFY(desk.act.count() <= kMaxActions);
    }

    void figuresOfARangeAndBack() {
        Desk desk({samplePath()});
        QVERIFY(desk.ready());
        const QString before = desk.figures();
        const TimeSpan visible = desk.window.view().visible();
        const QRect area = desk.timeline().timeArea();
        const int y = area.bottom() - 4;
        desk.act.drag(desk.timeline(), {area.left() + area.width() / 3, y},
                      {area.left() + area.width() / 2, y}, Qt::ShiftModifier);
        QVERIFY(desk.ready());
        QVERIFY(desk.window.view().selectedRange().has_value());
        QVERIFY(desk.figures() != before);
        SelectionChip* chip = nullptr;
        for (auto* one : desk.window.findChildren<SelectionChip*>()) {
            chip = one->isVisible() ? one : chip;
        }
        QVERIFY(chip != nullptr && chip->text().contains("selected"));
        desk.act.click(*chip->findChild<QToolButton*>("endSelection"));
        QVERIFY(desk.ready());
        QCOMPARE(desk.figures(), before);
        QCOMPARE(desk.window.view().visible(), visible);
        QVERIFY(desk.act.count() <= kMaxActions);
    }

    void findCountAndSum() {
        Desk desk({samplePath()});
        QVERIFY(desk.ready());
        desk.act.key(desk.window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        desk.act.type("/nvjet|gemm/");
        QVERIFY(waitFor(
            [&] { return desk.window.session().find().result() && !desk.window.docks().busy(); }));
        std::uint64_t count = 0;
        TimeNs sum = 0;
        for (SliceId slice = 0; slice < desk.trace().sliceCount(); ++slice) {
            const QString name =
                QString::fromUtf8(desk.trace().name(slice).data(),
                                  static_cast<qsizetype>(desk.trace().name(slice).size()))
                    .toLower();
            if (name.contains("nvjet") || name.contains("gemm")) {
                ++count;
                sum += desk.trace().duration(slice);
            }
        }
        QVERIFY(count > 0);
        auto& figures = desk.part<FigureLine>("find", "figures");
        QVERIFY(!figures.visibleRegion().isEmpty());
        const QString said = figures.text().replace(QChar(0x00a0), QLatin1Char(' '));
        const auto shown = [](TimeNs ns) {
            return QString::fromStdString(text::formatDuration(ns));
        };
        QVERIFY2(said.startsWith(QStringLiteral("%1 found   sum %2   mean %3")
                                     .arg(QString::number(count), shown(sum),
                                          shown(std::llround(static_cast<double>(sum) /
                                                             static_cast<double>(count))))),
                 qPrintable(said));
        QVERIFY(desk.act.count() <= kMaxActions);
    }

    void costliestOperatorByShape() {
        Desk desk({samplePath()});
        QVERIFY(desk.ready());
        desk.act.key(desk.window, Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(desk.ready());
        desk.act.click(desk.part<QCheckBox>("operators", "byShape"));
        QVERIFY(desk.ready());
        auto& operators = desk.part<DataTable>("operators", "operators");
        QVERIFY(waitFor([&] { return !operators.isColumnHidden(OperatorTableModel::Shapes); }));
        desk.act.clickHeader(operators, OperatorTableModel::SelfGpu);
        const auto selfGpu = [&](int row) {
            return desk.text("operators", "operators", row, OperatorTableModel::SelfGpu)
                .remove(QLatin1Char(','))
                .toDouble();
        };
        QVERIFY(selfGpu(0) > 0.0);
        for (int row = 1; row < operators.model()->rowCount(); ++row) {
            QVERIFY(selfGpu(row) <= selfGpu(0));
        }
        QVERIFY(
            desk.text("operators", "operators", 0, OperatorTableModel::Name).contains("aten::"));
        QVERIFY(desk.text("operators", "operators", 0, OperatorTableModel::Shapes).startsWith('['));
        QVERIFY(desk.act.count() <= kMaxActions);
    }

    void whatChangedBetweenTwoRuns() {
        const auto run = [this](const char* name, int duration) {
            QFile file(m_folder.filePath(QString::fromLatin1(name)));
            const QByteArray kernel =
                "{'ph':'X','cat':'kernel','name':'%1','pid':0,'tid':7,'ts':%2,'dur':%3,"
                "'args':{'device':0,'stream':7}},";
            const auto one = [&kernel](const char* what, int start, int length) {
                return QString::fromLatin1(kernel)
                    .arg(QLatin1String(what))
                    .arg(start)
                    .arg(length)
                    .replace(QLatin1Char('\''), QLatin1Char('"'))
                    .toUtf8();
            };
            QByteArray text = "[";
            for (int i = 0; i < 12; ++i) {
                text += one("same", i * 100, 10) + one("slower", i * 100 + 20, duration);
            }
            text.chop(1);
            return file.open(QIODevice::WriteOnly) && file.write(text + "]") > 0 ? file.fileName()
                                                                                 : QString();
        };
        Desk desk({run("before.json", 10), run("after.json", 20)});
        QVERIFY(waitFor([&] { return desk.window.session().runs().size() == 2; }));
        QVERIFY(desk.ready());
        desk.act.key(desk.window, Qt::Key_R, Qt::ControlModifier);
        desk.act.click(desk.part<QPushButton>("runs", "compare"));
        QVERIFY(waitFor([&] { return desk.window.session().compare().shown() != nullptr; }));
        auto& changes = desk.part<DataTable>("compare", "changes");
        QTRY_VERIFY(!changes.viewport()->visibleRegion().isEmpty());
        QCOMPARE(desk.text("compare", "changes", 0, CompareModel::Name), QString("slower"));
        QCOMPARE(desk.text("compare", "changes", 0, CompareModel::VerdictColumn),
                 QString("SLOWER"));
        desk.act.click(changes, 0, CompareModel::Name);
        QCOMPARE(desk.window.session().compare().selectedKernel() >= 0, true);
        QVERIFY(desk.act.count() <= kMaxActions);
    }

    void errorsSayWhatAndWhere() {
        QFile broken(m_folder.filePath("broken.json"));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write(QByteArray("[{'ph':'X','cat':'kernel','name':'whole','pid':0,'tid':7,'ts':1,"
                                "'dur':9},\n{'ph':'X','cat':'kernel','name':'cut")
                         .replace('\'', '"'));
        broken.close();
        Desk desk;
        desk.window.openFiles({m_folder.filePath("missing.json")});
        QTRY_VERIFY(desk.window.errorBar().text().contains("missing.json"));
        answerFileDialog(broken.fileName());
        desk.act.key(desk.window, Qt::Key_O, Qt::ControlModifier);
        QVERIFY(waitFor([&] { return desk.window.view().trace() != nullptr; }));
        QVERIFY(desk.window.lossBar().isVisible());
        QVERIFY(desk.window.lossBar().text().contains("could not be read"));
        for (auto* button : desk.window.lossBar().findChildren<QToolButton*>()) {
            if (button->text().contains("log")) {
                desk.act.click(*button);
            }
        }
        auto& log = desk.part<DataTable>("log");
        QTRY_VERIFY(!log.viewport()->visibleRegion().isEmpty());
        QVERIFY(log.model()->rowCount() > 0);
        QVERIFY(!log.model()->index(0, ImportLogModel::Offset).data().toString().isEmpty());
        QVERIFY(desk.act.count() <= kMaxActions);
    }

    void howLongAKernelTakesAndWhereTheSlowOnesAre() {
        Desk desk({samplePath()});
        QVERIFY(desk.ready());
        desk.act.click(desk.part<DataTable>("kernels", "kernels"), 0, KernelTableModel::Name);
        desk.act.key(desk.window, Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(desk.ready());
        const auto& durations = desk.window.session().durations();
        QVERIFY(durations.result() != nullptr);
        const NameId name = *desk.window.view().highlightedName();
        std::size_t count = 0;
        for (SliceId slice = 0; slice < desk.trace().sliceCount(); ++slice) {
            count += desk.trace().nameId(slice) == name ? 1U : 0U;
        }
        QVERIFY(count > 0);
        QCOMPARE(durations.result()->slices->size(), count);
        QVERIFY(!desk.part<FigureLine>("durations", "figures").visibleRegion().isEmpty());
        QVERIFY(desk.act.count() <= kMaxActions);
    }
};

QTEST_MAIN(TasksTest)
#include "TasksTest.moc"
