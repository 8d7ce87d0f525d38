// SPDX-License-Identifier: GPL-3.0-or-later
// Times at the reader's limits in the window: sums of them do not fit a time, and are told in
// seconds.
#include <QWheelEvent>

#include "app/kinetoscope/PanelRegistry.h"
#include "tests/Patience.h"
#include "tests/widgets/ComparedWindow.h"
#include "tests/widgets/ShownPanel.h"
#include "tests/widgets/TimelineFixture.h"
#include "widgets/models/OperatorTableModel.h"
#include "widgets/plots/ChangeCharts.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::models;
using namespace kinetoscope::plots;

namespace {

constexpr qint64 kFirst = -2'305'843'009'212'693;  // µs: nearly the first time
constexpr qint64 kLong = 4'611'686'018'422'386;    // µs: from there to nearly the last

QByteArray slice(const char* category, const char* name, qint64 tid, qint64 at, qint64 lasts,
                 const QByteArray& arguments) {
    return R"({"ph":"X","pid":)" + QByteArray(category == std::string_view("kernel") ? "0" : "1") +
           R"(,"cat":")" + category + R"(","name":")" + name + R"(","tid":)" +
           QByteArray::number(tid) + R"(,"ts":)" + QByteArray::number(at) + R"(,"dur":)" +
           QByteArray::number(lasts) + R"(,"args":{)" + arguments + "}}";
}

/// A product whose kernels take `streams` rows from end to end.
QByteArray longTrace(int streams) {
    QByteArray events =
        slice("cpu_op", "aten::mm", 1, kFirst, kLong,
              R"("External id":1,"Input Dims":[[64,64],[64,64]],"Input type":["float","float"])");
    for (int i = 0; i < streams; ++i) {
        const QByteArray ids =
            R"("External id":1,"correlation":)" + QByteArray::number(i + 1) + ",";
        events +=
            ",\n" + slice("cuda_runtime", "cudaLaunchKernel", 1, kFirst + i, 1, ids.chopped(1));
        events += ",\n" + slice("kernel", "gemm", 7 + i, kFirst + 100, kLong - 5000,
                                ids + R"("device":0,"stream":)" + QByteArray::number(7 + i));
    }
    return R"({"deviceProperties":[{"id":0,"name":"NVIDIA H100","numSms":132}],"traceEvents":[)" +
           events + "]}";
}

struct Opened : ShownPanel {
    Opened() : ShownPanel("operators") {
        window.openFiles({writeTrace(folder, longTrace(15))});
        opened = waitFor([&] { return view().trace() != nullptr && !window.docks().busy(); });
    }
    [[nodiscard]] session::ViewState& view() { return window.view(); }
    QTemporaryDir folder;
    bool opened = false;
};

QString heading(const QAbstractItemModel& model, int column) {
    return model.headerData(column, Qt::Horizontal).toString();
}

}  // namespace

class ExtremesWindowTest final : public QObject {
    Q_OBJECT

private slots:
    void init() { failOnQtWarnings(); }

    void comparison() {
        ComparedWindow window;
        QVERIFY(window.opened);
        QStringList paths;
        window.add("shorter.json", longTrace(3), paths);
        window.add("longer.json", longTrace(15), paths);
        window.window.openFiles(paths);
        QTRY_COMPARE(window.session().runs().size(), 5U);
        QVERIFY(window.compare("shorter.json", "longer.json"));

        const QAbstractItemModel& changes = *window.changes()->model();
        QCOMPARE(heading(changes, CompareModel::BaseTime), QString("Baseline s"));
        QCOMPARE(heading(changes, CompareModel::CandidateTime), QString("Candidate s"));
        QCOMPARE(window.cell("gemm", CompareModel::CandidateTime), QString("69,175,290,276.261"));

        auto* waterfall = window.chart<WaterfallChart>();
        QCOMPARE(waterfall->xAxis->label(), QString("kernel time s"));
    }

    void operators() {
        Opened opened;
        opened.window.docks().showPanel("operators");
        auto* table = opened.part<QTableView>("operators");
        QTRY_COMPARE(heading(*table->model(), OperatorTableModel::Gpu), QString("GPU s"));
    }

    void everyPanel() {
        Opened opened;
        QVERIFY(opened.opened);
        for (const panels::PanelEntry& panel : panelTable()) {
            opened.window.docks().showPanel(QString::fromLatin1(panel.id));
            QVERIFY2(waitFor([&] { return !opened.window.docks().busy(); }), panel.id);
            QVERIFY2(!opened.window.grab().isNull(), panel.id);
        }
    }

    // As far in and out as it goes, at both ends.
    void timeline() {
        Opened opened;
        QVERIFY(opened.opened);
        auto& timeline = *opened.window.findChild<timeline::TimelineWidget*>();
        const session::ViewState& view = opened.view();
        const TimeSpan whole = view.visible();
        for (const double share : {0.25, 0.5, 0.99}) {
            const QPointF at(timeline.width() * share, timeline.height() / 2.0);
            for (const int turn : {120, -120}) {
                for (int i = 0; i < 300; ++i) {
                    QWheelEvent event(at, timeline.mapToGlobal(at), {}, {0, turn}, Qt::NoButton,
                                      Qt::ControlModifier, Qt::NoScrollPhase, false);
                    QApplication::sendEvent(&timeline, &event);
                }
                QVERIFY(!timeline.grab().isNull());
                QVERIFY(!view.visible().empty());
            }
            QVERIFY(view.visible().duration() >= whole.duration());
        }
        const QPoint middle(timeline.width() / 2, timeline.height() / 2);
        for (const int far : {1'000'000, -1'000'000}) {  // the pointer, beyond every screen
            QTest::mousePress(&timeline, Qt::LeftButton, {}, middle);
            movePointer(timeline, middle + QPoint(far, 0), Qt::LeftButton);
            QTest::mouseRelease(&timeline, Qt::LeftButton, {}, middle + QPoint(far, 0));
            QVERIFY(!timeline.grab().isNull());
            QVERIFY(view.visible().duration() >= whole.duration());
        }
        for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Right, Qt::Key_A, Qt::Key_D}) {
            for (int i = 0; i < 100; ++i) {
                QTest::keyClick(&timeline, key);
            }
            QVERIFY(!timeline.grab().isNull());
        }
    }
};

QTEST_MAIN(ExtremesWindowTest)
#include "ExtremesWindowTest.moc"
