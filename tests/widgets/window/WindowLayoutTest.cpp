// SPDX-License-Identifier: GPL-3.0-or-later
// The window's size, its panels, and what stays when something else goes.
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <atomic>
#include <thread>
#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "app/kinetoscope/PanelRegistry.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/models/KernelTableModel.h"
#include "widgets/plots/BusyStripPlot.h"
#include "widgets/plots/TimelineChips.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/style/WindowStyle.h"
#include "widgets/timeline/TimelineWidget.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::import;
using namespace kinetoscope::models;
using namespace kinetoscope::panels;
using namespace kinetoscope::plots;
using namespace kinetoscope::session;
using namespace kinetoscope::style;
using namespace kinetoscope::timeline;
using namespace kinetoscope::trace;
using namespace std::chrono_literals;

namespace {

constexpr QRect kSmallScreen(0, 0, 1280, 800 - 48);  // a taskbar at the bottom

struct SampleWindow {
    explicit SampleWindow(const QRect& screen = {}) {
        window.fitInto(screen);
        window.show();
        window.openFiles({samplePath()});
        opened = waitFor([&] {
            return window.session().current() && window.session().reports().report() != nullptr;
        });
    }

    QTableView* kernels() {
        window.docks().showPanel(QStringLiteral("kernels"));
        return window.docks().panel(QStringLiteral("kernels"))->findChild<QTableView*>("kernels");
    }
    void clickKernel(int row) {
        QTableView* table = kernels();
        const QModelIndex cell = table->model()->index(row, KernelTableModel::Name);
        table->scrollTo(cell);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(cell).center());
    }
    ClearChip& chip() { return *window.timeline()->findChild<ClearChip*>("emphasisChip"); }
    QString emphasised() {
        const auto name = window.view().highlightedName();
        return name ? QString::fromStdString(std::string(window.view().trace()->text(*name)))
                    : QString();
    }

    Settings settings{Settings::InMemory{}};
    MainWindow window{settings};
    bool opened = false;
};

/// The first load is of the sample, every other one shows a beginning and goes on until it is
/// stopped.
TraceLoader::Load endlessAfterTheFirst() {
    return [first = std::make_shared<std::atomic<bool>>(true)](
               const std::string& path,
               const LoadOptions& options) -> Result<std::shared_ptr<const Trace>> {
        if (first->exchange(false)) {
            return loadTrace(path, options);
        }
        options.snapshot(makeTrace({{"beginning", 0, 100}}, false));
        while (!options.stop.stop_requested()) {
            std::this_thread::sleep_for(1ms);
        }
        return fail("stopped", ErrorKind::Cancelled);
    };
}

}  // namespace

class WindowLayoutTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init() { failOnQtWarnings(); }

    void resetKeepsTheSizeAndEveryPanel() {
        SampleWindow sample;
        MainWindow& window = sample.window;
        window.resize(1400, 900);
        window.docks().showPanel(QStringLiteral("bench"));
        for (int time = 0; time < 3; ++time) {
            window.docks().dock(QStringLiteral("kernels"))->setFloating(time == 1);
            window.docks().dock(QStringLiteral("steps"))->close();
            window.action(ActionId::ResetLayout)->trigger();
            QCoreApplication::processEvents();
            QCOMPARE(window.size(), QSize(1400, 900));
            for (const PanelEntry& entry : panelTable()) {
                const QDockWidget* dock = window.docks().dock(QString::fromLatin1(entry.id));
                const bool open =
                    entry.opensAtFirst || QString::fromLatin1(entry.id) == QStringLiteral("bench");
                QVERIFY2(dock->isHidden() != open, entry.id);
                QVERIFY2(!dock->isFloating(), entry.id);
                QVERIFY2(window.rect().contains(dock->geometry()) || dock->isHidden() ||
                             !window.tabifiedDockWidgets(const_cast<QDockWidget*>(dock)).isEmpty(),
                         entry.id);
            }
        }
    }

    void aSmallScreenHasRoomForEveryPanel() {
        SampleWindow sample(kSmallScreen);
        MainWindow& window = sample.window;
        QVERIFY(sample.opened);
        const QSize first = window.size();
        QVERIFY2(first.width() < kSmallScreen.width() && first.height() < kSmallScreen.height(),
                 qPrintable(QStringLiteral("%1x%2").arg(first.width()).arg(first.height())));
        for (const PanelEntry& entry : panelTable()) {
            window.docks().showPanel(QString::fromLatin1(entry.id));
            QCoreApplication::processEvents();
            QVERIFY2(window.size() == first, qPrintable(QStringLiteral("%1: %2x%3")
                                                            .arg(QString::fromLatin1(entry.id))
                                                            .arg(window.width())
                                                            .arg(window.height())));
        }
    }

    void aLargeScreenKeepsTheFirstSize() {
        Settings settings{Settings::InMemory{}};
        MainWindow window(settings);
        const QSize first = window.size();
        window.fitInto({0, 0, 2560, 1440});
        QCOMPARE(window.size(), first);
        window.fitInto({});
        QCOMPARE(window.size(), first);
    }

    void theTabsOfASmallScreenCanAllBeReached() {
        SampleWindow sample(kSmallScreen);
        for (const QTabBar* bar : sample.window.findChildren<QTabBar*>()) {
            QVERIFY(bar->width() <= sample.window.width());
        }
    }

    /// By a title over it, or a tab.
    static bool isNamed(MainWindow& window, const QDockWidget& dock) {
        for (const QTabBar* bar : window.findChildren<QTabBar*>()) {
            const bool isSeen = !bar->visibleRegion().isEmpty() && bar->count() > 1;
            for (int tab = 0; isSeen && tab < bar->count(); ++tab) {
                if (bar->tabText(tab) == dock.windowTitle()) {
                    return true;
                }
            }
        }
        return dock.titleBarWidget() == nullptr;
    }

    void everyOpenPanelIsNamed() {
        SampleWindow sample(kSmallScreen);
        MainWindow& window = sample.window;
        for (const bool withOutput : {false, true, false}) {
            window.docks().dock(QStringLiteral("output"))->setVisible(withOutput);
            QCoreApplication::processEvents();
            for (const PanelEntry& entry : panelTable()) {
                const QDockWidget* dock = window.docks().dock(QString::fromLatin1(entry.id));
                QVERIFY2(dock->isHidden() || isNamed(window, *dock), entry.id);
            }
        }
    }

    void selectingTimeMovesNoPanel() {
        SampleWindow sample(kSmallScreen);
        MainWindow& window = sample.window;
        QVERIFY(sample.opened);
        for (const PanelEntry& entry : panelTable()) {
            if (entry.opensAtFirst) {
                window.docks().showPanel(QString::fromLatin1(entry.id));
            }
        }
        QCoreApplication::processEvents();
        const QRect before = window.docks().dock(QStringLiteral("summary"))->geometry();
        const TimeSpan all = window.view().trace()->extent();
        window.view().selectRange(
            TimeSpan{all.start + all.duration() / 3, all.end - all.duration() / 3}, {0, 1, 2});
        QCoreApplication::processEvents();
        QCOMPARE(window.docks().dock(QStringLiteral("summary"))->geometry(), before);
    }

    void aSmallScreenShowsTheFiguresOfKernels() {
        SampleWindow sample(kSmallScreen);
        QVERIFY(sample.opened);
        const QTableView* table = sample.kernels();
        QCoreApplication::processEvents();
        for (const int column :
             {KernelTableModel::Share, KernelTableModel::Total, KernelTableModel::Count}) {
            const int end = table->columnViewportPosition(column) + table->columnWidth(column);
            QVERIFY2(end <= table->viewport()->width(),
                     qPrintable(QStringLiteral("%1: %2 of %3")
                                    .arg(column)
                                    .arg(end)
                                    .arg(table->viewport()->width())));
        }
    }

    // Long names widen no window, and no row is squeezed.
    void theStartPageFitsASmallScreen() {
        Settings settings{Settings::InMemory{}};
        for (int i = 0; i < 6; ++i) {
            addRecentFile(settings, QStringLiteral("/a/folder_of_traces/gpy_%1_%2.json.gz")
                                        .arg(i)
                                        .arg(QString(240, QLatin1Char('x'))));
        }
        MainWindow window(settings);
        window.resize(1280, 800);
        window.docks().arrangeAsFirst();
        window.show();
        QCoreApplication::processEvents();
        QCOMPARE(window.size(), QSize(1280, 800));
        const auto files = window.findChildren<QToolButton*>(QStringLiteral("recentFile"));
        QCOMPARE(files.size(), 6);
        for (const QToolButton* file : files) {
            QVERIFY2(file->height() >= file->sizeHint().height(),
                     qPrintable(QString::number(file->height())));
            const QString text = file->text();
            QVERIFY2(text.startsWith("gpy_") && text.contains(QChar(0x2026)) &&
                         text.contains(".json.gz"),
                     qPrintable(text));
            QVERIFY(file->fontMetrics().horizontalAdvance(text) < file->width());
            QVERIFY(file->toolTip().contains("/a/folder_of_traces/gpy_"));
        }
    }

    void recentFilesAreWholeWhereTheyFit() {
        Settings settings{Settings::InMemory{}};
        addRecentFile(settings, QStringLiteral("/a/folder_of_traces/with/some/parts/bert.json.gz"));
        MainWindow window(settings);
        window.resize(1280, 800);
        window.show();
        QCoreApplication::processEvents();
        const auto text = [&] {
            return window.findChild<QToolButton*>(QStringLiteral("recentFile"))->text();
        };
        QCOMPARE(text(), QString("bert.json.gz    /a/folder_of_traces/with/some/parts"));
        window.openFiles({samplePath()});
        QTRY_VERIFY(window.session().current());
        window.closeFile();
        const QFileInfo sample(samplePath());
        QTRY_COMPARE(text(), sample.fileName() + "    " + sample.absolutePath());
    }

    void theKeysOfAPanelKeepItShown() {
        SampleWindow sample(kSmallScreen);
        QVERIFY(sample.opened);
        sample.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&sample.window));
        panels::Panel* kernels = sample.window.docks().panel(QStringLiteral("kernels"));
        for (int press = 0; press < 2; ++press) {
            sample.window.timeline()->setFocus();
            QTest::keyClick(sample.window.timeline(), Qt::Key_3, Qt::ControlModifier);
            QVERIFY(kernels->isVisible());
            QVERIFY(kernels->isAncestorOf(QApplication::focusWidget()) || kernels->hasFocus());
        }
        for (QAction* action : sample.window.docks().actions()) {
            if (action->objectName() == QLatin1String("show_kernels")) {
                QVERIFY(action->isChecked());
                action->trigger();  // as its check mark in the menu
                QVERIFY(!action->isChecked());
            }
        }
        QVERIFY(!kernels->isVisible());
    }

    void closedPanelsOpenFromTheViewMenu() {
        SampleWindow sample;
        Docks& docks = sample.window.docks();
        QDockWidget* bench = docks.dock(QStringLiteral("bench"));
        QVERIFY(bench->isHidden());
        QAction* show = nullptr;
        for (QAction* action : docks.actions()) {
            show = action->objectName() == QLatin1String("show_bench") ? action : show;
        }
        QMenu* view = nullptr;
        for (QMenu* menu : sample.window.menuBar()->findChildren<QMenu*>()) {
            view = menu->title() == QLatin1String("&View") ? menu : view;
        }
        QVERIFY(show && view);
        const auto mark = [&] {
            view->ensurePolished();
            const QRect row = view->actionGeometry(show);
            return view->grab(QRect(row.topLeft(), QSize(24, row.height()))).toImage();
        };
        const auto inked = [](const QImage& image) {
            int count = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    count += qGray(image.pixel(x, y)) < 128 ? 1 : 0;
                }
            }
            return count;
        };
        view->popup(QPoint(0, 0));
        const int without = inked(mark());
        QTest::mouseClick(view, Qt::LeftButton, {}, view->actionGeometry(show).center());
        QVERIFY(!bench->isHidden());
        QVERIFY(show->isChecked());
        view->popup(QPoint(0, 0));
        const int with = inked(mark());
        view->close();
        QVERIFY2(with >= without + 8, qPrintable(QStringLiteral("%1 %2").arg(without).arg(with)));
    }

    void aChipNamesTheEmphasisAndEndsIt() {
        SampleWindow sample;
        QVERIFY(!sample.chip().isVisible());
        sample.clickKernel(1);
        QVERIFY(!sample.emphasised().isEmpty());
        QVERIFY(sample.chip().isVisible());
        QVERIFY(sample.emphasised().contains(sample.chip().what()));
        QVERIFY(sample.chip().width() > 20);
        QVERIFY(sample.window.timeline()->rect().contains(
            QRect(sample.chip().mapTo(sample.window.timeline(), QPoint()), sample.chip().size())));
        QTest::mouseClick(&sample.chip(), Qt::LeftButton);
        QVERIFY(sample.emphasised().isEmpty());
        QVERIFY(!sample.chip().isVisible());
        sample.clickKernel(1);  // the same row once more
        QVERIFY(!sample.emphasised().isEmpty());
        QTest::keyClick(sample.kernels(), Qt::Key_Escape);
        QVERIFY(sample.emphasised().isEmpty());
        QVERIFY(!sample.chip().isVisible());
    }

    void aCancelledReloadKeepsTheTrace() {
        Settings settings{Settings::InMemory{}};
        MainWindow window(settings, endlessAfterTheFirst());
        window.show();
        window.openFiles({samplePath()});
        QTRY_VERIFY(window.session().current() && !window.loader().isLoading());
        const auto slices = window.view().trace()->sliceCount();
        QSignalSpy grown(&window.loader(), &TraceLoader::grown);
        QTest::keyClick(&window, Qt::Key_F5);
        auto* cancel = window.findChild<QPushButton*>("cancelLoad");
        QTRY_VERIFY(cancel->isVisible());
        // Until the beginning of what is read again has come.
        QTRY_VERIFY(grown.count() > 0);
        QCOMPARE(window.view().trace()->sliceCount(), slices);
        QTest::mouseClick(cancel, Qt::LeftButton);
        QVERIFY(!window.loader().isLoading());
        QVERIFY(window.session().current());
        QCOMPARE(window.view().trace()->sliceCount(), slices);
    }

    void copyingAKernelTakesItsWholeName() {
        SampleWindow sample;
        QTableView* table = sample.kernels();
        int row = 0;
        const auto whole = [&](int at) {
            return table->model()->index(at, KernelTableModel::Name).data(SwatchRole).toString();
        };
        while (row + 1 < table->model()->rowCount() && !whole(row).contains(QLatin1Char('<'))) {
            ++row;
        }
        QVERIFY(whole(row).contains(QLatin1Char('<')));
        sample.clickKernel(row);
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), whole(row));
    }

    void theCursorLineFollowsADrag() {
        SampleWindow sample;
        auto* view = qobject_cast<TimelineView*>(sample.window.timeline());
        QVERIFY(view != nullptr);
        TimelineWidget& timeline = view->timeline();
        const QRect area = timeline.timeArea();
        // Inside also when strips have come above it.
        const QPoint from(area.center().x(), area.bottom() - 60);
        std::optional<TimeNs> told;
        connect(&timeline, &TimelineWidget::cursorMoved, this, [&](auto time) { told = time; });
        QTest::mouseMove(&timeline, from - QPoint(5, 0));
        QTest::mousePress(&timeline, Qt::LeftButton, {}, from);
        for (const int by : {20, 60, 90}) {
            QTest::mouseMove(&timeline, from + QPoint(by, 0));
            QVERIFY(told);
            const double x = timeline.coordinates().x(*told);
            QVERIFY2(std::abs(x - (from.x() + by)) <= 1.5, qPrintable(QString::number(x)));
        }
        told.reset();
        QTest::mouseRelease(&timeline, Qt::LeftButton, {}, from + QPoint(90, 0));
        QVERIFY(told);
        QVERIFY(std::abs(timeline.coordinates().x(*told) - (from.x() + 90)) <= 1.5);
    }
};

QTEST_MAIN(WindowLayoutTest)
#include "WindowLayoutTest.moc"
