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
#include "core/base/Threads.h"
#include "core/calltree/ThreadTree.h"
#include "core/query/StepSpans.h"

namespace kinetoscope::calltree {

namespace {

using trace::Category;
using trace::SliceId;
using trace::TrackId;

constexpr std::string_view kModule = "nn.Module: ";

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

/// The requested part of one trace, by track.
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
