// SPDX-License-Identifier: GPL-3.0-or-later
// Objects of the timeline beside slices: the pointer, a click, the picture and Details.
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QToolTip>
#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "tests/widgets/TimelineFixture.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/models/ColumnTableModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/session/IdleFinder.h"
#include "widgets/style/ElidedLabel.h"
#include "widgets/style/Theme.h"
#include "widgets/style/WindowStyle.h"
#include "widgets/timeline/TimelineWidget.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::panels;
using namespace kinetoscope::session;
using namespace kinetoscope::style;
using namespace kinetoscope::timeline;

namespace {

// GPU 0 has two streams and two gaps, [100 µs, 320 µs) and [400 µs, 480 µs); GPU 1 is busy.
constexpr const char* kGaps = R"({"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":150,"dur":170},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":300,"dur":10,
 "args":{"correlation":7}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":330,"dur":10,
 "args":{"correlation":8}},
{"ph":"X","cat":"kernel","name":"first","pid":0,"tid":7,"ts":0,"dur":100,
 "args":{"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"second","pid":0,"tid":13,"ts":320,"dur":80,
 "args":{"correlation":7,"device":0,"stream":13}},
{"ph":"X","cat":"kernel","name":"third","pid":0,"tid":7,"ts":480,"dur":20,
 "args":{"correlation":8,"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"other","pid":1,"tid":7,"ts":0,"dur":500,
 "args":{"device":1,"stream":7}}
]})";

// Three totals of an allocator (1, 3 and 2 MiB), an instant of the process and one of all, a
// counter.
constexpr const char* kMarks = R"({"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"op","pid":9,"tid":9,"ts":0,"dur":1000},
{"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":9,"tid":9,"ts":100,"args":{
 "Total Reserved":4194304,"Total Allocated":1048576,"Bytes":1048576,"Device Id":0,"Device Type":1}},
{"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":9,"tid":9,"ts":200,"args":{
 "Total Reserved":4194304,"Total Allocated":3145728,"Bytes":2097152,"Device Id":0,"Device Type":1}},
{"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":9,"tid":9,"ts":300,"args":{
 "Total Reserved":4194304,"Total Allocated":2097152,"Bytes":-1048576,"Device Id":0,"Device Type":1}},
{"ph":"i","s":"p","name":"Iteration Start","pid":9,"tid":9,"ts":500,"args":{"note":"of the process"}},
{"ph":"i","s":"g","name":"everywhere","pid":9,"tid":9,"ts":700},
{"ph":"C","name":"queue","pid":9,"ts":10,"args":{"jobs":1}},
{"ph":"C","name":"queue","pid":9,"ts":400,"args":{"jobs":5,"kept":2}}
]})";

// Rows of kMarks.
const Selection kPeak = SelectedSample{2};
const Selection kLater = SelectedSample{4};

constexpr const char* kMoments = R"({"traceEvents":[
{"ph":"i","s":"t","name":"first","pid":9,"tid":9,"ts":100,"args":{"why":"because"}},
{"ph":"i","s":"t","name":"last","pid":9,"tid":9,"ts":700}
]})";

const Selection kFirstGap = SelectedGap{0, {100'000, 320'000}};
const Selection kSecondGap = SelectedGap{0, {400'000, 480'000}};

struct Shown {
    QTemporaryDir folder;
    Settings settings{Settings::InMemory{}};
    MainWindow window{settings};

    explicit Shown(const char* text) {
        QFile file(folder.filePath("trace.json"));
        if (file.open(QIODevice::WriteOnly)) {
            file.write(text);
        }
        file.close();
        window.resize(1600, 1000);
        window.show();
        window.openFiles({file.fileName()});
    }
    bool ready() {
        return waitFor(
            [&] { return window.view().trace() && window.view().trace()->isComplete(); });
    }
    IdleFinder& idle() { return IdleFinder::of(window.view()); }
    ViewState& view() { return window.view(); }
    TimelineWidget& timeline() { return *window.timeline()->findChild<TimelineWidget*>(); }
    /// The place of a time in the row of this label, from the top of its GPU or process on.
    QPoint place(TimeNs time, const char* group, const char* label) {
        bool inGroup = false;
        for (const TimelineRow& row : timeline().rows().rows()) {
            inGroup = row.kind == RowKind::Group ? row.label.starts_with(group) : inGroup;
            if (inGroup && row.kind != RowKind::Group && row.label == label) {
                return {qRound(timeline().coordinates().x(time)), row.top + row.height / 2};
            }
        }
        return {};
    }
    QPoint middle(TimeNs from, TimeNs to, const char* group, const char* label) {
        return place((from + to) / 2, group, label);
    }
    void click(QPoint at) { QTest::mouseClick(&timeline(), Qt::LeftButton, {}, at); }
    QString toolTip(QPoint at) {
        // What is hidden stays for a moment: another text tells it from what is shown anew.
        const QString other = QStringLiteral("no tool tip");
        QToolTip::showText(timeline().mapToGlobal(QPoint(1, 1)), other, &timeline());
        movePointer(timeline(), at);
        const QString text = QToolTip::text();
        return text == other ? QString() : text;
    }
    QImage drawn() {
        QApplication::processEvents();
        return timeline().grab().toImage();
    }
    /// Pixels of the colour of selections in a square around the place.
    int selectedPixels(const QImage& image, QPoint at) {
        const double scale = timeline().devicePixelRatioF();
        int found = 0;
        for (int y = -5; y <= 5; ++y) {
            for (int x = -5; x <= 5; ++x) {
                const QPoint pixel = ((QPointF(at) + QPointF(x, y)) * scale).toPoint();
                found += image.pixelColor(pixel) == Theme::current().selection() ? 1 : 0;
            }
        }
        return found;
    }
    DataTable& details() { return *window.docks().panel("details")->findChild<DataTable*>(); }
    /// The value beside a label of Details; empty: there is none.
    QString detail(const char* label) {
        const QModelIndex found = detailIndex(label);
        return found.isValid() ? found.data().toString() : QString();
    }
    /// Whether the value has as many lines as it needs, more than one.
    bool isReadWhole(const char* label) {
        const QRect cell = details().visualRect(detailIndex(label));
        const QFontMetrics font = details().fontMetrics();
        const QRect text =
            font.boundingRect(QRect(0, 0, cell.width(), 1'000), Qt::TextWordWrap, detail(label));
        return text.height() > font.height() && cell.height() > text.height();
    }
    QModelIndex detailIndex(const char* label) {
        const QAbstractItemModel& model = *details().model();
        for (int row = 0; row < model.rowCount(); ++row) {
            if (model.index(row, 0).data().toString() == QString::fromUtf8(label)) {
                return model.index(row, 1);
            }
        }
        return {};
    }
    void follow(const char* label) {
        const QModelIndex index = detailIndex(label);
        details().scrollTo(index);
        QTest::mouseClick(details().viewport(), Qt::LeftButton, {},
                          details().visualRect(index).topLeft() + QPoint(12, 6));
    }
    std::string_view selectedName() {
        const auto slice = view().selected();
        return slice == trace::kNoSlice ? std::string_view() : view().trace()->name(slice);
    }
};

}  // namespace

class TimelineObjectsTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init() { failOnQtWarnings(); }
    void cleanup() { QToolTip::hideText(); }

    void aGapUnderThePointerSaysWhy() {
        Shown shown(kGaps);
        QVERIFY(shown.ready());
        const QPoint at = shown.middle(100'000, 320'000, "GPU 0", "stream 13");
        // They are looked for when somebody points there first.
        QVERIFY(shown.idle().gaps() == nullptr);
        movePointer(shown.timeline(), at);
        QTRY_VERIFY(shown.idle().gaps() != nullptr);
        const QString text = shown.toolTip(at + QPoint(1, 0));
        QVERIFY2(text.contains(QString::fromUtf8("GPU 0 idle for 220.000 µs")), qPrintable(text));
        QVERIFY2(text.contains("Host") && text.contains("90.91 %"), qPrintable(text));
        QVERIFY2(text.contains("aten::mm") && text.contains("second"), qPrintable(text));
        // The stream is idle, the GPU is not.
        QVERIFY(shown.toolTip(shown.place(50'000, "GPU 0", "stream 13")).isEmpty());
        QVERIFY(
            shown.toolTip(shown.middle(100'000, 320'000, "GPU 1", "stream 7")).contains("other"));
    }

    void aClickSelectsTheGapOnAllStreams() {
        Shown shown(kGaps);
        QVERIFY(shown.ready());
        const QPoint seven = shown.middle(100'000, 320'000, "GPU 0", "stream 7");
        const QPoint thirteen = shown.middle(100'000, 320'000, "GPU 0", "stream 13");
        const QPoint other = shown.middle(100'000, 320'000, "GPU 1", "stream 7");
        QCOMPARE(shown.selectedPixels(shown.drawn(), seven), 0);
        shown.click(seven);  // the gaps are not there yet
        QTRY_VERIFY(shown.view().selection() == kFirstGap);
        const QImage image = shown.drawn();
        QCOMPARE(
            shown.window.statusBar()->findChild<ElidedLabel*>(QStringLiteral("selection"))->text(),
            QString::fromUtf8("GPU 0 idle for 220.000 µs from 100.000 µs on"));
        QVERIFY(shown.selectedPixels(image, seven) > 5);
        QVERIFY(shown.selectedPixels(image, thirteen) > 5);
        QCOMPARE(shown.selectedPixels(image, other), 0);
        shown.click(shown.place(440'000, "GPU 0", "stream 13"));
        QVERIFY(shown.view().selection() == kSecondGap);
        QCOMPARE(shown.selectedPixels(shown.drawn(), seven), 0);
        // Busy on another stream: nothing is selected.
        shown.click(shown.place(50'000, "GPU 0", "stream 13"));
        QVERIFY(isNothing(shown.view().selection()));
    }

    void keysGoFromGapToGap() {
        Shown shown(kGaps);
        QVERIFY(shown.ready());
        shown.click(shown.middle(100'000, 320'000, "GPU 0", "stream 7"));
        QTRY_VERIFY(shown.view().selection() == kFirstGap);
        QTest::keyClick(&shown.timeline(), Qt::Key_Right);
        QVERIFY(shown.view().selection() == kSecondGap);
        QTest::keyClick(&shown.timeline(), Qt::Key_Right);
        QVERIFY(shown.view().selection() == kSecondGap);
        QTest::keyClick(&shown.timeline(), Qt::Key_Left);
        QVERIFY(shown.view().selection() == kFirstGap);
        QTest::keyClick(&shown.timeline(), Qt::Key_F);
        const TimeSpan visible = shown.view().visible();
        QVERIFY(visible.start < 100'000 && visible.end > 320'000);
        QVERIFY(visible.duration() < 300'000);
        QTest::keyClick(&shown.timeline(), Qt::Key_Escape);
        QVERIFY(isNothing(shown.view().selection()));
    }

    void detailsExplainTheGap() {
        Shown shown(kGaps);
        QVERIFY(shown.ready());
        shown.window.docks().showPanel(QStringLiteral("details"));
        shown.click(shown.middle(100'000, 320'000, "GPU 0", "stream 7"));
        QTRY_VERIFY(!shown.detail("Host").isEmpty());
        QVERIFY2(shown.detail("Host").contains("(90.91 %)"), qPrintable(shown.detail("Host")));
        QVERIFY2(shown.detail("Launch").contains("(9.09 %)"), qPrintable(shown.detail("Launch")));
        QVERIFY(shown.detail("Duration").contains("(220,000 ns)"));
        QVERIFY(shown.detail("What to do").contains("launch earlier"));
        QVERIFY(shown.isReadWhole("What to do"));
        QVERIFY(shown.detail("Host activity").startsWith("aten::mm"));
        QVERIFY(shown.detail("Before").startsWith("first"));
        QVERIFY(shown.detail("Next").startsWith("second"));
        shown.follow("Next");
        QCOMPARE(shown.selectedName(), std::string_view("second"));
        shown.view().setSelection(kFirstGap);
        shown.follow("Host activity");
        QCOMPARE(shown.selectedName(), std::string_view("aten::mm"));
        shown.view().setSelection(kFirstGap);
        shown.follow("Before");
        QCOMPARE(shown.selectedName(), std::string_view("first"));
    }

    void instantsAreObjectsThatHideNothing() {
        Shown shown(kMarks);
        QVERIFY(shown.ready());
        shown.window.docks().showPanel(QStringLiteral("details"));
        const Selection second = SelectedInstant{1};
        const QRectF box = *shown.timeline().markBox(second);
        QVERIFY(shown.toolTip(box.center().toPoint()).contains("[memory]"));
        const QImage image = shown.drawn();
        const double scale = shown.timeline().devicePixelRatioF();
        QVERIFY(image.pixelColor((box.center() * scale).toPoint()) != Theme::current().base());
        // The slice is below, as it is beside it.
        const QRectF slice = *shown.timeline().sliceBox(0);
        QVERIFY(slice.top() >= box.bottom());
        const QPointF under(box.center().x() + 3, slice.bottom() - 2);  // beside the pointer
        QCOMPARE(image.pixelColor((under * scale).toPoint()),
                 image.pixelColor(((under + QPointF(25, 0)) * scale).toPoint()));

        shown.click(box.center().toPoint());
        QVERIFY(shown.view().selection() == second);
        QVERIFY(shown.drawn() != image);  // it is outlined
        QCOMPARE(shown.detail("Name"), QString("[memory]"));
        QVERIFY(shown.detail("Time").contains("(200,000 ns)"));
        QCOMPARE(shown.detail("Stands for"), QString("its thread"));
        QCOMPARE(shown.detail("Bytes"), QString("2097152"));
        QVERIFY(shown.detail("During").startsWith("op"));
        QTest::keyClick(&shown.timeline(), Qt::Key_Right);
        QVERIFY(shown.view().selection() == Selection(SelectedInstant{2}));
        shown.view().setSelection(second);
        QVERIFY(shown.detail("Counter").contains("GPU 0 memory: 3.0 MiB"));
        shown.follow("Counter");
        QVERIFY(shown.view().selection() == kPeak);
    }

    void instantsOfAProcessStandOnItsHeading() {
        Shown shown(kMarks);
        QVERIFY(shown.ready());
        shown.window.docks().showPanel(QStringLiteral("details"));
        const std::size_t rows = shown.timeline().rows().rows().size();
        const Selection start = SelectedInstant{3};
        shown.click(shown.timeline().markBox(start)->center().toPoint());
        QVERIFY(shown.view().selection() == start);
        QCOMPARE(shown.timeline().rows().rows().size(), rows);  // nothing is folded
        QCOMPARE(shown.detail("Stands for"), QString("its process"));
        QCOMPARE(shown.detail("note"), QString("of the process"));
        // That of all rows has a line through them.
        const QPoint at = shown.place(700'000, "process 9", "thread 9");
        const QImage image = shown.drawn();
        const double scale = shown.timeline().devicePixelRatioF();
        const QColor beside = image.pixelColor((QPointF(at + QPoint(12, 0)) * scale).toPoint());
        bool found = false;
        for (int x = -2; x <= 2; ++x) {
            found |= image.pixelColor((QPointF(at + QPoint(x, 0)) * scale).toPoint()) != beside;
        }
        QVERIFY(found);
    }

    void countersHaveAScaleAndAValueUnderThePointer() {
        Shown shown(kMarks);
        QVERIFY(shown.ready());
        const QString text = shown.toolTip(shown.place(250'000, "process 9", "GPU 0 memory"));
        QVERIFY2(text.contains("3.0 MiB") && text.contains("4.0 MiB"), qPrintable(text));
        QVERIFY2(text.contains("Total Allocated") && text.contains("200.000"), qPrintable(text));
        QVERIFY(
            shown.toolTip(shown.place(150'000, "process 9", "GPU 0 memory")).contains("1.0 MiB"));
        QVERIFY(shown.toolTip(shown.place(250'000, "process 9", "queue")).contains("jobs"));
        // As high as its value: five is five times as high as one.
        const QImage image = shown.drawn();
        const double scale = shown.timeline().devicePixelRatioF();
        const auto height = [&](TimeNs time) {
            const QPoint at = shown.place(time, "process 9", "queue");
            int filled = 0;
            for (int y = qRound((at.y() - 12) * scale); y <= qRound((at.y() + 12) * scale); ++y) {
                filled += image.pixelColor(qRound(at.x() * scale), y) != Theme::current().base();
            }
            return filled;
        };
        QVERIFY2(height(600'000) > 3 * height(250'000),
                 qPrintable(QString::number(height(600'000))));
    }

    void aClickSelectsASampleAndDetailsLeadToThePeak() {
        Shown shown(kMarks);
        QVERIFY(shown.ready());
        shown.window.docks().showPanel(QStringLiteral("details"));
        shown.click(shown.timeline().markBox(kLater)->center().toPoint() + QPoint(20, 0));
        QVERIFY(shown.view().selection() == kLater);
        QCOMPARE(shown.detail("Value"), QString("2.0 MiB"));
        QCOMPARE(shown.detail("Change"), QString("-1.0 MiB"));
        QCOMPARE(shown.detail("Series"), QString("Total Allocated"));
        QCOMPARE(shown.detail("Total Reserved"), QString("4.0 MiB"));
        QVERIFY(shown.detail("Peak").startsWith("3.0 MiB at 200"));
        QCOMPARE(shown.detail("Bytes"), QString("-1048576"));
        shown.follow("Peak");
        QVERIFY(shown.view().selection() == kPeak);
        QTest::keyClick(&shown.timeline(), Qt::Key_Right);
        QVERIFY(shown.view().selection() == kLater);
        QTest::keySequence(&shown.timeline(), QKeySequence(QKeySequence::Copy));
        QVERIFY(QGuiApplication::clipboard()->text().startsWith(
            "GPU 0 memory Total Allocated: 2.0 MiB"));
        // A counter of several series: each has its own samples.
        shown.view().setSelection(SelectedSample{8});
        QCOMPARE(shown.detail("Series"), QString("kept"));
        QCOMPARE(shown.detail("jobs"), QString("5"));
    }

    void momentsAloneAreATraceWithALength() {
        Shown shown(kMoments);
        QVERIFY(shown.ready());
        shown.window.docks().showPanel(QStringLiteral("details"));
        QCOMPARE(shown.view().trace()->extent(), (TimeSpan{100'000, 700'000}));
        const TimeSpan visible = shown.view().visible();
        QVERIFY(visible.contains(100'000) && visible.contains(700'000));
        QString status;
        for (const auto* label : shown.window.statusBar()->findChildren<ElidedLabel*>()) {
            status += label->text() + QLatin1Char(' ');
        }
        QVERIFY2(status.contains(QString::fromUtf8("600.000 µs")), qPrintable(status));
        const Selection first = SelectedInstant{0};
        shown.click(shown.timeline().markBox(first)->center().toPoint());
        QVERIFY(shown.view().selection() == first);
        QCOMPARE(shown.detail("why"), QString("because"));
        QTest::keyClick(&shown.timeline(), Qt::Key_F);
        QVERIFY(shown.view().visible().contains(100'000));
    }

    void collapsedGroupsShowHowBusyTheyAre() {
        Shown shown(kGaps);
        QVERIFY(shown.ready());
        const TimelineRow heading = shown.timeline().rows().rows().front();
        const auto at = [&](TimeNs time) {
            return QPointF(shown.timeline().coordinates().x(time), heading.bottom() - 6);
        };
        const double scale = shown.timeline().devicePixelRatioF();
        const QColor plain = shown.drawn().pixelColor((at(50'000) * scale).toPoint());
        shown.timeline().setCollapsed(heading.process, true);
        const QImage image = shown.drawn();
        QVERIFY(image.pixelColor((at(50'000) * scale).toPoint()) != plain);   // first
        QVERIFY(image.pixelColor((at(350'000) * scale).toPoint()) != plain);  // second
        QCOMPARE(image.pixelColor((at(200'000) * scale).toPoint()), plain);   // the gap
    }

    void eachTraceHasItsOwnGaps() {
        Shown shown(kGaps);
        QVERIFY(shown.ready());
        shown.idle().want();
        QTRY_VERIFY(shown.idle().gaps() != nullptr);
        const TraceGaps* first = shown.idle().gaps();
        QCOMPARE(first->list.gaps.size(), std::size_t{2});
        QString other = shown.folder.filePath("other.json");
        QVERIFY(QFile::copy(shown.folder.filePath("trace.json"), other));
        shown.view().setSelection(kFirstGap);
        shown.window.openFiles({other});
        QTRY_COMPARE(shown.window.session().runs().size(), std::size_t{2});
        QVERIFY(isNothing(shown.view().selection()));
        QVERIFY(shown.idle().gaps() == nullptr);
        shown.window.session().setCurrent(0);
        QCOMPARE(shown.idle().gaps(), first);  // found once
        QVERIFY(shown.view().selection() == kFirstGap);
    }
};

QTEST_MAIN(TimelineObjectsTest)
#include "TimelineObjectsTest.moc"
