// SPDX-License-Identifier: GPL-3.0-or-later
// More of what a person comes for, each in at most three actions (see TasksTest): memory at its
// peak, modules and shapes as a flame graph, two ranks side by side, a file of any size.
#include <QPushButton>
#include <QTemporaryDir>
#include "tests/Patience.h"

#include "core/text/Format.h"
#include "tests/widgets/TaskDesk.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/calls/CallTreeView.h"
#include "widgets/calls/FlameGraph.h"
#include "widgets/models/CompareModel.h"
#include "widgets/panels/find/FigureLine.h"
#include "widgets/plots/CompareTimelines.h"
#include "widgets/style/ElidedLabel.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::models;
using namespace kinetoscope::panels;
using namespace kinetoscope::session;
using namespace kinetoscope::style;
using namespace kinetoscope::trace;

namespace {

constexpr int kModules = 3;  // in the list of frames
const QString kRanks =
    QStringLiteral(KINETOSCOPE_SOURCE_DIR "/tests/data/traces/ddp_gpt_rank%1.json.gz");

/// The shortest slice of the track that runs then.
SliceId innermost(const Trace& trace, TrackId track, TimeNs time) {
    SliceId found = kNoSlice;
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (trace.trackOf(slice) == track && trace.span(slice).contains(time) &&
            (found == kNoSlice || trace.duration(slice) <= trace.duration(found))) {
            found = slice;
        }
    }
    return found;
}

/// GPU time of the work whose launch lies in such a slice of its thread, by the outermost one.
QHash<QString, TimeNs> gpuTimeOfModules(const Trace& trace) {
    std::vector<SliceId> modules;
    QHash<std::int64_t, SliceId> calls;  // by correlation
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (trace.name(slice).starts_with("nn.Module: ")) {
            modules.push_back(slice);
        } else if (trace.category(slice) == Category::Runtime ||
                   trace.category(slice) == Category::Driver) {
            calls.insert(trace.correlation(slice), slice);
        }
    }
    QHash<QString, TimeNs> times;
    for (const GpuOperation& operation : trace.gpuOperations()) {
        const SliceId call = calls.value(trace.correlation(operation.slice), kNoSlice);
        SliceId outermost = kNoSlice;
        for (const SliceId module : modules) {
            const bool holds = call != kNoSlice && trace.trackOf(module) == trace.trackOf(call) &&
                               trace.span(module).contains(trace.start(call));
            if (holds &&
                (outermost == kNoSlice || trace.duration(module) > trace.duration(outermost))) {
                outermost = module;
            }
        }
        if (outermost != kNoSlice) {
            const std::string_view name = trace.name(outermost);
            times[QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))] +=
                trace.duration(operation.slice);
        }
    }
    return times;
}

}  // namespace

class LargeTasksTest final : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_large;
    qint64 m_kernels = 0;

    /// Training steps of one operator each with ten kernels of 2 µs, as many as fill so many bytes.
    void writeLarge(qint64 bytes) {
        QFile file(m_folder.filePath("large.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QByteArray text = "{\"traceEvents\":[\n";
        qint64 written = 0;
        for (qint64 step = 0; written < bytes; ++step) {
            const auto add = [&](const char* category, const QByteArray& name, int pid, int tid,
                                 qint64 start, int length, const QByteArray& args) {
                text += QByteArray("{\"ph\":\"X\",\"cat\":\"") + category + "\",\"name\":\"" +
                        name + "\",\"pid\":" + QByteArray::number(pid) +
                        ",\"tid\":" + QByteArray::number(tid) +
                        ",\"ts\":" + QByteArray::number(start) +
                        ",\"dur\":" + QByteArray::number(length) + ",\"args\":{" + args + "}},\n";
            };
            add("user_annotation", "ProfilerStep#" + QByteArray::number(step), 9, 9, step * 100, 90,
                "");
            for (int i = 0; i < 10; ++i) {
                const QByteArray id = "\"correlation\":" + QByteArray::number(step * 10 + i + 1);
                const qint64 start = step * 100 + i * 8;
                add("cuda_runtime", "cudaLaunchKernel", 9, 9, start, 1, id);
                add("kernel", i == 0 ? "the_gemm" : "elementwise", 0, 7, start + 3, 2,
                    id + ",\"device\":0,\"stream\":7");
                ++m_kernels;
            }
            if (text.size() > (1 << 20)) {
                written += file.write(text);
                text.clear();
            }
        }
        text +=
            "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":9,\"args\":{\"name\":\"python\"}}]}";
        QCOMPARE(file.write(text), text.size());
        m_large = file.fileName();
    }

private slots:
    void initTestCase_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1280x800") << QSize(1280, 800);
        QTest::newRow("1600x1000") << QSize(1600, 1000);
    }
    void initTestCase() {
        applyTheme(ThemeChoice::Light);
        bool given = false;
        const qint64 megabytes = qEnvironmentVariableIntValue("KINETOSCOPE_LARGE_MB", &given);
        writeLarge((given ? megabytes : 4) << 20);
    }
    void init() { failOnQtWarnings(); }

    void memoryAtItsPeak() {
        Desk desk({kRanks.arg(1)});
        QVERIFY(desk.ready());
        const Trace& trace = desk.trace();
        // Independently: the most that was allocated, and what ran then.
        std::uint32_t peak = 0;
        std::uint32_t last = 0;
        double most = -1.0;
        for (std::uint32_t row = 0; row < trace.counters().size(); ++row) {
            const CounterSample& sample = trace.counters()[row];
            if (trace.text(sample.series) != "Total Allocated" ||
                trace.rowIdText(trace.tracks()[sample.track].tid) != "GPU 1 memory") {
                continue;
            }
            if (sample.value > most) {
                most = sample.value;
                peak = row;
            }
            last = sample.time > trace.counters()[last].time ? row : last;
        }
        QVERIFY(most > 0.0);
        const auto instant =
            std::ranges::find(trace.instants(), trace.counters()[peak].offset, &Instant::offset);
        QVERIFY(instant != trace.instants().end());
        const SliceId during = innermost(trace, instant->track, instant->time);
        QVERIFY(during != kNoSlice);

        const auto box = desk.timeline().markBox(SelectedSample{last});
        QVERIFY(box.has_value());
        desk.act.click(desk.timeline(), box->center().toPoint());
        QCOMPARE(desk.detail("Name"), QString("GPU 1 memory"));
        const int row = desk.detailRow("Peak");
        QVERIFY(row >= 0);
        auto& details = desk.part<DataTable>("details");
        QVERIFY(details.viewport()->rect().contains(
            details.visualRect(details.model()->index(row, DetailsModel::Value)).center()));
        desk.act.click(details, row, DetailsModel::Value);

        QVERIFY(desk.window.view().selection() == Selection(SelectedSample{peak}));
        QVERIFY(desk.window.view().visible().contains(trace.counters()[peak].time));
        const auto shown = desk.timeline().markBox(SelectedSample{peak});
        QVERIFY(shown && QRectF(desk.timeline().timeArea()).intersects(*shown));
        QCOMPARE(desk.detail("Value"), QString("%1 GiB").arg(most / (1 << 30), 0, 'f', 1));
        QVERIFY2(desk.detail("Bytes").toLongLong() > 0, "what was allocated there");
        const std::string_view name = trace.name(during);
        QVERIFY2(desk.detail("During").startsWith(
                     QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))),
                 qPrintable(desk.detail("During")));
        QVERIFY(desk.act.count() <= kMaxActions);
    }

    void costliestModuleAsAFlameGraph() {
        Desk desk({kRanks.arg(0)});
        QVERIFY(desk.ready());
        const QHash<QString, TimeNs> times = gpuTimeOfModules(desk.trace());
        QVERIFY(!times.isEmpty());
        const auto most = std::ranges::max_element(times);
        desk.act.key(desk.window, Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(desk.ready());
        desk.act.choose(desk.part<QComboBox>("calltree", "frames"), kModules);
        QVERIFY(desk.ready());
        auto& flames = desk.part<calls::FlameGraph>("calltree", "flameGraph");
        QVERIFY(!flames.visibleRegion().isEmpty());
        // The widest of the modules in the uppermost row. Kernels that no module launched are
        // there, too.
        const QString wanted = most.key();
        std::optional<QPoint> place;
        desk.part<calls::CallTreeView>("calltree", "topDown").bringUpToDate();
        const auto& names = *static_cast<const calls::CallTreeModel*>(
            desk.part<calls::CallTreeView>("calltree", "topDown").model());
        for (const calls::FlameItem& item : flames.rows().row(1)) {
            const auto box = flames.boxOf(item.node);
            if (box && names.nameOf(item.node) == wanted) {
                place = box->center().toPoint();
            }
        }
        QVERIFY(place.has_value());
        desk.act.click(flames, *place);
        const QString said = desk.part<ElidedLabel>("calltree", "state").text();
        const QString total = QString::fromStdString(text::formatDuration(most.value()));
        QVERIFY2(said.startsWith(wanted) && said.contains(tr("total %1 ").arg(total)),
                 qPrintable(said));
        QVERIFY(desk.act.count() <= kMaxActions);
    }

    void twoRanksSideBySide() {
        Desk desk({kRanks.arg(0), kRanks.arg(1)});
        QVERIFY(waitFor([&] { return desk.window.session().runs().size() == 2; }));
        QVERIFY(desk.ready());
        desk.act.key(desk.window, Qt::Key_R, Qt::ControlModifier);
        desk.act.click(desk.part<QPushButton>("runs", "compare"));
        plots::CompareTimelines& both = desk.window.compared();
        QVERIFY(waitFor([&] { return both.isVisible() && both.base().trace(); }));
        QVERIFY(desk.ready());
        const auto rank = [](session::ViewState& view) {
            return view.trace()->info().distributed->rank;
        };
        QCOMPARE(rank(both.base()), 0);
        QCOMPARE(rank(both.candidate()), 1);
        // The kernel that changed most is a collective: one of each rank, both on screen.
        auto& changes = desk.part<DataTable>("compare", "changes");
        QVERIFY(!changes.viewport()->visibleRegion().isEmpty());
        desk.act.doubleClick(changes, 0, CompareModel::Name);
        const auto isShown = [](session::ViewState& view, plots::TimelineView& timeline) {
            const SliceId slice = view.selected();
            if (slice == kNoSlice || !view.trace()->name(slice).starts_with("ncclDevKernel")) {
                return false;
            }
            const auto box = timeline.timeline().sliceBox(slice);
            return box && QRectF(timeline.timeline().timeArea()).intersects(*box);
        };
        QVERIFY(isShown(both.base(), both.baseView()));
        QVERIFY(isShown(both.candidate(), both.candidateView()));
        QVERIFY(desk.act.count() <= kMaxActions);
    }

    /// 4 MB here; KINETOSCOPE_LARGE_MB=1000 is a gigabyte.
    void aLargeFileOpensFindsAndCounts() {
        Desk desk;
        QVERIFY(QTest::qWaitForWindowActive(&desk.window));
        answerFileDialog(m_large);
        desk.act.key(desk.window, Qt::Key_O, Qt::ControlModifier);
        desk.window.activateWindow();  // there is no window manager to do so behind a dialog
        // The first picture comes before the whole file was read where that takes long.
        QTRY_VERIFY(desk.window.view().trace() && desk.timeline().isVisible());
        const bool isLong = QFileInfo(m_large).size() > (500 << 20);
        QVERIFY(!isLong || desk.window.loader().isLoading());
        QVERIFY(desk.window.view().trace()->sliceCount() > 0);
        QVERIFY(waitFor([&] { return !desk.window.loader().isLoading(); }, 20 * kPatienceMs));
        QVERIFY(waitFor([&] { return desk.ready(); }, 20 * kPatienceMs));
        // Of each 100 µs ten kernels run for 2 µs; the last step ends with its last kernel.
        const qint64 steps = m_kernels / 10;
        const double busy = 100.0 * static_cast<double>(m_kernels * 2) /
                            static_cast<double>((steps - 1) * 100 + 9 * 8 + 2);
        QVERIFY2(desk.figures().contains(QString("%1 %").arg(busy, 0, 'f', 2)),
                 qPrintable(desk.figures()));
        desk.act.key(desk.window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        desk.act.type("the_gemm");
        QVERIFY(waitFor(
            [&] { return desk.window.session().find().result() && !desk.window.docks().busy(); }));
        const QString said =
            desk.part<FigureLine>("find", "figures").text().replace(QChar(0x00a0), ' ');
        const QString count = QString::fromStdString(text::formatCount(steps));
        QVERIFY2(said.startsWith(count + " found"), qPrintable(said));
        QVERIFY(desk.act.count() <= kMaxActions);
    }
};

QTEST_MAIN(LargeTasksTest)
#include "LargeTasksTest.moc"
