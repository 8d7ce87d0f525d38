// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/Steps.h"

#include <algorithm>
#include <compare>
#include <limits>

#include "core/query/GpuTimeline.h"
#include "core/query/Intervals.h"
#include "core/query/LaunchLinks.h"
#include "core/query/StepSpans.h"

namespace kinetoscope::analysis {

namespace {

/// A point in the time of one process.
struct Cut {
    std::uint32_t process = 0;
    TimeNs time = 0;

    friend auto operator<=>(const Cut&, const Cut&) = default;
};

/// The GPU work that the calls of a process between two cuts launched.
struct LaunchedPart {
    std::uint64_t kernels = 0;
    TimeNs latestEnd = std::numeric_limits<TimeNs>::min();
};

/// The GPU work that each step launched. The steps' starts and ends cut the time of their processes
/// into parts; each launch lies in one part, each step is a run of parts.
class LaunchedWork {
public:
    LaunchedWork(const trace::Trace& trace, const std::vector<query::StepSpan>& steps) {
        for (const query::StepSpan& step : steps) {
            const std::uint32_t process = processOf(trace, step.slice);
            m_cuts.push_back({process, trace.start(step.slice)});
            m_cuts.push_back({process, trace.end(step.slice)});
        }
        std::ranges::sort(m_cuts);
        const auto repeats = std::ranges::unique(m_cuts);
        m_cuts.erase(repeats.begin(), repeats.end());
        m_parts.resize(m_cuts.size());
    }

    void add(const trace::Trace& trace, const query::GpuTimeline& timeline,
             const query::LaunchLinks& links) {
        for (const query::GpuRow& row : timeline.gpus()) {
            for (const query::OperationTime& time : row.operations) {
                if (const trace::SliceId call = links.apiCall(time.operation);
                    call != trace::kNoSlice) {
                    const trace::SliceId slice = trace.gpuOperations()[time.operation].slice;
                    addLaunch({processOf(trace, call), trace.start(call)}, time.span.end,
                              trace.category(slice) == trace::Category::Kernel);
                }
            }
        }
        sumUp();
    }

    /// Sets `kernels` and moves the end of the span to that of the launched work.
    void extend(std::uint32_t process, Step& step) const {
        const std::size_t first = partFrom({process, step.span.start});
        const std::size_t last = partFrom({process, step.span.end});
        step.kernels = m_kernelsBefore[last] - m_kernelsBefore[first];
        step.span.end = std::max(step.span.end, latestEnd(first, last));
    }

    [[nodiscard]] static std::uint32_t processOf(const trace::Trace& trace, trace::SliceId slice) {
        return trace.tracks()[trace.trackOf(slice)].process;
    }

private:
    /// The part that begins with this cut.
    [[nodiscard]] std::size_t partFrom(const Cut& cut) const {
        return static_cast<std::size_t>(std::ranges::lower_bound(m_cuts, cut) - m_cuts.begin());
    }

    void addLaunch(const Cut& at, TimeNs gpuEnd, bool isKernel) {
        const auto next = std::ranges::upper_bound(m_cuts, at);
        if (next == m_cuts.begin() || (next - 1)->process != at.process) {
            return;
        }
        LaunchedPart& part = m_parts[static_cast<std::size_t>(next - m_cuts.begin()) - 1];
        part.kernels += isKernel ? 1U : 0U;
        part.latestEnd = std::max(part.latestEnd, gpuEnd);
    }

    /// A binary tree over the parts: node i holds the later of the nodes 2 i and 2 i + 1.
    void sumUp() {
        const std::size_t count = m_parts.size();
        m_latestEnds.resize(2 * count);
        m_kernelsBefore.assign(1, 0);
        for (std::size_t at = 0; at < count; ++at) {
            m_latestEnds[count + at] = m_parts[at].latestEnd;
            m_kernelsBefore.push_back(m_kernelsBefore.back() + m_parts[at].kernels);
        }
        for (std::size_t node = count; node-- > 1;) {
            m_latestEnds[node] = std::max(m_latestEnds[2 * node], m_latestEnds[2 * node + 1]);
        }
    }

    [[nodiscard]] TimeNs latestEnd(std::size_t first, std::size_t last) const {
        TimeNs latest = std::numeric_limits<TimeNs>::min();
        std::size_t low = first + m_parts.size();
        std::size_t high = last + m_parts.size();
        for (; low < high; low /= 2, high /= 2) {
            if (low % 2 == 1) {
                latest = std::max(latest, m_latestEnds[low++]);
            }
            if (high % 2 == 1) {
                latest = std::max(latest, m_latestEnds[--high]);
            }
        }
        return latest;
    }

    std::vector<Cut> m_cuts;
    std::vector<LaunchedPart> m_parts;  ///< part i begins with cut i
    std::vector<std::uint64_t> m_kernelsBefore;
    std::vector<TimeNs> m_latestEnds;
};

/// When each GPU and any GPU was busy.
struct BusyTimes {
    std::vector<query::CoveredTime> ofGpu;  ///< as in GpuTimeline::gpus()
    query::CoveredTime ofAny;
};

BusyTimes busyTimes(const query::GpuTimeline& timeline) {
    std::vector<query::CoveredTime> ofGpu;
    std::vector<TimeSpan> any;
    for (const query::GpuRow& row : timeline.gpus()) {
        std::vector<TimeSpan> spans;
        spans.reserve(row.operations.size());
        for (const query::OperationTime& time : row.operations) {
            spans.push_back(time.span);
        }
        const query::CoveredTime& covered = ofGpu.emplace_back(query::unionOf(spans));
        any.insert(any.end(), covered.spans().begin(), covered.spans().end());
    }
    return {std::move(ofGpu), query::CoveredTime(query::unionOfUnsorted(std::move(any)))};
}

void addAllGpus(const query::GpuTimeline& timeline, const BusyTimes& busy,
                std::vector<Step>& steps) {
    for (Step& step : steps) {
        for (std::size_t gpu = 0; gpu < busy.ofGpu.size(); ++gpu) {
            step.gpus.push_back({timeline.gpus()[gpu].gpu, busy.ofGpu[gpu].inside(step.span)});
        }
    }
}

// Goes from one busy step of a GPU to the next: there may be as many GPUs as steps.
void addBusyGpus(const query::GpuTimeline& timeline, const BusyTimes& busy,
                 std::vector<Step>& steps) {
    std::vector<TimeNs> latestEnds;  // of the steps up to each
    latestEnds.reserve(steps.size());
    for (const Step& step : steps) {
        latestEnds.push_back(latestEnds.empty() ? step.span.end
                                                : std::max(latestEnds.back(), step.span.end));
    }
    for (std::size_t gpu = 0; gpu < busy.ofGpu.size(); ++gpu) {
        const auto& spans = busy.ofGpu[gpu].spans();
        for (std::size_t at = 0; at < steps.size();) {
            Step& step = steps[at++];
            const auto next = std::ranges::upper_bound(spans, step.span.start, {}, &TimeSpan::end);
            if (next == spans.end()) {
                break;
            }
            if (next->start < step.span.end) {
                step.gpus.push_back({timeline.gpus()[gpu].gpu, busy.ofGpu[gpu].inside(step.span)});
                continue;
            }
            const auto reached = std::ranges::upper_bound(latestEnds, next->start);
            at = std::max(at, static_cast<std::size_t>(reached - latestEnds.begin()));
        }
    }
}

}  // namespace

std::vector<Step> findSteps(const trace::Trace& trace) {
    return findSteps(trace, query::GpuTimeline(trace), query::LaunchLinks(trace));
}

std::vector<Step> findSteps(const trace::Trace& trace, const query::GpuTimeline& timeline,
                            const query::LaunchLinks& links) {
    const std::vector<query::StepSpan> spans = query::findStepSpans(trace);
    if (spans.empty()) {
        return {};
    }
    LaunchedWork launched(trace, spans);
    launched.add(trace, timeline, links);
    const BusyTimes busy = busyTimes(timeline);
    std::vector<Step> steps;
    for (const query::StepSpan& cpu : spans) {
        Step step;
        step.name = trace.name(cpu.slice);
        step.number = cpu.number;
        step.span = trace.span(cpu.slice);
        step.cpuEndNs = step.span.end;
        launched.extend(LaunchedWork::processOf(trace, cpu.slice), step);
        step.busyNs = busy.ofAny.inside(step.span);
        steps.push_back(std::move(step));
    }
    (timeline.gpus().size() <= kMostGpus ? addAllGpus : addBusyGpus)(timeline, busy, steps);
    return steps;
}

}  // namespace kinetoscope::analysis
