// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/advise/HostTime.h"
#include "core/advise/Rule.h"
#include "core/analysis/IdleGaps.h"
#include "core/text/Format.h"

namespace kinetoscope::advise {

namespace {

using path::Node;
using path::NodeId;
using path::NodeKind;

// Overhead of a CUDA graph itself, measured on an H200 with a chain of 130 small nodes (driver 580,
// traced): between two nodes, and before the first one beyond the cost of any launch.
constexpr TimeNs kGraphGapNs = 460;
constexpr TimeNs kGraphLaunchNs = 20'000;

/// What CUDA graphs or a compiled step would not do any more.
struct HostWork {
    std::vector<NodeChange> changes;
    std::uint64_t launches = 0;       ///< by calls of their own
    std::uint64_t graphLaunches = 0;  ///< calls that launch a whole graph
    TimeNs ns = 0;                    ///< calls that launch, and pieces of threads between them
};

bool isGraphLaunch(const trace::Trace& trace, trace::SliceId call) {
    return trace.name(call).find("GraphLaunch") != std::string_view::npos;
}

// A launch waits only where its queue is full: a graph does not have to end there.
bool endsGraph(const trace::Trace& trace, const Node& node) {
    return node.kind == NodeKind::Wait && node.slice != trace::kNoSlice &&
           trace.name(node.slice).find("Launch") == std::string_view::npos;
}

/// Goes over the host's work from wait to wait: what is launched between two calls that wait for
/// the GPU could be one graph.
class HostWorkFinder {
public:
    explicit HostWorkFinder(const Material& material)
        : m_material(material),
          m_launches(material.trace().tracks().size()),
          m_stretches(material.steps() + 1) {
        for (const Node& node : material.graph().nodes) {
            m_launches[node.track] = m_launches[node.track] || node.kind == NodeKind::Call;
        }
    }

    HostWork find() {
        for (NodeId id = 0; id < m_material.graph().nodes.size(); ++id) {
            take(id);
        }
        for (Stretch& stretch : m_stretches) {
            close(stretch);
        }
        return std::move(m_work);
    }

private:
    struct Stretch {
        std::vector<NodeId> nodes;
        TimeNs ns = 0;
        bool isStep = false;
        bool launches = false;
        NodeId first = path::kNoNode;  ///< the piece of the thread before the first call
    };

    void take(NodeId id) {
        const Node& node = m_material.graph().nodes[id];
        const auto step = m_material.stepAt(node.start);
        Stretch& stretch = m_stretches[step.value_or(m_material.steps())];
        const bool isCall = node.kind == NodeKind::Call;
        if (isCall && isGraphLaunch(m_material.trace(), node.slice)) {
            m_work.graphLaunches += step ? 1U : 0U;
            return;
        }
        if (endsGraph(m_material.trace(), node)) {
            close(stretch);
            return;
        }
        const bool isHandover = node.kind == NodeKind::Wait && node.slice == trace::kNoSlice;
        const bool isPiece = node.kind == NodeKind::Cpu && node.duration < kLongPieceNs;
        if (!m_launches[node.track] || !(isCall || isPiece || isHandover)) {
            return;
        }
        if (isCall && !stretch.launches) {
            stretch.launches = true;
            stretch.first = pieceBefore(id);
        }
        stretch.nodes.push_back(id);
        stretch.ns = addTime(stretch.ns, node.duration);
        stretch.isStep = step.has_value();
        m_work.launches += step && isCall ? 1U : 0U;
    }

    [[nodiscard]] NodeId pieceBefore(NodeId call) const {
        const path::Graph& graph = m_material.graph();
        for (const path::Edge& edge : graph.into(call)) {
            const Node& before = graph.nodes[edge.from];
            if (edge.kind == path::EdgeKind::Thread && before.kind == NodeKind::Cpu &&
                before.duration > 0 && before.duration < kLongPieceNs) {
                return edge.from;
            }
        }
        return path::kNoNode;
    }

    // One launch is left, if that is less than there was.
    void close(Stretch& stretch) {
        m_work.ns = addTime(m_work.ns, stretch.launches && stretch.isStep ? stretch.ns : 0);
        if (stretch.launches && stretch.ns > kGraphLaunchNs) {
            for (const NodeId node : stretch.nodes) {
                m_work.changes.push_back({.node = node, .scale = 0.0F});
            }
            if (stretch.first != path::kNoNode) {
                m_work.changes.push_back(
                    {.node = stretch.first,
                     .scale =
                         static_cast<float>(kGraphLaunchNs) /
                         static_cast<float>(m_material.graph().nodes[stretch.first].duration)});
            }
        }
        stretch = {};
    }

    const Material& m_material;
    std::vector<bool> m_launches;      ///< by track
    std::vector<Stretch> m_stretches;  ///< by step, and outside of steps
    HostWork m_work;
};

// Operations get the graph's gap in front of them where those of their stream are closer.
void addGraphGaps(const Material& material, std::vector<NodeChange>& changes) {
    const path::Graph& graph = material.graph();
    for (NodeId id = 0; id < graph.nodes.size(); ++id) {
        const Node& node = graph.nodes[id];
        if (node.kind != NodeKind::Operation || node.duration <= 0 ||
            material.links().isGraphLaunch(node.operation)) {
            continue;
        }
        TimeNs gap = kGraphGapNs;
        for (const path::Edge& edge : graph.into(id)) {
            const bool isBehind = edge.kind == path::EdgeKind::Stream && !edge.fromStart;
            gap = isBehind ? std::min(gap, kGraphGapNs - edge.lag) : gap;
        }
        if (gap > 0) {
            changes.push_back({.node = id,
                               .scale = static_cast<float>(node.duration + gap) /
                                        static_cast<float>(node.duration)});
        }
    }
}

/// Idle time of all GPUs in their windows.
struct Idle {
    TimeNs windowNs = 0;
    analysis::IdleTime time;
    std::vector<analysis::NamedGap> gaps;  ///< the longest of which the host is the reason
};

Idle idleOf(const Material& material) {
    const query::CoveredTime overhead = analysis::overheadTime(material.trace());
    Idle idle;
    for (const query::GpuRow& row : material.timeline().gpus()) {
        analysis::LongestGaps longest(row.gpu, kMaxEvents);
        idle.windowNs = addTime(idle.windowNs, row.extent.duration());
        idle.time.add(analysis::measureIdle(material.trace(), row, {}, material.links(), overhead,
                                            [&](const analysis::IdleGap& gap) {
                                                if (gap.parts.mainReason() ==
                                                    analysis::IdleReason::Host) {
                                                    longest.add(gap);
                                                }
                                            }));
        std::ranges::move(longest.take(), std::back_inserter(idle.gaps));
    }
    std::ranges::stable_sort(idle.gaps, std::greater<>(),
                             [](const analysis::NamedGap& gap) { return gap.span.duration(); });
    idle.gaps.resize(std::min(idle.gaps.size(), kMaxEvents));
    return idle;
}

Found findHostBound(const Material& material) {
    HostWork work = HostWorkFinder(material).find();
    if (work.launches + work.graphLaunches == 0) {
        return {{}, "the trace has no launch calls; record the host too (ProfilerActivity.CPU)"};
    }
    const auto steps = static_cast<std::uint64_t>(material.steps());
    const Idle idle = idleOf(material);
    Finding finding;
    finding.title = fmt::format("GPU idle {}, waits for the host: {} launches{}",
                                shareOf(idle.time.total(), idle.windowNs),
                                countOf(work.launches / steps), material.each("a step"));
    finding.todo =
        "Launch less often: torch.compile(mode=\"reduce-overhead\") or torch.cuda.graph for the "
        "step, fused optimizers, a larger batch.";
    finding.whatIf =
        "everything between two waits for the GPU is launched at once, as by a CUDA graph: 20 µs "
        "for the launch, at least 0.46 µs between operations, no other host time except pieces of "
        "1 ms and longer";
    const std::string ofGpu = "each GPU's first operation to its last";
    finding.evidence = {
        {"GPU idle", shareOf(idle.time.total(), idle.windowNs),
         "Time without any kernel, copy or memset", ofGpu},
        {"idle because of the host", shareOf(idle.time.hostNs, idle.windowNs),
         "The next operation was not launched yet", ofGpu},
        {"idle after launches", shareOf(idle.time.launchNs, idle.windowNs),
         "The first 30 µs after the start of the call that launched the next operation or of the "
         "gap, whichever is later",
         ofGpu},
        {"launches" + material.each("a step"), countOf(work.launches / steps),
         "API calls that put work into a stream, without launches of CUDA graphs",
         material.allSteps()},
        {"host time a launch",
         text::formatDuration(work.launches == 0 ? 0
                                                 : work.ns / static_cast<TimeNs>(work.launches)),
         "Launch calls, and what their threads did in between in pieces below 1 ms",
         material.allSteps()}};
    if (work.graphLaunches > 0) {
        finding.evidence.push_back(
            {"graph launches" + material.each("a step"), perStep(work.graphLaunches, steps),
             "Calls that launch a CUDA graph; left unchanged", material.allSteps()});
    }
    for (const analysis::NamedGap& gap : idle.gaps) {
        finding.events.push_back({gap.launch, gap.span,
                                  fmt::format("{} idle before {}", trace::gpuName(gap.gpu),
                                              labelOf(material.trace().name(gap.next)))});
    }
    addGraphGaps(material, work.changes);
    finding.changes = std::move(work.changes);
    return {{std::move(finding)}, {}};
}

}  // namespace

Rule hostBoundRule() {
    return {{"host-bound", "GPU waits for the host",
             "The step takes as long as the host needs to launch its operations one by one."},
            findHostBound};
}

}  // namespace kinetoscope::advise
