// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolTip>
#include "tests/Patience.h"

#include "tests/widgets/TimelineFixture.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/session/ViewState.h"
#include "widgets/style/WindowStyle.h"
#include "widgets/timeline/TimelineWidget.h"

using namespace kinetoscope;
using namespace kinetoscope::session;
using namespace kinetoscope::style;
using namespace kinetoscope::timeline;
using namespace kinetoscope::trace;

using Texts = std::vector<std::string>;

/// What is done with rows: by menus, by dragging their labels, by typing.
class TimelineRowsTest final : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void anUnknownGpuStandsBelowTheOthers();
    void pinnedRowStaysWhileOthersScroll();
    void nothingIsDrawnOverPinnedRows();
    void aCounterHasAWayToItsPeak();
    void hiddenRowComesBack();
    void labelsCanBeDragged();
    void typedFilterLeavesOnlyItsRows();
    void selectionBringsItsRowBack();
    void sliceHasAMenu();
    void othersCanAddToTheMenu();
    void choicesBelongToTheTrace();
    void arrowsNeedNoSelection();
    void arrowsGoFromRowToRow();
    void homeAndEndGoToTheEnds();
    void focusIsFramed();

private:
    /// Asks for the menu at that place and takes the entry of that name.
    void choose(QPoint at, const char* entry) {
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, m_widget->mapToGlobal(at));
        QApplication::sendEvent(m_widget.get(), &event);
        auto* menu = m_widget->findChild<QMenu*>(QStringLiteral("timelineMenu"));
        QVERIFY(menu != nullptr);
        auto* action = menu->findChild<QAction*>(QString::fromLatin1(entry));
        QVERIFY2(action != nullptr, entry);
        QVERIFY2(action->isEnabled(), entry);
        action->trigger();
        delete menu;
    }
    /// The middle of a row's label.
    QPoint labelOf(const char* label) const {
        for (const TimelineRow& row : m_widget->rows().rows()) {
            if (row.label == label) {
                const int shift = m_widget->rows().shift(row, m_widget->rowView());
                return {60, row.top + shift + row.height / 2};
            }
        }
        return {-1, -1};
    }
    Texts labels() const {
        Texts found;
        for (const TimelineRow& row : m_widget->rows().rows()) {
            found.push_back(row.label);
        }
        return found;
    }
    QPoint middleOf(SliceId slice) const { return m_widget->sliceBox(slice)->center().toPoint(); }
    QColor colorAt(QPoint at) const {
        QApplication::processEvents();
        const QImage image = m_widget->grab().toImage();
        return image.pixelColor(at * m_widget->devicePixelRatioF());
    }
    void key(Qt::Key key) { QTest::keyClick(m_widget.get(), key); }

    TimelineFixture m_fixture;
    std::unique_ptr<ViewState> m_state;
    std::unique_ptr<TimelineWidget> m_widget;
};

void TimelineRowsTest::init() {
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

void TimelineRowsTest::cleanup() {
    QToolTip::hideText();
    m_widget.reset();
    m_state.reset();
}

void TimelineRowsTest::anUnknownGpuStandsBelowTheOthers() {
    TraceBuilder builder;
    const auto addRow = [&](std::int64_t pid, const char* name, Category category) {
        const RowId process{false, pid};
        builder.processRow(builder.process(process)).name = builder.name(name);
        builder.addSlice({.start = 0,
                          .duration = 10,
                          .track = builder.track(process, {false, 7}),
                          .category = static_cast<CategoryId>(category)});
    };
    addRow(-2, "unknown GPU", Category::CudaSync);
    addRow(-1, "CUPTI Overhead", Category::Overhead);
    addRow(400, "python", Category::CpuOp);
    addRow(1, "python", Category::Kernel);
    addRow(0, "python", Category::Kernel);
    query::LaneIndex index(builder.finish());
    const TimelineRows rows(index, {});
    Texts groups;
    for (const TimelineRow& row : rows.rows()) {
        if (row.kind == RowKind::Group) {
            groups.push_back(row.label);
        }
    }
    QCOMPARE(groups, (Texts{"GPU 0", "GPU 1", "unknown GPU", "python 400", "CUPTI Overhead -1"}));
}

void TimelineRowsTest::nothingIsDrawnOverPinnedRows() {
    m_widget->resize(1'232, 90);
    choose(labelOf("stream 13"), "pin");
    auto* bar = m_widget->findChild<QScrollBar*>();
    const auto pinnedPart = [&] {
        QApplication::processEvents();
        const QSize size = QSize(1'000, m_widget->rowView().pinned) * m_widget->devicePixelRatioF();
        return m_widget->grab().toImage().copy(
            QRect(QPoint(static_cast<int>(220 * m_widget->devicePixelRatioF()), 0), size));
    };
    const QImage before = pinnedPart();
    // The counter's third sample, and a kernel with the arrow from its launch.
    const Selection sample = SelectedSample{2};
    for (const Selection& what : {selectionOf(m_fixture.gemm), sample}) {
        m_state->setSelection(what);
        bool covered = false;
        for (int scroll = 0; scroll <= bar->maximum(); scroll += 2) {
            bar->setValue(scroll);
            const int edge = m_widget->rowView().pinned;
            const QRectF box = std::holds_alternative<SelectedSlice>(what)
                                   ? *m_widget->sliceBox(m_fixture.gemm)
                                   : *m_widget->markBox(what);
            covered = covered || box.top() < edge - 4;
            movePointer(*m_widget, {box.center().x(), edge + 3.0});
            movePointer(*m_widget, {100.0, edge + 3.0});
            QCOMPARE(pinnedPart(), before);
        }
        QVERIFY(covered);
    }
}

void TimelineRowsTest::aCounterHasAWayToItsPeak() {
    m_state->setVisible({0, 1'000});
    choose(labelOf("queue"), "goToPeak");
    const auto* sample = std::get_if<SelectedSample>(&m_state->selection());
    QVERIFY(sample);
    QCOMPARE(m_fixture.trace->counters()[sample->sample].value, TimelineFixture::kCounterMost);
    QVERIFY(m_state->visible().contains(5'000));
}

void TimelineRowsTest::pinnedRowStaysWhileOthersScroll() {
    m_widget->resize(1'232, 150);
    choose(labelOf("stream 13"), "pin");
    QCOMPARE(labels().front(), std::string("stream 13"));
    QCOMPARE(std::ranges::count(labels(), "stream 13"), 1);
    const QPoint copy = middleOf(m_fixture.copy);
    const QColor color = Theme::current().categoryColor(Category::GpuMemcpy);
    const QPoint inCopy(static_cast<int>(m_widget->sliceBox(m_fixture.copy)->left()) + 3, copy.y());
    QCOMPARE(colorAt(inCopy), color);
    auto* bar = m_widget->findChild<QScrollBar*>();
    QVERIFY(bar->maximum() > 30);
    bar->setValue(bar->maximum());
    QCOMPARE(middleOf(m_fixture.copy), copy);
    QCOMPARE(colorAt(inCopy), color);
    QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, copy);
    QCOMPARE(m_state->selected(), m_fixture.copy);
    // What scrolls below the pinned row is not drawn over it.
    QCOMPARE(colorAt({inCopy.x() - 200, copy.y()}), Theme::current().base());
    choose({60, copy.y()}, "pin");
    QCOMPARE(m_widget->rows().pinnedHeight(), 0);
}

void TimelineRowsTest::hiddenRowComesBack() {
    const Texts all = labels();
    choose(labelOf("stream 7"), "hide");
    QVERIFY(std::ranges::count(labels(), "stream 7") == 0);
    QVERIFY(!m_widget->sliceBox(m_fixture.gemm));
    choose(labelOf("stream 13"), "showHidden");
    QCOMPARE(labels(), all);
    choose(labelOf("python 477"), "fold");
    QCOMPARE(labels().back(), std::string("python 477"));
    choose(labelOf("python 477"), "fold");
    QCOMPARE(labels(), all);
}

void TimelineRowsTest::labelsCanBeDragged() {
    const Texts all = labels();
    const QPoint from = labelOf("stream 13");
    const QPoint to = labelOf("stream 7") - QPoint(0, 12);
    QTest::mousePress(m_widget.get(), Qt::LeftButton, {}, from);
    movePointer(*m_widget, (from + to) / 2, Qt::LeftButton);
    movePointer(*m_widget, to, Qt::LeftButton);
    const TimelineRow& first = m_widget->rows().rows()[1];
    QCOMPARE(first.label, std::string("stream 7"));
    QCOMPARE(colorAt({100, first.top}), Theme::current().accent());  // where it would go
    QTest::mouseRelease(m_widget.get(), Qt::LeftButton, {}, to);
    QCOMPARE(labels()[1], std::string("stream 13"));
    QCOMPARE(labels()[2], std::string("stream 7"));
    QCOMPARE(m_state->visible(), (TimeSpan{0, 10'000}));
    // Escape gives up.
    QTest::mousePress(m_widget.get(), Qt::LeftButton, {}, labelOf("stream 7"));
    movePointer(*m_widget, labelOf("stream 13"), Qt::LeftButton);
    movePointer(*m_widget, labelOf("stream 13") - QPoint(0, 9), Qt::LeftButton);
    key(Qt::Key_Escape);
    QTest::mouseRelease(m_widget.get(), Qt::LeftButton, {}, labelOf("stream 13"));
    QCOMPARE(labels()[1], std::string("stream 13"));
    choose(labelOf("stream 13"), "moveDown");
    QCOMPARE(labels(), all);
    choose(labelOf("python 477"), "moveUp");
    QCOMPARE(labels().front(), std::string("python 477"));
    choose(labelOf("stream 13"), "usualOrder");
    QCOMPARE(labels(), all);
}

void TimelineRowsTest::typedFilterLeavesOnlyItsRows() {
    const Texts all = labels();
    auto* field = m_widget->findChild<QLineEdit*>(QStringLiteral("rowFilter"));
    QVERIFY(!field->isVisible());
    key(Qt::Key_Slash);
    QVERIFY(field->isVisible());
    QTest::keyClicks(field, QStringLiteral("stream 1"));
    QCOMPARE(labels(), (Texts{"GPU 0 · NVIDIA H200", "stream 13"}));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(field->isVisible());
    QTest::keyClick(field, Qt::Key_Escape);
    QCOMPARE(labels(), all);
    QVERIFY(!field->isVisible());
}

void TimelineRowsTest::selectionBringsItsRowBack() {
    m_widget->changeRows([](RowChoices& rows) { rows.filter = "stream"; });
    QVERIFY(!m_widget->sliceBox(m_fixture.mm));
    m_state->select(m_fixture.mm);
    QVERIFY(m_widget->sliceBox(m_fixture.mm).has_value());
    choose(labelOf("thread 478"), "hide");
    m_state->select(m_fixture.next);
    QVERIFY(m_widget->sliceBox(m_fixture.next).has_value());
}

void TimelineRowsTest::sliceHasAMenu() {
    const QPoint at = middleOf(m_fixture.mm) - QPoint(80, 0);
    choose(at, "copyName");
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("aten::mm"));
    choose(at, "copyText");
    QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("thread 478")));
    choose(at, "selectItsTime");
    QVERIFY(m_state->selectedRange() == (TimeSpan{1'000, 3'000}));
    choose(at, "highlightName");
    QVERIFY(m_state->highlightedName() == m_fixture.trace->nameId(m_fixture.mm));
    choose(at, "highlightName");
    QVERIFY(!m_state->highlightedName());
    QSignalSpy found(m_state.get(), &ViewState::findRequested);
    choose(at, "findName");
    QCOMPARE(found.count(), 1);
    QVERIFY(found.front().front().toString().startsWith(QStringLiteral("/^aten")));
    QSignalSpy panel(m_state.get(), &ViewState::panelRequested);
    choose(at, "showInDetails");
    QCOMPARE(panel.count(), 1);
    QCOMPARE(m_state->selected(), m_fixture.mm);
    QSignalSpy calls(m_state.get(), &ViewState::callsRequested);
    choose(at, "showCalls");
    QCOMPARE(calls.count(), 1);
    QCOMPARE(calls.front().front().value<NameId>(), m_fixture.trace->nameId(m_fixture.mm));
    choose(at, "zoomToIt");
    QVERIFY(m_state->visible().duration() < 4'000);
    choose(QPoint(900, m_widget->height() - 4), "fitTrace");
    QCOMPARE(m_state->visible(), m_state->fitSpan());
}

void TimelineRowsTest::othersCanAddToTheMenu() {
    MenuPlace seen;
    bool ran = false;
    m_widget->menus().add([&](QMenu& menu, const MenuPlace& place) {
        seen = place;
        menu.addAction(QStringLiteral("More"), &menu, [&ran] { ran = true; })
            ->setObjectName(QStringLiteral("more"));
    });
    choose(middleOf(m_fixture.overlap), "more");
    QVERIFY(ran);
    QCOMPARE(sliceOf(seen.what), m_fixture.overlap);
    QVERIFY(seen.row && m_widget->rows().rows()[*seen.row].label == "stream 7");
}

void TimelineRowsTest::choicesBelongToTheTrace() {
    choose(labelOf("stream 7"), "hide");
    choose(labelOf("thread 478"), "pin");
    const Texts chosen = labels();
    const ViewState::Snapshot snapshot = m_state->snapshot();
    m_state->growTrace(m_fixture.trace, nullptr);
    QCOMPARE(labels(), chosen);
    m_state->setTrace(m_fixture.trace);
    QCOMPARE(labels().front(), std::string("GPU 0 · NVIDIA H200"));
    m_state->restore(snapshot);
    QCOMPARE(labels(), chosen);
}

void TimelineRowsTest::arrowsNeedNoSelection() {
    key(Qt::Key_Right);
    QCOMPARE(m_state->selected(), m_fixture.gemm);
    key(Qt::Key_Escape);
    m_state->setVisible({6'100, 10'000});  // only the second lane of the stream is in view
    key(Qt::Key_Down);
    QCOMPARE(m_state->selected(), m_fixture.copy);
}

void TimelineRowsTest::arrowsGoFromRowToRow() {
    m_state->select(m_fixture.gemm);
    key(Qt::Key_Down);
    QCOMPARE(m_state->selected(), m_fixture.copy);
    key(Qt::Key_Down);
    QCOMPARE(m_state->selected(), m_fixture.op);
    key(Qt::Key_Down);
    QCOMPARE(m_state->selected(), m_fixture.mm);
    key(Qt::Key_Up);
    key(Qt::Key_Up);
    QCOMPARE(m_state->selected(), m_fixture.copy);
}

void TimelineRowsTest::homeAndEndGoToTheEnds() {
    m_state->setVisible({4'000, 5'000});
    key(Qt::Key_End);
    QCOMPARE(m_state->visible(), (TimeSpan{9'020, 10'020}));
    key(Qt::Key_Home);
    QCOMPARE(m_state->visible(), (TimeSpan{-20, 980}));
}

void TimelineRowsTest::focusIsFramed() {
    m_widget->activateWindow();
    m_widget->setFocus();
    QTRY_VERIFY(m_widget->hasFocus());
    QCOMPARE(colorAt({600, 0}), Theme::current().accent());
    m_widget->clearFocus();
    QVERIFY(colorAt({600, 0}) != Theme::current().accent());
}

QTEST_MAIN(TimelineRowsTest)
#include "TimelineRowsTest.moc"
