// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "core/trace/TraceBuilder.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/session/Session.h"
#include "widgets/session/ViewState.h"

using namespace kinetoscope;
using namespace kinetoscope::analysis;
using namespace kinetoscope::session;
using namespace kinetoscope::trace;

namespace {

// 5,000 to 1,005,000: slices 1 to 4 are kernels.
std::shared_ptr<const Trace> longTrace(TimeNs first = 5'000) {
    TraceBuilder builder;
    const TrackId track = builder.track({.value = 1}, {.value = 1});
    for (const auto& [start, duration] : {std::pair<TimeNs, TimeNs>{first, 100},
                                          {5'100, 100},
                                          {400'000, 200},
                                          {500'000, 300'000},
                                          {1'004'900, 100},
                                          {600'000, 0}}) {
        builder.addSlice({.start = start,
                          .duration = duration,
                          .name = builder.name("a"),
                          .track = track,
                          .category = static_cast<CategoryId>(Category::CpuOp)});
    }
    return builder.finish();
}

/// Of which older slices were dropped so often.
std::shared_ptr<const Trace> shortTrace(TimeSpan slice, std::uint64_t drops) {
    TraceBuilder builder;
    builder.counts().drops = drops;
    builder.addSlice({.start = slice.start,
                      .duration = slice.duration(),
                      .name = builder.name("a"),
                      .track = builder.track({.value = 1}, {.value = 1}),
                      .category = static_cast<CategoryId>(Category::CpuOp)});
    return builder.finish();
}

constexpr TimeSpan kAll{5'000, 1'005'000};

/// How much of what is shown lies beyond the trace's ends.
double shareBeyond(const ViewState& view) {
    const TimeSpan shown = view.visible();
    const TimeNs inside = kAll.clip(shown).duration();
    return 1.0 - static_cast<double>(inside) / static_cast<double>(shown.duration());
}

}  // namespace

class ViewStateTest final : public QObject {
    Q_OBJECT

private slots:
    void init() { failOnQtWarnings(); }

    void theSelectedTimeIsTheWindow() {
        ViewState view;
        view.setTrace(longTrace());
        QSignalSpy window(&view, &ViewState::windowChanged);
        QSignalSpy range(&view, &ViewState::rangeChanged);
        QVERIFY(!view.selectedRange() && !view.isPartSelected());
        view.selectRange(TimeSpan{10'000, 30'000}, {3, 1});
        QVERIFY((view.window() == WindowChoice{WindowKind::Range, 0, {5'000, 25'000}}));
        QCOMPARE(view.selectedTracks(), (std::vector<TrackId>{1, 3}));
        QCOMPARE(window.size(), 1);
        QCOMPARE(range.size(), 1);
        // The same from the other side.
        view.setWindow({WindowKind::Range, 0, {1'000, 2'000}});
        QVERIFY((view.selectedRange() == TimeSpan{6'000, 7'000}));
        QVERIFY(view.selectedTracks().empty());
        view.selectRange(TimeSpan{6'000, 7'000}, {2});  // other rows alone
        QCOMPARE(window.size(), 2);
        QCOMPARE(range.size(), 3);
        view.setWindow({WindowKind::Trace, 0, {}});
        QVERIFY(!view.selectedRange());
        QVERIFY(view.selectedTracks().empty());
        view.selectRange(std::nullopt);  // there is none to end
        QVERIFY(view.window().kind == WindowKind::Trace);
    }

    void aRangeIsCutOffAtTheTracesEnds() {
        ViewState view;
        view.setTrace(longTrace());
        view.selectRange(TimeSpan{-1'000'000, 9'000'000});
        QVERIFY(view.selectedRange() == kAll);
        view.selectRange(TimeSpan{1'000'000, 9'000'000});
        QVERIFY((view.selectedRange() == TimeSpan{1'000'000, 1'005'000}));
        view.selectRange(TimeSpan{2'000'000, 9'000'000});
        QVERIFY(!view.selectedRange());
        QVERIFY(view.window() == WindowChoice());
        view.setWindow({WindowKind::Range, 0, {900'000, 5'000'000}});
        QVERIFY((view.window().range == TimeSpan{900'000, 1'000'000}));
    }

    // From nearly the first time to nearly the last.
    void theLongestTraceIsSeenAsAnyOther() {
        constexpr TimeNs kFarthest = TimeNs{1} << 61;
        ViewState view;
        view.setTrace(shortTrace({-kFarthest, kFarthest}, 0));
        view.fit();
        QVERIFY(view.visible() == view.fitSpan());
        for (const TimeNs anchor : {-kFarthest, TimeNs{0}, kFarthest}) {
            view.zoom(0.0, anchor);
            QCOMPARE(view.visible().duration(), TimeNs{20});
            view.zoom(1e30, anchor);
            QVERIFY(view.visible().duration() >= view.fitSpan().duration());
        }
        for (const TimeNs by :
             {std::numeric_limits<TimeNs>::max(), -kFarthest, std::numeric_limits<TimeNs>::min()}) {
            const TimeNs length = view.visible().duration();
            view.pan(by);
            QVERIFY(view.visible().overlaps(view.fitSpan()));
            QCOMPARE(view.visible().duration(), length);
        }
        view.selectRange(TimeSpan{-kFarthest, kFarthest});
        QVERIFY((view.selectedRange() == TimeSpan{-kFarthest, kFarthest}));
    }

    void aStepIsSelectedTimeWithANumber() {
        ViewState view;
        view.setTrace(longTrace());
        view.selectRange(TimeSpan{10'000, 30'000});
        view.showStep(7, {105'000, 205'000});
        QVERIFY(view.window().kind == WindowKind::Step);
        QCOMPARE(view.window().step, 7);
        QVERIFY((view.selectedRange() == TimeSpan{105'000, 205'000}));
        QVERIFY(view.visible().contains(105'000) && view.visible().duration() < 110'000);
        view.selectRange(std::nullopt);
        QVERIFY(view.window() == WindowChoice());
        view.setWindow({WindowKind::Step, 7, {}});  // where its time is not at hand
        QVERIFY(view.isPartSelected() && !view.selectedRange());
    }

    void aSnapshotHasAllOfIt() {
        ViewState view;
        view.setTrace(longTrace());
        view.setVisible({10'000, 50'000});
        view.select(2);
        view.selectRange(TimeSpan{10'000, 30'000}, {0});
        const ViewState::Snapshot before = view.snapshot();
        view.setTrace(longTrace());
        QVERIFY(!(view.snapshot() == before));
        QVERIFY(!view.selectedRange());
        view.restore(before);
        QVERIFY(view.snapshot() == before);
        QVERIFY((view.selectedRange() == TimeSpan{10'000, 30'000}));
        QCOMPARE(view.selectedTracks(), std::vector<TrackId>{0});
    }

    void eachFileKeepsItsOwn() {
        ViewState view;
        Session session(view);
        session.add("/x/one.json", longTrace());
        view.selectRange(TimeSpan{10'000, 30'000}, {0});
        session.add("/x/two.json", longTrace());
        QVERIFY(!view.isPartSelected());
        view.selectRange(TimeSpan{50'000, 60'000});
        session.setCurrent(0);
        QVERIFY((view.selectedRange() == TimeSpan{10'000, 30'000}));
        QCOMPARE(view.selectedTracks(), std::vector<TrackId>{0});
        session.add("/x/one.json", longTrace());  // read again: other rows, perhaps
        QVERIFY((view.selectedRange() == TimeSpan{10'000, 30'000}));
        QVERIFY(view.selectedTracks().empty());
    }

    void aGrowingTraceKeepsTheSelectedTime() {
        ViewState view;
        view.setTrace(longTrace());
        view.selectRange(TimeSpan{10'000, 30'000}, {0});
        view.growTrace(longTrace(1'000), nullptr);  // with something earlier
        QVERIFY((view.selectedRange() == TimeSpan{10'000, 30'000}));
        QVERIFY((view.window().range == TimeSpan{9'000, 29'000}));
        QCOMPARE(view.selectedTracks(), std::vector<TrackId>{0});
    }

    void aShortenedTraceKeepsWhatNamesNoSlice() {
        ViewState view;
        view.setTrace(longTrace());
        view.setVisible({450'000, 650'000});
        view.select(0);
        view.selectRange(TimeSpan{350'000, 600'000}, {0});
        view.highlightName(1);
        QSignalSpy shortened(&view, &ViewState::traceShortened);
        view.growTrace(shortTrace({400'000, 1'005'000}, 1), nullptr);
        QCOMPARE(shortened.size(), 1);
        QVERIFY((view.visible() == TimeSpan{450'000, 650'000}));
        QVERIFY((view.selectedRange() == TimeSpan{400'000, 600'000}));
        QCOMPARE(view.selectedTracks(), std::vector<TrackId>{0});
        QVERIFY(view.highlightedName() == NameId{1});
        QCOMPARE(view.selected(), kNoSlice);
        // What was looked at is gone, with the range.
        view.growTrace(shortTrace({900'000, 1'005'000}, 2), nullptr);
        QVERIFY(view.visible().contains(900'000));
        QVERIFY(!view.selectedRange());
    }

    void aViewOfTheWholeOrTheEndFollowsAShortenedTrace() {
        ViewState view;
        view.setTrace(longTrace());
        view.growTrace(shortTrace({900'000, 1'100'000}, 1), nullptr);
        QVERIFY(view.visible() == view.fitSpan());
        QVERIFY(view.visible().start > 800'000);
        view.setVisible({1'000'000, 1'150'000});
        view.growTrace(shortTrace({1'000'000, 1'300'000}, 2), nullptr);
        QVERIFY((view.visible() == TimeSpan{1'200'000, 1'350'000}));
    }

    void aJumpKeepsTheScaleWhereItsTargetFits() {
        ViewState view;
        view.setTrace(longTrace());
        view.setVisible({700'000, 702'000});
        view.reveal(2);
        QVERIFY((view.visible() == TimeSpan{399'100, 401'100}));
        view.reveal(2);  // nothing moves where it is to be seen already
        QVERIFY((view.visible() == TimeSpan{399'100, 401'100}));
        view.setVisible({399'900, 401'900});
        view.reveal(2);
        QVERIFY((view.visible() == TimeSpan{399'900, 401'900}));
        view.setVisible({400'100, 402'100});  // half of it
        view.reveal(2);
        QVERIFY((view.visible() == TimeSpan{399'100, 401'100}));
        view.reveal(5);  // of no length
        QVERIFY((view.visible() == TimeSpan{599'000, 601'000}));
    }

    void aJumpToWhatDoesNotFitShowsItWithMargins() {
        ViewState view;
        view.setTrace(longTrace());
        view.setVisible({700'000, 702'000});
        view.reveal(3);
        const TimeSpan shown = view.visible();
        QVERIFY(shown.start < 500'000 && shown.end > 800'000);
        QVERIFY(shown.duration() >= 350'000 && shown.duration() <= 370'000);
        QCOMPARE(500'000 - shown.start, shown.end - 800'000);
    }

    void aJumpStaysBetweenTheTracesEnds() {
        ViewState view;
        view.setTrace(longTrace());
        for (const TimeNs length : {1'000, 30'000, 400'000, 900'000}) {
            for (const SliceId target : {0U, 1U, 3U, 4U}) {
                for (const TimeNs from : {TimeNs{5'500}, 1'004'000 - length}) {
                    view.setVisible({from, from + length});
                    view.reveal(target);
                    const TimeSpan span = view.trace()->span(target);
                    QVERIFY(view.visible().start <= span.start && span.end <= view.visible().end);
                    QVERIFY(shareBeyond(view) < 0.05);
                }
            }
        }
        // Steps and gaps are zoomed to, those at the ends too, and those longer than all.
        for (const TimeSpan span : {TimeSpan{5'000, 25'000},
                                    {995'000, 1'005'000},
                                    {0, 3'000'000},
                                    {-1'500'000, 2'500'000},
                                    kAll}) {
            for (const double margin : {0.02, 0.1, 2.0}) {
                view.zoomTo(span, margin);
                QVERIFY(shareBeyond(view) < 0.05);
                QVERIFY(view.visible().start <= std::max(span.start, kAll.start));
                QVERIFY(view.visible().end >= std::min(span.end, kAll.end));
            }
        }
    }

    void aViewOfMoreThanTheTraceKeepsItsScale() {
        ViewState view;
        view.setTrace(longTrace());
        view.setVisible({900'000, 2'600'000});
        view.reveal(0);
        QCOMPARE(view.visible().duration(), TimeNs{1'700'000});
        QVERIFY(view.visible().start < kAll.start && view.visible().end > kAll.end);
    }
};

QTEST_GUILESS_MAIN(ViewStateTest)
#include "ViewStateTest.moc"
