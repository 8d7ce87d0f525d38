// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that can be done, found by its name and done.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QTemporaryDir>
#include <algorithm>
#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "app/kinetoscope/palette/CommandPalette.h"
#include "app/kinetoscope/palette/FuzzyMatch.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/style/Theme.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::style;

namespace {

struct Opened {
    explicit Opened(bool withTrace = true) {
        window.resize(1280, 800);
        window.show();
        if (withTrace) {
            window.openFiles({samplePath()});
            ready = waitFor([&] { return window.session().reports().report() != nullptr; });
        }
    }
    CommandPalette* palette() {
        for (auto* found : window.findChildren<CommandPalette*>()) {
            if (found->isVisible()) {
                return found;
            }
        }
        return nullptr;
    }
    void open() {
        window.action(ActionId::Palette)->trigger();
        if (palette() != nullptr) {
            new QAbstractItemModelTester(
                list().model(), QAbstractItemModelTester::FailureReportingMode::QtTest, palette());
        }
    }
    QLineEdit& text() { return *palette()->findChild<QLineEdit*>("paletteText"); }
    QListView& list() { return *palette()->findChild<QListView*>("paletteList"); }
    void type(const char* typed) {
        text().clear();
        QTest::keyClicks(&text(), QString::fromLatin1(typed));
    }
    void press(Qt::Key key) { QTest::keyClick(&text(), key); }
    QModelIndex row(int at) { return list().model()->index(at, 0); }
    QString title(int at) { return row(at).data().toString(); }
    int rowOf(const QString& title) {
        for (int at = 0; at < list().model()->rowCount(); ++at) {
            if (this->title(at) == title) {
                return at;
            }
        }
        return -1;
    }
    QString why(const char* title) {
        return row(rowOf(QString::fromUtf8(title))).data(PaletteModel::WhyRole).toString();
    }

    session::Settings settings{session::Settings::InMemory{}};
    MainWindow window{settings};
    bool ready = false;
};

/// Whether some of the panel or of what lies on it can be seen.
bool isInFront(panels::Panel* panel) {
    const auto seen = [](const QWidget* part) { return !part->visibleRegion().isEmpty(); };
    const auto parts = panel->findChildren<QWidget*>();
    return seen(panel) || std::any_of(parts.begin(), parts.end(), seen);
}

int score(const char* typed, const char* text) {
    const auto match = fuzzyMatch(QString::fromLatin1(typed), QString::fromLatin1(text));
    return match ? match->score : -1'000;
}

class CommandPaletteTest final : public QObject {
    Q_OBJECT

private slots:
    static void init() {
        failOnQtWarnings();
        applyTheme(ThemeChoice::Light);
    }
    static void cleanupTestCase() { applyTheme(ThemeChoice::Light); }

    static void lettersFitInTheirOrder() {
        QVERIFY(fuzzyMatch(u"gts", u"Go to step"));
        QVERIFY(!fuzzyMatch(u"stg", u"Go to step"));
        QVERIFY(!fuzzyMatch(u"step", u"ste"));
        QVERIFY(fuzzyMatch(u"", u"anything"));
        const auto match = fuzzyMatch(u"STEP", u"Go to step");
        QVERIFY(match);
        QCOMPARE(match->letters, (std::vector<qsizetype>{6, 7, 8, 9}));
        // Of several ways the best one, also where its letters come later.
        QCOMPARE(fuzzyMatch(u"co", u"a conclude")->letters, (std::vector<qsizetype>{2, 3}));
        QCOMPARE(fuzzyMatch(u"st", u"last step")->letters, (std::vector<qsizetype>{5, 6}));
        // Letters of any alphabet, and far more of them than anybody reads.
        QVERIFY(fuzzyMatch(QString::fromUtf8("ÄÖ"), QString::fromUtf8("xäyö")));
        QVERIFY(fuzzyMatch(u"a", QString(1'000'000, QLatin1Char('a'))));
    }

    static void wordsBeginningsComeFirst() {
        QVERIFY(score("st", "Go to step") > score("st", "Fastest"));
        QVERIFY(score("gs", "Go to step") > score("gs", "Settings"));
        QVERIFY(score("find", "Find next") > score("find", "Go to panel Find results"));
        QVERIFY(score("ker", "Kernels") > score("ker", "Kill every room"));
        QVERIFY(!fuzzyMatchWords("theme dark", "Dark", "View"));
        QVERIFY(fuzzyMatchWords("theme dark", "Dark", "View > Theme"));
        QVERIFY(fuzzyMatchWords("dark theme", "Theme dark", "")->score >
                fuzzyMatchWords("dark theme", "Dark", "Theme")->score);
    }

    static void anActionIsTypedAndDone() {
        Opened opened;
        QVERIFY(opened.ready);
        QCOMPARE(opened.window.action(ActionId::Palette)->shortcut(), QKeySequence("Ctrl+Shift+P"));
        opened.open();
        QVERIFY(opened.palette());
        QVERIFY(opened.palette()->isAncestorOf(QApplication::focusWidget()) ||
                QApplication::focusWidget() == nullptr);
        opened.type("dark");
        QCOMPARE(opened.title(0), QStringLiteral("Dark"));
        QCOMPARE(opened.row(0).data(PaletteModel::DetailRole).toString(),
                 QString::fromUtf8("View › Theme"));
        opened.press(Qt::Key_Return);
        QVERIFY(!opened.palette());
        QVERIFY(Theme::current().isDark());
        // Keys are those of the menus.
        opened.open();
        opened.type("fit");
        QCOMPARE(opened.title(0), QStringLiteral("Fit whole trace"));
        QCOMPARE(opened.row(0).data(PaletteModel::KeysRole).toString(), QStringLiteral("Ctrl+0"));
    }

    static void stepsPanelsAndFilesAreThere() {
        Opened opened;
        QVERIFY(opened.ready);
        const auto& steps = opened.window.session().reports().report()->steps;
        QVERIFY(steps.size() > 1);
        opened.open();
        opened.type(qPrintable(QStringLiteral("step %1").arg(steps[1].number)));
        QCOMPARE(opened.title(0), QStringLiteral("Go to step %1").arg(steps[1].number));
        opened.press(Qt::Key_Enter);
        QCOMPARE(opened.window.view().window().kind, analysis::WindowKind::Step);
        QCOMPARE(opened.window.view().window().step, steps[1].number);

        opened.open();
        opened.type("panel durations");
        QCOMPARE(opened.title(0), QStringLiteral("Go to panel Durations"));
        opened.press(Qt::Key_Return);
        QVERIFY(isInFront(opened.window.docks().panel("durations")));
        // Once more it stays: the menu's action would close it.
        opened.open();
        opened.type("panel durations");
        opened.press(Qt::Key_Return);
        QVERIFY(isInFront(opened.window.docks().panel("durations")));

        opened.open();
        QVERIFY(opened.rowOf(QStringLiteral("Go to file sample.json.gz")) >= 0);
        QCOMPARE(opened.rowOf(QStringLiteral("Open recent sample.json.gz")), -1);
        opened.press(Qt::Key_Escape);
        opened.window.closeFile();
        opened.open();
        const int recent = opened.rowOf(QStringLiteral("Open recent sample.json.gz"));
        QVERIFY(recent >= 0);
        opened.list().setCurrentIndex(opened.row(recent));
        opened.press(Qt::Key_Return);
        QTRY_VERIFY(opened.window.session().current() != nullptr);
    }

    static void whatCannotBeDoneSaysWhy() {
        Opened opened(false);
        opened.open();
        QCOMPARE(opened.why("Close"), QStringLiteral("no trace is open"));
        QCOMPARE(opened.why("Back"), QStringLiteral("nothing to go back to"));
        QVERIFY(opened.why("Quit").isEmpty());
        opened.type("close");
        QCOMPARE(opened.title(0), QStringLiteral("Close"));
        opened.press(Qt::Key_Return);
        QVERIFY(opened.palette());  // nothing was done
        // The reason is drawn, in the colour of warnings.
        const QRect row = opened.list().visualRect(opened.row(0));
        const auto warnings = [&] {
            const QImage image = opened.list().viewport()->grab(row).toImage();
            int count = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    count += image.pixelColor(x, y) == Theme::current().warning() ? 1 : 0;
                }
            }
            return count;
        };
        QVERIFY(warnings() > 0);
        opened.type("quit");
        QCOMPARE(warnings(), 0);
    }

    static void everyDisabledActionHasItsReason() {
        Opened opened;
        QVERIFY(opened.ready);
        opened.open();
        QCOMPARE(opened.why("Save selected time…"), QStringLiteral("no time is selected"));
        QCOMPARE(opened.why("Compared timelines"), QStringLiteral("no two traces are compared"));
        for (const ActionEntry& entry : actionTable()) {
            const QAction* action = opened.window.action(entry.id);
            const int row = opened.rowOf(QString(action->text()).remove(QLatin1Char('&')));
            QCOMPARE(row >= 0, entry.id != ActionId::Palette);
            if (row >= 0) {
                QCOMPARE(opened.row(row).data(PaletteModel::WhyRole).toString().isEmpty(),
                         action->isEnabled());
            }
        }
    }

    static void usedLastComesFirst() {
        Opened opened;
        QVERIFY(opened.ready);
        opened.open();
        QCOMPARE(opened.title(0), QString::fromUtf8("Open…"));
        opened.type("zoom out");
        opened.press(Qt::Key_Return);
        opened.open();
        QCOMPARE(opened.title(0), QStringLiteral("Zoom out"));
        opened.type("zoom");
        QCOMPARE(opened.title(0), QStringLiteral("Zoom out"));
        QCOMPARE(opened.title(1), QStringLiteral("Zoom in"));
        opened.press(Qt::Key_Down);
        const TimeSpan before = opened.window.view().visible();
        opened.press(Qt::Key_Return);
        QVERIFY(opened.window.view().visible().duration() < before.duration());
        QCOMPARE(opened.settings.lastCommands.value(), QStringList({"zoomIn", "zoomOut"}));
    }

    static void theMouseChooses() {
        Opened opened;
        QVERIFY(opened.ready);
        opened.open();
        opened.type("panel");
        const int row = 2;
        opened.list().scrollTo(opened.row(row));
        QTest::mouseClick(opened.list().viewport(), Qt::LeftButton, {},
                          opened.list().visualRect(opened.row(row)).center());
        QVERIFY(!opened.palette());
        const QString id = opened.settings.lastCommands.value().value(0);
        QVERIFY(id.startsWith(QLatin1String("show_")));
        panels::Panel* panel = opened.window.docks().panel(id.mid(5));
        QVERIFY2(panel != nullptr, qPrintable(id));
        QTRY_VERIFY2(isInFront(panel), qPrintable(id));
        // A press elsewhere closes it and does nothing else of it.
        opened.open();
        QTest::mouseClick(opened.window.timeline(), Qt::LeftButton, {}, QPoint(20, 5));
        QVERIFY(!opened.palette());
    }

    static void itClosesAndGivesTheFocusBack() {
        Opened opened;
        QVERIFY(opened.ready);
        opened.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&opened.window));
        opened.window.timeline()->setFocus();
        QWidget* before = QApplication::focusWidget();
        opened.open();
        QVERIFY(opened.text().hasFocus());
        opened.press(Qt::Key_Escape);
        QVERIFY(!opened.palette());
        QCOMPARE(QApplication::focusWidget(), before);
        // Its own key closes it, too.
        opened.open();
        opened.open();
        QVERIFY(!opened.palette());
    }

    static void itFitsEveryWindow() {
        Opened opened;
        QVERIFY(opened.ready);
        opened.open();
        for (const QSize size : {QSize(1600, 1000), QSize(1280, 800), QSize(900, 520)}) {
            opened.window.resize(size);
            QTRY_VERIFY(opened.window.rect().contains(opened.palette()->geometry()));
            QVERIFY(opened.list().height() > 100);
        }
        opened.type("zzzzqqq");
        QVERIFY(!opened.list().isVisible());
        bool said = false;
        for (const QLabel* label : opened.palette()->findChildren<QLabel*>()) {
            said = said || (label->isVisible() && label->text().contains("zzzzqqq"));
        }
        QVERIFY(said);
        opened.press(Qt::Key_Down);  // nothing to go to
        opened.press(Qt::Key_Return);
        QVERIFY(opened.palette());
    }
};

}  // namespace

QTEST_MAIN(CommandPaletteTest)
#include "CommandPaletteTest.moc"
