// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says of itself and of its figures.
#include <QApplication>
#include <QDialog>
#include <QFile>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QMap>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QSet>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>
#include <QWhatsThis>
#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "app/kinetoscope/tour/Tour.h"
#include "app/kinetoscope/welcome/WelcomePage.h"
#include "tests/widgets/OpenedSample.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/plots/BusyStripPlot.h"
#include "widgets/plots/Picture.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/style/FigureTile.h"
#include "widgets/style/Theme.h"

using namespace kinetoscope;
using namespace kinetoscope::app;

namespace {

/// Whether a click there in "What's this?" would be answered.
bool hasAnswer(QWidget* widget, QPoint at) {
    QHelpEvent event(QEvent::QueryWhatsThis, at, widget->mapToGlobal(at));
    QApplication::sendEvent(widget, &event);
    return event.isAccepted();
}

class HelpTest final : public QObject {
    Q_OBJECT

    using Opened = OpenedSample;

private slots:
    static void init() { failOnQtWarnings(); }

    static void whatsThisIsAMode() {
        Opened opened;
        QVERIFY(opened.ready);
        QVERIFY(!QWhatsThis::inWhatsThisMode());
        opened.window.action(ActionId::WhatsThis)->trigger();
        QVERIFY(QWhatsThis::inWhatsThisMode());
        QWhatsThis::leaveWhatsThisMode();
        QCOMPARE(opened.window.action(ActionId::WhatsThis)->shortcut(), QKeySequence("Shift+F1"));
    }

    /// Five parts, each with a frame around it and the card beside it; nothing is open at first.
    static void theTourGoesThroughTheWindow() {
        session::Settings settings{session::Settings::InMemory{}};
        MainWindow window{settings};
        window.resize(1400, 900);
        window.show();
        auto* offer = window.findChild<QPushButton*>("takeTour");
        QVERIFY(offer != nullptr && offer->isVisible());
        QTest::mouseClick(offer, Qt::LeftButton);
        QPointer<Tour> tour = window.findChild<Tour*>();
        QVERIFY(tour);
        QTRY_VERIFY(window.session().current() != nullptr);
        const QWidget* const parts[] = {window.timeline(), window.docks().dock("details"),
                                        window.docks().dock("summary"),
                                        window.docks().dock("findings"), window.menuBar()};
        auto* next = tour->findChild<QPushButton*>("tourNext");
        auto* back = tour->findChild<QPushButton*>("tourBack");
        const auto* frame = window.findChild<QWidget*>("tourFrame");
        QSet<QString> texts;
        for (int stop = 0; stop < 5; ++stop) {
            QCOMPARE(tour->stop(), stop);
            const QWidget* part = parts[stop];
            QTRY_COMPARE(tour->part(), part);
            QTRY_COMPARE(frame->geometry(),
                         QRect(part->mapTo(&window, QPoint(0, 0)), part->size()));
            QVERIFY(frame->isVisible() && tour->isVisible());
            QVERIFY(window.rect().contains(tour->geometry()));
            // The frame is drawn, in the middle of its left edge.
            const QPoint edge(frame->geometry().left() + 1, frame->geometry().center().y());
            if (!tour->geometry().contains(edge)) {
                QTRY_COMPARE(window.grab().toImage().pixelColor(edge),
                             style::Theme::current().accent());
            }
            texts.insert(tour->findChild<QLabel*>("tourText")->text());
            QCOMPARE(back->isEnabled(), stop > 0);
            QCOMPARE(next->text(), stop < 4 ? QString("Next") : QString("Done"));
            // The part stays where it is told to when the window changes.
            if (stop == 2) {
                window.resize(1200, 800);
                QTRY_COMPARE(frame->geometry(),
                             QRect(part->mapTo(&window, QPoint(0, 0)), part->size()));
                QTest::mouseClick(back, Qt::LeftButton);
                QCOMPARE(tour->stop(), 1);
                QTest::mouseClick(next, Qt::LeftButton);
            }
            // By keys alone, from the first stop on.
            QTRY_COMPARE(window.focusWidget(), next);
            QTest::keyClick(window.focusWidget(), Qt::Key_Return);
        }
        QCOMPARE(texts.size(), 5);
        QTRY_VERIFY(tour.isNull());
        QTRY_VERIFY(window.findChild<QWidget*>("tourFrame") == nullptr);
        // Again from the menu, and ended by a key.
        window.action(ActionId::Tour)->trigger();
        tour = window.findChild<Tour*>();
        QVERIFY(tour);
        QTest::keyClick(tour, Qt::Key_Escape);
        QTRY_VERIFY(window.findChild<Tour*>() == nullptr);
        QCOMPARE(window.session().runs().size(), std::size_t(1));
    }

    /// Traces in tabs, jobs and snapshots on pages of their own, results in their bench.
    static void everySampleOpensFromTheWelcomePage() {
        QCOMPARE(samples().size(), std::size_t(8));
        for (const Sample& sample : samples()) {
            session::Settings settings{session::Settings::InMemory{}};
            MainWindow window(settings);
            window.show();
            QToolButton* button = nullptr;
            for (auto* one : window.findChildren<QToolButton*>("sample")) {
                button = one->text() == sample.title ? one : button;
            }
            QVERIFY2(button != nullptr && button->isVisible(), qPrintable(sample.title));
            QTest::mouseClick(button, Qt::LeftButton);
            if (sample.files.front().endsWith("aten_mm.json")) {
                panels::Panel* panel = window.docks().panel("operator-bench");
                QTRY_VERIFY(panel->isVisible());
                QTRY_COMPARE(panel->findChild<QTableView*>("samples")->model()->rowCount(), 3);
                QVERIFY(window.errorBar().isHidden());
                continue;
            }
            QTRY_VERIFY2(!window.findChild<WelcomePage*>()->isVisible(), qPrintable(sample.title));
            QTRY_VERIFY2(!window.loader().isLoading(), qPrintable(sample.title));
            QVERIFY2(window.errorBar().isHidden(), qPrintable(sample.title));
        }
    }

    /// Every card and figure of the summary has its definition.
    static void figuresOfTheSummary() {
        Opened opened;
        QVERIFY(opened.ready);
        panels::Panel* summary = opened.window.docks().panel("summary");
        const auto tiles = summary->findChildren<style::FigureTile*>();
        QVERIFY(!tiles.isEmpty());
        for (style::FigureTile* tile : tiles) {
            QVERIFY(hasAnswer(tile, tile->rect().center()));
            QVERIFY(!tile->whatsThis().isEmpty());
            QCOMPARE(tile->whatsThis(), tile->toolTip());
        }
        int figures = 0;
        for (auto* part : summary->findChildren<QWidget*>()) {
            if (!part->toolTip().isEmpty() && part->isVisible()) {
                ++figures;
                QVERIFY(hasAnswer(part, part->rect().center()));
                QCOMPARE(part->whatsThis(), part->toolTip());
            }
        }
        QVERIFY2(figures > tiles.size(), qPrintable(QString::number(figures)));
    }

    /// Every column of figures, at its header and in its cells.
    static void columnsOfTables() {
        Opened opened;
        QVERIFY(opened.ready);
        for (const char* id : {"kernels", "operators", "idle", "steps", "notes"}) {
            opened.window.docks().showPanel(id);
            const models::ColumnTableModel* model = opened.window.docks().panel(id)->table();
            for (int column = 0; column < model->columnCount(); ++column) {
                const QString help =
                    model->headerData(column, Qt::Horizontal, Qt::WhatsThisRole).toString();
                const QString header =
                    model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
                const bool isFigure =
                    model->columns()[static_cast<std::size_t>(column)].alignment.testFlag(
                        Qt::AlignRight);
                QVERIFY2(!isFigure || !help.isEmpty(),
                         qPrintable(QString::fromLatin1(id) + ": " + header));
            }
        }
        opened.window.docks().showPanel("steps");
        auto* table = opened.window.docks().panel("steps")->findChild<QTableView*>();
        QHeaderView* header = table->horizontalHeader();
        QVERIFY(hasAnswer(header->viewport(), QPoint(header->sectionViewportPosition(4) + 5, 5)));
        QVERIFY(
            hasAnswer(table->viewport(), table->visualRect(table->model()->index(0, 4)).center()));
    }

    static void strips() {
        Opened opened;
        QVERIFY(opened.ready);
        auto* view = qobject_cast<plots::TimelineView*>(opened.window.timeline());
        for (plots::BusyStripPlot* strip : view->strips()) {
            QWidget* plot = plots::plotAt(*strip, strip->rect().center());
            QVERIFY(hasAnswer(plot, plot->rect().center()));
            QVERIFY(plot->whatsThis().contains("the time"));
        }
    }

    /// A tile has a share of what its definition is about, and of what.
    static void tiles() {
        Opened opened;
        QVERIFY(opened.ready);
        const auto tiles =
            opened.window.docks().panel("summary")->findChildren<style::FigureTile*>();
        QVERIFY(tiles.size() >= 3);
        for (const style::FigureTile* tile : tiles) {
            QVERIFY2(tile->toolTip().contains("Shown as its share of the window. "),
                     qPrintable(tile->toolTip()));
        }
    }

    static void detailsWithoutATrace() {
        session::Settings settings{session::Settings::InMemory{}};
        MainWindow window{settings};
        window.show();
        auto* table = window.docks().panel("details")->findChild<panels::DataTable*>();
        QVERIFY2(table->emptyText().startsWith("Open a trace"), qPrintable(table->emptyText()));
        window.openFiles({samplePath()});
        QTRY_VERIFY(table->emptyText().startsWith("Click a slice in the timeline"));
    }

    /// Every chart, and whatever else is a picture of figures, says what it shows.
    static void charts() {
        Opened opened;
        QVERIFY(opened.ready);
        QMap<QString, QString> texts;  // by class
        for (QWidget* part : opened.window.findChildren<QWidget*>()) {
            bool isChart = part->inherits("QCustomPlot");
            for (const char* name :
                 {"kinetoscope::calls::FlameGraph", "kinetoscope::timeline::TimelineWidget",
                  "kinetoscope::timeline::TimeRuler", "kinetoscope::panels::FigureLine"}) {
                isChart = isChart || part->inherits(name);
            }
            if (isChart) {
                const QString name = QString::fromLatin1(part->metaObject()->className());
                QVERIFY2(part->whatsThis().size() > 20, qPrintable(name));
                texts.insert(name, part->whatsThis());
            }
        }
        QVERIFY2(texts.size() > 8, qPrintable(texts.keys().join(' ')));
        // None says what another one shows.
        QSet<QString> different;
        for (const QString& text : texts) {
            different.insert(text);
        }
        QCOMPARE(different.size(), texts.size());
    }

    /// Columns of rows that open are columns of figures, too.
    static void columnsOfTrees() {
        Opened opened;
        QVERIFY(opened.ready);
        const auto trees = opened.window.docks().panel("calltree")->findChildren<QTreeView*>();
        QVERIFY(!trees.isEmpty());
        for (const QTreeView* tree : trees) {
            for (int column = 0; column < tree->model()->columnCount(); ++column) {
                QVERIFY(!tree->model()
                             ->headerData(column, Qt::Horizontal, Qt::WhatsThisRole)
                             .toString()
                             .isEmpty());
            }
        }
    }

    /// The dialog shows what the worker finds, and why where there is no worker.
    static void about() {
        QTemporaryDir folder;
        QFile worker(folder.filePath("kscope"));
        QVERIFY(worker.open(QIODevice::WriteOnly));
        worker.write("#!/bin/sh\necho \"asked for $1\"\necho 'CUPTI  not available'\n");
        worker.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        worker.close();
        qputenv("KINETOSCOPE_KSCOPE", worker.fileName().toLocal8Bit());
        session::Settings settings{session::Settings::InMemory{}};
        MainWindow window{settings};
        window.show();
        const auto shown = [&] {
            auto* dialog = window.findChild<QDialog*>("aboutDialog");
            auto* text =
                dialog == nullptr ? nullptr : dialog->findChild<QPlainTextEdit*>("available");
            return text == nullptr ? QString() : text->toPlainText();
        };
        window.action(ActionId::About)->trigger();
        QTRY_VERIFY(shown().contains("CUPTI  not available"));
        QVERIFY(shown().contains("asked for about\n"));
        QString texts;
        for (auto* label : window.findChild<QDialog*>("aboutDialog")->findChildren<QLabel*>()) {
            texts += label->text();
        }
        QVERIFY(texts.contains(QString::fromLatin1(qVersion())));
        QVERIFY(texts.contains("QCustomPlot " + plots::plotLibraryVersion()));
        delete window.findChild<QDialog*>("aboutDialog");
        qputenv("KINETOSCOPE_KSCOPE", folder.filePath("none").toLocal8Bit());
        window.action(ActionId::About)->trigger();
        QTRY_VERIFY(!shown().isEmpty());
        qunsetenv("KINETOSCOPE_KSCOPE");
    }
};

}  // namespace

QTEST_MAIN(HelpTest)
#include "HelpTest.moc"
