// SPDX-License-Identifier: GPL-3.0-or-later
// What is marked or emphasised in the timeline, on its ruler and its scroll bar.
#include <QSignalSpy>
#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include "tests/Patience.h"

#include "tests/widgets/TimelineFixture.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/session/ViewState.h"
#include "widgets/style/Theme.h"
#include "widgets/style/WindowStyle.h"
#include "widgets/timeline/MarkedColumns.h"
#include "widgets/timeline/MarkedScrollBar.h"
#include "widgets/timeline/TimeRuler.h"
#include "widgets/timeline/TimelineWidget.h"

using namespace kinetoscope;
using namespace kinetoscope::session;
using namespace kinetoscope::style;
using namespace kinetoscope::timeline;
using namespace kinetoscope::trace;

namespace {

/// Slices of one lane with gaps, many of them shorter than a column.
std::shared_ptr<const Trace> crowdedTrace() {
    std::mt19937 random(3);
    TraceBuilder builder;
    const TrackId track = builder.track({false, 1}, {false, 1});
    TimeNs start = 0;
    for (int i = 0; i < 3'000; ++i) {
        const auto length = static_cast<TimeNs>(random() % (i % 50 == 0 ? 4'000 : 60));
        builder.addSlice({.start = start,
                          .duration = length,
                          .name = builder.name(i % 3 == 0 ? "hit" : "other"),
                          .track = track,
                          .category = static_cast<CategoryId>(Category::CpuOp)});
        start += length + 1 + static_cast<TimeNs>(random() % 200);
    }
    return builder.finish();
}

}  // namespace

class TimelineMarksTest final : public QObject {
    Q_OBJECT

private slots:
    void init() {
        failOnQtWarnings();
        applyTheme(ThemeChoice::Light);
        m_state = std::make_unique<ViewState>();
        m_state->setTrace(m_fixture.trace);
        m_widget = std::make_unique<TimelineWidget>(*m_state);
        m_widget->resize(1'232, 400);
        m_widget->setLabelWidth(220);
        m_widget->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_widget.get()));
        m_state->setVisible({0, 10'000});
    }
    void cleanup() {
        m_widget.reset();
        m_state.reset();
    }

    void columnsAreThoseOfTheSlicesOneMarkEach() {
        const auto trace = crowdedTrace();
        std::vector<SliceId> hits;
        for (SliceId slice = 0; slice < trace->sliceCount(); slice += 3) {
            hits.push_back(slice);
        }
        constexpr int kColumns = 700;
        const TimeNs all = trace->extent().duration();
        for (const TimeSpan view :
             {TimeSpan{0, all}, {all / 3, all / 2}, {-all, all / 5}, {all / 2, all / 2 + 2'000}}) {
            const auto columnOf = [&](TimeNs time) {
                return static_cast<double>(time - view.start) /
                       static_cast<double>(view.duration()) * kColumns;
            };
            std::set<int> wanted;  // columns that a hit touches, seen by brute force
            std::set<int> starts;
            for (const SliceId hit : hits) {
                const TimeSpan span = trace->span(hit);
                if (!(span.start < view.end &&
                      (span.end > view.start || span.start >= view.start))) {
                    continue;
                }
                const int first = std::max(0, static_cast<int>(std::floor(columnOf(span.start))));
                const int last =
                    std::max(first + 1,
                             static_cast<int>(std::floor(columnOf(std::min(span.end, view.end)))));
                for (int column = first; column < std::min(last, kColumns); ++column) {
                    wanted.insert(column);
                }
                if (span.start >= view.start) {
                    starts.insert(first);
                }
            }
            std::set<int> drawn;
            int before = 0;
            for (const MarkedColumns& mark : markedColumns(*trace, hits, view, kColumns)) {
                QVERIFY(mark.first >= before && mark.first < mark.last);
                before = mark.last;
                for (int column = mark.first; column < mark.last; ++column) {
                    drawn.insert(column);
                }
            }
            QCOMPARE(drawn, wanted);
            const auto columns = startColumns(*trace, hits, view, kColumns);
            QCOMPARE(std::set<int>(columns.begin(), columns.end()), starts);
            QCOMPARE(columns.size(), starts.size());
        }
    }

    void hitsHaveALineAboveAndTheirNamesStay() {
        const QImage before = drawn(*m_widget);
        const QRectF gemm = box(m_fixture.gemm);
        const QRectF other = box(m_fixture.overlap);
        mark({m_fixture.mm, m_fixture.gemm}, m_fixture.mm);
        const QImage after = drawn(*m_widget);
        const Theme& theme = Theme::current();
        for (const double x : {gemm.left() + 1, gemm.center().x(), gemm.right() - 2}) {
            QCOMPARE(colorAt(after, {x, gemm.top() + 0.5}), theme.highlight());
        }
        // Below the line nothing has changed, so the name is whole.
        const double scale = m_widget->devicePixelRatioF();
        const QRect name = QRectF(gemm.topLeft() * scale, gemm.size() * scale)
                               .toRect()
                               .adjusted(0, static_cast<int>(2 * scale), 0, 0);
        QCOMPARE(after.copy(name), before.copy(name));
        const QRect unmarked = QRectF(other.topLeft() * scale, other.size() * scale).toRect();
        QCOMPARE(after.copy(unmarked), before.copy(unmarked));
        // The chosen one stands out.
        const QRectF chosen = box(m_fixture.mm);
        QCOMPARE(colorAt(after, {chosen.center().x(), chosen.top() + 3.2}), theme.selection());
        m_state->setMarks(nullptr, kNoSlice);
        QCOMPARE(drawn(*m_widget), before);
    }

    void rulerShowsWhereHitsBegin() {
        TimeRuler ruler(*m_state);
        ruler.setMargins(220, 12);
        ruler.resize(1'232, ruler.sizeHint().height());
        ruler.show();
        const QImage before = drawn(ruler);
        mark({m_fixture.mm, m_fixture.gemm}, m_fixture.gemm);
        const QImage after = drawn(ruler);
        const Theme& theme = Theme::current();
        const double scale = ruler.devicePixelRatioF();
        const auto at = [&](const QImage& image, double x, double y) {
            return image.pixelColor((QPointF(x, y) * scale).toPoint());
        };
        QCOMPARE(at(after, 220 + 100 + 0.2, 1), theme.highlight());  // mm begins at 1,000 ns
        QCOMPARE(at(after, 220 + 400 + 0.2, 6), theme.selection());  // and gemm at 4,000
        QCOMPARE(at(after, 220 + 600, 1), at(before, 220 + 600, 1));
    }

    void scrollBarShowsWhichRowsHaveHits() {
        m_widget->resize(1'232, 120);
        auto* bar = m_widget->findChild<MarkedScrollBar*>();
        QVERIFY(bar->isVisible());
        const QImage before = drawn(*m_widget);
        mark({m_fixture.copy, m_fixture.mm}, kNoSlice);
        QCOMPARE(bar->marks().size(), std::size_t{2});
        const QImage after = drawn(*m_widget);
        const auto atMark = [&](const QImage& image, int mark) {
            return colorAt(
                image, QPointF(bar->pos()) + QPointF(bar->width() / 2.0, bar->markAt(mark) + 0.5));
        };
        for (const TrackId track : {m_fixture.stream13, m_fixture.thread}) {
            const auto row = m_widget->rows().rowOf(track);
            QVERIFY(row.has_value());
            const TimelineRow& one = m_widget->rows().rows()[*row];
            const int middle = one.top + one.height / 2;
            QVERIFY(std::ranges::find(bar->marks(), middle) != bar->marks().end());
            QCOMPARE(atMark(after, middle), Theme::current().highlight());
            QVERIFY(atMark(before, middle) != Theme::current().highlight());
        }
        // Folded rows count on their heading.
        m_widget->setCollapsed(m_fixture.gpu, true);
        QCOMPARE(bar->marks().front(), m_widget->rows().rows()[0].height / 2);
        m_state->setMarks(nullptr, kNoSlice);
        QVERIFY(bar->marks().empty());
    }

    void onlyEmphasisedSlicesKeepTheirColour() {
        const QPointF in(2, 8);
        const QColor before = colorAt(drawn(*m_widget), box(m_fixture.overlap).topLeft() + in);
        m_state->setEmphasis(marks({m_fixture.gemm}));
        const QImage image = drawn(*m_widget);
        const Theme& theme = Theme::current();
        QCOMPARE(colorAt(image, box(m_fixture.gemm).topLeft() + in),
                 theme.nameColor(m_fixture.trace->name(m_fixture.gemm)));
        const QColor after = colorAt(image, box(m_fixture.overlap).topLeft() + in);
        const int white = theme.base().lightness();
        QVERIFY(std::abs(after.lightness() - white) * 2 < std::abs(before.lightness() - white));
        QTest::keyClick(m_widget.get(), Qt::Key_Escape);
        QVERIFY(!m_state->emphasis());
        QCOMPARE(colorAt(drawn(*m_widget), box(m_fixture.overlap).topLeft() + in), before);
    }

    void shortEmphasisedSlicesAreSeenAmongLongerOnes() {
        const auto trace = crowdedTrace();
        m_state->setTrace(trace);
        std::vector<SliceId> hits;
        for (SliceId slice = 0; slice < trace->sliceCount(); slice += 300) {
            hits.push_back(slice + 1);
        }
        m_state->setEmphasis(std::make_shared<const SliceMarks>(
            m_state->layout()->lanes, std::make_shared<const std::vector<SliceId>>(hits)));
        const QImage image = drawn(*m_widget);
        const QColor full = Theme::current().nameColor(trace->name(hits[0]));
        for (const SliceId hit : hits) {
            const QRectF at = box(hit);
            const double scale = m_widget->devicePixelRatioF();
            const auto x = static_cast<int>(std::floor(at.left() * scale));
            QCOMPARE(image.pixelColor(x, static_cast<int>(at.bottom() * scale) - 3), full);
        }
    }

    void anotherTraceForgetsMarks() {
        mark({m_fixture.mm}, m_fixture.mm);
        m_state->setEmphasis(marks({m_fixture.mm}));
        m_state->setTrace(crowdedTrace());
        QVERIFY(!m_state->marks() && !m_state->emphasis());
        QCOMPARE(m_state->chosenMark(), kNoSlice);
        drawn(*m_widget);
    }

private:
    std::shared_ptr<const SliceMarks> marks(std::vector<SliceId> slices) {
        return std::make_shared<const SliceMarks>(
            m_state->layout()->lanes,
            std::make_shared<const std::vector<SliceId>>(std::move(slices)));
    }
    void mark(std::vector<SliceId> slices, SliceId chosen) {
        m_state->setMarks(marks(std::move(slices)), chosen);
    }
    QRectF box(SliceId slice) const { return *m_widget->sliceBox(slice); }
    static QImage drawn(QWidget& widget) {
        QApplication::processEvents();
        return widget.grab().toImage();
    }
    QColor colorAt(const QImage& image, QPointF at) const {
        return image.pixelColor((at * m_widget->devicePixelRatioF()).toPoint());
    }

    TimelineFixture m_fixture;
    std::unique_ptr<ViewState> m_state;
    std::unique_ptr<TimelineWidget> m_widget;
};

QTEST_MAIN(TimelineMarksTest)
#include "TimelineMarksTest.moc"
