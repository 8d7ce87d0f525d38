// SPDX-License-Identifier: Apache-2.0
#include "core/query/GpuTimeline.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/SortRuns.h"

namespace kinetoscope::query {

namespace {

// Those that are not known, which are below 0, behind all others.
std::uint32_t orderOf(std::int32_t gpu) {
    return static_cast<std::uint32_t>(gpu);
}

void finishRow(GpuRow& row) {
    // They come in the order of their numbers, which stays where two start together.
    sortRuns(std::span(row.operations), [](const OperationTime& a, const OperationTime& b) {
        return a.span.start < b.span.start;
    });
    row.extent = row.operations.front().span;
    for (const OperationTime& time : row.operations) {
        row.extent.end = std::max(row.extent.end, time.span.end);
    }
}

}  // namespace

GpuTimeline::GpuTimeline(const trace::Trace& trace) {
    std::unordered_map<std::int32_t, std::size_t> rowOf;
    const auto operations = trace.gpuOperations();
    for (trace::GpuOpId id = 0; id < operations.size(); ++id) {
        const trace::GpuOperation& operation = operations[id];
        const auto [entry, isNew] = rowOf.try_emplace(operation.gpu, m_gpus.size());
        if (isNew) {
            m_gpus.emplace_back().gpu = operation.gpu;
        }
        m_gpus[entry->second].operations.push_back({trace.span(operation.slice), id});
    }
    for (GpuRow& row : m_gpus) {
        finishRow(row);
    }
    std::ranges::sort(m_gpus, {}, [](const GpuRow& row) { return orderOf(row.gpu); });
}

const GpuRow* GpuTimeline::find(std::int32_t gpu) const {
    const auto found = std::ranges::lower_bound(m_gpus, orderOf(gpu), {},
                                                [](const GpuRow& row) { return orderOf(row.gpu); });
    return found == m_gpus.end() || found->gpu != gpu ? nullptr : &*found;
}

}  // namespace kinetoscope::query
