// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/OperatorEvents.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "core/base/SortRuns.h"
#include "core/base/Threads.h"
#include "core/query/IdGroups.h"
#include "core/query/LaunchIds.h"
#include "core/query/LaunchLinks.h"

namespace kinetoscope::analysis {

namespace {

constexpr std::uint32_t kNone = 0xffffffff;

// Where the profiler started, as far as known.
TimeNs profilerStart(const trace::Trace& trace) {
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (trace.category(slice) == trace::Category::TraceSpan) {
            return trace.start(slice);
        }
    }
    return trace.extent().start;
}

bool isCpuEvent(trace::Category category) {
    return isOperator(category) || trace::isApiCall(category) ||
           category == trace::Category::Overhead;
}

bool isGpuEvent(trace::Category category) {
    return trace::isGpuOperation(category) || category == trace::Category::GpuUserAnnotation ||
           category == trace::Category::CudaSync;
}

template <class IsWanted>
std::vector<trace::SliceId> slicesOf(const trace::Trace& trace, IsWanted isWanted) {
    std::size_t count = 0;
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        count += isWanted(trace.category(slice)) ? 1U : 0U;
    }
    std::vector<trace::SliceId> slices;
    slices.reserve(count);
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (isWanted(trace.category(slice))) {
            slices.push_back(slice);
        }
    }
    return slices;
}

/// Places in `slices` by start, the longer first, then as they stand.
std::vector<std::uint32_t> orderOf(const trace::Trace& trace,
                                   const std::vector<trace::SliceId>& slices) {
    struct Place {
        TimeNs start = 0;
        std::uint32_t number = 0;
    };
    std::vector<Place> places;
    places.reserve(slices.size());
    for (std::uint32_t number = 0; number < slices.size(); ++number) {
        places.push_back({trace.start(slices[number]), number});
    }
    sortRuns(std::span(places), [&](const Place& a, const Place& b) {
        return a.start != b.start ? a.start < b.start
                                  : trace.end(slices[a.number]) > trace.end(slices[b.number]);
    });
    std::vector<std::uint32_t> order;
    order.reserve(places.size());
    for (const Place& place : places) {
        order.push_back(place.number);
    }
    return order;
}

/// The operator that each event belongs to by its External id, of several the one that began last.
class OperatorIds {
public:
    OperatorIds(const trace::Trace& trace, const query::LaunchIds& launches,
                const OperatorEvents& events)
        : m_trace(trace), m_launches(launches), m_index(idsOf(trace, events)) {
        m_number.assign(m_index.size(), kNone);
        for (const std::uint32_t number : events.cpuOrder) {
            const trace::SliceId slice = events.cpu[number];
            if (isOperator(trace.category(slice)) && trace.externalId(slice) != trace::kNoId) {
                m_number[m_index.find(trace.externalId(slice))] = number;
            }
        }
    }
    /// Number of the operator of a call, GPU work or synchronisation; kNone without any.
    [[nodiscard]] std::uint32_t of(trace::SliceId slice) const {
        return m_launches.areExternal(slice) ? kNone : ofId(m_trace.externalId(slice));
    }
    [[nodiscard]] std::uint32_t ofId(std::int64_t id) const {
        const std::uint32_t found = id == trace::kNoId ? query::IdIndex::kNone : m_index.find(id);
        return found == query::IdIndex::kNone ? kNone : m_number[found];
    }

private:
    static std::vector<std::int64_t> idsOf(const trace::Trace& trace,
                                           const OperatorEvents& events) {
        std::vector<std::int64_t> ids;
        ids.reserve(events.cpu.size());
        for (const trace::SliceId slice : events.cpu) {
            if (isOperator(trace.category(slice))) {
                ids.push_back(trace.externalId(slice));
            }
        }
        return ids;
    }

    const trace::Trace& m_trace;
    const query::LaunchIds& m_launches;
    query::IdIndex m_index;
    std::vector<std::uint32_t> m_number;
};

/// External ids of the calls that launched the GPU work which has none itself.
class IdsOfLaunches {
public:
    IdsOfLaunches(const trace::Trace& trace, const std::vector<trace::SliceId>& gpu)
        : m_trace(trace), m_index(correlationsOf(trace, gpu)), m_id(m_index.size(), trace::kNoId) {
        for (trace::SliceId slice = 0; slice < trace.sliceCount() && !m_id.empty(); ++slice) {
            if (!trace::isApiCall(trace.category(slice)) ||
                trace.correlation(slice) == trace::kNoId) {
                continue;
            }
            const std::uint32_t found = m_index.find(trace.correlation(slice));
            if (found != query::IdIndex::kNone && m_id[found] == trace::kNoId) {
                m_id[found] = trace.externalId(slice);
            }
        }
    }
    [[nodiscard]] std::int64_t of(trace::SliceId slice) const {
        const std::int64_t correlation = m_trace.correlation(slice);
        return correlation == trace::kNoId ? trace::kNoId : m_id[m_index.find(correlation)];
    }

private:
    static std::vector<std::int64_t> correlationsOf(const trace::Trace& trace,
                                                    const std::vector<trace::SliceId>& gpu) {
        std::vector<std::int64_t> ids;
        for (const trace::SliceId slice : gpu) {
            if (trace::isGpuOperation(trace.category(slice)) &&
                trace.externalId(slice) == trace::kNoId) {
                ids.push_back(trace.correlation(slice));
            }
        }
        return ids;
    }

    const trace::Trace& m_trace;
    query::IdIndex m_index;
    std::vector<std::int64_t> m_id;
};

/// Where External ids join launches, operators are found around the calls.
class OperatorsAroundCalls {
public:
    OperatorsAroundCalls(const trace::Trace& trace, const query::LaunchIds& launches,
                         const OperatorEvents& events) {
        const auto operations = trace.gpuOperations();
        if (std::ranges::none_of(operations, [&](const trace::GpuOperation& operation) {
                return launches.areExternal(operation.slice);
            })) {
            return;
        }
        const query::LaunchLinks links(trace);
        for (trace::GpuOpId id = 0; id < operations.size(); ++id) {
            const auto number = std::ranges::lower_bound(events.cpu, links.launchingOperator(id));
            if (links.launchingOperator(id) != trace::kNoSlice && number != events.cpu.end()) {
                m_number.emplace(operations[id].slice,
                                 static_cast<std::uint32_t>(number - events.cpu.begin()));
            }
        }
    }
    [[nodiscard]] std::uint32_t of(trace::SliceId slice) const {
        const auto found = m_number.find(slice);
        return found == m_number.end() ? kNone : found->second;
    }

private:
    std::unordered_map<trace::SliceId, std::uint32_t> m_number;
};

void addKernels(const trace::Trace& trace, const query::LaunchIds& launches,
                const OperatorIds& operators, OperatorEvents& events) {
    const ProfilerClock clock(trace);
    const IdsOfLaunches ofLaunches(trace, events.gpu);
    const OperatorsAroundCalls around(trace, launches, events);
    events.kernelUs.assign(events.cpu.size(), 0.0);
    for (const trace::SliceId slice : events.gpu) {
        const trace::Category category = trace.category(slice);
        if (category == trace::Category::GpuUserAnnotation) {
            continue;
        }
        const bool hasId =
            trace.externalId(slice) != trace::kNoId || !trace::isGpuOperation(category);
        const std::uint32_t found = launches.areExternal(slice) ? around.of(slice)
                                    : hasId                     ? operators.of(slice)
                                            : operators.ofId(ofLaunches.of(slice));
        if (found != kNone) {
            events.kernelUs[found] += clock.duration(slice);
        }
    }
}

/// By number of the event.
struct Nesting {
    std::vector<std::uint32_t> parent;
    std::vector<std::uint8_t> children;  ///< 0, 1, or more
};

// One event is inside another of its thread when its span is; spans that only overlap are not.
Nesting nest(const trace::Trace& trace, const OperatorIds& operators,
             const OperatorEvents& events) {
    constexpr std::uint8_t kSeveral = 2;
    Nesting nesting;
    nesting.parent.assign(events.cpu.size(), kNone);
    nesting.children.assign(events.cpu.size(), 0);
    std::vector<std::vector<std::uint32_t>> open(trace.tracks().size());
    for (const std::uint32_t number : events.cpuOrder) {
        const trace::SliceId slice = events.cpu[number];
        const std::uint32_t mine = isOperator(trace.category(slice)) ? kNone : operators.of(slice);
        std::vector<std::uint32_t>& stack =
            open[trace.trackOf(mine == kNone ? slice : events.cpu[mine])];
        const TimeSpan span = trace.span(slice);
        while (!stack.empty()) {
            const TimeNs end = trace.end(events.cpu[stack.back()]);
            if (span.start < end && span.end <= end) {
                nesting.parent[number] = stack.back();
                std::uint8_t& children = nesting.children[stack.back()];
                children = std::min<std::uint8_t>(children + 1, kSeveral);
                break;
            }
            stack.pop_back();
        }
        stack.push_back(number);
    }
    return nesting;
}

// An event whose only child has its name is one with it: the child's GPU work and children count.
void mergeWrappers(const trace::Trace& trace, Nesting& nesting, OperatorEvents& events) {
    events.merged.assign(events.cpu.size(), false);
    for (const std::uint32_t number : events.cpuOrder) {
        std::uint32_t& parent = nesting.parent[number];
        while (parent != kNone && events.merged[parent]) {
            parent = nesting.parent[parent];
        }
        if (parent != kNone && nesting.children[parent] == 1 &&
            trace.nameId(events.cpu[parent]) == trace.nameId(events.cpu[number])) {
            nesting.children[parent] = nesting.children[number];
            events.kernelUs[parent] = events.kernelUs[number];
            events.merged[number] = true;
        }
    }
}

// Children come behind their parents, so one pass from the end sums up everything.
void sumUp(const trace::Trace& trace, const Nesting& nesting, OperatorEvents& events) {
    const ProfilerClock clock(trace);
    events.childCpuUs.assign(events.cpu.size(), 0.0);
    events.gpuUs.assign(events.cpu.size(), 0.0);
    for (std::size_t i = events.cpuOrder.size(); i > 0; --i) {
        const std::uint32_t number = events.cpuOrder[i - 1];
        if (events.merged[number]) {
            continue;
        }
        events.gpuUs[number] += events.kernelUs[number];
        if (const std::uint32_t parent = nesting.parent[number]; parent != kNone) {
            events.childCpuUs[parent] += clock.duration(events.cpu[number]);
            events.gpuUs[parent] += events.gpuUs[number];
        }
    }
}

}  // namespace

ProfilerClock::ProfilerClock(const trace::Trace& trace)
    : m_trace(trace), m_origin(profilerStart(trace)) {}

OperatorEvents findOperatorEvents(const trace::Trace& trace) {
    OperatorEvents events;
    events.cpu = slicesOf(trace, isCpuEvent);
    events.gpu = slicesOf(trace, isGpuEvent);
    return events;
}

void nestOperators(const trace::Trace& trace, const std::stop_token& stop, OperatorEvents& events) {
    events.cpuOrder = orderOf(trace, events.cpu);
    throwIfStopped(stop);
    std::vector<trace::SliceId> gpu;
    gpu.reserve(events.gpu.size());
    for (const std::uint32_t place : orderOf(trace, events.gpu)) {
        gpu.push_back(events.gpu[place]);
    }
    events.gpu = std::move(gpu);
    throwIfStopped(stop);
    const query::LaunchIds launches(trace);
    std::optional<OperatorIds> operators;
    operators.emplace(trace, launches, events);
    addKernels(trace, launches, *operators, events);
    throwIfStopped(stop);
    Nesting nesting = nest(trace, *operators, events);
    operators.reset();
    throwIfStopped(stop);
    mergeWrappers(trace, nesting, events);
    sumUp(trace, nesting, events);
}

}  // namespace kinetoscope::analysis
