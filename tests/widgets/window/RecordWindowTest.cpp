// SPDX-License-Identifier: GPL-3.0-or-later
// The window records a program with a fake driver and a fake CUPTI, from the dialog to the trace.
#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "app/kinetoscope/RecordDialog.h"
#include "core/base/ProcessMemory.h"
#include "core/text/Format.h"
#include "tests/support/FreedMemory.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/models/KernelTableModel.h"
#include "widgets/plots/BusyStripPlot.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/session/programs/CommandWords.h"
#include "widgets/style/WindowStyle.h"
#include "widgets/timeline/TimelineWidget.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::import;
using namespace kinetoscope::models;
using namespace kinetoscope::plots;
using namespace kinetoscope::session;
using namespace kinetoscope::style;
using namespace kinetoscope::timeline;
using namespace kinetoscope::trace;

namespace {

struct RecordWindow {
    RecordWindow() { window.show(); }

    /// Fills the dialog in as a person does and starts.
    void record(const QString& steps, int level = 3, const QString& folder = {}) {
        window.action(ActionId::Record)->trigger();
        auto* dialog = window.findChild<RecordDialog*>();
        const auto type = [dialog](const char* name, const QString& text) {
            auto* edit = dialog->findChild<QLineEdit*>(QString::fromLatin1(name));
            edit->clear();
            QTest::keyClicks(edit, text);
        };
        type("program", QStringLiteral(KINETOSCOPE_RECORDED_PROGRAM));
        type("arguments", steps);
        type("folder", folder);
        auto* environment = dialog->findChild<QPlainTextEdit*>("environment");
        environment->setPlainText(QStringLiteral("KINETOSCOPE_CUPTI=" KINETOSCOPE_FAKE_CUPTI
                                                 "\nKINETOSCOPE_INJECT=" KINETOSCOPE_INJECT_LIBRARY
                                                 "\n"));
        dialog->findChild<QComboBox*>("level")->setCurrentIndex(level);
        QTest::mouseClick(dialog->findChild<QPushButton*>("recordButton"), Qt::LeftButton);
    }

    void click(const char* button) {
        auto* found = window.findChild<QPushButton*>(QString::fromLatin1(button));
        QVERIFY2(found && found->isVisible() && found->isEnabled(), button);
        QTest::mouseClick(found, Qt::LeftButton);
    }
    bool isVisible(const char* button) {
        return window.findChild<QPushButton*>(QString::fromLatin1(button))->isVisible();
    }

    std::size_t operations() {
        return window.view().trace() ? window.view().trace()->gpuOperations().size() : 0;
    }
    QString kernelCount() {
        auto* table = window.docks().panel("kernels")->findChild<QTableView*>("kernels");
        return table->model()->rowCount() == 0
                   ? QString()
                   : table->model()->index(0, KernelTableModel::Count).data().toString();
    }
    QString output() {
        return window.docks().panel("output")->findChild<QPlainTextEdit*>()->toPlainText();
    }
    QString barText() { return window.findChild<RecordBar*>()->text(); }
    const std::vector<BusyStripPlot*>& strips() {
        return qobject_cast<TimelineView*>(window.timeline())->strips();
    }
    TimelineWidget& timeline() {
        return qobject_cast<TimelineView*>(window.timeline())->timeline();
    }

    Settings settings{Settings::InMemory{}};
    MainWindow window{settings};
};

/// Presses a button of the next message box: its object name, else Cancel.
void answerBox(const QString& button) {
    auto* timer = new QTimer(qApp);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, button] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (box != nullptr) {
            timer->deleteLater();
            auto* named = box->findChild<QPushButton*>(button);
            QTest::mouseClick(named != nullptr ? static_cast<QAbstractButton*>(named)
                                               : box->button(QMessageBox::Cancel),
                              Qt::LeftButton);
        }
    });
    timer->start(20);
}

bool touch(const QString& path) {
    return QFile(path).open(QIODevice::WriteOnly);
}

}  // namespace

class RecordWindowTest final : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

private slots:
    void initTestCase() {
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        QStandardPaths::setTestModeEnabled(true);
        qputenv("KINETOSCOPE_KSCOPE", KINETOSCOPE_KSCOPE);
        applyTheme(ThemeChoice::Light);
    }
    void init() { failOnQtWarnings(); }

    void wordsAreDividedAsByAShell_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("nothing") << "  \t " << QStringList();
        QTest::newRow("plain") << " train.py  --epochs\t1 "
                               << QStringList{"train.py", "--epochs", "1"};
        QTest::newRow("empty words") << "a '' \"\" b" << QStringList{"a", "", "", "b"};
        QTest::newRow("single quotes")
            << "'a b' 'x\"y' 'c\\d'" << QStringList{"a b", "x\"y", "c\\d"};
        QTest::newRow("double quotes")
            << "\"it's\" \"a\\\"b\" \"\\n\\$\"" << QStringList{"it's", "a\"b", "\\n$"};
        QTest::newRow("backslashes") << "a\\ b \\' \\\\" << QStringList{"a b", "'", "\\"};
        QTest::newRow("parts of a word") << "--x='a b'\"c\"d" << QStringList{"--x=a bcd"};
        QTest::newRow("nothing is expanded")
            << "$HOME * ~ #x `y` a|b >c"
            << QStringList{"$HOME", "*", "~", "#x", "`y`", "a|b", ">c"};
    }
    void wordsAreDividedAsByAShell() {
        QFETCH(QString, text);
        QFETCH(QStringList, words);
        const auto split = splitCommandWords(text);
        QVERIFY(split.has_value());
        QCOMPARE(*split, words);
    }

    void anOpenQuoteIsSaidAndNothingStarts() {
        RecordWindow test;
        test.window.action(ActionId::Record)->trigger();
        auto* dialog = test.window.findChild<RecordDialog*>();
        dialog->findChild<QLineEdit*>("program")->setText("/bin/true");
        auto* button = dialog->findChild<QPushButton*>("recordButton");
        for (const char* open : {"'a", "a \"b", "a\\"}) {
            dialog->findChild<QLineEdit*>("arguments")->setText(QLatin1String(open));
            QVERIFY2(!button->isEnabled(), open);
            QVERIFY(dialog->findChild<QLabel*>("hint")->text().contains("quote"));
        }
        dialog->findChild<QLineEdit*>("arguments")->setText("'a'");
        QVERIFY(button->isEnabled());
        dialog->reject();
    }

    // From the dialog to what kscope is started with: no word is lost, changed or taken for one of
    // kscope's own.
    void everyWordReachesTheProgram() {
        const QStringList words{
            "report",  "compare",    "cut",         "bench",   "metrics", "record", "convert",
            "results", "kernels",    "operators",   "modules", "--help",  "-h",     "--version",
            "-o",      "--output",   "x",           "--level", "9",       "--send", "stop",
            "--",      "--",         "-",           "",        " ",       "a b",    " a ",
            "it's",    "say \"hi\"", "back\\slash", "\\",      "\"",      "'",      "$HOME",
            "`x`",     "*",          "~",           "#x",      "a&b",     "a|b",    ">c",
            "%1",      "\u00e9",     "a\tb",        "=",       ""};
        QStringList typed;
        for (const QString& word : words) {
            typed << QLatin1Char('\'') + QString(word).replace("'", "'\\''") + QLatin1Char('\'');
        }
        QFile script(path("note words"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("#!/bin/sh\nprintf '%s\\0' \"$@\" > \"$FAKE_WORDS\"\n");
        script.close();
        QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        qputenv("KINETOSCOPE_KSCOPE", script.fileName().toUtf8());
        qputenv("FAKE_WORDS", path("words").toUtf8());
        RecordWindow test;
        test.window.action(ActionId::Record)->trigger();
        auto* dialog = test.window.findChild<RecordDialog*>();
        dialog->findChild<QLineEdit*>("program")->setText(script.fileName());
        dialog->findChild<QLineEdit*>("arguments")->setText(typed.join(QLatin1Char(' ')));
        dialog->findChild<QPlainTextEdit*>("environment")->setPlainText("A=b c \n\n  FAKE=x=y");
        const RecordRequest request = dialog->request();
        QCOMPARE(request.environment, QStringList({"A=b c ", "FAKE=x=y"}));
        QTest::mouseClick(dialog->findChild<QPushButton*>("recordButton"), Qt::LeftButton);
        QTRY_COMPARE(int(test.window.recorder().state()), int(Recorder::State::Done));
        qputenv("KINETOSCOPE_KSCOPE", KINETOSCOPE_KSCOPE);
        QFile noted(path("words"));
        QVERIFY(noted.open(QIODevice::ReadOnly));
        QStringList got = QString::fromUtf8(noted.readAll()).split(QChar(0));
        got.removeLast();  // behind the last end
        const auto divider = got.indexOf("--");
        QVERIFY(divider > 0);
        QCOMPARE(got.first(), QStringLiteral("record"));
        QCOMPARE(got.mid(divider + 1), QStringList(script.fileName()) + words);
    }

    void everythingGrowsWhileTheProgramRuns() {
        RecordWindow test;
        test.record(
            QStringLiteral("launch 2000 await %1 count launch 3000 exit 7").arg(path("go")));
        QTRY_COMPARE(test.operations(), 2000U);
        QVERIFY(test.window.recorder().isRunning());
        QVERIFY2(test.barText().contains("Recording recorded_program"), qPrintable(test.barText()));
        QTRY_COMPARE(test.kernelCount(), QStringLiteral("2,000"));
        QCOMPARE(test.strips().size(), 2U);
        const auto busy = [&] {
            test.window.grab();
            double sum = 0;
            for (const float column : test.strips()[0]->columns()) {
                sum += static_cast<double>(column);
            }
            return sum;
        };
        QVERIFY(busy() > 0);
        const TimeNs before = test.window.view().trace()->extent().duration();
        QCOMPARE(test.window.view().visible(), test.window.view().fitSpan());

        QVERIFY(touch(path("go")));
        QTRY_COMPARE(test.operations(), 5000U);
        QTRY_COMPARE(test.kernelCount(), QStringLiteral("5,000"));
        QVERIFY(test.window.view().trace()->extent().duration() > before);
        QCOMPARE(test.window.view().visible(), test.window.view().fitSpan());
        QVERIFY(busy() > 0);
        QTRY_VERIFY(test.isVisible("closeRecording"));
        QVERIFY2(test.barText().contains("ended with exit code 7"), qPrintable(test.barText()));
        QVERIFY2(test.output().contains("callbacks "), qPrintable(test.output()));
        QVERIFY(test.window.view().trace()->log().empty());
        QVERIFY(!test.window.lossBar().isVisible());
        QVERIFY(
            test.window.view().trace()->eventText()->event(test.window.view().trace()->offset(0)));
    }

    void whatIsChosenStaysChosenWhileItGrows() {
        RecordWindow test;
        test.record(QStringLiteral("launch 500 await %1 launch 500").arg(path("more")));
        QTRY_COMPARE(test.operations(), 500U);
        const Trace& trace = *test.window.view().trace();
        const SliceId slice = trace.gpuOperations()[100].slice;
        const TimeSpan span = trace.span(slice);
        test.window.view().select(slice);
        test.window.view().setVisible({span.start - 5000, span.end + 5000});
        const TimeSpan visible = test.window.view().visible();
        const std::uint32_t process = trace.tracks()[trace.trackOf(0)].process;
        test.timeline().setCollapsed(process, true);
        QVERIFY(touch(path("more")));
        QTRY_COMPARE(test.operations(), 1000U);
        QCOMPARE(test.window.view().selected(), slice);
        QCOMPARE(test.window.view().trace()->span(slice), span);
        QCOMPARE(test.window.view().visible(), visible);
        QVERIFY(test.timeline().rows().isCollapsed(process));
        // A slice that came later can be selected: the details read it from its file.
        test.window.view().select(test.window.view().trace()->gpuOperations()[900].slice);
        auto* details = test.window.docks().panel("details")->findChild<QTableView*>();
        QVERIFY(details->model()->rowCount() > 10);
    }

    void whatDoesNotFitIntoMemoryIsNamed() {
        constexpr std::uint64_t kRoom = 120U << 20;  // for the panels and some 150,000 launches
        RecordWindow test;
        test.window.recorder().setMemoryLimit(residentMemory() + kRoom);
        // With pauses, as a recorder that is slow (sanitizers) would lose some.
        const QString steps = QStringLiteral("launch 20000 sleep 30 ").repeated(20);
        test.record(steps + QStringLiteral("await %1").arg(path("seen")));
        QTRY_VERIFY(test.window.lossBar().isVisible());
        QCOMPARE(int(test.window.recorder().state()), int(Recorder::State::Recording));
        QVERIFY2(test.window.lossBar().text().contains("no longer shown"),
                 qPrintable(test.window.lossBar().text()));
        QVERIFY(touch(path("seen")));
        QTRY_VERIFY(test.isVisible("closeRecording"));
        QVERIFY2(test.barText().contains("400,000 GPU operations"), qPrintable(test.barText()));
        const Trace& trace = *test.window.view().trace();
        QVERIFY(trace.sliceCount() > 0);
        QCOMPARE(test.operations() + trace.counts().droppedGpuOperations, 400'000U);
        QVERIFY(test.window.lossBar().text().contains(QString::fromStdString(
            text::formatCount(static_cast<qint64>(trace.counts().droppedEvents)))));
        QCOMPARE(test.window.view().visible(), test.window.view().fitSpan());
        QVERIFY(trace.eventText()->event(trace.offset(0)));
    }

    void recordingStopsAndGoesOn() {
        RecordWindow test;
        test.record(QStringLiteral("launch 10 unrecorded launch 20 touch %1 recorded launch 40")
                        .arg(path("unseen")));
        QTRY_COMPARE(test.operations(), 10U);
        test.click("stopRecording");
        QTRY_VERIFY(test.isVisible("resumeRecording"));
        QVERIFY(!test.isVisible("stopRecording"));
        QTRY_VERIFY(QFile::exists(path("unseen")));
        test.click("resumeRecording");
        QTRY_VERIFY(test.isVisible("closeRecording"));
        QVERIFY2(test.barText().contains("exit code 0"), qPrintable(test.barText()));
        QCOMPARE(test.operations(), 50U);
    }

    // They begin in one second, and what one discards is not the other's.
    void twoWindowsRecordTheSameProgram() {
        RecordWindow one;
        RecordWindow other;
        one.record(QStringLiteral("launch 10 await %1").arg(path("both")));
        other.record(QStringLiteral("launch 30 await %1").arg(path("both")));
        QTRY_COMPARE(one.operations(), 10U);
        QTRY_COMPARE(other.operations(), 30U);
        QVERIFY(touch(path("both")));
        QTRY_COMPARE(int(one.window.recorder().state()), int(Recorder::State::Done));
        QTRY_COMPARE(int(other.window.recorder().state()), int(Recorder::State::Done));
        one.window.recorder().discard();
        QVERIFY(other.window.recorder().captureBytes() > 0);
        other.window.recorder().discard();
    }

    void theProgramIsEndedFromTheWindow() {
        RecordWindow test;
        test.record(QStringLiteral("launch 100 await /no/such/file"));
        QTRY_COMPARE(test.operations(), 100U);
        test.click("endProgram");
        QTRY_VERIFY(test.isVisible("closeRecording"));
        QVERIFY2(test.barText().contains("exit code 130"), qPrintable(test.barText()));
        QCOMPARE(test.operations(), 100U);
        QVERIFY(test.window.view().trace()->log().find("capture_unfinished") != nullptr);
    }

    void aRecordingIsSavedAndKept() {
        RecordWindow test;
        test.record(QStringLiteral("launch 50 exec launch 70"));
        QTRY_VERIFY(test.isVisible("saveRecording"));
        QCOMPARE(test.operations(), 120U);
        const QString place = test.window.recorder().path();
        answerFileDialog(path("saved.json.gz"));
        test.click("saveRecording");
        QTRY_VERIFY(QFile::exists(path("saved.json.gz")));
        const auto saved = loadTrace(path("saved.json.gz").toStdString());
        QVERIFY(saved && (*saved)->gpuOperations().size() == 120);
        QTRY_VERIFY(test.isVisible("saveCaptures"));
        answerFileDialog(m_folder.path());
        test.click("saveCaptures");
        QVERIFY(!QFile::exists(place));
        const QString kept = test.window.session().current()->path;
        QVERIFY2(kept.startsWith(m_folder.path()), qPrintable(kept));
        QVERIFY(test.settings.recentFiles.value().contains(kept));
        // Both processes beside each other, also when the folder is opened again.
        const auto again = loadTrace(kept.toStdString());
        QVERIFY2(again.has_value(), again ? "" : again.error().message.c_str());
        QCOMPARE((*again)->gpuOperations().size(), 120U);
        QCOMPARE((*again)->info().baseTimeNs, test.window.view().trace()->info().baseTimeNs);
        const Trace& shown = *test.window.view().trace();
        QVERIFY(shown.eventText()->event(shown.offset(shown.gpuOperations().back().slice)));
        test.click("closeRecording");
        QVERIFY(!test.isVisible("closeRecording"));
        QVERIFY(QFile::exists(kept));
        QVERIFY(test.window.close());
    }

    void anUnkeptRecordingIsAskedAbout() {
        RecordWindow test;
        test.record(QStringLiteral("launch 5"));
        QTRY_VERIFY(test.isVisible("closeRecording"));
        const QString place = test.window.recorder().path();
        answerBox(QStringLiteral("cancel"));
        QVERIFY(!test.window.close());
        QVERIFY(QFile::exists(place));
        answerBox(QStringLiteral("discard"));
        QVERIFY(test.window.close());
        QVERIFY(!QFile::exists(place));
    }

    void aWindowThatGoesEndsItsProgram() {
        QElapsedTimer clock;
        QString place;
        {
            RecordWindow test;
            test.record(QStringLiteral("launch 5 await /no/such/file"));
            QTRY_COMPARE(test.operations(), 5U);
            answerBox(QStringLiteral("discard"));
            QVERIFY(test.window.close());
            place = test.window.recorder().path();
            clock.start();
        }
        QVERIFY2(clock.elapsed() < 2500, "the program did not end at once");
        QVERIFY(!QFile::exists(place));
    }

    void whatWasTypedIsRemembered() {
        RecordWindow test;
        test.record(QStringLiteral("launch 5 \"exit\" 3"), 1, m_folder.path());
        QTRY_VERIFY(test.isVisible("closeRecording"));
        QVERIFY2(test.barText().contains("exit code 3"), qPrintable(test.barText()));
        QCOMPARE(test.window.view().trace()->sliceCount(), 5U);  // level 1: kernels alone
        test.window.action(ActionId::Record)->trigger();
        auto* dialog = test.window.findChild<RecordDialog*>();
        const RecordRequest request = dialog->request();
        QCOMPARE(request.program, QStringLiteral(KINETOSCOPE_RECORDED_PROGRAM));
        QCOMPARE(request.arguments, (QStringList{"launch", "5", "exit", "3"}));
        QCOMPARE(request.folder, m_folder.path());
        QCOMPARE(request.environment.size(), 2);
        QCOMPARE(request.level, 1);
        dialog->reject();
        test.window.recorder().discard();
    }

    void mistakesAreSaidBeforeAnythingRuns() {
        RecordWindow test;
        test.window.action(ActionId::Record)->trigger();
        auto* dialog = test.window.findChild<RecordDialog*>();
        auto* record = dialog->findChild<QPushButton*>("recordButton");
        QVERIFY(!record->isEnabled());
        auto* program = dialog->findChild<QLineEdit*>("program");
        auto* hint = dialog->findChild<QLabel*>("hint");
        QTest::keyClicks(program, "no-such-program");
        QVERIFY(!record->isEnabled() && hint->text().contains("no-such-program"));
        program->setText("true");
        QVERIFY(record->isEnabled());
        dialog->findChild<QPlainTextEdit*>("environment")->setPlainText("NONSENSE");
        QVERIFY(!record->isEnabled() && hint->text().contains("NAME=value"));
        dialog->findChild<QPlainTextEdit*>("environment")->clear();
        dialog->findChild<QLineEdit*>("folder")->setText("/no/such/folder");
        QVERIFY(!record->isEnabled() && hint->text().contains("/no/such/folder"));
    }

    void enterRecords() {
        Settings settings{Settings::InMemory{}};
        RecordDialog dialog(settings);
        QSignalSpy wanted(&dialog, &RecordDialog::recordRequested);
        dialog.show();
        auto* program = dialog.findChild<QLineEdit*>("program");
        QTest::keyClick(program, Qt::Key_Return);
        QVERIFY(dialog.isVisible());
        QTest::keyClicks(program, "true");
        QTest::keyClick(program, Qt::Key_Return);
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(settings.recordProgram.value(), QString("true"));
    }

    void aProgramThatIsNotThereIsNotStarted() {
        RecordWindow test;
        test.window.record({QStringLiteral("/nonexistent/prog"), {}, {}, {}, 3});
        QVERIFY2(test.window.errorBar().text().contains(
                     "'/nonexistent/prog': cannot be started; there is no such file"),
                 qPrintable(test.window.errorBar().text()));
        QVERIFY(test.window.recorder().state() == Recorder::State::Idle);
        QCOMPARE(test.window.recorder().exitCode(), 2);
        QVERIFY(!test.window.findChild<RecordBar*>()->isVisible());
        // Paths are those of the program's folder.
        QVERIFY(whyNoProgram("./sh", "/bin").isEmpty());
        QVERIFY(whyNoProgram("../bin", "/bin").contains("it is not a program"));
    }

    void theOutputIsFollowedWhereLinesWrap() {
        RecordWindow test;
        const QString lines = QStringLiteral(
            "for i in 1 2 3 4 5 6 7 8 9 10; do printf 'line %s %0300d\\n' $i 0; sleep 0.1; done");
        test.window.record({QStringLiteral("sh"), {"-c", lines}, {}, {}, 3});
        auto* text = test.window.docks().panel("output")->findChild<QPlainTextEdit*>();
        const auto seesEnd = [&] {
            QTextCursor end(text->document());
            end.movePosition(QTextCursor::End);
            return text->cursorRect(end).bottom() <= text->viewport()->height();
        };
        QTRY_VERIFY(test.barText().contains("nothing was recorded"));
        QVERIFY(text->verticalScrollBar()->maximum() > 40);
        QVERIFY2(seesEnd(), qPrintable(QString::number(text->verticalScrollBar()->value())));
        // So does a scroll bar that comes: lines wrap anew.
        test.window.resizeDocks({test.window.docks().dock("output")}, {300}, Qt::Horizontal);
        QTRY_VERIFY(text->width() < 310);
        QVERIFY2(seesEnd(), qPrintable(QString::number(text->verticalScrollBar()->value())));
        // Who looks at earlier lines keeps them.
        text->verticalScrollBar()->triggerAction(QAbstractSlider::SliderPageStepSub);
        const int seen = text->verticalScrollBar()->value();
        emit test.window.recorder().output(QStringLiteral("more\n"));
        QCoreApplication::processEvents();
        QCOMPARE(text->verticalScrollBar()->value(), seen);
        text->verticalScrollBar()->triggerAction(QAbstractSlider::SliderToMaximum);
        emit test.window.recorder().output(QStringLiteral("more\n"));
        QVERIFY(seesEnd());
    }

    void aProgramWithoutCudaSaysSo() {
        RecordWindow test;
        test.window.record({QStringLiteral("sh"),
                            {"-c", "printf 'a\\rbc\\n\\033[31mred\\033[0m'; exit 4"},
                            {},
                            {},
                            3});
        QTRY_VERIFY(test.barText().contains("nothing was recorded"));
        QVERIFY(test.barText().contains("exit code 4"));
        QVERIFY2(test.output().startsWith("bc\nred"), qPrintable(test.output()));
        QVERIFY(!test.isVisible("saveCaptures"));
        QVERIFY(test.window.session().current() == nullptr);
        QVERIFY(test.window.close());
    }

    // However fast the trace grows, the window answers.
    void theWindowAnswersWhileMuchIsRecorded() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        constexpr int kMinUpdates = 2;  // sanitizers take several times as long for each
        constexpr int kRestMs = 200;    // so does the recorder, which drops what finds no buffer
#else
        constexpr int kMinUpdates = 4;
        constexpr int kRestMs = 30;
#endif
        RecordWindow test;
        QString steps;
        for (int i = 0; i < 40; ++i) {
            steps += QStringLiteral("launch 20000 sleep %1 ").arg(kRestMs);
        }
        test.record(steps.trimmed(), 3);
        QElapsedTimer clock;
        qint64 longest = 0;
        int turns = 0;
        std::size_t seen = 0;
        int updates = 0;
        while (test.window.recorder().state() != Recorder::State::Done) {
            clock.start();
            QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
            longest = std::max(longest, clock.elapsed());
            ++turns;
            if (test.operations() != seen) {
                seen = test.operations();
                ++updates;
            }
            QTest::qSleep(2);
        }
        qInfo("%d updates, longest turn of the event loop %lld ms", updates, longest);
        QCOMPARE(test.operations(), 800'000U);
        QVERIFY(updates >= kMinUpdates);
        QVERIFY2(longest < 1000, qPrintable(QString::number(longest)));
        test.window.recorder().discard();
    }
};

QTEST_MAIN(RecordWindowTest)
#include "RecordWindowTest.moc"
