// SPDX-License-Identifier: GPL-3.0-or-later
// The whole trace in one strip: what is drawn, and what the pointer does with its frame.
#include <QWheelEvent>
#include <cmath>
#include "tests/Patience.h"

#include "core/trace/TraceBuilder.h"
#include "tests/widgets/TimelineFixture.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/session/ViewState.h"
#include "widgets/style/WindowStyle.h"
#include "widgets/timeline/TimelineWidget.h"
#include "widgets/timeline/overview/OverviewStrip.h"

using namespace kinetoscope;
using namespace kinetoscope::plots;
using namespace kinetoscope::session;
using namespace kinetoscope::style;
using namespace kinetoscope::timeline;
using namespace kinetoscope::trace;

class OverviewTest final : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void theWholeTraceIsDrawn_data();
    void theWholeTraceIsDrawn();
    void severalGpusAreTheirMean();
    void theFrameIsWhatIsOnScreen();
    void theFrameIsDragged();
    void theFrameStaysInTheTrace();
    void edgesAreDragged();
    void edgesCrossNoFurther();
    void aPressBesideTheFrameGoesThere();
    void aDragOverTheWholeChooses();
    void aDoubleClickShowsAll();
    void theWheelZooms();
    void whatIsSelectedAndFoundIsMarked();
    void thePointerIsShared();
    void itGivesWayToRows();
    void anotherTraceIsAnotherPicture();

private:
    OverviewStrip& strip() { return m_view->overview(); }
    double x(TimeNs time) { return strip().coordinates().x(time); }
    QPoint at(TimeNs time) { return {static_cast<int>(std::lround(x(time))), 12}; }
    void drag(QPoint from, QPoint to) {
        QTest::mousePress(&strip(), Qt::LeftButton, {}, from);
        movePointer(strip(), (from + to) / 2, Qt::LeftButton);
        movePointer(strip(), to, Qt::LeftButton);
        QTest::mouseRelease(&strip(), Qt::LeftButton, {}, to);
    }
    QImage drawn() { return strip().grab().toImage(); }
    QColor colorAt(const QImage& image, double atX, double y) {
        return image.pixelColor((QPointF(atX, y) * strip().devicePixelRatioF()).toPoint());
    }
    /// Nanoseconds of one pixel: how exact a drag can be.
    TimeNs pixel() { return strip().coordinates().length(1.0) + 1; }
    bool isNear(TimeNs value, TimeNs wanted) { return std::abs(value - wanted) <= pixel(); }

    TimelineFixture m_fixture;
    std::unique_ptr<ViewState> m_state;
    std::unique_ptr<TimelineView> m_view;
};

void OverviewTest::init() {
    failOnQtWarnings();
    m_state = std::make_unique<ViewState>();
    m_view = std::make_unique<TimelineView>(*m_state);
    m_view->resize(1'232, 500);
    m_view->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    m_state->setTrace(m_fixture.trace);
    QVERIFY(strip().isVisible());
}

void OverviewTest::cleanup() {
    m_view.reset();
    m_state.reset();
    applyTheme(ThemeChoice::Light);
}

void OverviewTest::theWholeTraceIsDrawn_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

// Busy from 4,000 to 9,000; operators from 1,000 to 3,000 and 6,000 to 7,000.
void OverviewTest::theWholeTraceIsDrawn() {
    QFETCH(bool, dark);
    applyTheme(dark ? ThemeChoice::Dark : ThemeChoice::Light);
    const Theme& theme = Theme::current();
    const OverviewStrip::Columns shares = strip().columns();
    const double scale = strip().devicePixelRatioF();
    const auto column = [&](TimeNs time) {
        return static_cast<std::size_t>((x(time) - strip().coordinates().left()) * scale);
    };
    QCOMPARE(shares.gpu[column(3'900)], 0.0F);
    QCOMPARE(shares.gpu[column(4'100)], 1.0F);
    QCOMPARE(shares.gpu[column(8'900)], 1.0F);
    QCOMPARE(shares.gpu[column(9'100)], 0.0F);
    QCOMPARE(shares.cpu[column(900)], 0.0F);
    QCOMPARE(shares.cpu[column(2'500)], 1.0F);
    QCOMPARE(shares.cpu[column(5'000)], 0.0F);
    const QImage all = drawn();
    QCOMPARE(colorAt(all, x(5'000), 15), theme.busy());
    QCOMPARE(colorAt(all, x(500), 15), theme.base());
    const QColor cpu = colorAt(all, x(2'000), 15);
    QVERIFY(cpu != theme.base() && cpu != theme.busy());
    // Lightly: nearer to the ground than to the ink.
    const auto gray = [](const QColor& color) { return qGray(color.rgb()); };
    QVERIFY(std::abs(gray(cpu) - gray(theme.base())) < std::abs(gray(cpu) - gray(theme.text())));
    // It shows the whole trace, whatever is on screen, but pale.
    m_state->setVisible({1'000, 2'000});
    const QImage part = drawn();
    QCOMPARE(colorAt(part, x(1'500), 15), cpu);
    QVERIFY(colorAt(part, x(5'000), 15) != theme.busy());
    QVERIFY(colorAt(part, x(5'000), 15) != colorAt(part, x(9'500), 15));
    m_state->setVisible({4'500, 5'500});
    QCOMPARE(colorAt(drawn(), x(5'000), 15), theme.busy());
}

void OverviewTest::severalGpusAreTheirMean() {
    TraceBuilder builder;
    for (int gpu = 0; gpu < 4; ++gpu) {
        GpuOperation operation;
        operation.gpu = gpu;
        operation.slice = builder.addSlice({.start = 0,
                                            .duration = gpu == 0 ? 1'000 : 500,
                                            .name = builder.name("k"),
                                            .track = builder.track({false, gpu}, {false, 7}),
                                            .category = static_cast<CategoryId>(Category::Kernel)});
        builder.addGpuOperation(operation);
    }
    m_state->setTrace(builder.finish());
    const std::vector<float> gpu = strip().columns().gpu;
    QVERIFY(std::abs(gpu[gpu.size() / 4] - 1.0F) < 1e-5F);
    QVERIFY(std::abs(gpu[gpu.size() * 3 / 4] - 0.25F) < 1e-5F);
    QVERIFY(strip().toolTipAt(x(750)).contains(QStringLiteral("4 GPUs 25.0 % busy")));
}

void OverviewTest::theFrameIsWhatIsOnScreen() {
    QCOMPARE(strip().frame().left(), strip().coordinates().left());
    QCOMPARE(strip().frame().width(), strip().coordinates().width());
    m_state->setVisible({2'000, 4'000});
    QVERIFY(std::abs(strip().frame().left() - x(2'000)) < 1e-6);
    QVERIFY(std::abs(strip().frame().right() - x(4'000)) < 1e-6);
    const QImage image = drawn();
    QCOMPARE(colorAt(image, std::ceil(x(2'000)), 20), Theme::current().accent());
    QCOMPARE(colorAt(image, x(3'000), 0), Theme::current().accent());
    QVERIFY(colorAt(image, x(5'000), 0) != Theme::current().accent());
    // Beyond one pixel it can still be seen.
    m_state->setVisible({5'000, 5'001});
    QVERIFY(strip().frame().width() >= 4.0);
    QVERIFY(strip().frame().contains(x(5'000), 5));
}

void OverviewTest::theFrameIsDragged() {
    m_state->setVisible({2'000, 4'000});
    drag(at(3'000), at(5'000));
    QCOMPARE(m_state->visible().duration(), 2'000);
    QVERIFY(isNear(m_state->visible().start, 4'000));
    drag(at(5'000), at(4'000));
    QVERIFY(isNear(m_state->visible().start, 3'000));
    // A press alone changes nothing.
    const TimeSpan before = m_state->visible();
    QTest::mouseClick(&strip(), Qt::LeftButton, {}, at(4'000));
    QCOMPARE(m_state->visible(), before);
}

void OverviewTest::theFrameStaysInTheTrace() {
    m_state->setVisible({2'000, 4'000});
    drag(at(3'000), {strip().width() + 300, 12});
    QCOMPARE(m_state->visible().end, m_state->fitSpan().end);
    QCOMPARE(m_state->visible().duration(), 2'000);
    drag(at(9'000), {-300, 12});
    QCOMPARE(m_state->visible().start, m_state->fitSpan().start);
    QCOMPARE(m_state->visible().duration(), 2'000);
}

void OverviewTest::edgesAreDragged() {
    m_state->setVisible({2'000, 4'000});
    drag(at(2'000), at(1'000));
    QVERIFY(isNear(m_state->visible().start, 1'000));
    QCOMPARE(m_state->visible().end, 4'000);
    drag(at(4'000), at(8'000));
    QVERIFY(isNear(m_state->visible().end, 8'000));
    QVERIFY(isNear(m_state->visible().start, 1'000));
    movePointer(strip(), at(8'000));
    QCOMPARE(strip().cursor().shape(), Qt::SizeHorCursor);
    movePointer(strip(), at(5'000));
    QCOMPARE(strip().cursor().shape(), Qt::OpenHandCursor);
    movePointer(strip(), at(9'500));
    QCOMPARE(strip().cursor().shape(), Qt::PointingHandCursor);
}

void OverviewTest::edgesCrossNoFurther() {
    m_state->setVisible({2'000, 4'000});
    drag(at(2'000), at(9'000));
    QVERIFY(isNear(m_state->visible().end, 4'000));
    QVERIFY(m_state->visible().duration() >= 1);
    QVERIFY(m_state->visible().duration() <= 2 * pixel());
}

void OverviewTest::aPressBesideTheFrameGoesThere() {
    m_state->setVisible({2'000, 3'000});
    QTest::mouseClick(&strip(), Qt::LeftButton, {}, at(7'000));
    QCOMPARE(m_state->visible().duration(), 1'000);
    QVERIFY(isNear(m_state->visible().start, 6'500));
    // And a drag goes on from there.
    drag(at(2'000), at(4'000));
    QVERIFY(isNear(m_state->visible().start, 3'500));
    // Near the end as far as there is something.
    QTest::mouseClick(&strip(), Qt::LeftButton, {}, at(m_state->fitSpan().end) - QPoint(2, 0));
    QCOMPARE(m_state->visible().end, m_state->fitSpan().end);
    // Labels are not time.
    const TimeSpan before = m_state->visible();
    QTest::mouseClick(&strip(), Qt::LeftButton, {}, {20, 12});
    QCOMPARE(m_state->visible(), before);
}

void OverviewTest::aDragOverTheWholeChooses() {
    drag(at(6'000), at(3'000));
    QVERIFY(isNear(m_state->visible().start, 3'000));
    QVERIFY(isNear(m_state->visible().end, 6'000));
    m_state->fit();
    QTest::mouseClick(&strip(), Qt::LeftButton, {}, at(5'000));
    QCOMPARE(m_state->visible(), m_state->fitSpan());
}

void OverviewTest::aDoubleClickShowsAll() {
    m_state->setVisible({2'000, 3'000});
    QTest::mouseDClick(&strip(), Qt::LeftButton, {}, at(2'500));
    QCOMPARE(m_state->visible(), m_state->fitSpan());
}

void OverviewTest::theWheelZooms() {
    const auto turn = [this](TimeNs time, int angle) {
        const QPointF place = at(time);
        QWheelEvent event(place, strip().mapToGlobal(place), {}, {0, angle}, Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&strip(), &event);
    };
    m_state->setVisible({2'000, 4'000});
    turn(2'000 + pixel(), 120);
    QCOMPARE(m_state->visible().duration(), 1'600);
    QVERIFY(isNear(m_state->visible().start, 2'000));
    m_state->setVisible({2'000, 4'000});
    turn(9'000, 120);  // beside the frame: its middle stays
    QVERIFY(isNear(m_state->visible().start, 2'200));
    QVERIFY(isNear(m_state->visible().end, 3'800));
    turn(9'000, -120);
    QCOMPARE(m_state->visible().duration(), 2'000);
}

void OverviewTest::whatIsSelectedAndFoundIsMarked() {
    const Theme& theme = Theme::current();
    const QColor before = colorAt(drawn(), x(9'500), 15);
    m_state->selectRange(TimeSpan{9'200, 9'800});
    QVERIFY(colorAt(drawn(), x(9'500), 15) != before);
    QCOMPARE(colorAt(drawn(), std::floor(x(9'200)), 15), theme.accent());
    m_state->selectRange(std::nullopt);
    QCOMPARE(colorAt(drawn(), x(9'500), 15), before);
    m_state->select(m_fixture.next);
    QCOMPARE(colorAt(drawn(), x(6'500), 1), theme.selection());
    QVERIFY(colorAt(drawn(), x(7'500), 1) != theme.selection());
    m_state->select(kNoSlice);
    m_state->setMarks(std::make_shared<const SliceMarks>(
                          m_state->layout()->lanes,
                          std::make_shared<const std::vector<SliceId>>(1, m_fixture.copy)),
                      kNoSlice);
    QCOMPARE(colorAt(drawn(), std::floor(x(8'000)), 1), theme.highlight());
    m_state->setMarks(nullptr, kNoSlice);
    QVERIFY(colorAt(drawn(), std::floor(x(8'000)), 1) != theme.highlight());
}

void OverviewTest::thePointerIsShared() {
    m_state->setVisible({2'000, 4'000});
    movePointer(strip(), at(3'000));
    QVERIFY(m_view->timeline().cursorTime());
    QVERIFY(isNear(*m_view->timeline().cursorTime(), 3'000));
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&strip(), &leave);
    QVERIFY(!m_view->timeline().cursorTime());
}

void OverviewTest::itGivesWayToRows() {
    m_view->setMinimumHeight(50);  // a window of its own would be as high as all parts
    m_view->resize(1'232, 120);
    QTRY_VERIFY(!strip().isVisible());
    QVERIFY(m_view->timeline().isVisible());
    m_view->resize(1'232, 400);
    QTRY_VERIFY(strip().isVisible());
}

void OverviewTest::anotherTraceIsAnotherPicture() {
    const QImage before = drawn();
    m_state->setTrace(makeTrace({{"a", 0, 10}, {"b", 90, 10}}));
    QVERIFY(drawn() != before);
    QCOMPARE(colorAt(drawn(), x(95), 15), Theme::current().busy());
    m_state->setTrace(nullptr);
    QTRY_VERIFY(!strip().isVisible());
    QVERIFY(strip().toolTipAt(400).isEmpty());
    (void)drawn();
}

QTEST_MAIN(OverviewTest)
#include "OverviewTest.moc"
