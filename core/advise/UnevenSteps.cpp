// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/advise/HostTime.h"
#include "core/advise/Rule.h"
#include "core/analysis/IdleList.h"
#include "core/stats/Statistics.h"
#include "core/text/Format.h"
#include "core/text/KernelLabel.h"

namespace kinetoscope::advise {

namespace {

using path::Node;
using path::NodeId;
using path::NodeKind;
using trace::GpuOpId;
using trace::SliceId;

constexpr std::size_t kMinSteps = 3;
// Beyond the median step by that part of it and that much.
constexpr double kLonger = 0.1;
constexpr TimeNs kLongerNs = 50'000;
// What differs less by itself explains nothing.
constexpr double kMinExcess = 0.02;
constexpr std::size_t kMaxSteps = 5;

/// Launches of one kernel in one step.
struct KernelSum {
    TimeNs ns = 0;
    std::uint64_t count = 0;
};

/// What a step has more of than the others.
struct KernelExcess {
    std::uint32_t name = 0;  ///< of KernelNames
    KernelSum here;
    KernelSum usual;

    [[nodiscard]] TimeNs ns() const { return here.ns - usual.ns; }
};

/// A step that is longer than the others, and why.
struct LongStep {
    std::size_t step = 0;
    TimeNs excessNs = 0;
    std::vector<KernelExcess> kernels;  ///< most time first
    std::vector<NodeId> pieces;         ///< of threads, the longest first
};

class StepComparison {
public:
    explicit StepComparison(const Material& material)
        : m_material(material), m_pieces(material.steps()), m_operations(material.steps()) {
        std::vector<bool> launches(material.trace().tracks().size());
        for (const Node& node : material.graph().nodes) {
            launches[node.track] = launches[node.track] || node.kind == NodeKind::Call;
        }
        for (NodeId id = 0; id < material.graph().nodes.size(); ++id) {
            const Node& node = material.graph().nodes[id];
            const auto step = material.stepAt(node.start);
            if (step && node.kind == NodeKind::Cpu && launches[node.track]) {
                m_pieces[*step].push_back(id);
            }
        }
        addOperations();
        std::vector<TimeNs> longest;
        for (std::vector<NodeId>& pieces : m_pieces) {
            std::ranges::stable_sort(pieces, std::greater<>(),
                                     [&](NodeId id) { return length(id); });
            longest.push_back(pieces.empty() ? 0 : length(pieces.front()));
        }
        m_usualPiece = stats::lowerMedian(longest);
        std::vector<TimeNs> lengths;
        for (const path::GraphStep& step : material.graph().steps) {
            lengths.push_back(step.span.duration());
        }
        m_medianNs = stats::lowerMedian(lengths);
    }

    [[nodiscard]] TimeNs medianNs() const { return m_medianNs; }
    [[nodiscard]] TimeNs usualPiece() const { return m_usualPiece; }

    /// The longest first.
    [[nodiscard]] std::vector<LongStep> longSteps() const {
        std::vector<LongStep> found;
        const auto least = static_cast<TimeNs>(kLonger * static_cast<double>(m_medianNs));
        for (std::size_t step = 0; step < m_material.steps(); ++step) {
            const TimeNs excess = m_material.graph().steps[step].span.duration() - m_medianNs;
            if (excess > std::max(least, kLongerNs)) {
                found.push_back({step, excess, excessKernels(step), longPieces(step)});
            }
        }
        std::ranges::stable_sort(found, std::greater<>(), &LongStep::excessNs);
        return found;
    }

    /// The launches of a kernel in the step.
    [[nodiscard]] std::vector<GpuOpId> launchesOf(std::size_t step, std::uint32_t name) const {
        std::vector<GpuOpId> launches;
        for (const GpuOpId id : m_operations[step]) {
            if (m_material.names().numberOf(id) == name) {
                launches.push_back(id);
            }
        }
        std::ranges::stable_sort(launches, std::greater<>(), [&](GpuOpId id) {
            return m_material.trace().duration(m_material.sliceOf(id));
        });
        return launches;
    }

private:
    [[nodiscard]] TimeNs length(NodeId id) const { return m_material.graph().nodes[id].duration; }
    [[nodiscard]] TimeNs leastExcess() const {
        return static_cast<TimeNs>(kMinExcess * static_cast<double>(m_medianNs));
    }

    void addOperations() {
        for (GpuOpId id = 0; id < m_material.trace().gpuOperations().size(); ++id) {
            const SliceId call = m_material.links().apiCall(id);
            const SliceId at = call == trace::kNoSlice ? m_material.sliceOf(id) : call;
            const auto step = m_material.stepAt(m_material.trace().start(at));
            if (step) {
                m_operations[*step].push_back(id);
                KernelSum& sum = m_sums[m_material.names().numberOf(id)][*step];
                sum.ns += m_material.trace().duration(m_material.sliceOf(id));
                ++sum.count;
            }
        }
    }

    // Steps that do not launch it count as well.
    [[nodiscard]] KernelSum usualOf(const std::map<std::size_t, KernelSum>& byStep) const {
        std::vector<TimeNs> times(m_material.steps());
        std::vector<std::uint64_t> counts(m_material.steps());
        for (const auto& [step, sum] : byStep) {
            times[step] = sum.ns;
            counts[step] = sum.count;
        }
        return {stats::lowerMedian(times), stats::lowerMedian(counts)};
    }

    [[nodiscard]] std::vector<KernelExcess> excessKernels(std::size_t step) const {
        std::vector<KernelExcess> found;
        for (const auto& [name, byStep] : m_sums) {
            const auto here = byStep.find(step);
            if (here == byStep.end() || here->second.ns <= leastExcess()) {
                continue;
            }
            const KernelExcess excess{name, here->second, usualOf(byStep)};
            if (excess.ns() > leastExcess()) {
                found.push_back(excess);
            }
        }
        std::ranges::stable_sort(found, std::greater<>(), &KernelExcess::ns);
        return found;
    }

    [[nodiscard]] std::vector<NodeId> longPieces(std::size_t step) const {
        std::vector<NodeId> found;
        for (const NodeId id : m_pieces[step]) {
            if (length(id) <= m_usualPiece + std::max(leastExcess(), kLongerNs)) {
                break;
            }
            found.push_back(id);
        }
        return found;
    }

    const Material& m_material;
    std::vector<std::vector<NodeId>> m_pieces;  ///< by step, the longest first
    std::vector<std::vector<GpuOpId>> m_operations;
    std::map<std::uint32_t, std::map<std::size_t, KernelSum>> m_sums;  ///< by name, by step
    TimeNs m_usualPiece = 0;
    TimeNs m_medianNs = 0;
};

// The call that the thread made when the piece was over; kNoSlice without any in the step.
SliceId callBehind(const Material& material, NodeId piece) {
    const path::Graph& graph = material.graph();
    for (NodeId id = piece + 1; id < graph.nodes.size(); ++id) {
        const Node& node = graph.nodes[id];
        if (node.track == graph.nodes[piece].track && node.slice != trace::kNoSlice &&
            node.kind <= NodeKind::Wait) {
            return node.slice;
        }
    }
    return trace::kNoSlice;
}

std::string hostText(const Material& material, NodeId piece) {
    const trace::Trace& trace = material.trace();
    const Node& node = material.graph().nodes[piece];
    const SliceId call = callBehind(material, piece);
    std::string text =
        fmt::format("its host launched nothing for {}", text::formatDuration(node.duration));
    if (call == trace::kNoSlice) {
        return text;
    }
    std::vector<analysis::NamedGap> gaps(1);
    gaps[0].span = gaps[0].hostPart = {node.start, node.end()};
    gaps[0].launch = call;
    analysis::nameHostActivities(trace, trace.extent(), analysis::findSteps(trace), gaps);
    const std::array calls{call};
    const SliceId operation = innermostAround(trace, calls, AroundKind::Operator).front();
    const SliceId python = innermostAround(trace, calls, AroundKind::PythonLine).front();
    text += fmt::format(" before {}", trace.name(operation == trace::kNoSlice ? call : operation));
    if (gaps[0].host.slice != trace::kNoSlice) {
        text += fmt::format(", in {} ({})", trace.name(gaps[0].host.slice),
                            analysis::activityKind(trace, gaps[0].host.slice));
    } else {
        text += ", of which nothing was recorded";
    }
    return python == trace::kNoSlice ? text : fmt::format("{}, at {}", text, trace.name(python));
}

std::string kernelText(const Material& material, const KernelExcess& excess) {
    const std::string name =
        labelOf(material.trace().text(material.names().facts(excess.name).name));
    if (excess.here.count > excess.usual.count) {
        return fmt::format("{} more launches of {}, {}",
                           countOf(excess.here.count - excess.usual.count), name,
                           text::formatDuration(excess.ns()));
    }
    return fmt::format("{} took {:.2f} times as long, {} more", name,
                       static_cast<double>(excess.here.ns) /
                           static_cast<double>(std::max<TimeNs>(1, excess.usual.ns)),
                       text::formatDuration(excess.ns()));
}

std::string whyLong(const Material& material, const LongStep& step) {
    std::string text;
    const auto add = [&](const std::string& reason) {
        text += (text.empty() ? "" : "; ") + reason;
    };
    if (!step.pieces.empty()) {
        add(hostText(material, step.pieces.front()));
    }
    for (std::size_t i = 0; i < std::min(kMaxOfOne, step.kernels.size()); ++i) {
        add(kernelText(material, step.kernels[i]));
    }
    return text.empty() ? "nothing of it is longer by itself" : text;
}

void makeUsual(const Material& material, const StepComparison& steps, const LongStep& step,
               Finding& finding) {
    for (const NodeId piece : step.pieces) {
        finding.changes.push_back(
            {.node = piece,
             .scale = static_cast<float>(steps.usualPiece()) /
                      static_cast<float>(material.graph().nodes[piece].duration)});
    }
    for (const KernelExcess& excess : step.kernels) {
        const std::vector<GpuOpId> launches = steps.launchesOf(step.step, excess.name);
        const std::size_t more =
            excess.here.count > excess.usual.count ? excess.here.count - excess.usual.count : 0;
        for (std::size_t i = 0; i < launches.size(); ++i) {
            if (i < more) {
                dropLaunch(material, launches[i], finding.changes);
            } else if (more == 0) {
                finding.changes.push_back({.node = material.nodeOf(launches[i]),
                                           .scale = static_cast<float>(excess.usual.ns) /
                                                    static_cast<float>(excess.here.ns)});
            }
        }
    }
}

void addEvents(const Material& material, const StepComparison& steps, const LongStep& step,
               Finding& finding) {
    const auto number = material.graph().steps[step.step].number;
    if (!step.pieces.empty() && finding.events.size() < kMaxEvents) {
        const Node& piece = material.graph().nodes[step.pieces.front()];
        finding.events.push_back({trace::kNoSlice,
                                  {piece.start, piece.end()},
                                  fmt::format("step {}: the host launches nothing", number)});
    }
    for (std::size_t i = 0; i < std::min(kMaxOfOne, step.kernels.size()); ++i) {
        const GpuOpId longest = steps.launchesOf(step.step, step.kernels[i].name).front();
        if (finding.events.size() < kMaxEvents) {
            finding.events.push_back(eventOf(material.trace(), material.sliceOf(longest)));
        }
    }
}

Found findUnevenSteps(const Material& material) {
    if (material.steps() < kMinSteps) {
        return {{}, "it needs three steps (profiler.step() after each) to tell a long one"};
    }
    const StepComparison steps(material);
    const std::vector<LongStep> found = steps.longSteps();
    if (found.empty()) {
        return {};
    }
    Finding finding;
    for (std::size_t i = 0; i < found.size(); ++i) {
        makeUsual(material, steps, found[i], finding);
        if (i >= kMaxSteps) {
            continue;
        }
        addEvents(material, steps, found[i], finding);
        const path::GraphStep& step = material.graph().steps[found[i].step];
        const std::string why = whyLong(material, found[i]);
        finding.evidence.push_back({fmt::format("step {}", step.number),
                                    fmt::format("{}, {} more than the median: {}",
                                                text::formatDuration(step.span.duration()),
                                                text::formatDuration(found[i].excessNs), why),
                                    "", ""});
        if (i < 2) {
            finding.title +=
                fmt::format("{}tep {} is {} longer than the others: {}", i == 0 ? "S" : "; s",
                            step.number, text::formatDuration(found[i].excessNs), why);
        }
    }
    finding.evidence.push_back({"median step", text::formatDuration(steps.medianNs()),
                                "The lower of two in the middle", "all steps"});
    finding.evidence.push_back({"steps a tenth longer", countOf(found.size()), "", "all steps"});
    finding.todo = "Find out what these steps do beside the others.";
    finding.whatIf =
        "what these steps have more of is as in the median step: launches, time of kernels, the "
        "longest piece of the host";
    return {{std::move(finding)}, {}};
}

}  // namespace

Rule unevenStepsRule() {
    return {{"uneven-steps", "Steps longer than the others",
             "A step takes a tenth longer than the median step, with more or longer kernels or "
             "longer pauses of the host."},
            findUnevenSteps};
}

}  // namespace kinetoscope::advise
