// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QTest>

#include "tests/widgets/WindowTestSupport.h"
#include "widgets/history/ViewHistory.h"

using namespace kinetoscope;
using namespace kinetoscope::history;
using namespace kinetoscope::session;
using namespace kinetoscope::trace;

namespace {

std::shared_ptr<const Trace> smallTrace(bool complete = true) {
    return makeTrace({{"a", 0, 100'000}, {"b", 500'000, 500'000}}, complete);
}

struct Walk {
    ViewState view;
    Session session{view};
    qint64 now = 0;
    ViewHistory history{session, [this] { return now; }};

    /// The next turn of the event loop, that many milliseconds later.
    void later(qint64 ms = 5000) {
        QCoreApplication::processEvents();
        now += ms;
    }
    void open(const char* path) {
        session.add(QString::fromLatin1(path), smallTrace());
        later();
    }
    void look(TimeNs start) {
        view.setVisible({start, start + 10'000});
        later();
    }
    TimeNs back() {
        history.goBack();
        later();
        return view.visible().start;
    }
    TimeNs forward() {
        history.goForward();
        later();
        return view.visible().start;
    }
};

}  // namespace

class ViewHistoryTest final : public QObject {
    Q_OBJECT

private slots:
    void init() { failOnQtWarnings(); }

    void viewsAreGoneThroughBothWays() {
        Walk walk;
        QVERIFY(!walk.history.canGoBack() && !walk.history.canGoForward());
        walk.history.goBack();
        walk.open("/x/one.json");
        QVERIFY(!walk.history.canGoBack());
        const TimeNs first = walk.view.visible().start;
        for (const TimeNs at : {100, 200, 300}) {
            walk.look(at * 1000);
        }
        QVERIFY(walk.history.canGoBack() && !walk.history.canGoForward());
        QCOMPARE(walk.back(), TimeNs{200'000});
        QCOMPARE(walk.back(), TimeNs{100'000});
        QCOMPARE(walk.back(), first);
        QVERIFY(!walk.history.canGoBack());
        QCOMPARE(walk.back(), first);
        QCOMPARE(walk.forward(), TimeNs{100'000});
        QCOMPARE(walk.forward(), TimeNs{200'000});
        // Something new ends what was ahead.
        walk.look(700'000);
        QVERIFY(!walk.history.canGoForward());
        QCOMPARE(walk.back(), TimeNs{200'000});
        QCOMPARE(walk.back(), TimeNs{100'000});
        QCOMPARE(walk.forward(), TimeNs{200'000});
        QCOMPARE(walk.forward(), TimeNs{700'000});
    }

    void panningWithoutAPauseIsOneStep() {
        Walk walk;
        walk.open("/x/one.json");
        walk.look(50'000);
        for (int i = 1; i <= 20; ++i) {
            walk.view.pan(1'000);
            walk.later(900);
        }
        walk.later();
        walk.look(400'000);
        QCOMPARE(walk.back(), TimeNs{70'000});
        QCOMPARE(walk.back(), TimeNs{50'000});
        QCOMPARE(walk.forward(), TimeNs{70'000});
    }

    void aPauseBeginsAnotherStep() {
        Walk walk;
        walk.open("/x/one.json");
        walk.look(50'000);
        walk.view.pan(1'000);
        walk.later(1'000);
        walk.view.pan(1'000);
        walk.later();
        QCOMPARE(walk.back(), TimeNs{51'000});
        QCOMPARE(walk.back(), TimeNs{50'000});
    }

    void aJumpIsAStepOfItsOwnHoweverSoon() {
        Walk walk;
        walk.open("/x/one.json");
        walk.look(50'000);
        walk.view.pan(1'000);
        walk.later(10);
        walk.view.reveal(2);  // moves and selects in one turn
        walk.view.select(2);
        walk.later(10);
        const TimeNs jumped = walk.view.visible().start;
        walk.view.pan(2'000);
        walk.later(10);
        QCOMPARE(walk.back(), jumped);
        QCOMPARE(walk.view.selected(), SliceId{2});
        QCOMPARE(walk.back(), TimeNs{51'000});
        QCOMPARE(walk.view.selected(), kNoSlice);
        QCOMPARE(walk.forward(), jumped);
        QCOMPARE(walk.view.selected(), SliceId{2});
    }

    void selectionsAndTheSelectedTimeComeBack() {
        Walk walk;
        walk.open("/x/one.json");
        walk.view.select(1);
        walk.later();
        for (TimeNs end = 10'000; end <= 90'000; end += 10'000) {  // dragged
            walk.view.selectRange(TimeSpan{5'000, end}, {1});
            walk.later(20);
        }
        walk.later();
        walk.view.showStep(3, {100'000, 200'000});
        walk.later();
        walk.back();
        QVERIFY((walk.view.selectedRange() == TimeSpan{5'000, 90'000}));
        QCOMPARE(walk.view.selectedTracks(), std::vector<TrackId>{1});
        walk.back();
        QVERIFY(!walk.view.isPartSelected());
        QCOMPARE(walk.view.selected(), SliceId{1});
        walk.back();
        QCOMPARE(walk.view.selected(), kNoSlice);
        QVERIFY(!walk.history.canGoBack());
        walk.forward();
        walk.forward();
        walk.forward();
        QCOMPARE(walk.view.window().step, 3);
    }

    void changingTheFileIsAStep() {
        Walk walk;
        walk.open("/x/one.json");
        walk.look(100'000);
        walk.open("/x/two.json");
        walk.look(200'000);
        walk.session.setCurrent(0);
        walk.later();
        QCOMPARE(walk.back(), TimeNs{200'000});
        QCOMPARE(walk.session.currentIndex(), 1);
        walk.back();
        QCOMPARE(walk.session.currentIndex(), 1);
        QCOMPARE(walk.back(), TimeNs{100'000});
        QCOMPARE(walk.session.currentIndex(), 0);
        walk.forward();
        walk.forward();
        QCOMPARE(walk.session.currentIndex(), 1);
        QCOMPARE(walk.view.visible().start, TimeNs{200'000});
        QCOMPARE(walk.forward(), TimeNs{100'000});
        QCOMPARE(walk.session.currentIndex(), 0);
    }

    void aClosedFileIsForgotten() {
        Walk walk;
        walk.open("/x/one.json");
        walk.look(100'000);
        walk.open("/x/two.json");
        walk.look(200'000);
        walk.session.setCurrent(0);
        walk.later();
        walk.look(300'000);
        walk.session.close(1);
        walk.later();
        QCOMPARE(walk.back(), TimeNs{100'000});
        QCOMPARE(walk.session.current()->path, QStringLiteral("/x/one.json"));
        walk.back();
        QVERIFY(!walk.history.canGoBack());
        QCOMPARE(walk.forward(), TimeNs{100'000});
        QCOMPARE(walk.forward(), TimeNs{300'000});
        QVERIFY(!walk.history.canGoForward());
        walk.session.close(0);
        walk.later();
        QVERIFY(!walk.history.canGoBack() && !walk.history.canGoForward());
        walk.history.goBack();
        walk.history.goForward();
    }

    void aMovedRunKeepsItsSteps() {
        Walk walk;
        walk.open("/tmp/recorded");
        walk.look(100'000);
        walk.look(200'000);
        walk.session.setPath(0, "/x/kept");
        walk.later();
        QCOMPARE(walk.back(), TimeNs{100'000});
    }

    void aFileReadAgainKeepsTheViewsButNoRows() {
        Walk walk;
        walk.open("/x/one.json");
        walk.look(100'000);
        walk.view.select(2);
        walk.view.selectRange(TimeSpan{5'000, 50'000}, {1});
        walk.later();
        walk.look(300'000);
        walk.open("/x/one.json");
        QCOMPARE(walk.back(), TimeNs{100'000});
        QCOMPARE(walk.view.selected(), kNoSlice);
        QVERIFY((walk.view.selectedRange() == TimeSpan{5'000, 50'000}));
        QVERIFY(walk.view.selectedTracks().empty());
    }

    void aGrowingTraceIsNoStep() {
        Walk walk;
        const auto grow = [&](TimeNs end) {
            walk.session.grow("/x/live", makeTrace({{"a", 0, 100}, {"b", 500, end}}, false));
            walk.later();
        };
        grow(100'000);
        for (TimeNs end = 200'000; end < 900'000; end += 100'000) {
            grow(end);
        }
        QVERIFY(!walk.history.canGoBack());
        walk.view.select(1);
        walk.later();
        grow(1'000'000);
        walk.look(5'000);
        walk.session.add("/x/live", makeTrace({{"a", 0, 100}, {"b", 500, 2'000'000}}));
        walk.later();
        walk.back();
        QCOMPARE(walk.view.selected(), SliceId{1});  // its rows are what they were
    }

    void aShortenedTraceKeepsTheViewsButNoSlices() {
        Walk walk;
        walk.session.grow("/x/live", smallTrace());
        walk.later();
        walk.look(5'000);
        walk.view.select(1);
        walk.later();
        walk.look(300'000);
        for (const TimeNs more : {9'000, 90'000}) {
            walk.session.grow("/x/live",
                              makeTrace({{"b", 0, 900'000}, {"c", 950'000, more}}, true, 1));
            walk.later();
        }
        QCOMPARE(walk.view.visible().start, TimeNs{300'000});
        QCOMPARE(walk.back(), TimeNs{5'000});
        QCOMPARE(walk.view.selected(), kNoSlice);
    }

    void onlySoManyAreKept() {
        Walk walk;
        walk.open("/x/one.json");
        for (TimeNs i = 1; i <= 700; ++i) {
            walk.look(1'000 * i);
        }
        std::size_t steps = 0;
        for (; walk.history.canGoBack(); ++steps) {
            walk.history.goBack();
        }
        QCOMPARE(steps, ViewHistory::kMaxEntries - 1);
    }
};

QTEST_GUILESS_MAIN(ViewHistoryTest)
#include "ViewHistoryTest.moc"
