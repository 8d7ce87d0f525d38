// SPDX-License-Identifier: GPL-3.0-or-later
// What is read is whole on a small screen: names of panels, of kernels, of changes, and times.
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QHeaderView>
#include <QInputDialog>
#include <QRegularExpression>
#include <QTabBar>
#include <QTabWidget>
#include <QTableWidget>
#include <QTimer>
#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "app/kinetoscope/PanelRegistry.h"
#include "app/kinetoscope/bars/FileTabs.h"
#include "tests/widgets/TimelineFixture.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/models/IdleModels.h"
#include "widgets/models/KernelTableModel.h"
#include "widgets/models/details/DetailsModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/style/Breakable.h"
#include "widgets/style/ElidedLabel.h"
#include "widgets/style/WindowStyle.h"
#include "widgets/timeline/SelectionChip.h"
#include "widgets/timeline/TimeRuler.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::models;
using namespace kinetoscope::panels;
using namespace kinetoscope::session;
using namespace kinetoscope::style;
using namespace kinetoscope::timeline;
using namespace kinetoscope::trace;

namespace {

constexpr int kCriticalLetters = 15;

struct SmallWindow {
    Settings settings{Settings::InMemory{}};
    MainWindow window{settings};
    bool opened = false;

    explicit SmallWindow(QSize size = {1280, 800}, const QString& path = samplePath()) {
        window.resize(size);
        window.docks().arrangeAsFirst();
        window.show();
        window.openFiles({path});
        opened = waitFor([&] {
            return window.session().current() && window.session().reports().report() != nullptr &&
                   !window.docks().busy();
        });
    }
    /// In front, and done with its work.
    QWidget& panel(const char* id) {
        window.docks().showPanel(QLatin1String(id));
        static_cast<void>(waitFor([&] { return !window.docks().busy(); }));
        return *window.docks().panel(QLatin1String(id));
    }
};

/// Where the ruler has the colour that lies behind the time under the pointer: first and last
/// pixel.
std::pair<int, int> badgeOf(TimeRuler& ruler, int from, int to) {
    const QImage drawn = ruler.grab().toImage();
    const QColor wanted = Theme::current().text();
    std::pair<int, int> found{-1, -1};
    for (int x = from; x < to; ++x) {
        if (drawn.pixelColor(QPoint(x, 6) * drawn.devicePixelRatio()) == wanted) {
            found = {found.first < 0 ? x : found.first, x};
        }
    }
    return found;
}

}  // namespace

class ReadableTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init() { failOnQtWarnings(); }

    // A newcomer sees the page that says what to do, and the panels with the first trace.
    void panelsComeWithTheFirstTrace() {
        SmallWindow usual;
        QVERIFY(usual.opened);
        Settings settings{Settings::InMemory{}};
        MainWindow window(settings);
        window.resize(1280, 800);
        window.docks().arrangeAsFirst();
        window.show();
        window.docks().hideUntilWanted();
        QCoreApplication::processEvents();
        for (const PanelEntry& entry : panelTable()) {
            QVERIFY2(window.docks().dock(QString::fromLatin1(entry.id))->isHidden(), entry.id);
        }
        QCOMPARE(window.centralWidget()->width(), window.width());
        window.openFiles({QStringLiteral("/no/such/file.json")});
        QVERIFY(waitFor([&] { return window.errorBar().isVisible(); }));
        QVERIFY(window.docks().dock(QStringLiteral("summary"))->isHidden());
        window.openFiles({samplePath()});
        QVERIFY(waitFor([&] { return window.session().current() != nullptr; }));
        QCoreApplication::processEvents();
        for (const PanelEntry& entry : panelTable()) {
            const QString id = QString::fromLatin1(entry.id);
            QCOMPARE(window.docks().dock(id)->isHidden(),
                     usual.window.docks().dock(id)->isHidden());
        }
        for (const char* id : {"summary", "kernels", "details"}) {
            QVERIFY(waitFor([&] {
                return window.docks().dock(QLatin1String(id))->size() ==
                       usual.window.docks().dock(QLatin1String(id))->size();
            }));
        }
    }

    void aPanelThatIsAskedForBringsTheOthers() {
        Settings settings{Settings::InMemory{}};
        MainWindow window(settings);
        window.show();
        window.docks().hideUntilWanted();
        const auto actions = window.docks().actions();
        (*std::ranges::find_if(actions, [](const QAction* action) {
            return action->objectName() == QLatin1String("show_bench");
        }))->trigger();
        QVERIFY(waitFor([&] { return window.docks().dock(QStringLiteral("bench"))->isVisible(); }));
        QVERIFY(window.docks().dock(QStringLiteral("summary"))->isVisible());
    }

    // Two letters and an ellipsis name nothing.
    void tabsOfManyPanelsKeepTheirNames() {
        SmallWindow small;
        QVERIFY(small.opened);
        for (const PanelEntry& entry : panelTable()) {
            small.window.docks().showPanel(QString::fromLatin1(entry.id));
        }
        QCoreApplication::processEvents();
        int tabs = 0;
        for (const QTabBar* bar :
             small.window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
            for (int tab = 0; tab < bar->count(); ++tab, ++tabs) {
                QVERIFY2(bar->tabRect(tab).width() >=
                             bar->fontMetrics().horizontalAdvance(bar->tabText(tab)),
                         qPrintable(bar->tabText(tab)));
            }
            // The one in front is in sight.
            QVERIFY(bar->count() == 0 || bar->rect().contains(bar->tabRect(bar->currentIndex())));
            QVERIFY(bar->width() <= small.window.width());
        }
        QVERIFY(tabs > 15);
    }

    void figuresOfTheSummaryAreWhole() {
        SmallWindow small;
        QVERIFY(small.opened);
        // Not what a file tells of its run in its own words.
        const QRegularExpression number(QStringLiteral("^at |^[-\\d.,]+( (%|ns|µs|ms|s))?$"));
        const QRegularExpression figure(number.pattern() +
                                        QStringLiteral("|^[\\d-]+ [\\d:.]+ UTC$"));
        auto* dock = small.window.docks().dock(QStringLiteral("summary"));
        int figures = 0;
        bool hasPlace = false;
        const auto look = [&](const QRegularExpression& whole) {
            for (const ElidedLabel* label : small.window.docks()
                                                .panel(QStringLiteral("summary"))
                                                ->findChildren<ElidedLabel*>()) {
                if (label->isVisible() && label->text().contains(whole)) {
                    ++figures;
                    hasPlace = hasPlace || label->text().startsWith(QLatin1String("at "));
                    QVERIFY2(label->width() >= label->sizeHint().width(),
                             qPrintable(label->text()));
                }
            }
        };
        look(figure);
        QVERIFY(figures > 20 && hasPlace);
        // As narrow as a person makes it.
        const int before = dock->width();
        small.window.resizeDocks({dock}, {200}, Qt::Horizontal);
        QCoreApplication::processEvents();
        QVERIFY(dock->width() < before);
        look(number);
    }

    void whatIfsCanBeRead() {
        SmallWindow small;
        QVERIFY(small.opened);
        auto* list = small.panel("path").findChild<QTableWidget*>(QStringLiteral("whatIfs"));
        QVERIFY(waitFor([&] { return !list->item(0, 1)->text().isEmpty(); }));
        const int box = 24;
        for (int row = 0; row < list->rowCount(); ++row) {
            const QTableWidgetItem* change = list->item(row, 0);
            QVERIFY2(list->visualItemRect(change).width() - box >=
                         list->fontMetrics().horizontalAdvance(change->text()),
                     qPrintable(change->text()));
        }
        QVERIFY(list->viewport()->rect().contains(list->visualItemRect(list->item(0, 2))));
        // What is critical then is not cut after its share: most of its name has room.
        for (int row = 0; row < list->rowCount(); ++row) {
            const QTableWidgetItem* critical = list->item(row, 3);
            QVERIFY2(
                list->visualItemRect(critical).width() >
                    list->fontMetrics().horizontalAdvance(critical->text().left(kCriticalLetters)),
                qPrintable(critical->text()));
        }
        QVERIFY(!list->wordWrap());
    }

    void whatCameNextStandsBesideItsGap() {
        SmallWindow small;
        QVERIFY(small.opened);
        auto* gaps = small.panel("idle").findChild<DataTable*>(QStringLiteral("gaps"));
        QVERIFY(waitFor([&] { return gaps->model()->rowCount() > 0; }));
        for (const int column : {IdleGapModel::Start, IdleGapModel::Length, IdleGapModel::Reason,
                                 IdleGapModel::Host, IdleGapModel::Next}) {
            QVERIFY2(gaps->columnViewportPosition(column) + 40 < gaps->viewport()->width(),
                     qPrintable(QString::number(column)));
        }
    }

    // What a finding rests on and its events have the width of the panel, one behind the other.
    void tablesOfAFindingHaveRoom() {
        SmallWindow small;
        QVERIFY(small.opened);
        QWidget& findings = small.panel("findings");
        auto* tables = findings.findChild<QTabWidget*>(QStringLiteral("findingTables"));
        for (const char* name : {"evidence", "findingEvents"}) {
            auto* table = findings.findChild<DataTable*>(QLatin1String(name));
            tables->setCurrentWidget(table);
            QCoreApplication::processEvents();
            QVERIFY2(table->viewport()->width() > 320, name);
            QVERIFY2(table->columnWidth(0) >= 140, name);
        }
    }

    void aSentenceAsEvidenceIsReadWhole() {
        SmallWindow small({1280, 800},
                          QStringLiteral(KINETOSCOPE_SOURCE_DIR "/tests/data/traces/"
                                                                "resnet18_infer_compiled.json.gz"));
        QVERIFY(small.opened);
        QWidget& panel = small.panel("findings");
        auto* findings = panel.findChild<DataTable*>(QStringLiteral("findings"));
        int uneven = 0;
        while (!findings->model()->index(uneven, 1).data().toString().startsWith("Step 0 is")) {
            QVERIFY(++uneven < findings->model()->rowCount());
        }
        QTest::mouseClick(findings->viewport(), Qt::LeftButton, {},
                          findings->visualRect(findings->model()->index(uneven, 1)).center());
        auto* evidence = panel.findChild<DataTable*>(QStringLiteral("evidence"));
        int several = 0;
        for (int row = 0; row < evidence->model()->rowCount(); ++row) {
            const QModelIndex value = evidence->model()->index(row, 1);
            const QRect cell = evidence->visualRect(value).adjusted(7, 0, -7, 0);
            const QRect needed = evidence->fontMetrics().boundingRect(
                cell, Qt::TextWordWrap, breakable(value.data().toString()));
            QVERIFY2(needed.height() <= cell.height() && needed.width() <= cell.width(),
                     qPrintable(value.data().toString()));
            several += needed.height() > evidence->fontMetrics().height() * 3 / 2;
        }
        QVERIFY(several > 0);
    }

    void aLongNameIsReadWholeInDetails() {
        SmallWindow small;
        QVERIFY(small.opened);
        const Trace& trace = *small.window.view().trace();
        SliceId longest = 0;
        for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
            const std::size_t letters = trace.name(slice).size();
            if (trace.category(slice) == Category::Kernel && letters < 260 &&
                letters > trace.name(longest).size()) {
                longest = slice;
            }
        }
        small.window.view().select(longest);
        auto* details = small.panel("details").findChild<DataTable*>();
        int row = 0;
        while (details->model()->index(row, DetailsModel::Label).data() != QLatin1String("Name")) {
            ++row;
        }
        const QRect cell = details->visualRect(details->model()->index(row, DetailsModel::Value));
        const int line = details->fontMetrics().height();
        QVERIFY2(cell.height() > 3 * line, qPrintable(QString::number(cell.height())));
        // Each of its lines has ink, the last one too.
        const QImage drawn = details->viewport()->grab(cell).toImage();
        const int bottom = drawn.height() - (cell.height() % line) / 2 - line / 2;
        for (const int y : {line, drawn.height() / 2, bottom - 4}) {
            int inked = 0;
            for (int x = 0; x < drawn.width(); ++x) {
                for (int dy = -line / 3; dy <= line / 3; ++dy) {
                    inked += drawn.pixelColor(x, y + dy).lightness() < 128;
                }
            }
            QVERIFY2(inked > 5, qPrintable(QString::number(y)));
        }
        QCOMPARE(details->model()->index(row, DetailsModel::Value).data().toString(),
                 QString::fromStdString(std::string(trace.name(longest))));
        // No word of any kernel is wider than its line.
        for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
            const QString name = QString::fromStdString(std::string(trace.name(slice)));
            const int width = details->fontMetrics()
                                  .boundingRect(QRect(0, 0, cell.width() - 14, 10'000),
                                                Qt::TextWordWrap, breakable(name))
                                  .width();
            QVERIFY2(trace.category(slice) != Category::Kernel || width <= cell.width() - 14,
                     qPrintable(name));
        }
    }

    // Beside it stand an icon and up to three buttons.
    void theTitleOfAQuestionHasRoom() {
        SmallWindow small;
        QVERIFY(small.opened);
        const auto& steps = small.window.session().reports().report()->steps;
        QVERIFY(steps.size() > 1);
        int width = 0;
        QTimer timer;
        connect(&timer, &QTimer::timeout, this, [&] {
            if (auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget())) {
                width = dialog->width();
                dialog->setTextValue(QString::fromStdString(steps[1].name));
                dialog->accept();
            }
        });
        timer.start(20);
        small.window.action(ActionId::GoToStep)->trigger();
        const int title = small.window.fontMetrics().horizontalAdvance(tr("Go to step"));
        QVERIFY2(width >= title + 160, qPrintable(QString::number(width)));
        QCOMPARE(small.window.view().selectedRange(), std::optional(steps[1].span));
    }

    // Names have the room that numbers leave.
    void namesGrowWithTheWindow() {
        SmallWindow small({1280, 800});
        QVERIFY(small.opened);
        auto* kernels = small.panel("kernels").findChild<DataTable*>(QStringLiteral("kernels"));
        const int before = kernels->columnWidth(KernelTableModel::Name);
        small.window.resize(2200, 1000);
        QVERIFY(
            waitFor([&] { return kernels->columnWidth(KernelTableModel::Name) > before + 100; }));
    }

    void theTimeOfACallTreeIsWhole() {
        SmallWindow small;
        QVERIFY(small.opened);
        const TimeSpan all = small.window.view().visible();
        small.window.view().selectRange(TimeSpan{all.start, all.start + all.duration() / 5});
        const auto* state =
            small.panel("calltree").findChild<ElidedLabel*>(QStringLiteral("state"));
        QVERIFY(waitFor([&] { return state->text().contains("frames"); }));
        QCoreApplication::processEvents();
        QVERIFY2(
            state->width() >= state->sizeHint().width(),
            qPrintable(
                QStringLiteral("%1 of %2").arg(state->width()).arg(state->sizeHint().width())));
    }

    // Five files of one job: each tab shows its number, and none takes the room of others.
    void tabsShowWhatDistinguishesTheirFiles() {
        SmallWindow small;
        QVERIFY(small.opened);
        auto* tabs = small.window.findChild<QTabBar*>(QStringLiteral("fileTabs"));
        const QTemporaryDir folder;
        QStringList paths;
        for (int node = 1; node <= 5; ++node) {
            paths.append(folder.filePath(
                QStringLiteral("gpu-node-0%1.cluster.internal_1234%1.1732704000000000000"
                               ".pt.trace.json.gz")
                    .arg(node)));
        }
        paths.append(folder.filePath(QStringLiteral("a.json.gz")));
        paths.append(folder.filePath(QString(150, QLatin1Char('l')) + QStringLiteral(".json.gz")));
        for (const QString& path : paths) {
            QVERIFY(QFile::copy(samplePath(), path));
        }
        small.window.openFiles(paths);
        QTRY_COMPARE(tabs->count(), 8);
        QCoreApplication::processEvents();
        QStringList texts;
        for (int tab = 0; tab < tabs->count(); ++tab) {
            texts.append(tabs->tabText(tab));
            QVERIFY2(tabs->rect().contains(tabs->tabRect(tab)), qPrintable(texts.join('|')));
            QVERIFY(tabs->tabRect(tab).width() >=
                    tabs->fontMetrics().horizontalAdvance(texts.back()));
        }
        for (int node = 1; node <= 5; ++node) {
            QVERIFY2(texts[node].contains(QStringLiteral("0%1").arg(node)),
                     qPrintable(texts.join('|')));
            QVERIFY(tabs->tabToolTip(node).contains(paths[node - 1]));
        }
        QCOMPARE(texts[6], QStringLiteral("a"));
        const int widest = tabs->tabRect(7).width();
        QVERIFY2(widest <= tabs->tabRect(1).width() + 20, qPrintable(QString::number(widest)));
    }

    void namesThatDifferOnlyInTheirEndingKeepIt() {
        QCOMPARE(withoutTraceEndings({"a.json.gz", "b.pt.trace.json"}), QStringList({"a", "b"}));
        const QStringList same{"a.json.gz", "a.json", "b.json"};
        QCOMPARE(withoutTraceEndings(same), same);
        const QFontMetrics metrics(QApplication::font());
        const QStringList names{QStringLiteral("run_of_a_model_on_a_node_3_x"),
                                QStringLiteral("run_of_a_model_on_a_node_4_y"),
                                QStringLiteral("run_of_a_model_on_a_node_4")};
        const int width = metrics.horizontalAdvance(QStringLiteral("mmmmmmm"));
        QStringList texts;
        for (const QString& name : names) {
            texts.append(elidedAmong(name, names, metrics, width));
            QVERIFY2(metrics.horizontalAdvance(texts.back()) <= width, qPrintable(texts.back()));
        }
        QVERIFY2(QSet<QString>(texts.begin(), texts.end()).size() == 3,
                 qPrintable(texts.join('|')));
    }

    void theTimeUnderThePointerIsBesideTheChip() {
        SmallWindow small;
        QVERIFY(small.opened);
        auto& view = *qobject_cast<plots::TimelineView*>(small.window.timeline());
        TimeRuler& ruler = view.ruler();
        const TimeSpan all = small.window.view().visible();
        small.window.view().selectRange(
            TimeSpan{all.start + all.duration() * 2 / 5, all.start + all.duration() * 3 / 5});
        QCoreApplication::processEvents();
        const QRect chip = ruler.findChild<SelectionChip*>()->geometry();
        QVERIFY(!chip.isEmpty());
        for (const int x : {chip.left() + 2, chip.center().x(), chip.right() - 2}) {
            movePointer(ruler, QPointF(x, 12));
            const auto [left, right] =
                badgeOf(ruler, static_cast<int>(ruler.coordinates().left()), ruler.width());
            QVERIFY2(left >= 0 && right - left > 30, qPrintable(QString::number(x)));
            QVERIFY2(right < chip.left() || left > chip.right(), qPrintable(QString::number(x)));
        }
    }
};

QTEST_MAIN(ReadableTest)
#include "ReadableTest.moc"
