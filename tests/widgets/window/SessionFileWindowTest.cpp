// SPDX-License-Identifier: GPL-3.0-or-later
// A window that is saved, closed and opened again shows what it showed.
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QTemporaryDir>
#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "core/query/find/Search.h"
#include "core/sidecar/SessionFile.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/plots/CompareTimelines.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/session/IdleFinder.h"
#include "widgets/timeline/TimelineWidget.h"

using namespace kinetoscope;
using namespace kinetoscope::app;

namespace {

const QString kRank =
    QStringLiteral(KINETOSCOPE_SOURCE_DIR "/tests/data/traces/ddp_gpt_rank1.json.gz");
const QString kOtherRank =
    QStringLiteral(KINETOSCOPE_SOURCE_DIR "/tests/data/traces/ddp_gpt_rank0.json.gz");
const QString kGolden = QStringLiteral(KINETOSCOPE_SOURCE_DIR "/tests/golden/traces/");

struct Opened {
    Opened() {
        window.resize(1280, 800);
        window.show();
    }
    bool open(const QStringList& paths, std::size_t files) {
        window.openFiles(paths);
        return waitFor([&] {
            return window.session().runs().size() == files && !window.loader().isLoading();
        });
    }
    void save(const QString& path) {
        answerFileDialog(path);
        window.action(ActionId::SaveSession)->trigger();
        QVERIFY2(window.errorBar().text().isEmpty(), qPrintable(window.errorBar().text()));
        QVERIFY(QFile::exists(path));
    }
    timeline::TimelineWidget& timeline() {
        return qobject_cast<plots::TimelineView*>(window.timeline())->timeline();
    }
    session::Settings settings{session::Settings::InMemory{}};
    MainWindow window{settings};
};

bool isCompared(MainWindow& window) {
    return waitFor([&] {
        return window.session().compare().shown() != nullptr && !window.session().compare().busy();
    });
}

class SessionFileWindowTest final : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;

    [[nodiscard]] QString copied(const QString& from, const char* name) const {
        const QString to = m_folder->filePath(QString::fromLatin1(name));
        QFile::copy(from, to);
        return to;
    }
    [[nodiscard]] QString saved() const { return m_folder->filePath("work.kscopes"); }

private slots:
    void init() {
        failOnQtWarnings();
        m_folder = std::make_unique<QTemporaryDir>();
    }

    /// Files, visible and selected time, selection, window of the figures, open panels.
    void everythingComesBack() {
        const QString first = copied(samplePath(), "first.json.gz");
        const QString second = copied(kGolden + "four_streams.json.gz", "second.json.gz");
        session::ViewState::Snapshot views[2];
        {
            Opened one;
            QVERIFY(one.open({first, second}, 2));
            for (int i = 0; i < 2; ++i) {
                one.window.session().setCurrent(i);
                session::ViewState& view = one.window.view();
                const TimeSpan all = view.trace()->extent();
                const TimeNs part = all.duration() / (5 + i);
                view.select(
                    query::findSlices(*view.trace(), i == 0 ? "aten::mm" : "gemm")->front());
                view.highlightName(view.trace()->nameId(view.selected()));
                view.selectRange(TimeSpan{all.start + part, all.start + 3 * part}, {0});
                view.setVisible({all.start + part / 2, all.start + 4 * part});
                views[i] = view.snapshot();
            }
            one.window.session().setCurrent(0);
            one.window.docks().dock("steps")->close();
            one.window.docks().showPanel("operators");
            one.save(saved());
            QCOMPARE(one.settings.recentFiles.value().value(0), saved());
        }
        Opened two;
        QVERIFY(two.open({saved()}, 2));
        QTRY_COMPARE(two.window.session().currentIndex(), 0);
        for (int i = 0; i < 2; ++i) {
            two.window.session().setCurrent(i);
            const session::ViewState::Snapshot view = two.window.view().snapshot();
            QVERIFY(view.visible == views[i].visible);
            QVERIFY(view.tracks == views[i].tracks && !view.tracks.empty());
            QVERIFY(view.selection == views[i].selection);
            QVERIFY(view.highlight == views[i].highlight);
            QCOMPARE(view.window.kind, views[i].window.kind);
            QVERIFY(view.window.range == views[i].window.range);
        }
        QVERIFY(two.window.docks().dock("steps")->isHidden());
        QTRY_VERIFY(!two.window.docks().panel("operators")->visibleRegion().isEmpty());
        QVERIFY(two.window.errorBar().text().isEmpty());
    }

    /// Which rows are shown, in what order, and how far they are scrolled.
    void rowsComeBack() {
        const QString first = copied(kRank, "first.json.gz");
        session::RowChoices rows;
        timeline::TopRow top;
        {
            Opened one;
            QVERIFY(one.open({first}, 1));
            const auto& shown = one.timeline().rows();
            const std::vector<std::string> groups = shown.keysIn("");
            QVERIFY(groups.size() >= 2);
            const std::vector<std::string> streams = shown.keysIn(groups[0]);
            QVERIFY(streams.size() >= 3);
            one.timeline().changeRows([&](session::RowChoices& choices) {
                choices.hide(streams[0], true);
                choices.pin(streams[1], true);
                choices.order[""] = {groups[1], groups[0]};
                choices.fold(groups[0], true);
                choices.filter = "/./";
            });
            QTest::keyClick(&one.timeline(), Qt::Key_PageDown);
            rows = one.window.view().rowChoices();
            top = one.timeline().topRow();
            QVERIFY2(top.key != one.timeline().rows().keysIn("").front(), "it is not scrolled");
            one.save(saved());
        }
        Opened two;
        QVERIFY(two.open({saved()}, 1));
        QTRY_COMPARE(two.timeline().topRow().key, top.key);
        QCOMPARE(two.timeline().topRow().above, top.above);
        QVERIFY(two.window.view().rowChoices() == rows);
        QVERIFY(two.timeline().rows().rows().front().pinned);
    }

    /// A gap, a value of a counter and an instant are selected again, each only where it still is.
    void whateverIsSelectedComesBack_data() {
        QTest::addColumn<session::Selection>("selection");
        QTest::newRow("sample") << session::Selection(session::SelectedSample{40});
        QTest::newRow("instant") << session::Selection(session::SelectedInstant{30});
        QTest::newRow("gap") << session::Selection(session::SelectedGap{});
    }
    void whateverIsSelectedComesBack() {
        QFETCH(session::Selection, selection);
        const QString first = copied(kRank, "first.json.gz");
        {
            Opened one;
            QVERIFY(one.open({first}, 1));
            if (std::holds_alternative<session::SelectedGap>(selection)) {
                session::IdleFinder& idle = session::IdleFinder::of(one.window.view());
                idle.want();
                QTRY_VERIFY(idle.gaps() != nullptr);
                const auto& gap = idle.gaps()->list.gaps.front();
                selection = session::SelectedGap{gap.gpu, gap.span};
            }
            one.window.view().setSelection(selection);
            QVERIFY(one.window.view().selection() == selection);
            one.save(saved());
        }
        {
            Opened two;
            QVERIFY(two.open({saved()}, 1));
            QTRY_VERIFY(two.window.view().selection() == selection);
        }
        // The same place in another file is something else.
        QVERIFY(QFile::remove(first));
        QVERIFY(QFile::copy(samplePath(), first));
        Opened three;
        QVERIFY(three.open({saved()}, 1));
        QVERIFY(session::isNothing(three.window.view().selection()));
    }

    /// What is marked to be compared, and no more than marked.
    void aMarkedBaselineComesBack() {
        const QString base = copied(kGolden + "four_streams.json.gz", "base.json.gz");
        const QString other = copied(kGolden + "graphs_and_links.json", "other.json");
        {
            Opened one;
            QVERIFY(one.open({base, other}, 2));
            one.window.session().compare().setRole(other, session::CompareRole::Baseline);
            one.save(saved());
        }
        Opened two;
        QVERIFY(two.open({saved()}, 2));
        const session::CompareState& state = two.window.session().compare();
        QTRY_VERIFY(state.role(other) == session::CompareRole::Baseline);
        QVERIFY(state.role(base) == session::CompareRole::None);
        QVERIFY(!state.busy() && state.shown() == nullptr);
        QVERIFY(two.window.errorBar().text().isEmpty());
    }

    void aComparisonComesBack() {
        const QString base = copied(kRank, "base.json.gz");
        const QString candidate = copied(kOtherRank, "candidate.json.gz");
        TimeSpan visible;
        TimeNs offset = 0;
        std::pair<trace::SliceId, trace::SliceId> selected;
        {
            Opened one;
            QVERIFY(one.open({base, candidate}, 2));
            one.window.session().compare().setOptions(compare::Normalisation::Run,
                                                      compare::MatchKind::Exact);
            one.window.compareFiles({base, candidate});
            QVERIFY(isCompared(one.window));
            QTRY_VERIFY(one.window.compared().isVisible());
            plots::CompareTimelines& shown = one.window.compared();
            one.window.session().compare().goToKernel(1);
            selected = {shown.base().selected(), shown.candidate().selected()};
            QVERIFY(selected.first != trace::kNoSlice && selected.second != trace::kNoSlice);
            const TimeSpan all = shown.base().trace()->extent();
            shown.lock().align(all.start, shown.candidate().trace()->extent().start + 1'234);
            shown.base().zoomTo({all.start + all.duration() / 3, all.start + all.duration() / 2});
            visible = shown.base().visible();
            offset = shown.lock().offset();
            one.save(saved());
        }
        Opened two;
        QVERIFY(two.open({saved()}, 2));
        QVERIFY(isCompared(two.window));
        const session::CompareState& state = two.window.session().compare();
        QVERIFY(state.role(base) == session::CompareRole::Baseline);
        QVERIFY(state.role(candidate) == session::CompareRole::Candidate);
        QVERIFY(state.options().per == compare::Normalisation::Run);
        QVERIFY(state.options().match == compare::MatchKind::Exact);
        QTRY_VERIFY(two.window.compared().isVisible());
        plots::CompareTimelines& shown = two.window.compared();
        QTRY_COMPARE(shown.base().visible(), visible);
        QCOMPARE(shown.lock().mode(), session::TimelineLock::Mode::Free);
        QCOMPARE(shown.lock().offset(), offset);
        QCOMPARE(shown.candidate().visible(),
                 (TimeSpan{visible.start + offset, visible.end + offset}));
        QCOMPARE(std::pair(shown.base().selected(), shown.candidate().selected()), selected);
        QCOMPARE(state.selectedKernel(), 1);
    }

    /// A file that went away is named, and what is there is opened.
    void aMissingFileIsSaid() {
        const QString first = copied(samplePath(), "first.json.gz");
        sidecar::SavedSession session;
        session.files = {{.path = m_folder->filePath("gone.json").toStdString()},
                         {.path = first.toStdString()}};
        QVERIFY(sidecar::writeSession(saved().toStdString(), session).has_value());
        Opened one;
        QVERIFY(one.open({saved()}, 1));
        QVERIFY2(one.window.errorBar().text().contains("gone.json"),
                 qPrintable(one.window.errorBar().text()));
        QCOMPARE(one.window.session().current()->path, first);
    }

    /// A trace that is another one by now keeps no selection of what it was.
    void aChangedFileIsShownWithoutItsSelection() {
        const QString first = copied(samplePath(), "first.json.gz");
        sidecar::SavedSession session;
        session.files = {{.path = first.toStdString(),
                          .visible = TimeSpan{-1'000'000'000'000'000, 1'000'000'000'000'000},
                          .window = "step:77",
                          .selected = sidecar::SavedSlice{4'000'000'000'000, 1, "aten::mm"},
                          .highlighted = sidecar::SavedSlice{0, 1, "another name"}}};
        session.current = 1'000'000;
        session.layout = "!!! no layout";
        session.comparison = sidecar::SavedComparison{"/gone", {"/gone too"}};
        QVERIFY(sidecar::writeSession(saved().toStdString(), session).has_value());
        Opened one;
        QVERIFY(one.open({saved()}, 1));
        QTRY_VERIFY2(one.window.errorBar().text().contains("comparison cannot be restored"),
                     qPrintable(one.window.errorBar().text()));
        QCOMPARE(one.window.view().selected(), trace::kNoSlice);
        QVERIFY(!one.window.view().highlightedName());
        QVERIFY(one.window.view().visible().duration() > 0);
    }

    void droppedAndDamaged() {
        const QString first = copied(samplePath(), "first.json.gz");
        sidecar::SavedSession session;
        session.files = {{.path = first.toStdString()}};
        QVERIFY(sidecar::writeSession(saved().toStdString(), session).has_value());
        Opened one;
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(saved())});
        QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&one.window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&one.window, &drop);
        QTRY_COMPARE(one.window.session().runs().size(), std::size_t{1});
        QFile file(saved());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("no session");
        file.close();
        one.window.openFiles({saved()});
        QVERIFY2(one.window.errorBar().text().contains("work.kscopes"),
                 qPrintable(one.window.errorBar().text()));
        QCOMPARE(one.window.session().runs().size(), std::size_t{1});
    }
};

}  // namespace

QTEST_MAIN(SessionFileWindowTest)
#include "SessionFileWindowTest.moc"
