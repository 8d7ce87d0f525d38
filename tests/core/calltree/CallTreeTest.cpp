// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "core/calltree/Folded.h"
#include "core/calltree/MakeCallTree.h"
#include "core/calltree/TreeViews.h"
#include "tests/core/AnalysisFixture.h"
#include "tests/support/RandomTrace.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;
using namespace kinetoscope::analysis;
using namespace kinetoscope::calltree;
using namespace kinetoscope::trace;
using namespace kinetoscope::analysis_test;

namespace {

using TracePointer = std::shared_ptr<const Trace>;

struct Figures {
    TimeNs total = 0;
    TimeNs self = 0;
    std::uint64_t count = 0;
    friend bool operator==(const Figures&, const Figures&) = default;
};
using Path = std::vector<NameId>;
using Paths = std::map<Path, Figures>;

Path pathOf(const CallTree& tree, NodeId id) {
    Path path;
    for (; id != kRoot; id = tree.node(id).parent) {
        path.insert(path.begin(), tree.node(id).name);
    }
    return path;
}

Paths pathsOf(const CallTree& tree) {
    Paths paths;
    for (NodeId id = 1; id < tree.nodes().size(); ++id) {
        const CallNode& node = tree.node(id);
        paths[pathOf(tree, id)] = {node.total, node.self, node.count};
    }
    return paths;
}

/// "outer/inner total self count" of every node, in the order of the tree.
QStringList lines(const TracePointer& trace, const CallTree& tree) {
    QStringList result;
    for (NodeId id = 1; id < tree.nodes().size(); ++id) {
        QStringList names;
        for (const NameId name : pathOf(tree, id)) {
            const std::string_view text = tree.text(*trace, name);
            names += QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
        }
        const CallNode& node = tree.node(id);
        result += QStringLiteral("%1 %2 %3 %4")
                      .arg(names.join('/'))
                      .arg(node.total)
                      .arg(node.self)
                      .arg(node.count);
    }
    return result;
}

CallTree treeOf(const TracePointer& trace, const CallTreeOptions& options = {}) {
    auto tree = makeCallTree(*trace, options);
    return tree ? std::move(*tree) : CallTree();
}

NameId nameOf(const Trace& trace, std::string_view text) {
    return trace.names().find(text).value_or(~NameId{0});
}

// A tree by its definition: each slice looks for its parent itself.
class SlowTree {
public:
    SlowTree(const Trace& trace, const CallTreeOptions& options, std::optional<TimeSpan> window)
        : m_trace(trace), m_options(options), m_window(window) {
        for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
            if (trace.tracks()[trace.trackOf(slice)].kind == TrackKind::Thread &&
                isFrame(options.frames, trace.category(slice), trace.name(slice))) {
                m_frames.push_back(slice);
            }
        }
    }

    Paths cpuTime() {
        for (const SliceId slice : m_frames) {
            const TimeSpan span = m_trace.span(slice);
            if (!m_window || m_window->overlaps(span)) {
                const TimeNs time = m_window ? m_window->clip(span).duration() : span.duration();
                Path path = pathTo(slice);
                add(path, time, 1);
            }
        }
        return withSelf();
    }

    Paths gpuTime() {
        const query::LaunchLinks links(m_trace);
        std::set<SliceId> launching;
        for (GpuOpId id = 0; id < m_trace.gpuOperations().size(); ++id) {
            const SliceId work = m_trace.gpuOperations()[id].slice;
            if (m_window && !m_window->contains(m_trace.start(work))) {
                continue;
            }
            const SliceId from =
                links.apiCall(id) != kNoSlice ? links.apiCall(id) : links.launchingOperator(id);
            Path path;
            if (from != kNoSlice) {
                SliceId at = isWanted(from) ? from : parentOf(from);
                path = at == kNoSlice ? Path() : pathTo(at);
                for (Path above = path; at != kNoSlice; at = parentOf(at)) {
                    m_paths[above].count += launching.insert(at).second ? 1U : 0U;
                    above.pop_back();
                }
            }
            for (std::size_t length = 1; length <= path.size(); ++length) {
                add(Path(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(length)),
                    m_trace.duration(work), 0);
            }
            path.push_back(m_trace.nameId(work));
            add(path, m_trace.duration(work), 1);
        }
        return withSelf();
    }

private:
    [[nodiscard]] bool isWanted(SliceId slice) const {
        return std::ranges::binary_search(m_frames, slice);
    }
    [[nodiscard]] bool precedes(SliceId a, SliceId b) const {
        return std::tuple(m_trace.start(a), -m_trace.end(a), a) <
               std::tuple(m_trace.start(b), -m_trace.end(b), b);
    }
    [[nodiscard]] bool contains(SliceId outer, SliceId inner) const {
        return m_trace.start(inner) < m_trace.end(outer) &&
               m_trace.end(inner) <= m_trace.end(outer);
    }
    // The last slice before it that contains it and everything between the two.
    [[nodiscard]] SliceId parentOf(SliceId slice) const {
        std::vector<SliceId> before;
        for (const SliceId other : m_frames) {
            if (m_trace.trackOf(other) == m_trace.trackOf(slice) && precedes(other, slice)) {
                before.push_back(other);
            }
        }
        std::ranges::sort(before, [this](SliceId a, SliceId b) { return precedes(a, b); });
        for (std::size_t at = before.size(); at-- > 0;) {
            const auto between = std::span(before).subspan(at + 1);
            if (contains(before[at], slice) && std::ranges::all_of(between, [&](SliceId other) {
                    return contains(before[at], other);
                })) {
                return before[at];
            }
        }
        return kNoSlice;
    }
    [[nodiscard]] Path pathTo(SliceId slice) const {
        Path path;
        for (SliceId at = slice; at != kNoSlice; at = parentOf(at)) {
            path.insert(path.begin(), m_trace.nameId(at));
        }
        return path;
    }
    void add(const Path& path, TimeNs time, std::uint64_t count) {
        m_paths[path].total += time;
        m_paths[path].count += count;
    }
    Paths withSelf() {
        for (auto& [path, figures] : m_paths) {
            figures.self += figures.total;
            if (path.size() > 1) {
                m_paths[Path(path.begin(), path.end() - 1)].self -= figures.total;
            }
        }
        return m_paths;
    }

    const Trace& m_trace;
    const CallTreeOptions& m_options;
    std::optional<TimeSpan> m_window;
    std::vector<SliceId> m_frames;
    Paths m_paths;
};

// Slices at few times, so that they nest, overlap and coincide; a third of the calls launch work.
TracePointer crowdedTrace(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    TraceMaker maker;
    static constexpr Category kKinds[] = {Category::CpuOp, Category::PythonFunction,
                                          Category::UserAnnotation, Category::Runtime};
    static constexpr std::string_view kNames[] = {"a", "b", "c", "nn.Module: X_0", "", "d;e"};
    std::int64_t correlation = 0;
    for (std::size_t i = 0; i < 60; ++i) {
        const auto start = static_cast<TimeNs>(random() % 40);
        const auto duration = static_cast<TimeNs>(random() % (40 - static_cast<unsigned>(start)));
        const Category kind = kKinds[random() % 4];
        const std::int64_t tid = 100 + static_cast<std::int64_t>(random() % 3);
        if (kind != Category::Runtime) {
            maker.cpu(kind, kNames[random() % 6], start, duration, {.tid = tid});
            continue;
        }
        maker.api(start, duration, ++correlation, tid);
        for (std::size_t left = random() % 3; left > 0; --left) {
            maker.kernel(kNames[random() % 3], start + static_cast<TimeNs>(random() % 30),
                         static_cast<TimeNs>(random() % 20), {.correlation = correlation});
        }
    }
    maker.kernel("nobody launched it", 7, 11);
    return maker.finish();
}

TimeNs sumOfSelf(const CallTree& tree) {
    return std::accumulate(tree.nodes().begin(), tree.nodes().end(), TimeNs{0},
                           [](TimeNs sum, const CallNode& node) { return sum + node.self; });
}

void compareWithSlowTree(const TracePointer& trace) {
    using enum Frames;
    const TimeNs length = trace->extent().duration();
    const WindowChoice part{WindowKind::Range, 0, {length / 3, 2 * length / 3}};
    const TimeNs first = trace->extent().start;
    for (const Frames frames : {All, Operators, Python, Modules, Annotations}) {
        for (const Weight weight : {Weight::CpuTime, Weight::GpuTime}) {
            for (const bool isPart : {false, true}) {
                CallTreeOptions options;
                options.frames = frames;
                options.weight = weight;
                std::optional<TimeSpan> window;
                if (isPart && length > 3) {
                    options.window = part;
                    window = TimeSpan{first + part.range.start, first + part.range.end};
                }
                const CallTree tree = treeOf(trace, options);
                SlowTree slow(*trace, options, window);
                const bool same =
                    pathsOf(tree) == (weight == Weight::CpuTime ? slow.cpuTime() : slow.gpuTime());
                QVERIFY2(same, qPrintable(QStringLiteral("frames %1, weight %2, part %3")
                                              .arg(static_cast<int>(frames))
                                              .arg(static_cast<int>(weight))
                                              .arg(isPart)));
                QCOMPARE(sumOfSelf(tree), tree.root().total);
                const auto up = bottomUp(*trace, tree);
                QVERIFY(up);
                QCOMPARE(up->root().total, tree.root().total);
                QCOMPARE(sumOfSelf(*up), tree.root().total);
            }
        }
    }
}

}  // namespace

class CallTreeTest final : public QObject {
    Q_OBJECT

private slots:
    void callsOfOnePathAreOne();
    void spansThatOnlyOverlapAreNotNested();
    void kernelsBelongBelowTheirLaunch();
    void workWithoutALaunchIsAtTheTop();
    void stepsAreOneFrame();
    void onlyChosenTracksCount();
    void windowsCutCpuTimeAndChooseGpuWork();
    void theLongestCallIsKnown();
    void likeTheSlowTree_data();
    void likeTheSlowTree();
    void bottomUpListsCallers();
    void recursionCountsOnce();
    void foldedStacksAreLines();
    void deepTreesAreNoProblem();
    void aStopIsAnError();
};

void CallTreeTest::callsOfOnePathAreOne() {
    TraceMaker maker;
    for (const TimeNs at : {0, 100}) {
        maker.cpu(Category::CpuOp, "outer", at, 50);
        maker.cpu(Category::CpuOp, "inner", at + 10, 20);
        maker.cpu(Category::CpuOp, "inner", at + 30, 10);
    }
    maker.cpu(Category::CpuOp, "outer", 5, 7, {.tid = 101});
    const auto trace = maker.finish();
    QCOMPARE(lines(trace, treeOf(trace)), QStringList({"outer 107 47 3", "outer/inner 60 60 4"}));
    QCOMPARE(treeOf(trace).root().total, TimeNs{107});
    QCOMPARE(treeOf(trace).root().self, TimeNs{0});
}

void CallTreeTest::spansThatOnlyOverlapAreNotNested() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "around", 0, 40);
    maker.cpu(Category::CpuOp, "first", 0, 10);
    maker.cpu(Category::CpuOp, "second", 5, 20);
    maker.cpu(Category::CpuOp, "in both", 6, 2);
    const auto trace = maker.finish();
    QCOMPARE(lines(trace, treeOf(trace)),
             QStringList({"around 40 10 1", "around/second 20 18 1", "around/first 10 10 1",
                          "around/second/in both 2 2 1"}));
}

void CallTreeTest::kernelsBelongBelowTheirLaunch() {
    TraceMaker maker;
    maker.cpu(Category::PythonFunction, "nn.Module: Linear_0", 0, 100);
    maker.cpu(Category::PythonFunction, "train.py(3): step", 5, 90);
    maker.cpu(Category::CpuOp, "aten::mm", 10, 50);
    maker.api(20, 5, 1);
    maker.api(30, 5, 2);
    maker.cpu(Category::CpuOp, "aten::add", 70, 10);
    maker.kernel("gemm", 200, 30, {.correlation = 1});
    maker.kernel("gemm", 240, 40, {.correlation = 2});
    const auto trace = maker.finish();
    const auto of = [&](Frames frames) {
        CallTreeOptions options;
        options.frames = frames;
        options.weight = Weight::GpuTime;
        return lines(trace, treeOf(trace, options)).last();
    };
    QCOMPARE(
        of(Frames::All),
        QString("nn.Module: Linear_0/train.py(3): step/aten::mm/cudaLaunchKernel/gemm 70 70 2"));
    QCOMPARE(of(Frames::Operators), QString("aten::mm/gemm 70 70 2"));
    QCOMPARE(of(Frames::Python), QString("nn.Module: Linear_0/train.py(3): step/gemm 70 70 2"));
    QCOMPARE(of(Frames::Modules), QString("nn.Module: Linear_0/gemm 70 70 2"));
    QCOMPARE(of(Frames::Annotations), QString("gemm 70 70 2"));
}

void CallTreeTest::workWithoutALaunchIsAtTheTop() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "aten::mm", 0, 100, {.externalId = 4});
    maker.kernel("lost", 10, 5);
    maker.kernel("known by its operator", 20, 7, {.externalId = 4});
    const auto trace = maker.finish();
    QCOMPARE(lines(trace, treeOf(trace, {.weight = Weight::GpuTime})),
             QStringList({"aten::mm 7 0 1", "lost 5 5 1", "aten::mm/known by its operator 7 7 1"}));
}

void CallTreeTest::stepsAreOneFrame() {
    TraceMaker maker;
    for (const int step : {1, 2, 3}) {
        const TimeNs at = step * 100;
        maker.annotation("ProfilerStep#" + std::to_string(step), at, 90);
        maker.cpu(Category::CpuOp, "aten::mm", at + 10, 20);
    }
    const auto trace = maker.finish();
    const CallTree tree = treeOf(trace);
    QCOMPARE(lines(trace, tree),
             QStringList({"ProfilerStep* 270 210 3", "ProfilerStep*/aten::mm 60 60 3"}));
    QCOMPARE(tree.nameIn(nameOf(*trace, "ProfilerStep#3")), nameOf(*trace, "ProfilerStep#1"));
    QCOMPARE(tree.nameIn(nameOf(*trace, "aten::mm")), nameOf(*trace, "aten::mm"));
}

void CallTreeTest::onlyChosenTracksCount() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "here", 0, 10);
    maker.api(2, 3, 1);
    maker.cpu(Category::CpuOp, "there", 0, 10, {.tid = 101});
    maker.api(2, 3, 2, 101);
    maker.kernel("k", 20, 5, {.correlation = 1});
    maker.kernel("m", 30, 6, {.stream = 8, .correlation = 2});
    const auto trace = maker.finish();
    const auto linesOf = [&](Weight weight, SliceId slice) {
        return lines(trace, treeOf(trace, {.frames = Frames::Operators,
                                           .weight = weight,
                                           .tracks = {trace->trackOf(slice)}}));
    };
    QCOMPARE(linesOf(Weight::CpuTime, 2), QStringList("there 10 10 1"));
    QCOMPARE(linesOf(Weight::GpuTime, 2), QStringList({"there 6 0 1", "there/m 6 6 1"}));
    const SliceId stream7 = trace->gpuOperations()[0].slice;
    QCOMPARE(linesOf(Weight::GpuTime, stream7), QStringList({"here 5 0 1", "here/k 5 5 1"}));
}

void CallTreeTest::windowsCutCpuTimeAndChooseGpuWork() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "long", 0, 100);
    maker.api(10, 10, 1);
    maker.api(60, 10, 2);
    maker.kernel("early", 30, 50, {.correlation = 1});
    maker.kernel("late", 80, 50, {.correlation = 2});
    const auto trace = maker.finish();
    CallTreeOptions options;
    options.window = {WindowKind::Range, 0, {15, 65}};
    QCOMPARE(lines(trace, treeOf(trace, options)),
             QStringList({"long 50 40 1", "long/cudaLaunchKernel 10 10 2"}));
    options.weight = Weight::GpuTime;
    QCOMPARE(lines(trace, treeOf(trace, options)),
             QStringList({"long 50 0 1", "long/cudaLaunchKernel 50 0 1",
                          "long/cudaLaunchKernel/early 50 50 1"}));
    options.window = {WindowKind::Step, 77, {}};
    QVERIFY(!makeCallTree(*trace, options));
}

void CallTreeTest::theLongestCallIsKnown() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "aten::mm", 0, 10);
    const SliceId longest = maker.cpu(Category::CpuOp, "aten::mm", 20, 30);
    maker.cpu(Category::CpuOp, "aten::mm", 60, 30);
    maker.api(5, 1, 1);
    maker.api(25, 1, 2);
    const GpuOpId small = maker.kernel("k", 100, 3, {.correlation = 2});
    const GpuOpId large = maker.kernel("k", 110, 9, {.correlation = 1});
    const auto trace = maker.finish();
    QCOMPARE(treeOf(trace, {.frames = Frames::Operators}).node(1).longest, longest);
    const CallTree gpu = treeOf(trace, {.frames = Frames::Operators, .weight = Weight::GpuTime});
    QCOMPARE(gpu.node(1).longest, SliceId{0});  // launched the longer kernel
    QCOMPARE(gpu.node(2).longest, trace->gpuOperations()[large].slice);
    QVERIFY(gpu.node(2).longest != trace->gpuOperations()[small].slice);
}

void CallTreeTest::likeTheSlowTree_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 40; ++seed) {
        QTest::addRow("%d", seed) << seed;
    }
}

void CallTreeTest::likeTheSlowTree() {
    QFETCH(int, seed);
    compareWithSlowTree(crowdedTrace(static_cast<std::uint64_t>(seed)));
    test::RandomTrace random(static_cast<std::uint64_t>(seed));
    const std::string text = random.document();
    const auto trace = test::importText(text);
    QVERIFY(trace);
    compareWithSlowTree(*trace);
}

void CallTreeTest::bottomUpListsCallers() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "f", 0, 100);
    maker.cpu(Category::CpuOp, "leaf", 10, 30);
    maker.cpu(Category::CpuOp, "g", 200, 50);
    maker.cpu(Category::CpuOp, "leaf", 210, 40);
    const auto trace = maker.finish();
    const auto up = bottomUp(*trace, treeOf(trace));
    QVERIFY(up && !up->isCut());
    QCOMPARE(lines(trace, *up), QStringList({"f 70 70 1", "leaf 70 0 2", "g 10 10 1",
                                             "leaf/g 40 40 1", "leaf/f 30 30 1"}));
}

void CallTreeTest::recursionCountsOnce() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "main", 0, 100);
    maker.cpu(Category::CpuOp, "f", 10, 80);
    maker.cpu(Category::CpuOp, "g", 20, 60);
    maker.cpu(Category::CpuOp, "f", 30, 40);
    maker.cpu(Category::CpuOp, "leaf", 40, 5);
    const auto trace = maker.finish();
    const CallTree tree = treeOf(trace);
    const NameId f = nameOf(*trace, "f");
    QCOMPARE(lines(trace, *byName(*trace, tree)),
             QStringList({"main 100 20 1", "f 80 55 2", "g 60 20 1", "leaf 5 5 1"}));
    QCOMPARE(lines(trace, *callersOf(*trace, tree, f)),
             QStringList({"f 80 0 1", "f/main 80 80 1"}));
    QCOMPARE(lines(trace, *calleesOf(*trace, tree, f)),
             QStringList({"f 80 20 1", "f/g 60 20 1", "f/g/f 40 35 1", "f/g/f/leaf 5 5 1"}));
    QVERIFY(callersOf(*trace, tree, ~NameId{0})->empty());
    QVERIFY(calleesOf(*trace, tree, ~NameId{0})->empty());
}

void CallTreeTest::foldedStacksAreLines() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "a;b\nc", 0, 10);
    maker.cpu(Category::CpuOp, "", 2, 3);
    maker.cpu(Category::CpuOp, "a:b\nc", 20, 5);
    const auto trace = maker.finish();
    QCOMPARE(*foldedStacks(*trace, treeOf(trace)),
             std::string("a:b\\nc 12\na:b\\nc;(no name) 3\n"));
    QCOMPARE(*foldedStacks(*trace, CallTree()), std::string());
}

void CallTreeTest::deepTreesAreNoProblem() {
    constexpr TimeNs kDepth = 50'000;
    TraceMaker maker;
    for (TimeNs level = 0; level < kDepth; ++level) {
        maker.cpu(Category::CpuOp, level % 2 == 0 ? "even" : "odd", level, 2 * (kDepth - level));
    }
    const auto trace = maker.finish();
    const CallTree tree = treeOf(trace);
    QCOMPARE(tree.nodes().size(), static_cast<std::size_t>(kDepth) + 1);
    const auto up = bottomUp(*trace, tree);
    QVERIFY(up && up->isCut());
    QCOMPARE(up->root().total, tree.root().total);
    QCOMPARE(byName(*trace, tree)->nodes().size(), std::size_t{3});
    QVERIFY(callersOf(*trace, tree, nameOf(*trace, "odd")));
    const auto text = foldedStacks(*trace, tree);
    QVERIFY(text && text->ends_with("\n"));
    QCOMPARE(std::ranges::count(*text, '\n'), static_cast<std::ptrdiff_t>(kMaxFoldedFrames));
}

void CallTreeTest::aStopIsAnError() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "a", 0, 10);
    const auto trace = maker.finish();
    std::stop_source stop;
    stop.request_stop();
    const auto tree = makeCallTree(*trace, {.stop = stop.get_token()});
    QVERIFY(!tree);
    QCOMPARE(tree.error().kind, ErrorKind::Cancelled);
    QVERIFY(!bottomUp(*trace, treeOf(trace), stop.get_token()));
    QVERIFY(!foldedStacks(*trace, treeOf(trace), stop.get_token()));
}

QTEST_APPLESS_MAIN(CallTreeTest)
#include "CallTreeTest.moc"
