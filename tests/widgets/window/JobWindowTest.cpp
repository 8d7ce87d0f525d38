// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs of several ranks in the whole window.
#include <QAbstractButton>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <QTabBar>
#include <QTemporaryDir>
#include <QToolButton>
#include <set>
#include "tests/Patience.h"

#include "app/kinetoscope/CommandLine.h"
#include "app/kinetoscope/MainWindow.h"
#include "app/kinetoscope/Screenshot.h"
#include "app/kinetoscope/files/RankOfFile.h"
#include "core/flight/CallGrid.h"
#include "core/ranks/JobText.h"
#include "core/ranks/view/Preview.h"
#include "tests/widgets/WindowTestSupport.h"
#include "tests/widgets/job/MadeJob.h"
#include "widgets/style/Theme.h"

using namespace kinetoscope;
using namespace kinetoscope::app;

namespace {

const QString kPair =
    QStringLiteral(KINETOSCOPE_SOURCE_DIR "/tests/data/traces/ddp_gpt_rank%1.json.gz");

const QString kDump =
    QStringLiteral(KINETOSCOPE_SOURCE_DIR "/tests/data/flight/nccl_hang_rank%1.pickle");

struct Opened {
    Opened() {
        window.resize(1280, 800);
        window.show();
    }
    bool hasJob() {
        return waitFor([&] {
            return window.jobs().current() != nullptr && !window.jobs().loader().isLoading();
        });
    }
    bool hasTrace(const QString& path) {
        return waitFor([&] {
            return window.session().current() != nullptr &&
                   window.session().current()->path == path && !window.loader().isLoading();
        });
    }
    QTabBar& tabs() { return *window.findChild<QTabBar*>("fileTabs"); }
    bool showsPanels() { return window.docks().dock("summary")->isVisible(); }
    void drop(const QStringList& paths) {
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& path : paths) {
            urls.append(QUrl::fromLocalFile(path));
        }
        data.setUrls(urls);
        QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&window, &enter);
        QDropEvent drop(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&window, &drop);
    }

    session::Settings settings{session::Settings::InMemory{}};
    MainWindow window{settings};
};

}  // namespace

class JobWindowTest final : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QStringList m_files;

private slots:
    void init() {
        failOnQtWarnings();
        m_folder = std::make_unique<QTemporaryDir>();
        m_files = MadeJob::write(m_folder->path());
        QCOMPARE(m_files.size(), MadeJob::kRanks);
    }

    void aFolderOfRanksIsAJob() {
        Opened opened;
        opened.window.openFiles({m_folder->path()});
        QVERIFY(opened.hasJob());
        QVERIFY(opened.window.session().runs().empty());
        QVERIFY(opened.window.jobs().current()->isVisible());
        QVERIFY(!opened.showsPanels());
        QVERIFY(opened.window.windowTitle().startsWith("job "));
        QVERIFY(opened.settings.recentFiles.value().contains(m_folder->path()));
        QVERIFY(opened.window.action(ActionId::Close)->isEnabled());
        QVERIFY(!opened.window.action(ActionId::GoToStep)->isEnabled());
        const TimeSpan before = opened.window.jobs().shownJob()->state().visible();
        opened.window.action(ActionId::ZoomIn)->trigger();
        QVERIFY(opened.window.jobs().shownJob()->state().visible().duration() < before.duration());
        opened.window.action(ActionId::Fit)->trigger();
        QCOMPARE(opened.window.jobs().shownJob()->state().visible(), before);
        opened.window.action(ActionId::Close)->trigger();
        QVERIFY(opened.window.jobs().items().empty());
        QVERIFY(opened.showsPanels());
    }

    void aRecordedPairNamesItsCause() {
        Opened opened;
        opened.window.openJob({kPair.arg(0), kPair.arg(1)});
        QVERIFY(opened.hasJob());
        job::JobView& view = *opened.window.jobs().shownJob();
        QVERIFY(view.selectAnswer("for rank 0: it computed"));
        QVERIFY(view.state().cell().has_value());
        QCOMPARE(view.state().cell()->record, std::size_t{0});
        QVERIFY(view.findChild<job::WordsPane*>()->text().contains("it computed"));
    }

    void doubleClickOpensTheRanksTraceThere() {
        Opened opened;
        opened.window.openJob({m_folder->path()});
        QVERIFY(opened.hasJob());
        job::JobView& view = *opened.window.jobs().shownJob();
        const job::CellPlace late{MadeJob::kLateRank, MadeJob::kLateStep - 1};
        const QPoint at = view.matrix().cellRect(late).center();
        QTest::mouseClick(view.matrix().viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(view.matrix().viewport(), Qt::LeftButton, {}, at);
        QVERIFY(opened.hasTrace(m_files[MadeJob::kLateRank]));
        QTRY_VERIFY(opened.window.view().selectedRange().has_value());
        const TimeSpan range = *opened.window.view().selectedRange();
        const TimeNs begin = 1000 * TimeNs{MadeJob::begin(2) + MadeJob::offset(2)};
        QVERIFY(std::abs(range.start - begin) <= 1000);
        QCOMPARE(range.duration(), TimeNs{1000 * (5000 + MadeJob::kLate)});
        QCOMPARE(opened.window.jobs().currentIndex(), -1);
        QTRY_VERIFY(opened.showsPanels());
        // The job has a tab behind the trace's, and comes back as it was.
        QCOMPARE(opened.tabs().count(), 2);
        opened.tabs().setCurrentIndex(1);
        QVERIFY(opened.window.jobs().current() == &view);
        QVERIFY(view.isVisible());
        QVERIFY(view.state().cell() == late);
        QVERIFY(!opened.showsPanels());
        // Closing the trace behind leaves it in front.
        emit opened.tabs().tabCloseRequested(0);
        QVERIFY(opened.window.jobs().current() == &view);
        QCOMPARE(opened.tabs().count(), 1);
    }

    void findingsOfAJobAreThoseOfTheRankThatWasWaitedFor() {
        Opened opened;
        opened.window.openJob({m_folder->path()});
        QVERIFY(opened.hasJob());
        const job::JobView& view = *opened.window.jobs().shownJob();
        view.findChild<QToolButton*>("jobFindings")->click();
        QVERIFY(opened.hasTrace(m_files[MadeJob::kLateRank]));
        panels::Panel& panel = *opened.window.docks().panel("findings");
        QTRY_VERIFY(panel.isVisible());
        const auto* table = panel.findChild<panels::DataTable*>("findings");
        const auto straggler = [&] {
            for (int row = 0; row < table->model()->rowCount(); ++row) {
                const QString title = table->model()->index(row, 1).data().toString();
                if (title.contains("waited") && title.contains("for rank 2")) {
                    return row;
                }
            }
            return -1;
        };
        QTRY_VERIFY(straggler() >= 0);
        // Other ranks are not in this trace: nothing to tick, and Show goes to the step.
        QVERIFY(!table->model()->index(straggler(), 0).data(Qt::CheckStateRole).isValid());
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(straggler(), 1)).center());
        opened.window.view().selectRange({});
        panel.findChild<QToolButton*>("show")->click();
        QTRY_VERIFY(opened.window.view().selectedRange().has_value());
        QCOMPARE(opened.window.view().selectedRange()->duration(),
                 TimeNs{1000 * (5000 + MadeJob::kLate)});
        // Without the job the rule cannot judge.
        emit opened.tabs().tabCloseRequested(1);
        QTRY_VERIFY(table->model()->rowCount() > 0 && straggler() < 0);
    }

    void brokenFilesAreNamedAndTheRestIsShown() {
        QFile broken(m_files[3]);
        QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("[1, 2") > 0);
        broken.close();
        Opened opened;
        opened.window.openJob({m_folder->path()});
        QVERIFY(opened.hasJob());
        QVERIFY2(opened.window.errorBar().text().contains("rank3.json"),
                 qPrintable(opened.window.errorBar().text()));
        QCOMPARE(opened.window.jobs().shownJob()->state().job().records.size(), std::size_t{3});
    }

    void partialsAreAJob() {
        const QTemporaryDir other;
        for (int rank = 0; rank < MadeJob::kRanks; ++rank) {
            auto partial = ranks::loadRanks({m_files[rank].toStdString()}, job::loadRankTrace);
            QVERIFY(partial);
            const QString path = other.filePath(QStringLiteral("node%1.ranks").arg(rank));
            QVERIFY(ranks::writePartial(path.toStdString(), std::move(*partial)));
        }
        QCOMPARE(wholeJobOf(other.filePath("node1.ranks")).size(), MadeJob::kRanks);
        const QString moved = other.filePath("rank2.json");
        {
            Opened opened;
            opened.drop({other.path()});
            QVERIFY(opened.hasJob());
            QVERIFY(opened.window.findChild<QMessageBox*>() == nullptr);
            job::JobState& state = opened.window.jobs().shownJob()->state();
            QCOMPARE(state.job().records.size(), std::size_t{MadeJob::kRanks});
            // The traces are where the partials say, and then no longer.
            QVERIFY(QFile::rename(m_files[2], moved));
            state.askForRank(2);
            QTRY_VERIFY(opened.window.errorBar().text().contains("put the trace next to"));
            QVERIFY(opened.window.session().runs().empty());
            state.askForRank(1);
            QVERIFY(opened.hasTrace(m_files[1]));
        }
        Opened again;
        again.window.openFiles(wholeJobOf(other.filePath("node3.ranks")));
        QVERIFY(again.hasJob());
        again.window.jobs().shownJob()->state().askForRank(2);
        QVERIFY(again.hasTrace(moved));
        // Traces of several ranks lie there beside the partials: they are the job then.
        QVERIFY(QFile::copy(m_files[1], other.filePath("rank1.json")));
        QVERIFY(!isPartOfJob(other.path()));
        QVERIFY(isPartOfJob(other.filePath("node1.ranks")));
        QVERIFY(!isPartOfJob(moved));
    }

    void dumpsAreAMatrixOfCalls() {
        Opened opened;
        opened.drop({kDump.arg(1), kDump.arg(0)});
        QVERIFY(opened.hasJob());
        job::dumps::DumpView* view = opened.window.jobs().shownDumps();
        QVERIFY(view != nullptr);
        QVERIFY(opened.window.findChild<QMessageBox*>() == nullptr);
        QVERIFY(!opened.window.action(ActionId::GoToStep)->isEnabled());
        // What is stuck is selected, framed and said at once.
        const flight::CallGrid& grid = view->state().grid();
        const std::size_t stuck = grid.columnOf(211).value();
        QCOMPARE(grid.stuck().front().column, stuck);
        QCOMPARE(view->answerList().count(), 1);
        const QString told = view->words().text();
        QVERIFY2(told.contains("rank 0 waits in it, rank 1 never came"), qPrintable(told));
        QVERIFY2(told.contains("ranks.py:58 <module>"), qPrintable(told));
        const QImage image = view->matrix().viewport()->grab().toImage();
        const auto pixel = [&](QPoint at) { return image.pixelColor(at); };
        const style::Theme& theme = style::Theme::current();
        const QRect absent = view->matrix().cellRect({1, stuck});
        QVERIFY(view->matrix().viewport()->rect().contains(absent));
        const QRect frame = view->matrix().cellRect({0, stuck});
        QCOMPARE(pixel({frame.left() - 1, frame.center().y()}).name(), theme.error().name());
        QCOMPARE(pixel({frame.center().x(), 4}).name(), theme.error().name());
        std::set<QString> cross;
        for (int x = absent.left() + 2; x < absent.right() - 2; ++x) {
            cross.insert(pixel({x, absent.center().y()}).name());
        }
        QVERIFY(cross.contains(theme.error().name()) && cross.contains(theme.base().name()));
        const QColor done = pixel(view->matrix().cellRect({1, stuck - 1}).center());
        QVERIFY(done != theme.base() && done != pixel(frame.center()));
        // A click says what became of a call, and where it came from.
        const auto click = [&](job::dumps::CallPlace cell) {
            QTest::mouseClick(view->matrix().viewport(), Qt::LeftButton, {},
                              view->matrix().cellRect(cell).center());
        };
        click({0, stuck});
        QCOMPARE(view->words().heading(), QStringLiteral("Rank 0, number 211"));
        QVERIFY(view->words().text().startsWith("The rank waits in it"));
        QVERIFY(view->words().text().contains("Input [1048576] Float"));
        QVERIFY(view->words().text().contains("Called from\n"));
        QTest::keyClick(&view->matrix(), Qt::Key_Left);
        QVERIFY(view->words().text().startsWith("It completed"));
        QTest::keyClick(&view->matrix(), Qt::Key_Right);
        QTest::keyClick(&view->matrix(), Qt::Key_Down);
        QCOMPARE(view->words().heading(), QStringLiteral("Rank 1, number 211"));
        QVERIFY(view->words().text().contains("all_reduce_barrier number 210, completed"));
        QVERIFY(view->matrix().toolTipAt(absent.center()).contains("never came"));
        QTest::keyClick(&view->matrix(), Qt::Key_Escape);
        QCOMPARE(view->words().heading(), QStringLiteral("Nothing is selected"));
        QTest::mouseClick(view->answerList().viewport(), Qt::LeftButton, {},
                          view->answerList().visualItemRect(view->answerList().item(0)).center());
        QVERIFY((view->state().cell() == job::dumps::CallPlace{1, stuck}));
        const int width = view->matrix().cellRect({0, 0}).width();
        opened.window.action(ActionId::ZoomIn)->trigger();
        QVERIFY(view->matrix().cellRect({0, 0}).width() > width);
        opened.window.action(ActionId::Fit)->trigger();
        QCOMPARE(view->matrix().cellRect({0, 0}).width(), width);
        QString title;
        QVERIFY(view->tableInFront(&title) != nullptr);
        QCOMPARE(title, QStringLiteral("Groups"));
        QCOMPARE(view->tableInFront(&title)->exportText(0, 2), QStringLiteral("0, 1"));
    }

    // Rank 1 waits for a second message, which rank 0 never sent.
    void messagesOfDumpsAreAMatrixToo() {
        const auto put = [&](int rank, const QStringList& calls) {
            QStringList entries;
            for (qsizetype i = 0; i < calls.size(); ++i) {
                entries.append(
                    QStringLiteral("{'record_id': %1, 'pg_id': 0, 'process_group': ['0', 'pp'], "
                                   "'p2p_seq_id': %1, 'profiling_name': 'nccl:%2', "
                                   "'is_p2p': true, 'state': '%3', 'input_sizes': [[8]], "
                                   "'output_sizes': [[8]], 'time_created_ns': %4}")
                        .arg(i)
                        .arg(calls[i], i == 0 ? "completed" : "scheduled")
                        .arg(1000 + i));
            }
            QFile file(m_folder->filePath(QStringLiteral("nccl_trace_rank_%1").arg(rank)));
            const QByteArray text = QStringLiteral(
                                        "{'version': '2.10', 'pg_config': {'0': {'name': '0', "
                                        "'desc': 'pp', 'ranks': '[0, 1]'}}, 'entries': [%1]}")
                                        .arg(entries.join(','))
                                        .replace(QLatin1Char('\''), QLatin1Char('"'))
                                        .toUtf8();
            return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
        };
        QVERIFY(put(0, {"send 0->1"}) && put(1, {"recv 1<-0", "recv 1<-0"}));
        Opened opened;
        opened.drop(
            {m_folder->filePath("nccl_trace_rank_0"), m_folder->filePath("nccl_trace_rank_1")});
        QVERIFY(opened.hasJob());
        job::dumps::DumpView* view = opened.window.jobs().shownDumps();
        QVERIFY(view != nullptr);
        QCOMPARE(view->groups().currentText(), QStringLiteral("group 0 (pp): messages"));
        QVERIFY((view->state().cell() == job::dumps::CallPlace{0, 1}));
        QVERIFY2(view->words().text().contains("rank 0 never came"),
                 qPrintable(view->words().text()));
        const auto click = [&](job::dumps::CallPlace cell) {
            QTest::mouseClick(view->matrix().viewport(), Qt::LeftButton, {},
                              view->matrix().cellRect(cell).center());
        };
        click({1, 1});
        QCOMPARE(view->words().heading(),
                 QStringLiteral("Rank 1, message 2 from rank 0 to rank 1"));
        QVERIFY(view->words().text().startsWith("The rank waits in it"));
        QVERIFY(view->matrix()
                    .toolTipAt(view->matrix().cellRect({0, 0}).center())
                    .contains("send 0-&gt;1"));
    }

    void oneDumpOpensThoseBesideIt() {
        QCOMPARE(wholeJobOf(kDump.arg(0)).size(), 2);
        Opened opened;
        opened.window.openJob(wholeJobOf(kDump.arg(1)));
        QVERIFY(opened.hasJob());
        QCOMPARE(opened.window.jobs().shownDumps()->state().job().dumps.size(), std::size_t{2});
    }

    void whatIsMissingIsNotCleared() {
        Opened opened;
        opened.window.openJob({kDump.arg(1)});
        QVERIFY(opened.hasJob());
        const auto* answers =
            opened.window.jobs().shownDumps()->findChild<QListWidget*>(QStringLiteral("answers"));
        QVERIFY(answers != nullptr && answers->count() == 1);
        QVERIFY2(answers->item(0)->text().startsWith(
                     "Cannot tell whether anything is stuck: there is no dump of rank 0"),
                 qPrintable(answers->item(0)->text()));
    }

    void damagedDumpsAreMessages() {
        QFile whole(kDump.arg(0));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const QByteArray bytes = whole.readAll();
        const auto put = [&](const char* name, const QByteArray& content) {
            QFile file(m_folder->filePath(name));
            return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
        };
        const QString touched = m_folder->filePath("touched");
        QVERIFY(put("cut_rank0.pickle", bytes.left(bytes.size() / 2)));
        QVERIFY(put("hostile_rank0.pickle",
                    "\x80\x02"
                    "cos\nsystem\n(S'touch " +
                        touched.toUtf8() + "'\ntR."));
        for (const char* name : {"cut_rank0.pickle", "hostile_rank0.pickle"}) {
            Opened opened;
            opened.drop({m_folder->filePath(name)});
            QTRY_VERIFY(opened.window.errorBar().text().contains(name));
            QVERIFY(opened.window.jobs().items().empty());
        }
        QVERIFY(!QFile::exists(touched));
        // Beside a good one it is named, and the good one is shown.
        Opened opened;
        opened.drop({m_folder->filePath("cut_rank0.pickle"), kDump.arg(1)});
        QVERIFY(opened.hasJob());
        QVERIFY(opened.window.errorBar().text().contains("cut_rank0.pickle"));
        QVERIFY(
            opened.window.jobs().shownDumps()->summary().join(' ').contains("no dump of rank 0"));
    }

    // What is there of a job that is still being read; it gives way to the job.
    void stepTimesAreShownWhileTheRestIsRead() {
        ranks::view::Preview preview;
        for (const int rank : {2, 0}) {
            const auto partial =
                ranks::loadRanks({m_files[rank].toStdString()}, job::loadRankTrace);
            QVERIFY(partial);
            preview.add(partial->records.front());
        }
        Opened opened;
        JobTabs& jobs = opened.window.jobs();
        const auto show = [&] {
            emit jobs.loader().previewed({m_folder->path()}, preview.show(), MadeJob::kRanks);
            return qobject_cast<job::JobPreview*>(jobs.current());
        };
        opened.window.openJob({m_folder->path()});
        job::JobPreview* shown = show();
        QVERIFY(shown != nullptr && shown->isVisible());
        QCOMPARE(shown->summary().first(), QStringLiteral("2 of 4 ranks read"));
        auto* matrix = static_cast<job::MatrixView*>(shown->part("matrix"));
        QCOMPARE(shown->state().job().records[1].rank, std::int64_t{MadeJob::kLateRank});
        // Of two ranks the median is in the middle: 250 of 5,250 µs.
        QCOMPARE(matrix->cellText({1, MadeJob::kLateStep - 1}), QStringLiteral("+4.8 %"));
        QCOMPARE(matrix->cellText({0, 0}), QStringLiteral("+0.0 %"));
        // In front of something else it stays behind it.
        opened.window.openFiles({samplePath()});
        QVERIFY(opened.hasTrace(samplePath()));
        QTRY_VERIFY(!jobs.loader().isLoading());
        QCOMPARE(jobs.items().size(), std::size_t{1});
        QVERIFY(qobject_cast<job::JobView*>(jobs.items().front().page) != nullptr);
        // What is shown whole is not replaced by a part of it.
        show();
        QVERIFY(qobject_cast<job::JobView*>(jobs.items().front().page) != nullptr);
        // Nothing of it is left when it is not read to its end.
        jobs.close(0);
        opened.window.openJob({m_folder->path()});
        QVERIFY(show() != nullptr);
        jobs.close(jobs.currentIndex());
        QVERIFY(!jobs.loader().isLoading());
        QVERIFY(jobs.items().empty());
    }

    void whatIsNoJobIsSaid() {
        Opened opened;
        opened.window.openJob({m_folder->filePath("nothing")});
        QTRY_VERIFY(opened.window.errorBar().text().contains("nothing"));
        QVERIFY(opened.window.jobs().items().empty());
    }

    void droppedRanksAreOfferedAsAJob() {
        Opened opened;
        opened.drop(m_files);
        QTRY_VERIFY(opened.window.findChild<QMessageBox*>() != nullptr);
        const auto choose = [&](const QString& text) {
            for (QAbstractButton* button : opened.window.findChild<QMessageBox*>()->buttons()) {
                if (button->text() == text) {
                    button->click();
                    return true;
                }
            }
            return false;
        };
        QVERIFY(choose("Open as a job"));
        QVERIFY(opened.hasJob());
        QTRY_VERIFY(opened.window.findChild<QMessageBox*>() == nullptr);
        opened.drop(m_files.mid(0, 2));
        QTRY_VERIFY(opened.window.findChild<QMessageBox*>() != nullptr);
        QVERIFY(choose("Open each"));
        QVERIFY(opened.hasTrace(m_files[1]));
        QCOMPARE(opened.window.session().runs().size(), std::size_t{2});
        // One file is not a job.
        opened.drop({m_files[2]});
        QVERIFY(opened.hasTrace(m_files[2]));
    }

    void ranksAreToldByTheirBeginning() {
        QVERIFY(QFile::copy(m_files[2], m_folder->filePath("host_77.pt.trace.json")));
        QCOMPARE(rankOfFile(m_folder->filePath("host_77.pt.trace.json")), qint64{2});
        QVERIFY(QFile::copy(kPair.arg(1), m_folder->filePath("other.json.gz")));
        QCOMPARE(rankOfFile(m_folder->filePath("other.json.gz")), qint64{1});
        QCOMPARE(rankOfFile(m_folder->filePath("not there.json")), qint64{-1});
        QVERIFY(holdsSeveralRanks(m_files));
        QVERIFY(!holdsSeveralRanks({m_files[1]}));
        QVERIFY(!holdsSeveralRanks({m_folder->filePath("nothing")}));
    }

    void sessionsBringJobsBack() {
        const QString saved = m_folder->filePath("work.kscopes");
        {
            Opened opened;
            opened.window.openFiles({samplePath()});
            QVERIFY(opened.hasTrace(samplePath()));
            opened.window.openJob({m_folder->path()});
            QVERIFY(opened.hasJob());
            opened.window.openJob({kDump.arg(0), kDump.arg(1)});
            QTRY_VERIFY(opened.window.jobs().shownDumps() != nullptr);
            opened.window.jobs().setCurrent(0);
            opened.window.jobs().shownJob()->state().setFigure(ranks::view::CellFigure::Busy);
            opened.window.jobs().shownJob()->state().setGroups(ranks::view::RowGroups::Host);
            answerFileDialog(saved);
            opened.window.action(ActionId::SaveSession)->trigger();
            QVERIFY(QFile::exists(saved));
        }
        Opened opened;
        opened.window.openFiles({saved});
        QVERIFY(opened.hasTrace(samplePath()));
        QTRY_COMPARE(opened.tabs().count(), 3);
        QTRY_VERIFY(opened.window.jobs().shownJob() != nullptr);
        job::JobState& state = opened.window.jobs().shownJob()->state();
        QTRY_VERIFY(state.figure() == ranks::view::CellFigure::Busy);
        QVERIFY(state.groups() == ranks::view::RowGroups::Host);
        opened.tabs().setCurrentIndex(1);
        QVERIFY(opened.window.jobs().shownDumps() != nullptr);
    }

    void picturesOfAJob() {
        for (const QString& part : {QString(), QString("matrix"), QString("timeline")}) {
            session::Settings settings{session::Settings::InMemory{}};
            MainWindow window(settings);
            CommandLine line;
            line.job = true;
            line.files = {m_folder->path()};
            line.panel = part;
            line.select = "rank 2";
            line.size = QSize(1200, 700);
            line.screenshot = m_folder->filePath("picture.png");
            QCOMPARE(takeScreenshot(window, line), 0);
            QCOMPARE(QImage(line.screenshot).size(), line.size);
        }
    }

    void picturesOfDumps() {
        for (const auto& [part, code] : {std::pair("", 0), {"matrix", 0}, {"timeline", 2}}) {
            session::Settings settings{session::Settings::InMemory{}};
            MainWindow window(settings);
            CommandLine line;
            line.job = true;
            line.files = {kDump.arg(0), kDump.arg(1)};
            line.panel = part;
            line.select = "never came";
            line.size = QSize(1200, 700);
            line.screenshot = m_folder->filePath(QStringLiteral("dumps%1.png").arg(part));
            QCOMPARE(takeScreenshot(window, line), code);
            QCOMPARE(QFile::exists(line.screenshot), code == 0);
        }
    }

    void commandLineKnowsJobs() {
        const auto parse = [](std::vector<const char*> words) {
            words.insert(words.begin(), "kinetoscope");
            return parseCommandLine(static_cast<int>(words.size()), words.data());
        };
        const auto good = parse({"--job", "a.json", "b.json"});
        QVERIFY(std::holds_alternative<CommandLine>(good));
        QVERIFY(std::get<CommandLine>(good).job);
        QCOMPARE(std::get<CommandLine>(good).files.size(), 2);
        for (const std::vector<const char*>& bad :
             {std::vector{"--job"}, std::vector{"--job", "--compare", "a", "b"},
              std::vector{"--job", "--screenshot", "x.png", "--panel", "kernels", "a"}}) {
            const auto parsed = parse(bad);
            QVERIFY(std::holds_alternative<EarlyExit>(parsed));
            QCOMPARE(std::get<EarlyExit>(parsed).code, 2);
        }
    }
};

QTEST_MAIN(JobWindowTest)
#include "JobWindowTest.moc"
