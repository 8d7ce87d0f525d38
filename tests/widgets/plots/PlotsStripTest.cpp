// SPDX-License-Identifier: GPL-3.0-or-later
#include <QWheelEvent>
#include "tests/Patience.h"

#include "core/trace/TraceBuilder.h"
#include "tests/widgets/TimelineFixture.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/plots/BusyStripPlot.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/session/ViewState.h"
#include "widgets/style/WindowStyle.h"
#include "widgets/timeline/TimeRuler.h"
#include "widgets/timeline/TimelineWidget.h"

using namespace kinetoscope;
using namespace kinetoscope::plots;
using namespace kinetoscope::session;
using namespace kinetoscope::style;
using namespace kinetoscope::trace;

class PlotsStripTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init();
    void cleanup();

    void twoStripsForEachGpu_data();
    void twoStripsForEachGpu();
    void allAxesAgreeToThePixel();
    void columnsMeasureTheBusyTime();
    void columnsAreDrawnUnderTheirSlices_data();
    void columnsAreDrawnUnderTheirSlices();
    void stripsFollowTheView();
    void figuresInViewAreOfTheTraceAlone();
    void labelsOfTheRulerAreWhole();
    void toolTipTellsTheColumnAndTheTitle();
    void pointerIsSharedByAllParts();
    void thePointerStaysWhileTheViewMoves();
    void wheelOverAStripZooms();
    void widerLabelsMoveAllParts();

private:
    QImage drawn() {
        QApplication::processEvents();
        QApplication::processEvents();  // plots queue their replots
        return m_view->grab().toImage();
    }
    QColor colorAt(const QImage& image, QPointF at) const {
        return image.pixelColor((at * m_view->devicePixelRatioF()).toPoint());
    }
    BusyStripPlot& busy() { return *m_view->strips()[0]; }

    TimelineFixture m_fixture;
    std::unique_ptr<ViewState> m_state;
    std::unique_ptr<TimelineView> m_view;
};

namespace {

std::shared_ptr<const Trace> traceOfGpus(int gpus) {
    TraceBuilder builder;
    for (int gpu = 0; gpu < gpus; ++gpu) {
        GpuOperation operation;
        operation.gpu = gpu;
        operation.slice = builder.addSlice({.start = 100,
                                            .duration = 50,
                                            .name = builder.name("k"),
                                            .track = builder.track({false, gpu}, {false, 7}),
                                            .category = static_cast<CategoryId>(Category::Kernel)});
        builder.addGpuOperation(operation);
    }
    return builder.finish();
}

}  // namespace

void PlotsStripTest::init() {
    failOnQtWarnings();
    m_state = std::make_unique<ViewState>();
    m_view = std::make_unique<TimelineView>(*m_state);
    m_view->resize(1'232, 500);
    m_view->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    m_state->setTrace(m_fixture.trace);
    m_state->setVisible({0, 10'000});
}

void PlotsStripTest::cleanup() {
    m_view.reset();
    m_state.reset();
    applyTheme(ThemeChoice::Light);
}

void PlotsStripTest::twoStripsForEachGpu_data() {
    QTest::addColumn<int>("gpus");
    for (const int gpus : {0, 1, 2, 8}) {
        QTest::addRow("%d GPUs", gpus) << gpus;
    }
}

void PlotsStripTest::twoStripsForEachGpu() {
    QFETCH(int, gpus);
    m_state->setTrace(traceOfGpus(gpus));
    (void)drawn();
    QCOMPARE(m_view->strips().size(), static_cast<std::size_t>(2 * gpus));
    for (int gpu = 0; gpu < gpus; ++gpu) {
        const auto at = static_cast<std::size_t>(2 * gpu);
        QCOMPARE(m_view->strips()[at]->strip().title, QStringLiteral("GPU %1 busy").arg(gpu));
        QCOMPARE(m_view->strips()[at + 1]->strip().title,
                 QStringLiteral("GPU %1 mm/conv").arg(gpu));
        QVERIFY(m_view->strips()[at]->height() >= 20);
    }
    QVERIFY(m_view->timeline().height() > 100);
}

void PlotsStripTest::allAxesAgreeToThePixel() {
    (void)drawn();
    for (const TimeSpan visible :
         {TimeSpan{0, 10'000}, TimeSpan{-37, 4'711}, TimeSpan{5'000, 5'020}}) {
        m_state->setVisible(visible);
        (void)drawn();
        for (const TimeNs time :
             {visible.start, visible.start + visible.duration() / 3, visible.end}) {
            const double x = m_view->timeline().coordinates().x(time);
            QCOMPARE(m_view->ruler().coordinates().x(time), x);
            for (const BusyStripPlot* strip : m_view->strips()) {
                QCOMPARE(strip->coordinates().x(time), x);
                QVERIFY(std::abs(strip->axisPixel(time) - x) < 1e-6);
            }
        }
    }
}

void PlotsStripTest::columnsMeasureTheBusyTime() {
    (void)drawn();
    // Busy from 4,000 to 9,000; the gemm alone is a matrix multiplication.
    const auto& busyColumns = m_view->strips()[0]->columns();
    const auto& mmColumns = m_view->strips()[1]->columns();
    const auto width = static_cast<std::size_t>(1'000 * m_view->devicePixelRatioF());
    QCOMPARE(busyColumns.size(), width);
    QCOMPARE(busyColumns[width * 39 / 100], 0.0F);
    QCOMPARE(busyColumns[width * 41 / 100], 1.0F);
    QCOMPARE(busyColumns[width * 89 / 100], 1.0F);
    QCOMPARE(busyColumns[width * 91 / 100], 0.0F);
    QCOMPARE(mmColumns[width * 41 / 100], 1.0F);
    QCOMPARE(mmColumns[width * 61 / 100], 0.0F);
    float sum = 0.0F;
    for (const float column : busyColumns) {
        sum += column;
    }
    QVERIFY(std::abs(sum / static_cast<float>(width) - 0.5F) < 1e-4F);
}

void PlotsStripTest::columnsAreDrawnUnderTheirSlices_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void PlotsStripTest::columnsAreDrawnUnderTheirSlices() {
    QFETCH(bool, dark);
    applyTheme(dark ? ThemeChoice::Dark : ThemeChoice::Light);
    const QImage image = drawn();
    const Theme& theme = Theme::current();
    const double y = busy().y() + busy().height() - 6;
    const double scale = m_view->devicePixelRatioF();
    const auto xOf = [&](TimeNs time) { return m_view->timeline().coordinates().x(time); };
    // The first and last busy pixel, and their idle neighbours.
    QCOMPARE(colorAt(image, {xOf(4'000), y}), theme.busy());
    QCOMPARE(colorAt(image, {xOf(4'000) - 1 / scale, y}), theme.base());
    QCOMPARE(colorAt(image, {xOf(9'000) - 1 / scale, y}), theme.busy());
    QCOMPARE(colorAt(image, {xOf(9'000), y}), theme.base());
    const BusyStripPlot& mm = *m_view->strips()[1];
    const double mmY = mm.y() + mm.height() - 6;
    QCOMPARE(colorAt(image, {xOf(6'000) - 1 / scale, mmY}), theme.mmConv());
    QCOMPARE(colorAt(image, {xOf(6'000), mmY}), theme.base());
    // A column that is half covered is half as high.
    const TimeNs start = 4'000 - std::lround(4 / scale);
    m_state->setVisible({start, start + 8'000});
    const QImage far = drawn();
    QCOMPARE(busy().columns()[0], 0.5F);
    QCOMPARE(colorAt(far, {xOf(start), busy().y() + busy().height() * 0.75}), theme.busy());
    QCOMPARE(colorAt(far, {xOf(start), busy().y() + busy().height() * 0.25}), theme.base());
}

void PlotsStripTest::stripsFollowTheView() {
    (void)drawn();
    const auto title = [this] {
        return busy().grab(QRect(0, 0, static_cast<int>(busy().coordinates().left()), 20));
    };
    m_state->setVisible({4'000, 9'000});
    (void)drawn();
    for (const float column : busy().columns()) {
        QCOMPARE(column, 1.0F);
    }
    QCOMPARE(busy().figure(), QStringLiteral("100.0 % in view"));
    const QImage whenBusy = title().toImage();
    m_state->setVisible({9'000, 10'000});
    (void)drawn();
    QCOMPARE(busy().figure(), QStringLiteral("0.0 % in view"));
    QVERIFY(title().toImage() != whenBusy);
    for (const float column : busy().columns()) {
        QCOMPARE(column, 0.0F);
    }
}

void PlotsStripTest::figuresInViewAreOfTheTraceAlone() {
    const auto rulerText = [this] {
        (void)drawn();
        return m_view->ruler().grab(QRect(0, 0, 180, 20)).toImage();
    };
    const QImage whole = rulerText();
    QCOMPARE(busy().figure(), QStringLiteral("50.0 % in view"));
    m_state->setVisible({-2'000, 12'000});  // margins beside the trace
    QVERIFY(rulerText() == whole);          // 10.000 µs in view
    QCOMPARE(busy().figure(), QStringLiteral("50.0 % in view"));
    m_state->setVisible({8'000, 12'000});
    QVERIFY(rulerText() != whole);
    QCOMPARE(busy().figure(), QStringLiteral("50.0 % in view"));
}

void PlotsStripTest::labelsOfTheRulerAreWhole() {
    m_state->setVisible({0, 8'100});  // a tick at 8,000, 12 pixels from the right edge
    const QImage image = drawn();
    const double x = std::floor(m_view->ruler().coordinates().x(8'000));
    for (int right = 4; right < 12; ++right) {
        for (int y = 4; y < m_view->ruler().height() - 12; ++y) {
            QCOMPARE(colorAt(image, {x + right, m_view->ruler().y() + 1.0 * y}),
                     Theme::current().raised());
        }
    }
}

void PlotsStripTest::toolTipTellsTheColumnAndTheTitle() {
    (void)drawn();
    const int x = static_cast<int>(busy().coordinates().x(5'000));
    const QString text = busy().toolTipAt({x, 20});
    QVERIFY2(text.contains(QStringLiteral("GPU 0 busy: 100.0 %")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("5.000 µs")), qPrintable(text));
    QVERIFY(busy().toolTipAt({10, 20}).contains(QStringLiteral("kernel, copy or memset")));
}

void PlotsStripTest::pointerIsSharedByAllParts() {
    const QImage before = drawn();
    movePointer(*busy().findChild<QWidget*>(), {820, 10});
    const QImage after = drawn();
    // On free ground of the ruler's badge, the other strip and the timeline.
    for (const double y :
         {m_view->ruler().y() + 10.0, m_view->strips()[1]->y() + 20.0, m_view->height() - 10.0}) {
        QVERIFY(colorAt(before, {820, y}) != colorAt(after, {820, y}));
    }
}

void PlotsStripTest::thePointerStaysWhileTheViewMoves() {
    (void)drawn();
    const double x = std::floor(m_view->timeline().coordinates().x(2'000)) + 0.5;
    movePointer(m_view->timeline(), {x, 30});
    m_state->setVisible({1'000, 3'000});
    QVERIFY(m_view->timeline().cursorTime());
    QCOMPARE(std::floor(m_view->timeline().coordinates().x(*m_view->timeline().cursorTime())),
             std::floor(x));
    // The line is drawn at one place over strips and rows.
    const QImage image = drawn();
    movePointer(m_view->timeline(), {20, 30});
    const QImage without = drawn();
    const auto differs = [&](double y, double place) {
        place = std::floor(place);
        return colorAt(image, {place, y}) != colorAt(without, {place, y});
    };
    for (const double y : {busy().y() + 8.0, m_view->strips()[1]->y() + 8.0,
                           m_view->timeline().y() + m_view->timeline().height() - 8.0}) {
        QVERIFY(differs(y, x));
        QVERIFY(!differs(y, x - 20));
        QVERIFY(!differs(y, x + 20));
    }
    const double old = busy().coordinates().x(2'000);
    QVERIFY(std::abs(old - x) > 20 && !differs(busy().y() + 8.0, old));
}

void PlotsStripTest::wheelOverAStripZooms() {
    QWidget* canvas = busy().findChild<QWidget*>();
    const QPointF at(220 + 250, 10);
    QWheelEvent event(at, canvas->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(canvas, &event);
    QCOMPARE(m_state->visible(), (TimeSpan{500, 8'500}));
}

void PlotsStripTest::widerLabelsMoveAllParts() {
    m_view->timeline().setLabelWidth(300);
    (void)drawn();
    QCOMPARE(busy().coordinates().left(), 300.0);
    QCOMPARE(m_view->ruler().coordinates().left(), 300.0);
    QVERIFY(std::abs(busy().axisPixel(0) - 300.0) < 1e-6);
}

QTEST_MAIN(PlotsStripTest)
#include "PlotsStripTest.moc"
