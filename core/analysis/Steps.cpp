// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/Steps.h"

#include <algorithm>
#include <tuple>

#include "core/analysis/GpuTimeline.h"
#include "core/analysis/Intervals.h"
#include "core/analysis/LaunchLinks.h"
#include "core/analysis/StepSpans.h"

namespace kinetoscope {

namespace {

/// A GPU operation by its API call.
struct Launch {
    std::uint32_t process = 0;  ///< of the API call
    TimeNs start = 0;           ///< of the API call
    TimeNs gpuEnd = 0;
    bool isKernel = false;
};

/// Answers questions about the GPU work that a span of a process launched, in O(log n).
class LaunchedWork {
public:
    LaunchedWork(const Trace& trace, const GpuTimeline& timeline, const LaunchLinks& links) {
        for (const GpuRow& row : timeline.gpus()) {
            for (const OperationTime& time : row.operations) {
                const SliceId call = links.apiCall(time.operation);
                if (call != kNoSlice) {
                    const GpuOperation& operation = trace.gpuOperations()[time.operation];
                    m_launches.push_back({trace.tracks()[trace.trackOf(call)].process,
                                          trace.start(call), time.span.end,
                                          trace.category(operation.slice) == Category::Kernel});
                }
            }
        }
        std::ranges::sort(m_launches, {}, [](const Launch& launch) {
            return std::tuple(launch.process, launch.start);
        });
        m_kernelsBefore.push_back(0);
        for (const Launch& launch : m_launches) {
            m_kernelsBefore.push_back(m_kernelsBefore.back() + (launch.isKernel ? 1 : 0));
        }
        buildLatestEnds();
    }

    /// Sets `kernels` and moves the end of the span to that of the launched work.
    void extend(std::uint32_t process, Step& step) const {
        const std::size_t first = find(process, step.span.start);
        const std::size_t last = find(process, step.span.end);
        if (first < last) {
            step.kernels = m_kernelsBefore[last] - m_kernelsBefore[first];
            step.span.end = std::max(step.span.end, latestEnd(first, last));
        }
    }

private:
    /// First launch of that process at or after that time.
    [[nodiscard]] std::size_t find(std::uint32_t process, TimeNs time) const {
        const auto found = std::ranges::lower_bound(
            m_launches, std::tuple(process, time), {},
            [](const Launch& launch) { return std::tuple(launch.process, launch.start); });
        return static_cast<std::size_t>(found - m_launches.begin());
    }

    /// A binary tree over the launches: node i holds the later of the nodes 2 i and 2 i + 1.
    void buildLatestEnds() {
        const std::size_t count = m_launches.size();
        m_latestEnds.resize(2 * count);
        for (std::size_t at = 0; at < count; ++at) {
            m_latestEnds[count + at] = m_launches[at].gpuEnd;
        }
        for (std::size_t node = count; node-- > 1;) {
            m_latestEnds[node] = std::max(m_latestEnds[2 * node], m_latestEnds[2 * node + 1]);
        }
    }

    [[nodiscard]] TimeNs latestEnd(std::size_t first, std::size_t last) const {
        TimeNs latest = std::numeric_limits<TimeNs>::min();
        std::size_t low = first + m_launches.size();
        std::size_t high = last + m_launches.size();
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

    std::vector<Launch> m_launches;  ///< by process, then start
    std::vector<std::uint64_t> m_kernelsBefore;
    std::vector<TimeNs> m_latestEnds;
};

/// When each GPU and any GPU was busy.
struct BusyTimes {
    std::vector<CoveredTime> ofGpu;  ///< as in GpuTimeline::gpus()
    CoveredTime ofAny;
};

BusyTimes busyTimes(const GpuTimeline& timeline) {
    std::vector<CoveredTime> ofGpu;
    std::vector<TimeSpan> any;
    for (const GpuRow& row : timeline.gpus()) {
        std::vector<TimeSpan> spans;
        for (const OperationTime& time : row.operations) {
            spans.push_back(time.span);
        }
        const CoveredTime& covered = ofGpu.emplace_back(unionOf(spans));
        any.insert(any.end(), covered.spans().begin(), covered.spans().end());
    }
    return {std::move(ofGpu), CoveredTime(unionOfUnsorted(std::move(any)))};
}

}  // namespace

std::vector<Step> findSteps(const Trace& trace) {
    return findSteps(trace, GpuTimeline(trace), LaunchLinks(trace));
}

std::vector<Step> findSteps(const Trace& trace, const GpuTimeline& timeline,
                            const LaunchLinks& links) {
    const std::vector<StepSpan> spans = findStepSpans(trace);
    if (spans.empty()) {
        return {};
    }
    const LaunchedWork launched(trace, timeline, links);
    const BusyTimes busy = busyTimes(timeline);
    std::vector<Step> steps;
    for (const StepSpan& cpu : spans) {
        Step step;
        step.name = trace.name(cpu.slice);
        step.number = cpu.number;
        step.span = trace.span(cpu.slice);
        step.cpuEndNs = step.span.end;
        launched.extend(trace.tracks()[trace.trackOf(cpu.slice)].process, step);
        step.busyNs = busy.ofAny.inside(step.span);
        for (std::size_t at = 0; at < busy.ofGpu.size(); ++at) {
            step.gpus.push_back({timeline.gpus()[at].gpu, busy.ofGpu[at].inside(step.span)});
        }
        steps.push_back(std::move(step));
    }
    return steps;
}

}  // namespace kinetoscope
