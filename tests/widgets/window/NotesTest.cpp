// SPDX-License-Identifier: GPL-3.0-or-later
// Notes on times: written, drawn, kept beside the trace, edited and removed.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QDir>
#include <QHelpEvent>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "core/sidecar/Sidecar.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/style/Theme.h"
#include "widgets/timeline/NoteMarks.h"
#include "widgets/timeline/TimeRuler.h"
#include "widgets/timeline/TimelineWidget.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using sidecar::Note;

namespace {

/// A window that shows a copy of the sample trace in a folder of its own.
struct NotedWindow {
    NotedWindow() : NotedWindow(std::make_shared<QTemporaryDir>()) {}
    explicit NotedWindow(std::shared_ptr<QTemporaryDir> place) : folder(std::move(place)) {
        QFile::copy(samplePath(), path());
        window.resize(1280, 800);
        window.show();
        window.openFiles({path()});
        opened = waitFor([&] { return window.session().current() != nullptr; });
        QApplication::setActiveWindow(&window);
    }

    [[nodiscard]] QString path() const { return folder->filePath("run.json.gz"); }
    [[nodiscard]] std::vector<Note> kept() const {
        const auto read = sidecar::readSidecar(path().toStdString());
        return read ? read->notes : std::vector<Note>();
    }
    timeline::TimelineWidget& timeline() {
        return static_cast<plots::TimelineView*>(window.timeline())->timeline();
    }
    timeline::TimeRuler& ruler() {
        return static_cast<plots::TimelineView*>(window.timeline())->ruler();
    }
    QTableView* table() {
        window.docks().showPanel("notes");
        return window.docks().panel("notes")->findChild<QTableView*>("notes");
    }
    /// Presses N in the timeline and writes the text.
    bool write(const QString& text) {
        timeline().setFocus();
        QTest::keyClick(&timeline(), Qt::Key_N);
        auto* editor = timeline().findChild<QLineEdit*>("noteEditor");
        if (editor == nullptr) {
            return false;
        }
        editor->insert(text);
        QTest::keyClick(editor, Qt::Key_Return);
        return waitFor([&] { return timeline().findChild<QLineEdit*>("noteEditor") == nullptr; });
    }
    [[nodiscard]] TimeSpan extent() { return window.view().trace()->extent(); }

    std::shared_ptr<QTemporaryDir> folder;
    session::Settings settings{session::Settings::InMemory{}};
    MainWindow window{settings};
    bool opened = false;
};

class NotesTest final : public QObject {
    Q_OBJECT

private slots:
    static void init() { failOnQtWarnings(); }

    /// N writes about the selected time, else the slice, else the point under the pointer.
    static void whatIsWrittenAbout() {
        NotedWindow noted;
        QVERIFY(noted.opened);
        const TimeSpan all = noted.extent();
        const TimeSpan part{all.start + all.duration() / 4, all.start + all.duration() / 3};
        const QPoint at = noted.timeline().timeArea().center();
        QTest::mouseMove(&noted.timeline(), at);
        QTRY_VERIFY(noted.timeline().cursorTime().has_value());
        const TimeNs point = *noted.timeline().cursorTime();
        QVERIFY(noted.write("here"));
        noted.window.view().select(0);
        QVERIFY(noted.write("this slice"));
        noted.window.view().selectRange(part);
        QVERIFY(noted.write(QString::fromUtf8("slow – why?")));
        const std::vector<Note> kept = noted.kept();
        QCOMPARE(kept.size(), std::size_t{3});
        QVERIFY(kept[0] == (Note{{point, point}, "here"}));
        QVERIFY(kept[1] == (Note{noted.window.view().trace()->span(0), "this slice"}));
        QVERIFY(kept[2] == (Note{part, "slow – why?"}));
        QCOMPARE(noted.table()->model()->rowCount(), 3);
    }

    static void escapeWritesNothing() {
        NotedWindow noted;
        QVERIFY(noted.opened);
        noted.timeline().setFocus();
        QTest::keyClick(&noted.timeline(), Qt::Key_N);
        auto* editor = noted.timeline().findChild<QLineEdit*>("noteEditor");
        QVERIFY(editor != nullptr);
        QTest::keyClicks(editor, "no");
        QTest::keyClick(editor, Qt::Key_Escape);
        QTRY_VERIFY(noted.timeline().findChild<QLineEdit*>("noteEditor") == nullptr);
        QVERIFY(noted.window.session().notes().notes().empty());
        QVERIFY(!QFile::exists(noted.path() + ".kinetoscope"));
    }

    /// Another window that opens the file shows what this one wrote.
    static void theyAreReadAgain() {
        auto folder = std::make_shared<QTemporaryDir>();
        QString when;
        {
            NotedWindow first(folder);
            QVERIFY(first.opened);
            QVERIFY(first.write("again"));
            when = first.table()->model()->index(0, 0).data().toString();
            QVERIFY(!when.isEmpty());
        }
        NotedWindow second(folder);
        QVERIFY(second.opened);
        QCOMPARE(second.table()->model()->rowCount(), 1);
        QCOMPARE(second.table()->model()->index(0, 0).data().toString(), when);
        QCOMPARE(second.table()->model()->index(0, 2).data().toString(), QString("again"));
        QVERIFY(second.window.errorBar().text().isEmpty());
    }

    /// The flag stands where the time is, says its text, and a click on it goes to its row.
    static void drawnAsFlagAndShade() {
        NotedWindow noted;
        QVERIFY(noted.opened);
        const TimeSpan all = noted.extent();
        const TimeSpan part{all.start + all.duration() / 4, all.start + all.duration() / 2};
        const QImage before = noted.timeline().grab().toImage();
        const QImage rulerBefore = noted.ruler().grab().toImage();
        noted.window.session().notes().add(part, "<b>wide</b>");
        const QImage after = noted.timeline().grab().toImage();
        const QImage rulerAfter = noted.ruler().grab().toImage();
        const double scale = noted.timeline().devicePixelRatioF();
        const auto pixel = [&](const QImage& image, double x, double y) {
            return image.pixelColor(static_cast<int>(x * scale), static_cast<int>(y * scale));
        };
        const auto at = noted.timeline().coordinates();
        const double inside = (at.x(part.start) + at.x(part.end)) / 2;
        const double outside = (at.x(part.end) + at.x(all.end)) / 2;
        const double bottom = noted.timeline().height() - 2.0;
        QVERIFY(pixel(before, inside, bottom) != pixel(after, inside, bottom));
        QCOMPARE(pixel(after, outside, bottom), pixel(before, outside, bottom));
        const QColor flag = style::Theme::current().highlight();
        QCOMPARE(pixel(rulerAfter, std::floor(at.x(part.start)) + 2, 4), flag);
        QVERIFY(pixel(rulerBefore, std::floor(at.x(part.start)) + 2, 4) != flag);
        const Note* found = timeline::noteAt(noted.ruler().coordinates(),
                                             noted.window.session().notes().notes(), inside);
        QVERIFY(found != nullptr);
        const QString text = timeline::noteText(*found, all.start);
        QVERIFY2(text.startsWith("<b>wide</b>\n") && text.contains(" from "), qPrintable(text));
        noted.window.docks().showPanel("kernels");
        QTRY_VERIFY(!noted.window.docks().panel("kernels")->visibleRegion().isEmpty());
        const double flagX = noted.ruler().coordinates().x(part.start);
        QTest::mouseClick(&noted.ruler(), Qt::LeftButton, {},
                          QPoint(static_cast<int>(flagX) + 3, 4));
        QTRY_VERIFY(!noted.window.docks().panel("notes")->visibleRegion().isEmpty());
        QCOMPARE(noted.table()->currentIndex().row(), 0);
    }

    /// F2 edits in place, Delete removes, Ctrl+Z takes it back; the row stays the current one.
    static void editedInTheTable() {
        NotedWindow noted;
        QVERIFY(noted.opened);
        const TimeNs start = noted.extent().start;
        for (const char* text : {"one", "two", "three"}) {
            const TimeNs time =
                start + 1000 * static_cast<TimeNs>(strlen(text)) + static_cast<TimeNs>(text[0]);
            noted.window.session().notes().add({time, time}, QString::fromLatin1(text));
        }
        QTableView* table = noted.table();
        const QAbstractItemModelTester contract(
            table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(table->model()->index(1, 2).data().toString(), QString("two"));
        table->setCurrentIndex(table->model()->index(1, 0));
        QTest::keyClick(table, Qt::Key_F2);
        auto* editor = table->viewport()->findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        QCOMPARE(editor->text(), QString("two"));
        editor->selectAll();
        QTest::keyClicks(editor, "second");
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(table->model()->index(1, 2).data().toString(), QString("second"));
        QCOMPARE(table->currentIndex().row(), 1);
        QCOMPARE(noted.kept().size(), std::size_t{3});
        QTest::keyClick(table, Qt::Key_Delete);
        QTRY_COMPARE(table->model()->rowCount(), 2);
        QCOMPARE(noted.kept().size(), std::size_t{2});
        QTest::keyClick(table, Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(table->model()->rowCount(), 3);
        QTest::keyClick(table, Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(table->model()->index(1, 2).data().toString(), QString("two"));
    }

    /// A click on a row shows its time, with some of what is around it.
    static void aRowIsGoneTo() {
        NotedWindow noted;
        QVERIFY(noted.opened);
        const TimeSpan all = noted.extent();
        const TimeSpan narrow{all.start + all.duration() / 3,
                              all.start + all.duration() / 3 + all.duration() / 10'000};
        noted.window.session().notes().add(narrow, "narrow");
        QTableView* table = noted.table();
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(0, 2)).center());
        const TimeSpan visible = noted.window.view().visible();
        QVERIFY(visible.contains(narrow.start) && visible.contains(narrow.end));
        QVERIFY(visible.duration() < 10 * narrow.duration());
    }

    /// Neither part of the window loses what the other has entered.
    static void besideEnteredFigures() {
        NotedWindow noted;
        QVERIFY(noted.opened);
        QVERIFY(noted.write("kept"));
        QVERIFY(sidecar::changeSidecar(noted.path().toStdString(), [](sidecar::Sidecar& all) {
                    all.run.name = "bert";
                }).has_value());
        QVERIFY(noted.write("kept too"));
        QCOMPARE(noted.kept().size(), std::size_t{2});
        QCOMPARE(sidecar::readSidecar(noted.path().toStdString())->run.name, std::string("bert"));
    }

    /// What cannot be written is said once and holds meanwhile, and is written when it can be.
    static void aFileThatIsNotOursIsSaid() {
        NotedWindow noted;
        QVERIFY(noted.opened);
        const QString beside = noted.path() + ".kinetoscope";
        QFile other(beside);
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.write("mine");
        other.close();
        QSignalSpy said(&noted.window.session().notes(), &session::TraceNotes::failed);
        QVERIFY(noted.write("first"));
        QVERIFY(noted.write("second"));
        QCOMPARE(said.size(), 1);
        QVERIFY2(noted.window.errorBar().text().contains("run.json.gz.kinetoscope"),
                 qPrintable(noted.window.errorBar().text()));
        QCOMPARE(noted.table()->model()->rowCount(), 2);
        QVERIFY(QFile::remove(beside));
        QVERIFY(noted.write("third"));
        QCOMPARE(noted.kept().size(), std::size_t{3});
    }
};

}  // namespace

QTEST_MAIN(NotesTest)
#include "NotesTest.moc"
