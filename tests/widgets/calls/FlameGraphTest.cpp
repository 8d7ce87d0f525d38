// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTimer>
#include <QToolTip>
#include "tests/Patience.h"

#include "core/calltree/MakeCallTree.h"
#include "core/trace/TraceBuilder.h"
#include "tests/widgets/TimelineFixture.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/calls/CallTreeModel.h"
#include "widgets/calls/CallTreeView.h"
#include "widgets/calls/FlameGraph.h"
#include "widgets/models/ColumnTableModel.h"
#include "widgets/style/Theme.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::calls;
using namespace kinetoscope::calltree;
using namespace kinetoscope::style;

namespace {

using Tree = std::shared_ptr<const CallTree>;

class Recording {
public:
    void add(const char* name, TimeNs start, TimeNs duration, std::int64_t tid = 1) {
        m_builder.addSlice({.start = start,
                            .duration = duration,
                            .name = m_builder.name(name),
                            .track = m_builder.track({.value = 9}, {.value = tid}),
                            .category = static_cast<trace::CategoryId>(trace::Category::CpuOp)});
    }
    std::shared_ptr<const trace::Trace> finish() { return m_builder.finish(); }

private:
    trace::TraceBuilder m_builder;
};

// 1,000 ns: "forward" has 600 with "mm" 400 and "add" 100 in it, "backward" 400 with "mm" 300.
std::shared_ptr<const trace::Trace> testTrace() {
    Recording recording;
    recording.add("forward", 0, 600);
    recording.add("mm", 100, 400);
    recording.add("add", 500, 100);
    recording.add("backward", 600, 400);
    recording.add("mm", 600, 300);
    return recording.finish();
}

Tree treeOf(const trace::Trace& trace) {
    return std::make_shared<const CallTree>(*makeCallTree(trace));
}

// As it is in a picture.
QColor drawn(const QColor& color) {
    return QColor::fromRgb(color.rgb());
}

NodeId nodeOf(const trace::Trace& trace, const CallTree& tree,
              std::initializer_list<const char*> path) {
    NodeId at = kRoot;
    for (const char* name : path) {
        for (const NodeId child : tree.children(at)) {
            if (tree.text(trace, tree.node(child).name) == name) {
                at = child;
                break;
            }
        }
    }
    return at;
}

/// Calls `choose` with the next menu that opens.
void onMenu(const std::function<void(QMenu&)>& choose) {
    auto* timer = new QTimer(qApp);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, choose] {
        if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) {
            timer->deleteLater();
            choose(*menu);
            menu->close();
        }
    });
    timer->start(20);
}

void trigger(QMenu& menu, const char* text) {
    for (QAction* action : menu.actions()) {
        if (action->text() == QString::fromUtf8(text)) {
            action->trigger();
            return;
        }
    }
    QFAIL(text);
}

QStringList names(const QAbstractItemModel& model, const QModelIndex& parent = {}) {
    QStringList texts;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        texts += model.index(row, 0, parent).data().toString();
    }
    return texts;
}

}  // namespace

class FlameGraphTest final : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void framesLieBelowTheirCallers();
    void framesAreDrawnInTheirColours_data();
    void framesAreDrawnInTheirColours();
    void aClickSelects();
    void aDoubleClickZoomsAndEscapeGoesBack();
    void theWheelZoomsAtThePointer();
    void keysWalk();
    void matchesStayBright();
    void theMenuActsOnTheFrame();
    void zoomAndSelectionOutliveANewTree();
    void narrowFramesShareAnItem();
    void deepTreesScroll();
    void anEmptyTreeSaysWhy();
    void theModelKeepsItsContract();
    void rowsSortAndAreFiltered();
    void typingDoesNotCollapse();

private:
    [[nodiscard]] NodeId node(std::initializer_list<const char*> path) const {
        return nodeOf(*m_trace, *m_tree, path);
    }
    [[nodiscard]] QRectF box(std::initializer_list<const char*> path) {
        return m_graph->boxOf(node(path)).value_or(QRectF());
    }
    [[nodiscard]] QPoint middle(std::initializer_list<const char*> path) {
        return box(path).center().toPoint();
    }
    [[nodiscard]] QColor colorAt(QPointF at) {
        QApplication::processEvents();  // a change of the palette arrives as an event
        const QImage image = m_graph->grab().toImage();
        return QColor::fromRgb(image.pixel((at * m_graph->devicePixelRatioF()).toPoint()));
    }
    // In a frame, below its letters.
    [[nodiscard]] QColor fillOf(std::initializer_list<const char*> path) {
        const QRectF frame = box(path);
        return colorAt({frame.left() + 2, frame.bottom() - 4});
    }

    std::shared_ptr<const trace::Trace> m_trace;
    Tree m_tree;
    std::unique_ptr<FlameGraph> m_graph;
};

void FlameGraphTest::init() {
    failOnQtWarnings();
    applyTheme(ThemeChoice::Light);
    m_trace = testTrace();
    m_tree = treeOf(*m_trace);
    m_graph = std::make_unique<FlameGraph>();
    m_graph->resize(1'012, 300);  // 1,000 pixels for the frames
    m_graph->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_graph.get()));
    m_graph->setTree(m_trace, m_tree);
}

void FlameGraphTest::cleanup() {
    QToolTip::hideText();
    m_graph.reset();
}

void FlameGraphTest::framesLieBelowTheirCallers() {
    const QRectF forward = box({"forward"});
    const QRectF mm = box({"forward", "mm"});
    const QRectF add = box({"forward", "add"});
    QCOMPARE(forward.left(), 0.0);
    QCOMPARE(forward.width(), 600.0);
    QCOMPARE(mm.left(), 0.0);
    QCOMPARE(mm.width(), 400.0);
    QCOMPARE(add.left(), 400.0);
    QCOMPARE(add.width(), 100.0);
    QCOMPARE(box({"backward"}).left(), 600.0);
    QCOMPARE(box({"backward", "mm"}).width(), 300.0);
    QCOMPARE(mm.top(), forward.bottom());
    QCOMPARE(forward.top(), box({}).bottom());
    QCOMPARE(box({}).width(), 1000.0);
}

void FlameGraphTest::framesAreDrawnInTheirColours_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void FlameGraphTest::framesAreDrawnInTheirColours() {
    QFETCH(bool, dark);
    applyTheme(dark ? ThemeChoice::Dark : ThemeChoice::Light);
    const Theme& theme = Theme::current();
    QCOMPARE(fillOf({"forward"}), drawn(theme.nameColor("forward")));
    QCOMPARE(fillOf({"forward", "mm"}), drawn(theme.nameColor("mm")));
    QCOMPARE(fillOf({"backward", "mm"}), drawn(theme.nameColor("mm")));
    const QRectF add = box({"forward", "add"});
    QCOMPARE(colorAt({add.right() + 20, add.center().y()}), drawn(theme.base()));
    QCOMPARE(fillOf({}), drawn(theme.raised()));
}

void FlameGraphTest::aClickSelects() {
    QSignalSpy selected(m_graph.get(), &FlameGraph::selectionChanged);
    QTest::mouseClick(m_graph.get(), Qt::LeftButton, {}, middle({"forward", "add"}));
    QCOMPARE(m_graph->selected(), node({"forward", "add"}));
    QCOMPARE(selected.count(), 1);
    const QRectF add = box({"forward", "add"});
    QCOMPARE(colorAt({add.left() + 1, add.center().y()}), drawn(Theme::current().selection()));
    QTest::mouseClick(m_graph.get(), Qt::LeftButton, {}, {800, 250});
    QCOMPARE(m_graph->selected(), kRoot);
    QVERIFY(
        m_graph->describe({0, 1, node({"backward", "mm"}), 1, 300}).contains("300 ns (30.00 %)"));
}

void FlameGraphTest::aDoubleClickZoomsAndEscapeGoesBack() {
    QVERIFY(!m_graph->canGoBack());
    QTest::mouseDClick(m_graph.get(), Qt::LeftButton, {}, middle({"backward"}));
    QCOMPARE(box({"backward"}).width(), 1000.0);
    QCOMPARE(box({"backward", "mm"}).width(), 750.0);
    QVERIFY(!m_graph->boxOf(node({"forward"})));
    QTest::mouseDClick(m_graph.get(), Qt::LeftButton, {}, middle({"backward", "mm"}));
    QCOMPARE(box({"backward", "mm"}).width(), 1000.0);
    QTest::keyClick(m_graph.get(), Qt::Key_Escape);
    QCOMPARE(box({"backward", "mm"}).width(), 750.0);
    QTest::keyClick(m_graph.get(), Qt::Key_Escape);
    QCOMPARE(box({"forward"}).width(), 600.0);
    QVERIFY(!m_graph->canGoBack());
}

void FlameGraphTest::theWheelZoomsAtThePointer() {
    const auto turn = [&](QPointF at, int by) {
        QWheelEvent event(at, m_graph->mapToGlobal(at), {}, {0, by}, Qt::NoButton,
                          Qt::ControlModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(m_graph.get(), &event);
    };
    turn({600, 30}, 240);
    const QRectF backward = box({"backward"});
    QVERIFY(std::abs(backward.left() - 600.0) <= 1.0);
    QCOMPARE(m_graph->shown().length(), 640.0);
    QVERIFY(m_graph->canGoBack());
    turn({600, 30}, -2400);
    QCOMPARE(box({"forward"}).width(), 600.0);
    QVERIFY(!m_graph->canGoBack());
}

void FlameGraphTest::keysWalk() {
    const auto press = [&](Qt::Key key) { QTest::keyClick(m_graph.get(), key); };
    press(Qt::Key_Down);
    QCOMPARE(m_graph->selected(), node({"forward"}));
    press(Qt::Key_Right);
    QCOMPARE(m_graph->selected(), node({"backward"}));
    press(Qt::Key_Right);
    QCOMPARE(m_graph->selected(), node({"backward"}));
    press(Qt::Key_Left);
    press(Qt::Key_Down);
    press(Qt::Key_Down);
    QCOMPARE(m_graph->selected(), node({"forward", "mm"}));
    press(Qt::Key_Return);
    QCOMPARE(box({"forward", "mm"}).width(), 1000.0);
    press(Qt::Key_Up);
    QCOMPARE(m_graph->selected(), node({"forward"}));
    press(Qt::Key_Home);
    QCOMPARE(box({"forward"}).width(), 600.0);
}

void FlameGraphTest::matchesStayBright() {
    const Theme& theme = Theme::current();
    m_graph->setSearch("M");
    QCOMPARE(fillOf({"forward", "mm"}), drawn(theme.nameColor("mm")));
    const QColor faded = fillOf({"forward"});
    QVERIFY(faded != drawn(theme.nameColor("forward")));
    QVERIFY(std::abs(faded.lightness() - theme.base().lightness()) <
            std::abs(theme.nameColor("forward").lightness() - theme.base().lightness()));
    m_graph->setSearch({});
    QCOMPARE(fillOf({"forward"}), drawn(theme.nameColor("forward")));
}

void FlameGraphTest::theMenuActsOnTheFrame() {
    QSignalSpy callers(m_graph.get(), &FlameGraph::callersWanted);
    QSignalSpy find(m_graph.get(), &FlameGraph::findWanted);
    const auto choose = [&](const char* text) {
        onMenu([text](QMenu& menu) { trigger(menu, text); });
        const QPoint at = middle({"forward", "add"});
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, m_graph->mapToGlobal(at));
        QApplication::sendEvent(m_graph.get(), &event);
    };
    choose("Copy name");
    QCOMPARE(QGuiApplication::clipboard()->text(), QString("add"));
    choose("Callers and callees");
    QCOMPARE(callers.count(), 1);
    QCOMPARE(m_trace->text(callers[0][0].value<NameId>()), std::string_view("add"));
    choose("Find in the timeline");
    QCOMPARE(find.count(), 1);
    QCOMPARE(find[0][0].value<NodeId>(), node({"forward", "add"}));
    choose("Zoom to this frame");
    QCOMPARE(box({"forward", "add"}).width(), 1000.0);
    onMenu([](QMenu& menu) { trigger(menu, "Show all"); });
    QContextMenuEvent event(QContextMenuEvent::Mouse, {500, 280},
                            m_graph->mapToGlobal(QPoint(500, 280)));
    QApplication::sendEvent(m_graph.get(), &event);
    QCOMPARE(box({"forward"}).width(), 600.0);
}

void FlameGraphTest::zoomAndSelectionOutliveANewTree() {
    m_graph->select(node({"backward", "mm"}));
    m_graph->zoomTo(node({"backward"}));
    CallTreeOptions options;
    options.window = {analysis::WindowKind::Range, 0, {500, 1000}};
    m_tree = std::make_shared<const CallTree>(*makeCallTree(*m_trace, options));
    m_graph->setTree(m_trace, m_tree);
    QCOMPARE(m_graph->selected(), node({"backward", "mm"}));
    QCOMPARE(box({"backward"}).width(), 1000.0);
    QTest::keyClick(m_graph.get(), Qt::Key_Escape);
    QCOMPARE(box({"backward"}).width(), 800.0);
    m_graph->setTree(nullptr, nullptr);
    QCOMPARE(m_graph->selected(), kRoot);
    QVERIFY(!m_graph->canGoBack());
}

void FlameGraphTest::narrowFramesShareAnItem() {
    Recording recording;
    recording.add("all", 0, 1'000'000);
    recording.add("wide", 0, 500'000);
    for (int i = 0; i < 5'000; ++i) {
        recording.add(("f" + std::to_string(i)).c_str(), 500'000 + i * 100, 100);
    }
    m_trace = recording.finish();
    m_tree = treeOf(*m_trace);
    m_graph->setTree(m_trace, m_tree);
    const FlameRows& rows = m_graph->rows();
    QCOMPARE(rows.count(), 3U);
    QCOMPARE(rows.row(2).size(), std::size_t{2});
    QCOMPARE(rows.row(2)[1].count, 5'000U);
    QCOMPARE(rows.row(2)[1].total, TimeNs{500'000});
    QVERIFY(m_graph->describe(rows.row(2)[1]).contains("5000 frames"));
    QVERIFY(!m_graph->boxOf(node({"all", "f17"})));
    m_graph->zoomTo(node({"all", "f17"}));
    QCOMPARE(box({"all", "f17"}).width(), 1000.0);
}

void FlameGraphTest::deepTreesScroll() {
    Recording recording;
    for (int level = 0; level < 100; ++level) {
        recording.add("f", level, 1000 - 2 * level);
    }
    m_trace = recording.finish();
    m_tree = treeOf(*m_trace);
    m_graph->setTree(m_trace, m_tree);
    auto* bar = m_graph->findChild<QScrollBar*>();
    QVERIFY(bar->maximum() > 0);
    const auto deepest = static_cast<NodeId>(m_tree->nodes().size() - 1);
    m_graph->select(deepest);
    QVERIFY(bar->value() > 0);
    const QRectF frame = *m_graph->boxOf(deepest);
    QVERIFY(frame.top() >= 0 && frame.bottom() <= m_graph->height() + 1);
    const int before = bar->value();
    QWheelEvent event({100, 100}, m_graph->mapToGlobal(QPointF(100, 100)), {}, {0, 120},
                      Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(m_graph.get(), &event);
    QVERIFY(bar->value() < before);
}

void FlameGraphTest::anEmptyTreeSaysWhy() {
    m_graph->setTree(m_trace, std::make_shared<const CallTree>());
    const QImage blank = m_graph->grab().toImage();
    m_graph->setEmptyText("Nothing ran.");
    QVERIFY(m_graph->grab().toImage() != blank);
    for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Return, Qt::Key_Escape, Qt::Key_Right}) {
        QTest::keyClick(m_graph.get(), key);
    }
    QTest::mouseDClick(m_graph.get(), Qt::LeftButton, {}, {10, 10});
    QCOMPARE(m_graph->selected(), kRoot);
}

void FlameGraphTest::theModelKeepsItsContract() {
    CallTreeModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    for (int round = 0; round < 2; ++round) {
        model.setTree(m_trace, m_tree, m_tree->root().total);
        QCOMPARE(model.rowCount(), 2);
        for (int column = -1; column < CallTreeModel::ColumnCount; ++column) {
            const QPersistentModelIndex mm = model.indexOf(node({"forward", "mm"}));
            model.sort(column, Qt::AscendingOrder);
            QCOMPARE(mm.data().toString(), QString("mm"));
            QCOMPARE(mm.parent().data().toString(), QString("forward"));
            model.sort(column, Qt::DescendingOrder);
        }
        model.setFilter("add");
        QCOMPARE(model.rowCount(), 1);
        model.sort(CallTreeModel::Calls, Qt::AscendingOrder);
        model.setFilter("nothing has this in its name");
        QCOMPARE(model.rowCount(), 0);
        model.setFilter({});
        model.setTree(nullptr, nullptr, 0);
        QCOMPARE(model.rowCount(), 0);
    }
}

void FlameGraphTest::rowsSortAndAreFiltered() {
    CallTreeModel model;
    model.setTree(m_trace, m_tree, m_tree->root().total);
    QCOMPARE(names(model), QStringList({"forward", "backward"}));
    const QModelIndex forward = model.index(0, 0);
    QStringList cells;
    for (int column = 0; column < CallTreeModel::ColumnCount; ++column) {
        cells += forward.siblingAtColumn(column).data().toString();
    }
    QCOMPARE(cells, QStringList({"forward", "0.600", "60.00 %", "0.100", "10.00 %", "1"}));
    QCOMPARE(forward.siblingAtColumn(CallTreeModel::TotalShare).data(models::ShareRole).toDouble(),
             0.6);
    QCOMPARE(names(model, forward), QStringList({"mm", "add"}));
    model.sort(CallTreeModel::Name, Qt::AscendingOrder);
    QCOMPARE(names(model), QStringList({"backward", "forward"}));
    QCOMPARE(names(model, model.index(1, 0)), QStringList({"add", "mm"}));
    model.setFilter("ADD");
    QCOMPARE(names(model), QStringList({"forward"}));
    QCOMPARE(names(model, model.index(0, 0)), QStringList({"add"}));
    model.setFilter("back");
    QCOMPARE(names(model), QStringList({"backward"}));
    QCOMPARE(names(model, model.index(0, 0)), QStringList({"mm"}));
}

void FlameGraphTest::typingDoesNotCollapse() {
    CallTreeModel model;
    CallTreeView view(model);
    view.resize(700, 300);
    view.show();
    view.setTree(m_trace, m_tree, m_tree->root().total);
    const auto isOpen = [&](std::initializer_list<const char*> path) {
        return view.isExpanded(model.indexOf(node(path)));
    };
    QVERIFY(isOpen({"forward"}));  // has most of the time
    QVERIFY(!isOpen({"backward"}));
    view.expand(model.indexOf(node({"backward"})));
    view.collapse(model.indexOf(node({"forward"})));
    view.goTo(node({"backward", "mm"}));
    for (const char* text : {"m", "mm", "m", ""}) {
        view.setFilter(text);
        QVERIFY(isOpen({"backward"}));
        QCOMPARE(view.current(), node({"backward", "mm"}));
    }
    QVERIFY(!isOpen({"forward"}));
    view.setFilter("add");
    QVERIFY(isOpen({"forward"}));
    // A tree of another window.
    view.setFilter({});
    const Tree other = treeOf(*m_trace);
    view.setTree(m_trace, other, other->root().total);
    QVERIFY(isOpen({"backward"}));
}

QTEST_MAIN(FlameGraphTest)
#include "FlameGraphTest.moc"
