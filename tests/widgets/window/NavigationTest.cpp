// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <algorithm>
#include <map>
#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "core/import/load/LoadTrace.h"
#include "tests/support/SampleCapture.h"
#include "tests/widgets/TimelineFixture.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/style/WindowStyle.h"
#include "widgets/timeline/TimeRuler.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::session;
using namespace kinetoscope::style;

namespace {

struct Shown {
    Settings settings{Settings::InMemory{}};
    MainWindow window{settings};

    explicit Shown(const QString& path) {
        window.resize(1600, 1000);
        window.show();
        window.openFiles({path});
    }
    bool ready() {
        const bool isOpen = waitFor([&] {
            QCoreApplication::processEvents();
            return window.session().current() && window.view().trace()->isComplete();
        });
        // What opening has changed becomes a step of its own before anything else is done.
        QCoreApplication::processEvents();
        return isOpen;
    }
    QAction& action(ActionId id) { return *window.action(id); }
    timeline::TimeRuler& ruler() {
        return qobject_cast<plots::TimelineView*>(window.timeline())->ruler();
    }
    void select(TimeSpan span) {
        const auto at = ruler().coordinates();
        const QPoint from(static_cast<int>(at.x(span.start)), 10);
        const QPoint to(static_cast<int>(at.x(span.end)), 10);
        QTest::mousePress(&ruler(), Qt::LeftButton, {}, from);
        movePointer(ruler(), (from + to) / 2, Qt::LeftButton);
        movePointer(ruler(), to, Qt::LeftButton);
        QTest::mouseRelease(&ruler(), Qt::LeftButton, {}, to);
    }
};

/// How many slices of each name and duration overlap the window.
std::map<std::pair<std::string, TimeNs>, int> slicesIn(const trace::Trace& trace, TimeSpan window) {
    std::map<std::pair<std::string, TimeNs>, int> slices;
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (window.overlaps(trace.span(slice))) {
            ++slices[{std::string(trace.name(slice)), trace.duration(slice)}];
        }
    }
    return slices;
}

}  // namespace

class NavigationTest final : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString file(const char* name, const QByteArray& text) {
        QFile file(m_folder.filePath(QString::fromLatin1(name)));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName()
                                                                                  : QString();
    }

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init() { failOnQtWarnings(); }

    void keysGoBackAndForward() {
        Shown shown(samplePath());
        QVERIFY(shown.ready());
        QVERIFY(!shown.action(ActionId::Back).isEnabled());
        const TimeSpan first = shown.window.view().visible();
        shown.window.timeline()->setFocus();
        QTest::keyClick(shown.window.timeline()->focusProxy(), Qt::Key_W);
        const TimeSpan zoomed = shown.window.view().visible();
        QVERIFY(zoomed.duration() < first.duration());
        QTRY_VERIFY(shown.action(ActionId::Back).isEnabled());
        QTest::keyClick(&shown.window, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(shown.window.view().visible(), first);
        QVERIFY(!shown.action(ActionId::Back).isEnabled());
        QVERIFY(shown.action(ActionId::Forward).isEnabled());
        QTest::keyClick(&shown.window, Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(shown.window.view().visible(), zoomed);
        QVERIFY(!shown.action(ActionId::Forward).isEnabled());
    }

    void theMousesButtonsGoBackFromAnywhere() {
        Shown shown(samplePath());
        QVERIFY(shown.ready());
        const TimeSpan first = shown.window.view().visible();
        shown.window.view().setVisible({first.start, first.start + first.duration() / 5});
        const TimeSpan zoomed = shown.window.view().visible();
        QTRY_VERIFY(shown.action(ActionId::Back).isEnabled());
        shown.window.docks().showPanel("kernels");
        auto* table = shown.window.docks().panel("kernels")->findChild<QTableView*>("kernels");
        QTest::mouseClick(table->viewport(), Qt::BackButton, {}, QPoint(20, 20));
        QCOMPARE(shown.window.view().visible(), first);
        QTest::mouseClick(shown.window.timeline()->focusProxy(), Qt::ForwardButton, {},
                          QPoint(400, 100));
        QCOMPARE(shown.window.view().visible(), zoomed);
    }

    void theSelectedTimeIsWrittenAsATrace() {
        Shown shown(samplePath());
        QVERIFY(shown.ready());
        QVERIFY(!shown.action(ActionId::SaveSelection).isEnabled());
        const TimeSpan all = shown.window.view().trace()->extent();
        shown.select({all.start + all.duration() / 4, all.start + all.duration() / 2});
        QVERIFY(shown.action(ActionId::SaveSelection).isEnabled());
        const TimeSpan window = *shown.window.view().selectedRange();
        const QString path = m_folder.filePath("part.json.gz");
        QSignalSpy ended(&shown.window.cutter(), &TraceCutter::ended);
        answerFileDialog(path);
        QTest::keyClick(&shown.window, Qt::Key_S, Qt::ControlModifier | Qt::AltModifier);
        QTRY_COMPARE(ended.size(), 1);
        QVERIFY2(shown.window.errorBar().text().isEmpty(),
                 qPrintable(shown.window.errorBar().text()));
        const auto before = slicesIn(*shown.window.view().trace(), window);
        QVERIFY(before.size() > 20);
        // It opens, with every event of that time at least.
        const auto trace = shown.window.view().trace();
        shown.window.openFiles({path});
        QTRY_VERIFY(shown.window.session().runs().size() == 2 && shown.ready());
        const trace::Trace& part = *shown.window.view().trace();
        QVERIFY(part.sliceCount() < trace->sliceCount());
        const auto after = slicesIn(part, part.extent());
        for (const auto& [slice, times] : before) {
            const auto found = after.find(slice);
            QVERIFY2(found != after.end() && found->second >= times, slice.first.c_str());
        }
    }

    void aCaptureIsWrittenAsATraceToo() {
        const QString path = m_folder.filePath("run.kscope");
        QFile capture(path);
        QVERIFY(capture.open(QIODevice::WriteOnly));
        const std::string bytes = test::sampleCapture();
        QCOMPARE(capture.write(bytes.data(), static_cast<qint64>(bytes.size())),
                 static_cast<qint64>(bytes.size()));
        capture.close();
        Shown shown(path);
        QVERIFY(shown.ready());
        const auto trace = shown.window.view().trace();
        const TimeSpan all = trace->extent();
        shown.window.view().selectRange(all);
        QSignalSpy ended(&shown.window.cutter(), &TraceCutter::ended);
        const QString part = m_folder.filePath("capture.json");
        answerFileDialog(part);
        shown.action(ActionId::SaveSelection).trigger();
        QTRY_COMPARE(ended.size(), 1);
        const auto written = import::loadTrace(part.toStdString());
        QVERIFY(written);
        const auto before = slicesIn(*trace, all);
        const auto after = slicesIn(**written, (*written)->extent());
        QVERIFY(before.size() > 3);
        for (const auto& [slice, times] : before) {
            QVERIFY2(after.contains(slice) && after.at(slice) >= times, slice.first.c_str());
        }
    }

    void whatWasMendedIsSaid() {
        const QString path = file("odd.json", R"({"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":0,"dur":10,"args":{"x":NaN}},
{"ph":"X","cat":"cpu_op","name":"b","pid":1,"tid":1,"ts":100,"dur":10}]})");
        Shown shown(path);
        QVERIFY(shown.ready());
        shown.window.view().selectRange(TimeSpan{0, 50'000});
        QSignalSpy ended(&shown.window.cutter(), &TraceCutter::ended);
        const QString part = m_folder.filePath("mended.json");
        answerFileDialog(part);
        shown.action(ActionId::SaveSelection).trigger();
        QTRY_COMPARE(ended.size(), 1);
        QVERIFY2(shown.window.errorBar().text().contains("mended.json: 1 of the events"),
                 qPrintable(shown.window.errorBar().text()));
        const auto written = import::loadTrace(part.toStdString());
        QVERIFY(written);
        QCOMPARE((*written)->sliceCount(), std::size_t{1});
    }

    void whatCannotBeWrittenIsSaid() {
        Shown shown(samplePath());
        QVERIFY(shown.ready());
        shown.window.view().selectRange(shown.window.view().trace()->extent());
        QSignalSpy ended(&shown.window.cutter(), &TraceCutter::ended);
        // Not over the input file.
        shown.window.cutter().start(shown.window.view().trace(), shown.window.view().window(),
                                    samplePath());
        QTRY_COMPARE(ended.size(), 1);
        QVERIFY(shown.window.errorBar().text().contains("is the input file"));
        answerFileDialog({});  // cancelled
        shown.action(ActionId::SaveSelection).trigger();
        QVERIFY(!shown.window.cutter().busy());
        QCOMPARE(ended.size(), 1);
    }

    void cancelEndsIt() {
        const QString path = m_folder.filePath("cancelled.json");
        Shown shown(samplePath());
        QVERIFY(shown.ready());
        auto* cancel = shown.window.findChild<QPushButton*>("cancelCut");
        QVERIFY(cancel);
        TraceCutter& cutter = shown.window.cutter();
        shown.window.view().selectRange(shown.window.view().trace()->extent());
        QSignalSpy written(&cutter, &TraceCutter::written);
        QSignalSpy ended(&cutter, &TraceCutter::ended);
        cutter.start(shown.window.view().trace(), shown.window.view().window(), path);
        QVERIFY(cutter.busy());
        cancel->click();
        QVERIFY(!cutter.busy());
        QCOMPARE(ended.size(), 1);
        QCOMPARE(written.size(), 0);
        QVERIFY(!cancel->isVisible());
    }
};

QTEST_MAIN(NavigationTest)
#include "NavigationTest.moc"
