// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/advise/HostTime.h"
#include "core/advise/Rule.h"
#include "core/advise/StepComparison.h"
#include "core/analysis/IdleList.h"
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
constexpr std::size_t kMaxSteps = 5;

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

std::string pauseText(const StepComparison& steps, NodeId piece) {
    return fmt::format("its host launched nothing for {}",
                       text::formatDuration(steps.lengthOfPiece(piece)));
}

std::string hostText(const Material& material, const StepComparison& steps, NodeId piece) {
    const trace::Trace& trace = material.trace();
    const Node& node = material.graph().nodes[piece];
    const SliceId call = callBehind(material, piece);
    std::string text = pauseText(steps, piece);
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
        text += ", with nothing recorded meanwhile";
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
    // A collective lasts until the last rank has come and gone.
    const bool communicates = material.names().facts(excess.name).family == "comm";
    return fmt::format("{} took {:.2f} times as long, {} more{}", name,
                       static_cast<double>(excess.here.ns) /
                           static_cast<double>(std::max<TimeNs>(1, excess.usual.ns)),
                       text::formatDuration(excess.ns()),
                       communicates ? " (with waiting for other ranks)" : "");
}

std::string whyLong(const Material& material, const StepComparison& steps, const LongStep& step) {
    std::string text;
    const auto add = [&](const std::string& reason) {
        text += (text.empty() ? "" : "; ") + reason;
    };
    if (!step.pieces.empty()) {
        add(hostText(material, steps, step.pieces.front()));
    }
    for (std::size_t i = 0; i < std::min(kMaxOfOne, step.kernels.size()); ++i) {
        add(kernelText(material, step.kernels[i]));
    }
    return text.empty() ? "a little of everything" : text;
}

// For the title: the most of it only.
std::string whyInShort(const Material& material, const StepComparison& steps,
                       const LongStep& step) {
    const TimeNs pause = step.pieces.empty() ? 0 : steps.lengthOfPiece(step.pieces.front());
    const TimeNs kernels = step.kernels.empty() ? 0 : step.kernels.front().ns();
    return !step.isExplained() ? "a little of everything"
           : pause >= kernels  ? pauseText(steps, step.pieces.front())
                               : kernelText(material, step.kernels.front());
}

void makeUsual(const Material& material, const StepComparison& steps, const LongStep& step,
               Finding& finding) {
    for (const NodeId piece : step.pieces) {
        finding.changes.push_back({.node = piece, .scale = steps.usualShare(piece)});
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
        return {{},
                "at least three steps are needed (profiler.step() after each) to find a long one"};
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
        const std::string why = whyLong(material, steps, found[i]);
        finding.evidence.push_back(
            {fmt::format("step {}", step.number),
             fmt::format("{}, {} more than the median: {}",
                         text::formatDuration(steps.lengthOfStep(found[i].step)),
                         text::formatDuration(found[i].excessNs), why),
             "", ""});
        if (i == 0 || (i == 1 && found[i].isExplained())) {
            const std::string most = whyInShort(material, steps, found[i]);
            const std::string excess = text::formatDuration(found[i].excessNs);
            finding.title += i == 0 ? fmt::format("Step {} is {} longer than the others: {}",
                                                  step.number, excess, most)
                                    : fmt::format("; step {} {}: {}", step.number, excess, most);
        }
    }
    finding.evidence.push_back({"median step", text::formatDuration(steps.medianNs()),
                                "Lower median, without the profiler's own work", "all steps"});
    finding.evidence.push_back({"steps a tenth longer", countOf(found.size()), "", "all steps"});
    finding.todo = "Find out what these steps do that the others do not.";
    finding.whatIf =
        "these steps become like the median step in what they have more of: launches, kernel time, "
        "the longest host activity";
    return {{std::move(finding)}, {}};
}

}  // namespace

Rule unevenStepsRule() {
    return {{"uneven-steps", "Steps longer than the others",
             "A step takes at least 10 % longer than the median step, with more or longer kernels "
             "or longer host pauses."},
            findUnevenSteps,
            false};
}

}  // namespace kinetoscope::advise
