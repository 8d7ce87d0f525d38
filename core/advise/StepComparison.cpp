// SPDX-License-Identifier: Apache-2.0
#include "core/advise/StepComparison.h"

#include <algorithm>
#include <functional>

#include "core/analysis/IdleGaps.h"
#include "core/stats/Statistics.h"

namespace kinetoscope::advise {

namespace {

// Beyond the median step by that part of it and that much.
constexpr double kLonger = 0.1;
constexpr TimeNs kLongerNs = 50'000;
// What differs less by itself explains nothing.
constexpr double kMinExcess = 0.02;

}  // namespace

StepComparison::StepComparison(const Material& material)
    : m_material(material),
      m_overhead(analysis::overheadTime(material.trace())),
      m_pieces(material.steps()),
      m_operations(material.steps()) {
    findPieces();
    addOperations();
    std::vector<TimeNs> lengths;
    for (std::size_t step = 0; step < material.steps(); ++step) {
        lengths.push_back(lengthOfStep(step));
    }
    m_medianNs = stats::lowerMedian(lengths);
}

// Of threads that launch.
void StepComparison::findPieces() {
    const path::Graph& graph = m_material.graph();
    std::vector<bool> launches(m_material.trace().tracks().size());
    for (const path::Node& node : graph.nodes) {
        launches[node.track] = launches[node.track] || node.kind == path::NodeKind::Call;
    }
    std::vector<TimeNs> longest(m_material.steps());
    for (path::NodeId id = 0; id < graph.nodes.size(); ++id) {
        const path::Node& node = graph.nodes[id];
        const auto step = node.kind == path::NodeKind::Cpu && launches[node.track]
                              ? m_material.stepAt(node.start)
                              : std::nullopt;
        if (step) {
            longest[*step] = std::max(longest[*step], lengthOfPiece(id));
            if (lengthOfPiece(id) > kLongerNs) {
                m_pieces[*step].push_back(id);
            }
        }
    }
    m_usualPiece = stats::lowerMedian(longest);
    for (std::vector<path::NodeId>& pieces : m_pieces) {
        std::ranges::stable_sort(pieces, std::greater<>(),
                                 [&](path::NodeId id) { return lengthOfPiece(id); });
    }
}

void StepComparison::addOperations() {
    for (trace::GpuOpId id = 0; id < m_material.trace().gpuOperations().size(); ++id) {
        if (const auto step = m_material.stepOf(id)) {
            m_operations[*step].push_back(id);
            KernelSum& sum = m_sums[m_material.names().numberOf(id)][*step];
            sum.ns = addTime(sum.ns, m_material.trace().duration(m_material.sliceOf(id)));
            ++sum.count;
        }
    }
}

float StepComparison::usualShare(path::NodeId piece) const {
    const TimeNs whole = m_material.graph().nodes[piece].duration;
    return static_cast<float>(whole - lengthOfPiece(piece) + m_usualPiece) /
           static_cast<float>(whole);
}

std::vector<LongStep> StepComparison::longSteps() const {
    std::vector<LongStep> found;
    const auto least = static_cast<TimeNs>(kLonger * static_cast<double>(m_medianNs));
    for (std::size_t step = 0; step < m_material.steps(); ++step) {
        const TimeNs excess = lengthOfStep(step) - m_medianNs;
        if (excess > std::max(least, kLongerNs)) {
            found.push_back({step, excess, excessKernels(step), longPieces(step)});
        }
    }
    std::ranges::stable_sort(found, std::greater<>(), &LongStep::excessNs);
    return found;
}

std::vector<trace::GpuOpId> StepComparison::launchesOf(std::size_t step, std::uint32_t name) const {
    std::vector<trace::GpuOpId> launches;
    for (const trace::GpuOpId id : m_operations[step]) {
        if (m_material.names().numberOf(id) == name) {
            launches.push_back(id);
        }
    }
    std::ranges::stable_sort(launches, std::greater<>(), [&](trace::GpuOpId id) {
        return m_material.trace().duration(m_material.sliceOf(id));
    });
    return launches;
}

TimeNs StepComparison::lengthOfStep(std::size_t step) const {
    const TimeSpan span = m_material.graph().steps[step].span;
    return span.duration() - m_overhead.inside(span);
}

TimeNs StepComparison::lengthOfPiece(path::NodeId piece) const {
    const path::Node& node = m_material.graph().nodes[piece];
    return node.duration - m_overhead.inside({node.start, node.end()});
}

TimeNs StepComparison::leastExcess() const {
    return static_cast<TimeNs>(kMinExcess * static_cast<double>(m_medianNs));
}

// Steps that do not launch it count as well.
KernelSum StepComparison::usualOf(const std::map<std::size_t, KernelSum>& byStep) const {
    std::vector<TimeNs> times(m_material.steps());
    std::vector<std::uint64_t> counts(m_material.steps());
    for (const auto& [step, sum] : byStep) {
        times[step] = sum.ns;
        counts[step] = sum.count;
    }
    return {stats::lowerMedian(times), stats::lowerMedian(counts)};
}

std::vector<KernelExcess> StepComparison::excessKernels(std::size_t step) const {
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

std::vector<path::NodeId> StepComparison::longPieces(std::size_t step) const {
    std::vector<path::NodeId> found;
    for (const path::NodeId id : m_pieces[step]) {
        if (lengthOfPiece(id) <= m_usualPiece + std::max(leastExcess(), kLongerNs)) {
            break;
        }
        found.push_back(id);
    }
    return found;
}

}  // namespace kinetoscope::advise
