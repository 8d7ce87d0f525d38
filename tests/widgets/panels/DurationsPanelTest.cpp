// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QTemporaryDir>
#include <QToolButton>
#include "tests/Patience.h"

#include "tests/widgets/ShownPanel.h"
#include "tests/widgets/TimelineFixture.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/panels/find/FigureLine.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/plots/HistogramChart.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/style/ElidedLabel.h"
#include "widgets/style/Theme.h"
#include "widgets/style/WindowStyle.h"
#include "widgets/timeline/TimelineWidget.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::panels;
using namespace kinetoscope::plots;
using namespace kinetoscope::session;
using namespace kinetoscope::style;

namespace {

// "op" lasts 1, 2, …, 9 µs and once 500 µs; "kernel" 50 µs, twice.
QByteArray traceText() {
    QByteArray text = R"({"traceEvents":[)";
    int at = 0;
    for (const int duration : {1, 2, 3, 4, 5, 6, 7, 8, 9, 500}) {
        text += R"({"ph":"X","cat":"cpu_op","name":"op","pid":9,"tid":9,"ts":)" +
                QByteArray::number(at) + R"(,"dur":)" + QByteArray::number(duration) + "},";
        at += 1'000;
    }
    for (const int start : {0, 5'000}) {
        text += R"({"ph":"X","cat":"kernel","name":"kernel","pid":0,"tid":7,"ts":)" +
                QByteArray::number(start) + R"(,"dur":50,"args":{"device":0,"stream":7}},)";
    }
    text.chop(1);
    return text + "]}";
}

struct Shown : ShownPanel {
    explicit Shown(const QString& path) : ShownPanel("durations") {
        window.docks().showPanel(QStringLiteral("durations"));
        window.openFiles({path});
        isOpen = waitFor([&] {
            return window.view().trace() && window.session().reports().report() &&
                   !window.docks().busy();
        });
    }
    HistogramChart* chart() { return part<HistogramChart>("durationChart"); }
    DurationState& state() { return window.session().durations(); }
    QString figures() {
        return part<FigureLine>("figures")->text().replace(QChar(0x00a0), QLatin1Char(' '));
    }
    bool says(const QString& beginning) {
        return waitFor([&] { return !window.docks().busy() && figures().startsWith(beginning); });
    }
    trace::SliceId first(std::string_view name) {
        trace::SliceId slice = 0;
        while (window.view().trace()->name(slice) != name) {
            ++slice;
        }
        return slice;
    }
    std::size_t binOf(TimeNs duration) {
        const auto& bins = state().result()->bins;
        for (std::size_t bin = 0; bin < bins.size(); ++bin) {
            if (duration >= bins[bin].from && duration < bins[bin].to) {
                return bin;
            }
        }
        return 0;
    }
    void settle() {
        chart()->replot(QCustomPlot::rpImmediateRefresh);
        QApplication::processEvents();
    }
    /// From the middle of one bin to that of another.
    void drag(TimeNs from, TimeNs to) {
        settle();
        const auto middle = [&](TimeNs duration) {
            const QRectF bin = chart()->binRect(binOf(duration));
            return QPoint(qRound(bin.center().x()), qRound(bin.bottom()) - 3);
        };
        QTest::mousePress(chart(), Qt::LeftButton, {}, middle(from));
        movePointer(*chart(), (middle(from) + middle(to)) / 2, Qt::LeftButton);
        movePointer(*chart(), middle(to), Qt::LeftButton);
        QTest::mouseRelease(chart(), Qt::LeftButton, {}, middle(to));
    }
    bool isOpen = false;
};

}  // namespace

class DurationsPanelTest final : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_path;

private slots:
    void initTestCase() {
        applyTheme(ThemeChoice::Light);
        m_path = writeTrace(m_folder, traceText());
        QVERIFY(!m_path.isEmpty());
    }

    void ticksOfANarrowAxisDiffer() {
        QTemporaryDir folder;
        const QString path =
            writeTrace(folder, R"([{"ph":"X","cat":"cpu_op","name":"op","pid":9,"tid":9,"ts":1,
"dur":10.059},{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":5,
"args":{"device":0,"stream":7}}])");
        Shown shown(path);
        QVERIFY(shown.isOpen);
        shown.window.view().select(shown.first("op"));
        QVERIFY(shown.says(QStringLiteral("1 slice")));
        shown.settle();
        QStringList labels = shown.chart()->xAxis->tickVectorLabels().toList();
        QVERIFY(labels.size() > 2);
        QVERIFY2(labels.removeDuplicates() == 0, qPrintable(labels.join(u' ')));
    }
    void init() { failOnQtWarnings(); }

    void whatIsSelectedIsMeasured() {
        Shown shown(m_path);
        QVERIFY(shown.isOpen);
        QVERIFY(shown.chart()->hint().contains("Select a kernel"));
        shown.window.view().select(shown.first("op"));
        QVERIFY(shown.says("10 slices"));
        QCOMPARE(shown.part<ElidedLabel>("source")->text(), QString("op"));
        QCOMPARE(shown.figures(),
                 QString::fromUtf8("10 slices   sum 545.000 µs   mean 54.500 µs   min 1.000 µs   "
                                   "5 % 1.450 µs   25 % 3.250 µs   median 5.500 µs   "
                                   "75 % 7.750 µs   95 % 279.050 µs   max 500.000 µs   "
                                   "selected 1.000 µs"));
        // A row of the Kernels table.
        auto* kernels = shown.window.docks().panel("kernels")->findChild<DataTable*>("kernels");
        kernels->selectRow(0);
        QVERIFY(shown.says("2 slices"));
        QCOMPARE(shown.part<ElidedLabel>("source")->text(), QString("kernel"));
        // A search, which came last.
        shown.window.session().find().setText("/o|k/");
        QVERIFY(shown.says("12 slices"));
        QCOMPARE(shown.part<ElidedLabel>("source")->text(), QString("Found: /o|k/"));
    }

    void barsAreAsHighAsTheirBins() {
        Shown shown(m_path);
        shown.window.view().select(shown.first("op"));
        QVERIFY(shown.says("10 slices"));
        shown.settle();
        const QRectF one = shown.chart()->binRect(shown.binOf(1'000));
        const QRectF longest = shown.chart()->binRect(shown.binOf(500'000));
        QVERIFY(std::abs(one.height() - longest.height()) < 1.0);  // one slice each
        const QImage image = shown.chart()->grab().toImage();
        const double scale = shown.chart()->devicePixelRatioF();
        QCOMPARE(image.pixelColor((longest.center() * scale).toPoint()), Theme::current().accent());
        QCOMPARE(
            image.pixelColor((QPointF(longest.center().x(), longest.top() - 8) * scale).toPoint()),
            Theme::current().base());
        auto* height = shown.part<QComboBox>("height");
        height->setCurrentIndex(1);
        shown.settle();
        const double ratio = shown.chart()->binRect(shown.binOf(500'000)).height() /
                             shown.chart()->binRect(shown.binOf(1'000)).height();
        QVERIFY(std::abs(ratio - 500.0) < 1.0);
        // Ten times as long is as far to the right everywhere, until the axis is linear.
        const auto x = [&](double ns) { return shown.chart()->xOf(ns); };
        QVERIFY(std::abs((x(10'000) - x(1'000)) - (x(100'000) - x(10'000))) < 1.5);
        shown.part<QComboBox>("scale")->setCurrentIndex(1);
        QVERIFY(shown.says("10 slices"));
        QTRY_VERIFY(shown.state().result()->bins.front().from == 0);
        shown.settle();
        QVERIFY(std::abs((x(200'000) - x(100'000)) - (x(400'000) - x(300'000))) < 1.5);
    }

    // On a panel of any width.
    void noLineCrossesALabel() {
        Shown shown(m_path);
        shown.window.view().select(shown.first("op"));
        QVERIFY(shown.says("10 slices"));
        int crossings = 0;
        auto* panel = shown.window.docks().panel("durations");
        panel->setParent(nullptr);
        for (const int width : {1400, 700, 420}) {
            panel->resize(width, 300);
            panel->show();
            shown.settle();
            const std::vector<QRectF> labels = shown.chart()->quantileLabels();
            QCOMPARE(labels.size(), kDurationQuantiles.size());
            const QImage image = shown.chart()->grab().toImage();
            const double scale = shown.chart()->devicePixelRatioF();
            for (const QRectF& label : labels) {
                for (const double quantile : shown.state().result()->quantiles) {
                    const double x = shown.chart()->xOf(quantile);
                    crossings += x > label.left() + 1 && x < label.right() - 1 ? 1 : 0;
                }
                for (const QRectF& other : labels) {
                    QVERIFY(&other == &label || !other.intersects(label));
                }
                // Above and below the digits there is hardly any ink, not even of a line with gaps.
                for (const double y : {label.top() + 0.5, label.top() + 1.5, label.bottom() - 0.5,
                                       label.bottom() - 1.5}) {
                    for (int x = 2; x + 2 < label.width(); ++x) {
                        const QPointF at(label.left() + x, y);
                        QVERIFY(image.pixelColor((at * scale).toPoint()).lightness() > 200);
                    }
                }
                // A bin neither.
                QVERIFY(label.isEmpty() ||
                        label.bottom() <= shown.chart()->binRect(shown.binOf(1'000)).top());
            }
        }
        QVERIFY(crossings > 0);
        delete panel;
    }

    void theSelectedTimeLimitsIt() {
        Shown shown(m_path);
        shown.window.view().select(shown.first("op"));
        QVERIFY(shown.says("10 slices"));
        shown.window.view().setWindow(
            {analysis::WindowKind::Range, 0, {TimeNs{500'000}, TimeNs{3'500'000}}});
        QVERIFY(shown.says(QString::fromUtf8("3 slices   sum 9.000 µs")));
        shown.window.view().setWindow({});
        QVERIFY(shown.says("10 slices"));
    }

    void brushingEmphasisesAndFilters() {
        Shown shown(m_path);
        ViewState& view = shown.window.view();
        shown.window.session().find().setText("op");
        QVERIFY(shown.says("10 slices"));
        shown.drag(4'000, 9'000);
        QVERIFY(
            waitFor([&] { return view.emphasis() && shown.window.session().find().count() == 6; }));
        QCOMPARE(view.emphasis()->byStart(), *shown.window.session().find().result()->hits);
        const trace::Trace& trace = *view.trace();
        for (const trace::SliceId slice : view.emphasis()->byStart()) {
            QVERIFY(trace.duration(slice) >= 4'000 && trace.duration(slice) <= 9'000);
        }
        QVERIFY(shown.says("10 slices"));  // the others stay, to be brushed next
        auto* chip = shown.part<QToolButton>("brush");
        QVERIFY(chip->isVisible());
        QTest::mouseClick(chip, Qt::LeftButton);
        QVERIFY(!view.emphasis());
        QVERIFY(waitFor([&] { return shown.window.session().find().count() == 10; }));
        QVERIFY(!chip->isVisible());
        // A click takes one bin, another one gives it back.
        shown.drag(500'000, 500'000);
        QVERIFY(waitFor([&] { return shown.window.session().find().count() == 1; }));
        shown.drag(500'000, 500'000);
        QVERIFY(waitFor([&] { return shown.window.session().find().count() == 10; }));
        QVERIFY(!shown.state().brush());
    }

    void escapeInTheTimelineEndsTheBrush() {
        Shown shown(m_path);
        shown.window.view().highlightName(shown.window.view().trace()->nameId(shown.first("op")));
        QVERIFY(shown.says("10 slices"));
        shown.drag(2'000, 3'000);
        QVERIFY(waitFor([&] { return shown.window.view().emphasis() != nullptr; }));
        QCOMPARE(shown.window.view().emphasis()->byStart().size(), std::size_t{2});
        auto* view = qobject_cast<TimelineView*>(shown.window.timeline());
        QTest::keyClick(&view->timeline(), Qt::Key_Escape);
        QVERIFY(!shown.window.view().emphasis());
        QVERIFY(!shown.state().brush());
    }

    void theSelectedSliceHasItsPlace() {
        Shown shown(m_path);
        shown.window.view().highlightName(shown.window.view().trace()->nameId(shown.first("op")));
        QVERIFY(shown.says("10 slices"));
        const auto hasLine = [&](double ns) {
            shown.settle();
            const QImage image = shown.chart()->grab().toImage();
            const double scale = shown.chart()->devicePixelRatioF();
            const int y = static_cast<int>(shown.chart()->axisRect()->rect().center().y() * scale);
            const int x = static_cast<int>(shown.chart()->xOf(ns) * scale);
            for (int by = -2; by <= 2; ++by) {
                if (image.pixelColor(x + by, y) == Theme::current().selection()) {
                    return true;
                }
            }
            return false;
        };
        QVERIFY(!hasLine(20'000));
        QVERIFY(!hasLine(1'000));
        shown.window.view().select(shown.first("op"));
        QVERIFY(shown.figures().endsWith(QString::fromUtf8("selected 1.000 µs")));
        shown.window.view().select(shown.first("op") + 3);
        QVERIFY(hasLine(4'000));
        shown.window.view().select(shown.first("kernel"));  // none of them
        QVERIFY(!hasLine(50'000) && !hasLine(4'000));
    }

    void figuresWrapAndAreNeverCut() {
        Shown shown(m_path);
        shown.window.view().select(shown.first("op"));
        QVERIFY(shown.says("10 slices"));
        auto* panel = shown.window.docks().panel("durations");
        panel->setParent(nullptr);
        panel->resize(360, 420);
        panel->show();
        auto* line = shown.part<FigureLine>("figures");
        QTRY_VERIFY(line->height() >= line->heightForWidth(line->width()));
        QVERIFY(line->height() > 2 * line->fontMetrics().height());
        for (const QString& word : line->text().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
            QVERIFY(line->fontMetrics().horizontalAdvance(word) <= line->contentsRect().width());
        }
        delete panel;
    }
};

QTEST_MAIN(DurationsPanelTest)
#include "DurationsPanelTest.moc"
