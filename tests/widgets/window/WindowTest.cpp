// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <thread>
#include "tests/Patience.h"

#include "app/kinetoscope/CommandLine.h"
#include "app/kinetoscope/MainWindow.h"
#include "core/query/EventDetails.h"
#include "core/report/Explain.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/models/ImportLogModel.h"
#include "widgets/models/KernelTableModel.h"
#include "widgets/models/StepModel.h"
#include "widgets/models/details/DetailsModel.h"
#include "widgets/style/FigureTile.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::analysis;
using namespace kinetoscope::app;
using namespace kinetoscope::import;
using namespace kinetoscope::models;
using namespace kinetoscope::query;
using namespace kinetoscope::report;
using namespace kinetoscope::session;
using namespace kinetoscope::style;
using namespace kinetoscope::trace;
using namespace std::chrono_literals;

namespace {

/// A window with settings of its own that shows the sample trace.
struct SampleWindow {
    SampleWindow() {
        window.show();
        window.openFiles({samplePath()});
        opened = waitFor([&] {
            return window.session().current() && window.session().reports().report() != nullptr;
        });
    }

    template <class T>
    T* part(const char* panel, const char* name = "") {
        return window.docks()
            .panel(QString::fromLatin1(panel))
            ->findChild<T*>(QString::fromLatin1(name));
    }
    QTableView* table(const char* panel, const char* name = "") {
        window.docks().showPanel(QString::fromLatin1(panel));
        return part<QTableView>(panel, name);
    }
    ViewState& view() { return window.view(); }

    Settings settings{Settings::InMemory{}};
    MainWindow window{settings};
    bool opened = false;
};

void clickCell(QTableView* table, int row, int column, bool twice = false) {
    const QModelIndex index = table->model()->index(row, column);
    table->scrollTo(index);
    const QPoint at = table->visualRect(index).center();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, at);
    if (twice) {
        QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, at);
    }
}

QStringList columnTexts(const QAbstractItemModel* model, int column) {
    QStringList texts;
    for (int row = 0; row < model->rowCount(); ++row) {
        texts.append(model->index(row, column).data().toString());
    }
    return texts;
}

/// JSON may be given with single quotes.
QString write(const QTemporaryDir& folder, const char* name, QByteArray text) {
    text.replace('\'', '"');
    const QString path = folder.filePath(QString::fromLatin1(name));
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? path : QString();
}

Result<std::shared_ptr<const Trace>> endlessLoad(const std::string&, const LoadOptions& options) {
    options.progress->start(4096);
    options.progress->set(1024);
    options.snapshot(makeTrace({{"a", 0, 100}}, false));
    while (!options.stop.stop_requested()) {
        std::this_thread::sleep_for(1ms);
    }
    return fail("stopped", ErrorKind::Cancelled);
}

}  // namespace

class WindowTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init() { failOnQtWarnings(); }

    void nothingOpenShowsTheWelcomePage() {
        Settings settings{Settings::InMemory{}};
        MainWindow window(settings);
        window.show();
        QVERIFY(window.findChild<WelcomePage*>()->isVisible());
        QVERIFY(!window.timeline()->isVisible());
        QVERIFY(!window.action(ActionId::Find)->isEnabled());
        QVERIFY(window.action(ActionId::Open)->isEnabled());
    }

    void aFileOpensAndIsRemembered() {
        SampleWindow sample;
        QVERIFY(sample.opened);
        QVERIFY(sample.window.timeline()->isVisible());
        QVERIFY(sample.window.windowTitle().startsWith("sample.json.gz"));
        QCOMPARE(sample.settings.recentFiles.value(), QStringList{samplePath()});
        QVERIFY(sample.window.action(ActionId::Find)->isEnabled());
        QVERIFY(!sample.window.lossBar().isVisible());
    }

    void aDroppedFileOpens() {
        Settings settings{Settings::InMemory{}};
        MainWindow window(settings);
        window.show();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(samplePath())});
        QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&window, &drop);
        QTRY_VERIFY(window.session().current());
        QCOMPARE(window.session().current()->path, samplePath());
    }

    void aRecentFileOpensFromTheWelcomePage() {
        Settings settings{Settings::InMemory{}};
        addRecentFile(settings, samplePath());
        MainWindow window(settings);
        window.show();
        auto* button = window.findChild<WelcomePage*>()->findChild<QToolButton*>("recentFile");
        QVERIFY(button);
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY(window.session().current());
    }

    void theRecentMenuListsFiles() {
        SampleWindow sample;
        QMenu* recent = nullptr;
        for (QMenu* menu : sample.window.menuBar()->findChildren<QMenu*>()) {
            recent = menu->title() == "Open &recent" ? menu : recent;
        }
        QVERIFY(recent);
        emit recent->aboutToShow();
        QCOMPARE(recent->actions().size(), 1);
        QCOMPARE(recent->actions()[0]->text(), samplePath());
    }

    void cancelStopsALoadAtOnce() {
        Settings settings{Settings::InMemory{}};
        MainWindow window(settings, endlessLoad);
        window.show();
        window.openFiles({"/huge.json"});
        auto* cancel = window.findChild<QPushButton*>("cancelLoad");
        QTRY_VERIFY(cancel->isVisible());
        const auto labels = cancel->parentWidget()->findChildren<QLabel*>();
        QTRY_COMPARE(labels[0]->text(), QStringLiteral("Opening huge.json: 1.0 KiB of 4.0 KiB"));
        QTRY_VERIFY(window.session().current());  // what has been read so far
        QVERIFY(window.timeline()->isVisible());
        QTest::mouseClick(cancel, Qt::LeftButton);
        QVERIFY(!window.loader().isLoading());
        QVERIFY(!cancel->isVisible());
        QVERIFY(!window.session().current());
        QVERIFY(!window.errorBar().isVisible());
    }

    void theWindowMayCloseDuringALoad() {
        Settings settings{Settings::InMemory{}};
        auto window = std::make_unique<MainWindow>(settings, endlessLoad);
        window->show();
        window->openFiles({"/huge.json"});
        QTest::qWait(10);
        QVERIFY(window->loader().isLoading());
        window->close();
        QVERIFY(!window->loader().isLoading());
        window.reset();
        QVERIFY(!settings.windowLayout.value().isEmpty());
    }

    void aFileThatIsNoTraceSaysWhy() {
        const QTemporaryDir folder;
        const QString path = write(folder, "letter.json", "Dear reader");
        Settings settings{Settings::InMemory{}};
        addRecentFile(settings, path);
        MainWindow window(settings);
        window.show();
        window.openFiles({path});
        QTRY_VERIFY(window.errorBar().isVisible());
        QVERIFY2(window.errorBar().text().contains("letter.json"),
                 qPrintable(window.errorBar().text()));
        QVERIFY(!window.session().current());
        QVERIFY(settings.recentFiles.value().isEmpty());
    }

    void lostDataIsTold() {
        const QTemporaryDir folder;
        const QString path = write(
            folder, "cut.json",
            "{'traceEvents':[{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'ts':1,'dur':-2},"
            "{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'ts':5,'dur':2},{'ph':'X','na");
        Settings settings{Settings::InMemory{}};
        MainWindow window(settings);
        window.show();
        window.openFiles({path});
        QTRY_VERIFY(window.session().current());
        QVERIFY(window.lossBar().isVisible());
        window.docks().showPanel("log");
        auto* table = window.docks().panel("log")->findChild<QTableView*>();
        const auto& issues = window.view().trace()->log().sorted();
        QVERIFY(issues.size() >= 2);
        QCOMPARE(table->model()->rowCount(), static_cast<int>(issues.size()));
        const QStringList levels = columnTexts(table->model(), ImportLogModel::Level);
        QVERIFY2(levels.contains("data loss"), qPrintable(levels.join(',')));
        const QStringList offsets = columnTexts(table->model(), ImportLogModel::Offset);
        QVERIFY2(offsets.contains("16"), qPrintable(offsets.join(',')));
    }

    void aSelectedKernelIsEmphasised() {
        SampleWindow sample;
        QTableView* table = sample.table("kernels", "kernels");
        QVERIFY(table->model()->rowCount() > 10);
        clickCell(table, 1, KernelTableModel::Name);
        QVERIFY(sample.view().highlightedName());
        const QString whole = table->model()->index(1, 0).data(SwatchRole).toString();
        QCOMPARE(QString::fromStdString(
                     std::string(sample.view().trace()->text(*sample.view().highlightedName()))),
                 whole);
    }

    void aDoubleClickedKernelGoesToItsLongest() {
        SampleWindow sample;
        QTableView* table = sample.table("kernels", "kernels");
        const TimeSpan whole = sample.view().visible();
        // Before the first kernel: what is in sight already needs no other view.
        sample.view().setVisible({whole.start, whole.start + whole.duration() / 100});
        const TimeSpan before = sample.view().visible();
        clickCell(table, 0, KernelTableModel::Name, true);
        const SliceId slice = sample.view().selected();
        QVERIFY(slice != kNoSlice);
        const Trace& trace = *sample.view().trace();
        for (const GpuOperation& operation : trace.gpuOperations()) {
            if (trace.nameId(operation.slice) == trace.nameId(slice)) {
                QVERIFY(trace.duration(operation.slice) <= trace.duration(slice));
            }
        }
        QVERIFY(sample.view().visible() != before);
        QVERIFY(sample.view().visible().contains(trace.start(slice)));
    }

    void aCategoryFiltersTheKernels() {
        SampleWindow sample;
        QTableView* kernels = sample.table("kernels", "kernels");
        QTableView* categories = sample.table("kernels", "categories");
        const int all = kernels->model()->rowCount();
        clickCell(categories, 0, 0);
        const QString name = categories->model()->index(0, 0).data().toString();
        QVERIFY(kernels->model()->rowCount() < all);
        for (const QString& group : columnTexts(kernels->model(), KernelTableModel::Group)) {
            QCOMPARE(group, name);
        }
        categories->clearSelection();
        QCOMPARE(kernels->model()->rowCount(), all);
    }

    void theFilterBoxNarrowsTheKernels() {
        SampleWindow sample;
        QTableView* kernels = sample.table("kernels", "kernels");
        QTest::keyClicks(sample.part<QLineEdit>("kernels", "filter"), "nvjet");
        QVERIFY(kernels->model()->rowCount() > 0);
        for (const QString& name : columnTexts(kernels->model(), KernelTableModel::Name)) {
            QVERIFY2(name.contains("nvjet"), qPrintable(name));
        }
    }

    void theGroupingIsChosenAndRemembered() {
        SampleWindow sample;
        auto* group = sample.part<QComboBox>("kernels", "group");
        group->setCurrentIndex(group->findData("stream"));
        QTRY_VERIFY(sample.window.session().reports().report()->group == GroupBy::Stream);
        QCOMPARE(sample.settings.kernelGroup.value(), QStringLiteral("stream"));
    }

    void aChosenWindowChangesTheFigures() {
        SampleWindow sample;
        auto& reports = sample.window.session().reports();
        auto* choice = sample.part<QComboBox>("summary", "windowChoice");
        const TimeSpan gpu = reports.report()->gpus.at(0).window;
        choice->setCurrentIndex(1);
        emit choice->activated(1);
        QTRY_VERIFY(reports.report() && reports.report()->gpus.at(0).window != gpu);
        QVERIFY(reports.report()->gpus[0].window == sample.view().trace()->extent());
        QVERIFY(reports.report()->gpus[0].window.duration() > gpu.duration());
    }

    void theSummaryShowsTheReportedShare() {
        SampleWindow sample;
        const auto& gpu = sample.window.session().reports().report()->gpus.at(0);
        auto* tile = sample.part<FigureTile>("summary", "busy_ns");
        QVERIFY(tile);
        const double percent =
            100.0 * static_cast<double>(gpu.busyNs) / static_cast<double>(gpu.window.duration());
        QCOMPARE(tile->text(), QString::number(percent, 'f', 2) + " %");
        QVERIFY(tile->toolTip().contains(
            QString::fromStdString(std::string(explainFigure("busy_ns")->definition))
                .toHtmlEscaped()));
    }

    void aFigureIsNeverCut() {
        FigureTile tile(QStringLiteral("busy"), Qt::green);
        tile.setFigure(QStringLiteral("88888888.88 %"), 0.5);
        constexpr int kBothPaddings = 18;
        QVERIFY(tile.minimumSizeHint().width() - kBothPaddings >
                tile.fontMetrics().horizontalAdvance(tile.text()));
    }

    void everyFigureOfTheSummaryIsExplained() {
        SampleWindow sample;
        for (const FigureTile* tile :
             sample.window.docks().panel("summary")->findChildren<FigureTile*>()) {
            QVERIFY2(!tile->toolTip().isEmpty(), qPrintable(tile->objectName()));
        }
    }

    void aStepIsZoomedToAndMeasured() {
        SampleWindow sample;
        QTableView* table = sample.table("steps");
        QCOMPARE(table->model()->rowCount(), 4);
        clickCell(table, 2, StepModel::Name, true);
        QVERIFY(sample.view().window().kind == WindowKind::Step);
        QCOMPARE(sample.view().window().step, 2);
        const Step& step = sample.window.session().reports().report()->steps.at(2);
        QVERIFY(sample.view().visible().contains(step.span.start));
        QVERIFY(sample.view().visible().duration() < step.span.duration() * 6 / 5);
    }

    void detailsShowEveryArgumentOfTheEvent() {
        SampleWindow sample;
        QTableView* table = sample.table("details");
        QCOMPARE(table->model()->rowCount(), 0);
        const Trace& trace = *sample.view().trace();
        const SliceId slice = trace.gpuOperations()[0].slice;
        sample.view().select(slice);
        const QStringList labels = columnTexts(table->model(), DetailsModel::Label);
        const auto rows = eventDetails(trace, slice);
        QVERIFY(rows);
        QVERIFY(rows->size() > 15);
        for (const DetailRow& row : *rows) {
            const QString key = QString::fromStdString(row.key);
            QVERIFY2(key == "args" || labels.contains(key), qPrintable(key));
        }
        const auto correlation = labels.indexOf("correlation");
        QCOMPARE(table->model()->index(static_cast<int>(correlation), 1).data().toString(),
                 QString::number(trace.correlation(slice)));
    }

    void rowsOfDetailsForgetTheAdviceBefore() {
        SampleWindow sample;
        QTableView* table = sample.table("details");
        sample.window.docks().showPanel("idle");
        QTableView* gaps = sample.part<QTableView>("idle", "gaps");
        QTRY_VERIFY(gaps->model()->rowCount() > 0);
        clickCell(gaps, 0, 0);
        const auto advice = columnTexts(table->model(), DetailsModel::Label).indexOf("What to do");
        QVERIFY(advice >= 0);
        QVERIFY(table->rowHeight(static_cast<int>(advice)) > table->rowHeight(1));
        sample.view().select(sample.view().trace()->gpuOperations()[0].slice);
        QVERIFY(table->model()->rowCount() > advice);
        const auto category = columnTexts(table->model(), DetailsModel::Label).indexOf("Category");
        QCOMPARE(table->rowHeight(static_cast<int>(advice)),
                 table->rowHeight(static_cast<int>(category)));
    }

    void aDetailLinkGoesToTheLaunch() {
        SampleWindow sample;
        QTableView* table = sample.table("details");
        const Trace& trace = *sample.view().trace();
        const SliceId kernel = trace.gpuOperations()[0].slice;
        sample.view().select(kernel);
        const auto row = columnTexts(table->model(), 0).indexOf("Launched by");
        QVERIFY(row >= 0);
        clickCell(table, static_cast<int>(row), DetailsModel::Value);
        const SliceId launch = sample.view().selected();
        QVERIFY(launch != kernel);
        QVERIFY(isApiCall(trace.category(launch)));
        QCOMPARE(trace.correlation(launch), trace.correlation(kernel));
    }

    void findGoesFromMatchToMatch() {
        SampleWindow sample;
        auto* text = sample.window.findChild<QLineEdit*>("findText");
        QTest::keyClick(&sample.window, Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(text->hasFocus());
        QTest::keyClicks(text, "run#");
        QTest::keyClick(text, Qt::Key_Return);
        const Trace& trace = *sample.view().trace();
        QTRY_VERIFY(sample.view().selected() != kNoSlice);
        const SliceId first = sample.view().selected();
        QVERIFY(trace.name(first).starts_with("run#"));
        QTest::keyClick(text, Qt::Key_Return);
        const SliceId second = sample.view().selected();
        QVERIFY(second != first);
        QVERIFY(trace.start(second) >= trace.start(first));
        QTest::keyClick(text, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(sample.view().selected(), first);
        QTest::keyClick(text, Qt::Key_Escape);
        QVERIFY(text->text().isEmpty());
    }

    void severalFilesGetTabs() {
        const QTemporaryDir folder;
        const QString other =
            write(folder, "other.json", "[{'ph':'X','name':'a','pid':1,'tid':1,'ts':1,'dur':9}]");
        SampleWindow sample;
        auto* tabs = sample.window.findChild<QTabBar*>("fileTabs");
        QVERIFY(!tabs->isVisible());
        sample.view().setVisible(
            {sample.view().visible().start, sample.view().visible().start + 5000});
        const TimeSpan zoomed = sample.view().visible();
        sample.window.openFiles({other});
        QTRY_COMPARE(tabs->count(), 2);
        QVERIFY(tabs->isVisible());
        QVERIFY(sample.window.windowTitle().startsWith("other.json"));
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center());
        QVERIFY(sample.window.windowTitle().startsWith("sample.json.gz"));
        QVERIFY(sample.view().visible() == zoomed);
        sample.window.closeFile();
        QCOMPARE(tabs->count(), 1);
        QVERIFY(sample.window.windowTitle().startsWith("other.json"));
    }

    void docksComeBackWhereTheyWere() {
        const QTemporaryDir folder;
        Settings settings(folder.filePath("settings.ini"));
        {
            MainWindow window(settings);
            window.show();
            window.docks().dock("details")->close();
            window.addDockWidget(Qt::LeftDockWidgetArea, window.docks().dock("steps"));
            window.close();
        }
        MainWindow window(settings);
        window.show();
        QVERIFY(window.docks().dock("details")->isHidden());
        QVERIFY(!window.docks().dock("summary")->isHidden());
        QCOMPARE(window.dockWidgetArea(window.docks().dock("steps")), Qt::LeftDockWidgetArea);
        window.resetLayout();
        QVERIFY(!window.docks().dock("details")->isHidden());
        QCOMPARE(window.dockWidgetArea(window.docks().dock("steps")), Qt::BottomDockWidgetArea);
    }

    void actionsHaveTextTipAndShortcutsOfTheirOwn() {
        SampleWindow sample;
        QMap<QString, QString> owners;
        const auto check = [&](const QAction* action) {
            QVERIFY2(!action->text().isEmpty(), qPrintable(action->objectName()));
            QVERIFY2(action->toolTip().size() > 5 && action->toolTip() != action->text(),
                     qPrintable(action->objectName()));
            const QString keys = action->shortcut().toString();
            QVERIFY2(keys.isEmpty() || !owners.contains(keys), qPrintable(keys + action->text()));
            owners.insert(keys, action->objectName());
        };
        for (const ActionEntry& entry : actionTable()) {
            check(sample.window.action(entry.id));
        }
        for (const QAction* action : sample.window.docks().actions()) {
            check(action);
        }
        QVERIFY(owners.size() > 15);
    }

    void menuZoomsAndFits() {
        SampleWindow sample;
        const TimeNs whole = sample.view().visible().duration();
        sample.window.action(ActionId::ZoomIn)->trigger();
        QCOMPARE(sample.view().visible().duration(), whole / 2);
        sample.window.action(ActionId::Fit)->trigger();
        QVERIFY(sample.view().visible() == sample.view().fitSpan());
    }

    void theThemeChangesWhatIsDrawn() {
        SampleWindow sample;
        sample.window.action(ActionId::ThemeDark)->trigger();
        QCOMPARE(sample.settings.theme.value(), QStringLiteral("dark"));
        const auto ground = [&] {
            QTest::qWait(50);
            const QImage image = sample.window.grab().toImage();
            return qGray(image.pixel(image.width() / 2, image.height() - 4));
        };
        QVERIFY(ground() < 80);
        sample.window.action(ActionId::ThemeLight)->trigger();
        QVERIFY(ground() > 200);
    }

    void helpOpensAndNamesKeys() {
        SampleWindow sample;
        sample.window.action(ActionId::Keys)->trigger();
        auto* keys = sample.window.findChild<QWidget*>("keysDialog");
        QVERIFY(keys && keys->isVisible());
        QString all;
        for (const QLabel* label : keys->findChildren<QLabel*>()) {
            all += label->text();
        }
        for (const char* word : {"Ctrl+O", "F3", "Shift + drag", "Show Summary"}) {
            QVERIFY2(all.contains(word), word);
        }
        sample.window.action(ActionId::About)->trigger();
        QVERIFY(sample.window.findChild<QWidget*>("aboutDialog"));
    }

    void commandLinesAreRead() {
        const auto parse = [](std::vector<const char*> words) {
            words.insert(words.begin(), "kinetoscope");
            return parseCommandLine(static_cast<int>(words.size()), words.data());
        };
        const auto good = parse({"--screenshot", "o.png", "--size", "800x600", "--theme", "dark",
                                 "--panel", "kernels", "x.json"});
        const auto* line = std::get_if<CommandLine>(&good);
        QVERIFY(line);
        QCOMPARE(line->size, QSize(800, 600));
        QCOMPARE(line->files, QStringList{"x.json"});
        QVERIFY(line->theme == ThemeChoice::Dark);
        const auto program = parse({"--record", "--", "python3", "train.py", "--lr", "1"});
        const auto* record = std::get_if<CommandLine>(&program);
        QVERIFY(record && record->record);
        QCOMPARE(record->files, (QStringList{"python3", "train.py", "--lr", "1"}));
        const auto own = parse({"--record", "--theme", "dark", "--", "-x", "--", "--theme", ""});
        record = std::get_if<CommandLine>(&own);
        QVERIFY(record && record->theme == ThemeChoice::Dark);
        QCOMPARE(record->files, (QStringList{"-x", "--", "--theme", ""}));
        const auto dashed = parse({"a.json", "--", "--help", "-x.json"});
        line = std::get_if<CommandLine>(&dashed);
        QVERIFY(line);
        QCOMPARE(line->files, (QStringList{"a.json", "--help", "-x.json"}));
        const auto help = parse({"--help"});
        for (const QString& text : std::get<EarlyExit>(help).text.split('\n')) {
            QVERIFY2(text.size() <= 100, qPrintable(text));
        }
        for (const auto& words : std::vector<std::vector<const char*>>{
                 {"--nonsense"},
                 {"--record", "--"},
                 {"--record", "--", "\xff"},
                 {"--record"},
                 {"--record", "--screenshot", "o.png", "x"},
                 {"--size", "axb"},
                 {"--size", "99999x10"},
                 {"--theme", "pink"},
                 {"--panel", "kernels", "x.json"},
                 {"--screenshot", "o.png"},
                 {"--screenshot", "o.png", "--panel", "nope", "x.json"}}) {
            const auto bad = parse(words);
            const auto* exit = std::get_if<EarlyExit>(&bad);
            QVERIFY2(exit && exit->code == 2, words.back());
            QVERIFY2(!exit->text.contains('\n') && exit->text.startsWith("kinetoscope: "),
                     qPrintable(exit->text));
        }
    }
};

QTEST_MAIN(WindowTest)
#include "WindowTest.moc"
