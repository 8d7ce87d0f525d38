// SPDX-License-Identifier: GPL-3.0-or-later
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolTip>
#include <QWheelEvent>
#include "tests/Patience.h"

#include "tests/widgets/TimelineFixture.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/session/ViewState.h"
#include "widgets/style/WindowStyle.h"
#include "widgets/timeline/SliceColors.h"
#include "widgets/timeline/TimelineWidget.h"

using namespace kinetoscope;
using namespace kinetoscope::session;
using namespace kinetoscope::style;
using namespace kinetoscope::timeline;
using namespace kinetoscope::trace;

class TimelineWidgetTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init();
    void cleanup();

    void slicesAreDrawnInTheirColours_data();
    void slicesAreDrawnInTheirColours();
    void coloursFollowAChangeOfTheme();
    void crowdedColumnsShowHowMuchIsCovered();
    void highlightDimsEverythingElse();
    void wheelZoomsAtThePointer();
    void wheelWithShiftAndOverLabelsScrolls();
    void wheelSidewaysPans();
    void keysZoomAndPan();
    void fitKeyShowsSelectionOrAll();
    void draggingPansBothWays();
    void shiftDragSelectsARange();
    void shiftDragSelectsTheRowsItTouches();
    void clickSelectsAndClears();
    void clickOnAHeadingCollapsesIt();
    void doubleClickShowsTheSlice();
    void arrowKeysWalkTheLaneAndTheNest();
    void escapeClearsTheSelectedTimeLast();
    void selectionIsOutlinedAndItsLaunchDrawn();
    void selectionFromElsewhereScrollsIntoView();
    void hoverTellsTimeAndShowsAToolTip();
    void labelsCanBeMadeWider();
    void noTraceSaysSo();

private:
    QPoint middleOf(SliceId slice) const { return m_widget->sliceBox(slice)->center().toPoint(); }
    QImage drawn() const {
        QApplication::processEvents();  // a change of the palette arrives as an event
        return m_widget->grab().toImage();
    }
    QColor colorAt(const QImage& image, QPointF at) const {
        const double scale = m_widget->devicePixelRatioF();
        return image.pixelColor((at * scale).toPoint());
    }
    void wheel(QPointF at, QPoint turn, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const {
        QWheelEvent event(at, m_widget->mapToGlobal(at), {}, turn, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(m_widget.get(), &event);
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const {
        QTest::mousePress(m_widget.get(), Qt::LeftButton, modifiers, from);
        movePointer(*m_widget, (from + to) / 2, Qt::LeftButton, modifiers);
        movePointer(*m_widget, to, Qt::LeftButton, modifiers);
        QTest::mouseRelease(m_widget.get(), Qt::LeftButton, modifiers, to);
    }
    void key(Qt::Key key) const { QTest::keyClick(m_widget.get(), key); }
    QScrollBar& scrollBar() const { return *m_widget->findChild<QScrollBar*>(); }
    /// Nanoseconds that one pixel may hide.
    TimeNs pixel() const { return m_widget->coordinates().length(1.0) + 1; }

    TimelineFixture m_fixture;
    std::unique_ptr<ViewState> m_state;
    std::unique_ptr<TimelineWidget> m_widget;
};

void TimelineWidgetTest::init() {
    failOnQtWarnings();
    m_state = std::make_unique<ViewState>();
    m_state->setTrace(m_fixture.trace);
    m_widget = std::make_unique<TimelineWidget>(*m_state);
    m_widget->resize(1'232, 400);
    m_widget->setLabelWidth(220);  // the time area is 1,000 pixels wide
    m_widget->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_widget.get()));
    m_state->setVisible({0, 10'000});
}

void TimelineWidgetTest::cleanup() {
    QToolTip::hideText();
    m_widget.reset();
    m_state.reset();
    applyTheme(ThemeChoice::Light);
}

void TimelineWidgetTest::slicesAreDrawnInTheirColours_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TimelineWidgetTest::slicesAreDrawnInTheirColours() {
    QFETCH(bool, dark);
    applyTheme(dark ? ThemeChoice::Dark : ThemeChoice::Light);
    const QImage image = drawn();
    QCOMPARE(image.size(), m_widget->size() * m_widget->devicePixelRatioF());
    const Theme& theme = Theme::current();
    const Trace& trace = *m_fixture.trace;
    for (const SliceId slice :
         {m_fixture.op, m_fixture.mm, m_fixture.next, m_fixture.gemm, m_fixture.overlap}) {
        const QRectF box = *m_widget->sliceBox(slice);
        const QColor expected = theme.nameColor(trace.name(slice));
        // Near the left and right ends, below the middle of the lane, no letters are drawn.
        QCOMPARE(colorAt(image, {box.left() + 2, box.center().y()}), expected);
        QCOMPARE(colorAt(image, {box.right() - 3, box.bottom() - 2}), expected);
        QVERIFY(colorAt(image, {box.right() + 2, box.center().y()}) != expected);
        QVERIFY(colorAt(image, {box.left() - 2, box.center().y()}) != expected);
    }
    const QRectF copy = *m_widget->sliceBox(m_fixture.copy);
    QCOMPARE(colorAt(image, {copy.left() + 2, copy.center().y()}),
             theme.categoryColor(Category::GpuMemcpy));
    QCOMPARE(colorAt(image, {copy.left() - 50, copy.center().y()}), theme.base());
}

void TimelineWidgetTest::coloursFollowAChangeOfTheme() {
    const QRectF box = *m_widget->sliceBox(m_fixture.copy);
    const QPointF empty(box.left() - 50, box.center().y());
    QCOMPARE(colorAt(drawn(), empty), Theme(Theme::lightPalette()).base());
    applyTheme(ThemeChoice::Dark);
    QCOMPARE(colorAt(drawn(), empty), Theme(Theme::darkPalette()).base());
}

void TimelineWidgetTest::crowdedColumnsShowHowMuchIsCovered() {
    TraceBuilder builder;
    const TrackId track = builder.track({false, 1}, {false, 1});
    for (TimeNs start = 0; start < 1'000'000; start += 100) {  // a quarter of the time is covered
        builder.addSlice({.start = start,
                          .duration = 25,
                          .name = builder.name("tiny"),
                          .track = track,
                          .category = static_cast<CategoryId>(Category::CpuOp)});
    }
    m_state->setTrace(builder.finish());
    m_state->setVisible({0, 1'000'000});
    const QImage image = drawn();
    const QRectF lane = *m_widget->sliceBox(0);
    const QColor full = Theme::current().nameColor("tiny");
    const double scale = m_widget->devicePixelRatioF();
    const int column = static_cast<int>((m_widget->labelWidth() + 500) * scale);
    int rows = 0;
    int pale = 0;
    for (int y = static_cast<int>(lane.top() * scale); y < static_cast<int>(lane.bottom() * scale);
         ++y) {
        const QColor color = image.pixelColor(column, y);
        rows += color == full ? 1 : 0;
        pale += color != full && color != Theme::current().base() ? 1 : 0;
    }
    const double height = lane.height() * scale;
    QVERIFY(std::abs(rows - height / 4) <= 1.0);
    QCOMPARE(rows + pale, static_cast<int>(height));
}

void TimelineWidgetTest::highlightDimsEverythingElse() {
    const QRectF gemm = *m_widget->sliceBox(m_fixture.gemm);
    const QRectF other = *m_widget->sliceBox(m_fixture.overlap);
    const QPointF in(2, 8);
    const QColor before = colorAt(drawn(), other.topLeft() + in);
    m_state->highlightName(m_fixture.trace->nameId(m_fixture.gemm));
    const QImage image = drawn();
    QCOMPARE(colorAt(image, gemm.topLeft() + in),
             Theme::current().nameColor(m_fixture.trace->name(m_fixture.gemm)));
    const QColor after = colorAt(image, other.topLeft() + in);
    const int white = Theme::current().base().lightness();
    QVERIFY(std::abs(after.lightness() - white) * 2 < std::abs(before.lightness() - white));
    m_state->highlightName(std::nullopt);
    QCOMPARE(colorAt(drawn(), other.topLeft() + in), before);
}

void TimelineWidgetTest::wheelZoomsAtThePointer() {
    const QPointF at(220 + 250, 50);
    const TimeNs under = m_widget->coordinates().time(at.x());
    wheel(at, {0, 120});
    QCOMPARE(m_state->visible().duration(), TimeNs{8'000});
    QVERIFY(std::abs(m_widget->coordinates().time(at.x()) - under) <= 1);
    wheel(at, {0, -120});
    QVERIFY(std::abs(m_state->visible().duration() - 10'000) <= 1);
    QVERIFY(std::abs(m_state->visible().start) <= 1);
}

void TimelineWidgetTest::wheelWithShiftAndOverLabelsScrolls() {
    m_widget->resize(1'232, 120);
    QVERIFY(scrollBar().maximum() > 0);
    wheel({100, 50}, {0, -120});
    const int scrolled = scrollBar().value();
    QVERIFY(scrolled > 0);
    QCOMPARE(m_state->visible(), (TimeSpan{0, 10'000}));
    wheel({600, 50}, {0, 120}, Qt::ShiftModifier);
    QCOMPARE(scrollBar().value(), 0);
    wheel({600, 50}, {-120, 0}, Qt::ShiftModifier);  // as some platforms report it
    QCOMPARE(scrollBar().value(), scrolled);
    QCOMPARE(m_state->visible(), (TimeSpan{0, 10'000}));
}

void TimelineWidgetTest::wheelSidewaysPans() {
    wheel({600, 50}, {-120, 0});
    QCOMPARE(m_state->visible(), (TimeSpan{600, 10'600}));
    wheel({600, 50}, {120, 0});
    QCOMPARE(m_state->visible(), (TimeSpan{0, 10'000}));
}

void TimelineWidgetTest::keysZoomAndPan() {
    key(Qt::Key_W);
    QCOMPARE(m_state->visible(), (TimeSpan{1'250, 8'750}));
    key(Qt::Key_S);
    QCOMPARE(m_state->visible(), (TimeSpan{0, 10'000}));
    key(Qt::Key_D);
    QCOMPARE(m_state->visible(), (TimeSpan{1'000, 11'000}));
    key(Qt::Key_A);
    QCOMPARE(m_state->visible(), (TimeSpan{0, 10'000}));
    QTest::keyClick(m_widget.get(), Qt::Key_S, Qt::ControlModifier);  // left to the window
    QCOMPARE(m_state->visible(), (TimeSpan{0, 10'000}));
    // With the pointer over the timeline the time below it stays.
    m_widget->setCursorTime(2'000);
    key(Qt::Key_W);
    QCOMPARE(m_state->visible(), (TimeSpan{500, 8'000}));
}

void TimelineWidgetTest::fitKeyShowsSelectionOrAll() {
    m_state->select(m_fixture.mm);
    key(Qt::Key_F);
    QCOMPARE(m_state->visible(), (TimeSpan{799, 3'201}));
    m_state->select(kNoSlice);
    key(Qt::Key_F);
    QCOMPARE(m_state->visible(), m_state->fitSpan());
}

void TimelineWidgetTest::draggingPansBothWays() {
    m_widget->resize(1'232, 120);
    drag({700, 100}, {600, 60});
    QCOMPARE(m_state->visible(), (TimeSpan{1'000, 11'000}));
    QCOMPARE(scrollBar().value(), 40);
    drag({600, 60}, {700, 100});
    QCOMPARE(m_state->visible(), (TimeSpan{0, 10'000}));
    QCOMPARE(scrollBar().value(), 0);
    QCOMPARE(m_state->selected(), kNoSlice);
}

void TimelineWidgetTest::shiftDragSelectsARange() {
    drag({620, 385}, {420, 385}, Qt::ShiftModifier);  // below the last row: it is about all
    QVERIFY(m_state->selectedRange() == (TimeSpan{2'000, 4'000}));
    QVERIFY(m_state->selectedTracks().empty());
    QCOMPARE(m_state->visible(), (TimeSpan{0, 10'000}));
    const QImage image = drawn();
    const double y = m_widget->height() - 10;
    QCOMPARE(colorAt(image, {420, y}), Theme::current().accent());
    QVERIFY(colorAt(image, {480, y}) != colorAt(image, {700, y}));
}

void TimelineWidgetTest::shiftDragSelectsTheRowsItTouches() {
    const auto rowOf = [&](TrackId track) {
        return m_widget->rows().rows()[*m_widget->rows().rowOf(track)];
    };
    const auto tracks = [](std::vector<TrackId> some) {
        std::ranges::sort(some);
        return some;
    };
    const int upper = rowOf(m_fixture.stream7).top + 5;
    const int lower = rowOf(m_fixture.stream13).top + 5;
    const auto both = tracks({m_fixture.stream7, m_fixture.stream13});
    drag({620, lower}, {420, upper}, Qt::ShiftModifier);
    QCOMPARE(m_state->selectedTracks(), both);
    QCOMPARE(m_widget->areaBands().size(), std::size_t{1});  // one below the other
    QCOMPARE(m_widget->areaBands()[0],
             (RowBand{rowOf(m_fixture.stream7).top, rowOf(m_fixture.stream13).bottom()}));
    m_state->selectRange(std::nullopt);
    drag({620, upper}, {420, upper}, Qt::ShiftModifier);
    QCOMPARE(m_state->selectedTracks(), std::vector<TrackId>{m_fixture.stream7});
    m_state->selectRange(std::nullopt);
    // An open group's heading alone stands for the group, and so does a folded one always.
    drag({620, 5}, {420, 5}, Qt::ShiftModifier);
    QCOMPARE(m_state->selectedTracks(), both);
    m_widget->setCollapsed(m_fixture.gpu, true);
    QCOMPARE(m_widget->areaBands(),
             (std::vector<RowBand>{{0, m_widget->rows().rows()[0].bottom()}}));
    m_state->selectRange(std::nullopt);
    const TimelineRow third = m_widget->rows().rows()[2];  // below the other group's heading
    drag({620, 5}, {420, third.top + 5}, Qt::ShiftModifier);
    QCOMPARE(m_state->selectedTracks(),
             tracks({m_fixture.stream7, m_fixture.stream13, third.track}));
    QCOMPARE(m_widget->areaBands().size(), std::size_t{2});
}

void TimelineWidgetTest::clickSelectsAndClears() {
    QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, middleOf(m_fixture.overlap));
    QCOMPARE(m_state->selected(), m_fixture.overlap);
    QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, middleOf(m_fixture.gemm));
    QCOMPARE(m_state->selected(), m_fixture.gemm);
    QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, QPoint(230, m_widget->height() - 5));
    QCOMPARE(m_state->selected(), kNoSlice);
}

void TimelineWidgetTest::clickOnAHeadingCollapsesIt() {
    const int before = m_widget->rows().height();
    QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, QPoint(60, 10));
    QVERIFY(m_widget->rows().isCollapsed(m_fixture.gpu));
    QVERIFY(m_widget->rows().height() < before);
    QVERIFY(!m_widget->sliceBox(m_fixture.gemm));
    // Selecting a hidden slice opens its group.
    m_state->select(m_fixture.gemm);
    QVERIFY(m_widget->sliceBox(m_fixture.gemm).has_value());
    QCOMPARE(m_widget->rows().height(), before);
}

void TimelineWidgetTest::doubleClickShowsTheSlice() {
    QTest::mouseDClick(m_widget.get(), Qt::LeftButton, {}, middleOf(m_fixture.gemm));
    QCOMPARE(m_state->selected(), m_fixture.gemm);
    QCOMPARE(m_state->visible(), (TimeSpan{3'799, 6'201}));
}

void TimelineWidgetTest::arrowKeysWalkTheLaneAndTheNest() {
    m_state->select(m_fixture.mm);
    key(Qt::Key_Right);
    QCOMPARE(m_state->selected(), m_fixture.next);
    key(Qt::Key_Period);  // the last one stays
    QCOMPARE(m_state->selected(), m_fixture.next);
    key(Qt::Key_Comma);
    QCOMPARE(m_state->selected(), m_fixture.mm);
    key(Qt::Key_Down);
    QCOMPARE(m_state->selected(), m_fixture.call);
    key(Qt::Key_Up);
    key(Qt::Key_Up);
    QCOMPARE(m_state->selected(), m_fixture.op);
    m_state->setVisible({0, 1'000});
    m_state->select(m_fixture.mm);
    key(Qt::Key_Right);
    QVERIFY(m_state->visible().contains(m_fixture.trace->start(m_fixture.next)));
}

void TimelineWidgetTest::escapeClearsTheSelectedTimeLast() {
    m_state->select(m_fixture.mm);
    m_state->selectRange(TimeSpan{1, 2});
    m_state->highlightName(m_fixture.trace->nameId(m_fixture.mm));
    key(Qt::Key_Escape);
    QCOMPARE(m_state->selected(), kNoSlice);
    QVERIFY(!m_state->highlightedName());
    QVERIFY(m_state->selectedRange());
    key(Qt::Key_Escape);
    QVERIFY(!m_state->selectedRange());
}

void TimelineWidgetTest::selectionIsOutlinedAndItsLaunchDrawn() {
    const QImage before = drawn();
    m_state->select(m_fixture.gemm);
    const QImage after = drawn();
    const QRectF box = *m_widget->sliceBox(m_fixture.gemm);
    QCOMPARE(colorAt(after, {box.center().x(), box.top() - 1}), Theme::current().selection());
    // The arrow comes from the launch's right end: something of its colour is on the way.
    const QRectF call = *m_widget->sliceBox(m_fixture.call);
    const QColor arrow = Theme::current().highlight();
    const auto countArrow = [&](const QImage& image) {
        int found = 0;
        const double scale = m_widget->devicePixelRatioF();
        for (int y = static_cast<int>(box.center().y() * scale);
             y < static_cast<int>(call.center().y() * scale); ++y) {
            for (int x = static_cast<int>(call.right() * scale);
                 x < static_cast<int>(box.left() * scale); ++x) {
                found += image.pixelColor(x, y) == arrow ? 1 : 0;
            }
        }
        return found;
    };
    QCOMPARE(countArrow(before), 0);
    QVERIFY(countArrow(after) > 50);
}

void TimelineWidgetTest::selectionFromElsewhereScrollsIntoView() {
    m_widget->resize(1'232, 120);
    m_state->select(m_fixture.call);
    QVERIFY(scrollBar().value() > 0);
    QRectF box = *m_widget->sliceBox(m_fixture.call);
    QVERIFY(box.top() >= 0 && box.bottom() <= m_widget->height());
    m_state->select(m_fixture.gemm);
    box = *m_widget->sliceBox(m_fixture.gemm);
    QVERIFY(box.top() >= 0 && box.bottom() <= m_widget->height());
}

void TimelineWidgetTest::hoverTellsTimeAndShowsAToolTip() {
    std::optional<TimeNs> told;
    connect(m_widget.get(), &TimelineWidget::cursorMoved, this,
            [&](std::optional<TimeNs> time) { told = time; });
    movePointer(*m_widget, middleOf(m_fixture.gemm));
    QVERIFY(told.has_value());
    QVERIFY(std::abs(*told - 5'000) <= pixel());
    QVERIFY(QToolTip::text().contains(QStringLiteral("Kernel2")));
    movePointer(*m_widget, {50, 100});
    QVERIFY(!told.has_value());
}

void TimelineWidgetTest::labelsCanBeMadeWider() {
    QSignalSpy spy(m_widget.get(), &TimelineWidget::labelWidthChanged);
    drag({220, 200}, {300, 200});
    QCOMPARE(m_widget->labelWidth(), 300);
    QVERIFY(!spy.isEmpty());
    QCOMPARE(m_state->visible(), (TimeSpan{0, 10'000}));
    QCOMPARE(m_widget->coordinates().x(0), 300.0);
    drag({300, 200}, {5, 200});
    QVERIFY(m_widget->labelWidth() >= 60);
}

void TimelineWidgetTest::noTraceSaysSo() {
    m_state->setTrace(nullptr);
    const QImage image = drawn();
    bool text = false;
    for (int x = 0; x < image.width() && !text; ++x) {
        text = image.pixelColor(x, image.height() / 2) == Theme::current().mutedText();
    }
    QVERIFY(text);
    key(Qt::Key_F);
    wheel({600, 50}, {0, 120});
    movePointer(*m_widget, {600, 50});
    QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, QPoint(600, 50));
}

QTEST_MAIN(TimelineWidgetTest)
#include "TimelineWidgetTest.moc"
