// SPDX-License-Identifier: Apache-2.0
// TraceBuilder: a recording that has grown too large goes on without its older half.
#include <algorithm>
#include <functional>
#include <ranges>
#include <utility>

#include "core/trace/TraceBuilder.h"

namespace kinetoscope::trace {

namespace {

TimeNs middleStart(const Trace& trace) {
    std::vector<TimeNs> starts(trace.sliceCount());
    for (SliceId slice = 0; slice < starts.size(); ++slice) {
        starts[slice] = trace.start(slice);
    }
    const auto middle = starts.begin() + static_cast<std::ptrdiff_t>(starts.size() / 2);
    std::ranges::nth_element(starts, middle);
    return *middle;
}

}  // namespace

class TraceBuilder::OlderHalf {
public:
    OlderHalf(TraceBuilder& builder, TimeNs end)
        : m_builder(builder), m_trace(*builder.m_trace), m_end(end) {}

    void drop() {
        slices();
        m_trace.m_counts.droppedGpuOperations +=
            renumber(m_trace.m_gpuOperations, &GpuOperation::slice);
        renumber(m_trace.m_invalidDurations, &InvalidDuration::slice);
        renumber(m_trace.m_compatFacts.notComplete, std::identity());
        m_trace.m_counts.droppedEvents += dropEarlier(m_trace.m_instants);
        m_trace.m_counts.droppedEvents += dropEarlier(m_trace.m_counters);
        flows();
    }

private:
    void slices() {
        const SliceColumns old = std::exchange(m_trace.m_slices, {});
        const auto stays = [&](SliceId slice) { return old.start(slice) >= m_end; };
        const std::ranges::iota_view all(SliceId{0}, static_cast<SliceId>(old.size()));
        m_trace.m_slices.reserve(static_cast<std::size_t>(std::ranges::count_if(all, stays)));
        m_ids.assign(old.size(), kNoSlice);
        m_builder.m_extent = kNoExtent;
        for (const SliceId slice : all) {
            if (!stays(slice)) {
                continue;
            }
            m_ids[slice] = m_builder.addSlice({.start = old.start(slice),
                                               .duration = old.duration(slice),
                                               .correlation = old.correlation(slice),
                                               .externalId = old.externalId(slice),
                                               .offset = old.offset(slice),
                                               .name = old.names()[slice],
                                               .track = old.tracks()[slice],
                                               .category = old.categories()[slice]});
        }
        m_trace.m_counts.droppedEvents += old.size() - m_builder.sliceCount();
    }

    // Of rows that belong to slices; returns how many went with them.
    template <class Row, class SliceOf>
    std::size_t renumber(std::vector<Row>& rows, SliceOf sliceOf) {
        const std::size_t dropped = std::erase_if(
            rows, [&](const Row& row) { return m_ids[std::invoke(sliceOf, row)] == kNoSlice; });
        for (Row& row : rows) {
            SliceId& slice = std::invoke(sliceOf, row);
            slice = m_ids[slice];
        }
        return dropped;
    }

    template <class Row>
    std::size_t dropEarlier(std::vector<Row>& rows) {
        return std::erase_if(rows, [this](const Row& row) { return row.time < m_end; });
    }

    void flows() {
        std::vector<std::uint32_t> textFlows;
        std::vector<FlowPoint> kept;
        auto text = m_builder.m_textFlows.begin();
        for (std::uint32_t row = 0; row < m_trace.m_flows.size(); ++row) {
            const bool isText = text != m_builder.m_textFlows.end() && *text == row;
            text += isText ? 1 : 0;
            if (m_trace.m_flows[row].time < m_end) {
                continue;
            }
            if (isText) {
                textFlows.push_back(static_cast<std::uint32_t>(kept.size()));
            }
            kept.push_back(m_trace.m_flows[row]);
        }
        m_trace.m_counts.droppedEvents += m_trace.m_flows.size() - kept.size();
        m_trace.m_flows = std::move(kept);
        m_builder.m_textFlows = std::move(textFlows);
    }

    TraceBuilder& m_builder;
    Trace& m_trace;
    TimeNs m_end;
    std::vector<SliceId> m_ids;  // by old id; kNoSlice: dropped
};

std::optional<TimeNs> TraceBuilder::dropOlderHalf() {
    storeRows();
    if (m_trace->sliceCount() == 0) {
        return std::nullopt;
    }
    const TimeNs middle = middleStart(*m_trace);
    if (middle <= m_extent.start) {
        return std::nullopt;
    }
    OlderHalf(*this, middle).drop();
    ++m_trace->m_counts.drops;
    return middle;
}

}  // namespace kinetoscope::trace
