// SPDX-License-Identifier: Apache-2.0
#include "core/calltree/MakeCallTree.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <optional>
#include <thread>
#include <unordered_map>

#include "core/analysis/WindowScope.h"
#include "core/base/SortRuns.h"
#include "core/base/Threads.h"
#include "core/calltree/TreeMaker.h"
#include "core/query/StepSpans.h"

namespace kinetoscope::calltree {

namespace {

using trace::Category;
using trace::SliceId;
using trace::TrackId;

constexpr std::string_view kModule = "nn.Module: ";
constexpr std::size_t kStopEvery = 1U << 16U;

bool runsOnCpu(Category category) {
    switch (category) {
        case Category::GpuUserAnnotation:
        case Category::CudaSync:
        case Category::CudaEvent:
        case Category::ExternalCorrelation:
        case Category::TraceSpan:
            return false;
        default:
            return !trace::isGpuOperation(category);
    }
}

/// All steps have one name.
std::shared_ptr<const MergedNames> mergeSteps(const trace::Trace& trace, Frames frames) {
    auto merged = std::make_shared<MergedNames>();
    if (frames != Frames::All && frames != Frames::Annotations) {
        return merged;
    }
    std::unordered_map<std::string_view, NameId> first;  // by the steps' text
    for (const query::StepSpan& step : query::findStepSpans(trace)) {
        if (merged->nameOf.empty()) {
            merged->nameOf.resize(trace.names().size());
            std::iota(merged->nameOf.begin(), merged->nameOf.end(), NameId{0});
        }
        const NameId name = trace.nameId(step.slice);
        const std::string_view text = query::splitNumberedName(trace.text(name)).text;
        const auto [known, isNew] = first.try_emplace(text, name);
        if (isNew) {
            merged->shown.push_back({name, std::string(text) + "*"});
        }
        merged->nameOf[name] = known->second;
    }
    return merged;
}

/// The name under which a slice is in the tree.
class FrameNames {
public:
    FrameNames(const trace::Trace& trace, const MergedNames& merged)
        : m_trace(trace), m_nameOf(merged.nameOf) {}
    [[nodiscard]] NameId of(SliceId slice) const {
        const NameId name = m_trace.nameId(slice);
        return m_nameOf.empty() ? name : m_nameOf[name];
    }

private:
    const trace::Trace& m_trace;
    std::span<const NameId> m_nameOf;
};

/// A slice while its thread is nested, in one piece of memory.
struct Placed {
    TimeNs start;
    TimeNs end;
    SliceId slice;
};

/// GPU work and the slice that it is launched from.
struct Launch {
    Placed from;
    SliceId work;
    TimeNs duration;
};

/// By start, the longer first, then as they stand in the file.
bool isBefore(const Placed& a, const Placed& b) {
    if (a.start != b.start) {
        return a.start < b.start;
    }
    return a.end != b.end ? a.end > b.end : a.slice < b.slice;
}

/// Slices that are open at a time, outermost first: their ends never increase.
template <class More>
class OpenFrames {
public:
    struct Open {
        Placed placed;
        More more;
    };
    /// Ends what does not contain the slice; `ended` takes each from the inside out.
    template <class Ended>
    void close(const Placed& next, Ended ended) {
        while (!m_open.empty() && !contains(m_open.back().placed, next)) {
            ended();
            m_open.pop_back();
        }
    }
    void open(const Placed& placed, More more) { m_open.push_back({placed, more}); }
    [[nodiscard]] std::size_t size() const { return m_open.size(); }
    [[nodiscard]] Open& at(std::size_t place) { return m_open[place]; }
    /// One more than the place of the innermost one around a slice that came after all of them.
    [[nodiscard]] std::size_t around(const Placed& inner) const {
        if (!m_open.empty() && m_open.back().placed.slice == inner.slice) {
            return m_open.size();
        }
        const auto after = std::ranges::partition_point(m_open, [&](const Open& open) {
            return open.placed.end >= inner.end && open.placed.end > inner.start;
        });
        return static_cast<std::size_t>(after - m_open.begin());
    }

private:
    static bool contains(const Placed& outer, const Placed& inner) {
        return inner.start < outer.end && inner.end <= outer.end;
    }
    std::vector<Open> m_open;
};

/// What is wanted of one trace, by track.
class TrackSlices {
public:
    TrackSlices(const trace::Trace& trace, const CallTreeOptions& options,
                const analysis::WindowScope& scope)
        : m_begin(trace.tracks().size() + 1) {
        const std::vector<std::uint8_t> takes = wantedTracks(trace, options);
        const std::vector<std::uint8_t> isModule = modules(trace, options.frames);
        const auto tracks = trace.trackIds();
        const auto names = trace.nameIds();
        const bool clips = options.weight == Weight::CpuTime && !scope.takesAll;
        std::array<bool, 256> kinds{};
        for (std::size_t id = 0; id < kinds.size(); ++id) {
            kinds[id] = isFrame(options.frames,
                                trace::categoryKind(static_cast<trace::CategoryId>(id)), kModule);
        }
        const auto forEach = [&](auto visit) {
            const auto categories = trace.categoryIds();
            for (SliceId slice = 0; slice < tracks.size(); ++slice) {
                if (slice % kStopEvery == 0) {
                    throwIfStopped(options.stop);
                }
                if (kinds[categories[slice]] && takes[tracks[slice]] != 0 &&
                    (isModule.empty() || isModule[names[slice]] != 0) &&
                    (!clips || scope.span.overlaps(trace.span(slice)))) {
                    visit(slice);
                }
            }
        };
        forEach([&](SliceId slice) { ++m_begin[tracks[slice] + 1]; });
        std::partial_sum(m_begin.begin(), m_begin.end(), m_begin.begin());
        m_slices.resize(m_begin.back());
        std::vector<std::size_t> next(m_begin.begin(), m_begin.end() - 1);
        forEach([&](SliceId slice) {
            const TimeNs start = trace.start(slice);
            m_slices[next[tracks[slice]]++] = {start, addTime(start, trace.duration(slice)), slice};
        });
    }
    [[nodiscard]] std::span<Placed> of(TrackId track) {
        return std::span(m_slices).subspan(m_begin[track], m_begin[track + 1] - m_begin[track]);
    }

private:
    static std::vector<std::uint8_t> wantedTracks(const trace::Trace& trace,
                                                  const CallTreeOptions& options) {
        std::vector<std::uint8_t> takes(trace.tracks().size());
        for (TrackId track = 0; track < takes.size(); ++track) {
            // By GPU time the frames around a launch count, whoever chose its stream.
            const bool chosen = options.tracks.empty() || options.weight == Weight::GpuTime ||
                                std::ranges::binary_search(options.tracks, track);
            takes[track] = chosen && trace.tracks()[track].kind == trace::TrackKind::Thread ? 1 : 0;
        }
        return takes;
    }
    static std::vector<std::uint8_t> modules(const trace::Trace& trace, Frames frames) {
        std::vector<std::uint8_t> isModule(frames == Frames::Modules ? trace.names().size() : 0);
        for (NameId name = 0; name < isModule.size(); ++name) {
            isModule[name] = trace.text(name).starts_with(kModule) ? 1 : 0;
        }
        return isModule;
    }

    std::vector<std::size_t> m_begin;
    std::vector<Placed> m_slices;
};

/// Merges the calls of one thread.
class ThreadTree {
public:
    ThreadTree(const trace::Trace& trace, const FrameNames& names, const std::stop_token& stop)
        : m_trace(trace), m_names(names), m_stop(stop) {}

    void addCpuTime(std::span<Placed> slices, const analysis::WindowScope& scope) {
        sort(slices);
        OpenFrames<NodeId> open;
        for (std::size_t at = 0; at < slices.size(); ++at) {
            stopSometimes(at);
            const Placed& placed = slices[at];
            open.close(placed, [] {});
            const NodeId parent = open.size() == 0 ? kRoot : open.at(open.size() - 1).more;
            const NodeId node = child(parent, placed.slice);
            const TimeSpan span{placed.start, placed.end};
            const TimeNs time = scope.takesAll ? span.duration() : scope.span.clip(span).duration();
            m_tree.add(node, time, 1, time, placed.slice);
            open.open(placed, node);
        }
    }

    void addGpuTime(std::span<Placed> slices, std::span<Launch> launches) {
        sort(slices);
        std::ranges::stable_sort(launches, isBefore, &Launch::from);
        std::size_t next = 0;
        for (std::size_t at = 0; at < launches.size(); ++at) {
            const Launch& launch = launches[at];
            for (; next < slices.size() && !isBefore(launch.from, slices[next]); ++next) {
                stopSometimes(next);
                m_open.close(slices[next], [this] { end(); });
                m_open.open(slices[next], {});
            }
            const NodeId frame = frameAround(launch.from, launch.duration);
            const NodeId leaf = child(frame, launch.work);
            m_tree.add(leaf, launch.duration, 1, launch.duration, launch.work);
        }
        // Nothing is later than the latest time, so this ends all that is open.
        constexpr TimeNs kLast = std::numeric_limits<TimeNs>::max();
        m_open.close({kLast, kLast, trace::kNoSlice}, [this] { end(); });
    }

    [[nodiscard]] const TreeMaker& tree() const { return m_tree; }

private:
    struct GpuFrame {
        NodeId node = kNoNode;  ///< once something was launched inside
        TimeNs time = 0;
    };

    void sort(std::span<Placed> slices) const {
        throwIfStopped(m_stop);
        sortRuns(slices, isBefore);
    }
    void stopSometimes(std::size_t at) const {
        if (at % kStopEvery == 0) {
            throwIfStopped(m_stop);
        }
    }
    NodeId child(NodeId parent, SliceId slice) {
        return m_tree.child(parent, m_names.of(slice), m_trace.categoryId(slice));
    }
    NodeId frameAround(const Placed& from, TimeNs time) {
        const std::size_t around = m_open.around(from);
        if (around == 0) {
            return kRoot;
        }
        std::size_t known = around;
        while (known > 0 && m_open.at(known - 1).more.node == kNoNode) {
            --known;
        }
        NodeId node = known == 0 ? kRoot : m_open.at(known - 1).more.node;
        for (; known < around; ++known) {
            node = child(node, m_open.at(known).placed.slice);
            m_open.at(known).more.node = node;
        }
        GpuFrame& frame = m_open.at(around - 1).more;
        frame.time = addTime(frame.time, time);
        return node;
    }
    void end() {
        const auto& frame = m_open.at(m_open.size() - 1);
        const auto [node, time] = frame.more;
        if (node == kNoNode) {
            return;
        }
        m_tree.add(node, time, 1, time, frame.placed.slice);
        if (m_open.size() > 1) {
            GpuFrame& parent = m_open.at(m_open.size() - 2).more;
            parent.time = addTime(parent.time, time);
        }
    }

    const trace::Trace& m_trace;
    const FrameNames& m_names;
    const std::stop_token& m_stop;
    TreeMaker m_tree;
    OpenFrames<GpuFrame> m_open;
};

/// The wanted GPU work by the track of the slice that launched it.
class TrackLaunches {
public:
    TrackLaunches(const trace::Trace& trace, const CallTreeOptions& options,
                  const analysis::WindowScope& scope, const FrameNames& names)
        : m_begin(trace.tracks().size() + 1) {
        if (options.weight != Weight::GpuTime) {
            return;
        }
        std::optional<query::LaunchLinks> own;
        const query::LaunchLinks& links = options.links ? *options.links : own.emplace(trace);
        throwIfStopped(options.stop);
        std::vector<Launch> all;
        for (trace::GpuOpId id = 0; id < trace.gpuOperations().size(); ++id) {
            const SliceId work = trace.gpuOperations()[id].slice;
            const SliceId call = links.apiCall(id);
            const SliceId from = call != trace::kNoSlice ? call : links.launchingOperator(id);
            if (!scope.takes(trace.start(work)) || !isChosen(trace, options, work, from)) {
                continue;
            }
            const TimeNs duration = trace.duration(work);
            if (from == trace::kNoSlice) {
                const NodeId leaf =
                    m_withoutLaunch.child(kRoot, names.of(work), trace.categoryId(work));
                m_withoutLaunch.add(leaf, duration, 1, duration, work);
                continue;
            }
            const TimeNs start = trace.start(from);
            all.push_back({{start, addTime(start, trace.duration(from)), from}, work, duration});
            ++m_begin[trace.trackOf(from) + 1];
        }
        std::partial_sum(m_begin.begin(), m_begin.end(), m_begin.begin());
        m_launches.resize(all.size());
        std::vector<std::size_t> next(m_begin.begin(), m_begin.end() - 1);
        for (const Launch& launch : all) {
            m_launches[next[trace.trackOf(launch.from.slice)]++] = launch;
        }
    }
    [[nodiscard]] std::span<Launch> of(TrackId track) {
        return std::span(m_launches).subspan(m_begin[track], m_begin[track + 1] - m_begin[track]);
    }
    [[nodiscard]] const TreeMaker& withoutLaunch() const { return m_withoutLaunch; }

private:
    static bool isChosen(const trace::Trace& trace, const CallTreeOptions& options, SliceId work,
                         SliceId from) {
        const auto has = [&](SliceId slice) {
            return slice != trace::kNoSlice &&
                   std::ranges::binary_search(options.tracks, trace.trackOf(slice));
        };
        return options.tracks.empty() || has(work) || has(from);
    }

    std::vector<std::size_t> m_begin;
    std::vector<Launch> m_launches;
    TreeMaker m_withoutLaunch;
};

Result<CallTree> mergeCalls(const trace::Trace& trace, const CallTreeOptions& options) {
    const auto scope = analysis::resolveWindow(trace, options.window);
    if (!scope) {
        return tl::unexpected(scope.error());
    }
    const auto merged = mergeSteps(trace, options.frames);
    const FrameNames names(trace, *merged);
    TrackLaunches launches(trace, options, *scope, names);
    TrackSlices slices(trace, options, *scope);
    const bool byGpu = options.weight == Weight::GpuTime;
    std::vector<TrackId> order;
    for (TrackId track = 0; track < trace.tracks().size(); ++track) {
        if (byGpu ? !launches.of(track).empty() : !slices.of(track).empty()) {
            order.push_back(track);
        }
    }
    std::vector<ThreadTree> trees(order.size(), ThreadTree(trace, names, options.stop));
    std::atomic<std::size_t> next{0};
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const unsigned threads = options.threads > 0 ? options.threads : cores;
    runOnThreads(std::min<unsigned>(threads, static_cast<unsigned>(order.size())), [&] {
        for (std::size_t at = next++; at < order.size(); at = next++) {
            if (byGpu) {
                trees[at].addGpuTime(slices.of(order[at]), launches.of(order[at]));
            } else {
                trees[at].addCpuTime(slices.of(order[at]), *scope);
            }
        }
    });
    TreeMaker all;
    for (const ThreadTree& tree : trees) {
        all.addTree(tree.tree());
    }
    all.addTree(launches.withoutLaunch());
    return all.finish(trace, merged);
}

}  // namespace

bool isFrame(Frames frames, Category category, std::string_view name) {
    switch (frames) {
        case Frames::Operators:
            return category == Category::CpuOp;
        case Frames::Python:
            return category == Category::PythonFunction;
        case Frames::Modules:
            return category == Category::PythonFunction && name.starts_with(kModule);
        case Frames::Annotations:
            return category == Category::UserAnnotation;
        case Frames::All:
            break;
    }
    return runsOnCpu(category);
}

Result<CallTree> makeCallTree(const trace::Trace& trace, const CallTreeOptions& options) {
    return guarded([&] { return mergeCalls(trace, options); });
}

}  // namespace kinetoscope::calltree
