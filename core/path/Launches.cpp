// SPDX-License-Identifier: Apache-2.0
#include "core/path/Launches.h"

#include <algorithm>

#include "core/base/SortRuns.h"
#include "core/query/LaunchIds.h"

namespace kinetoscope::path {

using trace::GpuOpId;
using trace::SliceId;

namespace {

// A call waits for few streams; others that ended long before it do not matter.
constexpr std::size_t kMaxStreams = 8;
constexpr std::size_t kMaxLookedAt = 256;

}  // namespace

Launches::Launches(const Tables& tables)
    : m_tables(tables), m_stream(tables.trace.gpuOperations().size()) {
    const trace::Trace& trace = tables.trace;
    for (const query::GpuRow& row : tables.timeline.gpus()) {
        for (const query::OperationTime& time : row.operations) {
            const GpuOpId id = time.operation;
            const trace::GpuOperation& operation = trace.gpuOperations()[id];
            const std::uint16_t source = query::sourceOf(trace, operation.slice);
            const auto [at, isNew] =
                m_streams.try_emplace(std::tuple(source, row.gpu, operation.stream),
                                      static_cast<StreamId>(m_launches.size()));
            if (isNew) {
                m_launches.emplace_back();
            }
            m_stream[id] = at->second;
            m_launches[at->second].push_back({tables.launched(id), id});
            m_byEnd[source].push_back({time.span.end, id});
            if (const SliceId call = tables.links.apiCall(id);
                call != trace::kNoSlice && tables.links.isGraphLaunch(id)) {
                GpuOpId& last = m_lastOfGraph.try_emplace(call, id).first->second;
                last = trace.end(operation.slice) > trace.end(tables.sliceOf(last)) ? id : last;
            }
        }
    }
    const auto isEarlier = [](const Launch& a, const Launch& b) { return a.time < b.time; };
    for (auto& launches : m_launches) {
        sortRuns(std::span(launches), isEarlier);
    }
    for (auto& [source, operations] : m_byEnd) {
        sortRuns(std::span(operations), isEarlier);
    }
}

StreamId Launches::find(std::uint16_t source, std::int64_t gpu, std::int64_t stream) const {
    const auto found = m_streams.find(std::tuple(source, gpu, stream));
    return found == m_streams.end() ? kNoStream : found->second;
}

GpuOpId Launches::lastBefore(StreamId stream, TimeNs time) const {
    const std::vector<Launch>& launches = m_launches[stream];
    const auto after = std::ranges::lower_bound(launches, time, {}, &Launch::time);
    if (after == launches.begin()) {
        return kNoOperation;
    }
    const GpuOpId last = std::prev(after)->operation;
    const auto graph = m_lastOfGraph.find(m_tables.links.apiCall(last));
    return graph == m_lastOfGraph.end() ? last : graph->second;
}

GpuOpId Launches::firstFrom(StreamId stream, TimeNs time) const {
    const std::vector<Launch>& launches = m_launches[stream];
    const auto from = std::ranges::lower_bound(launches, time, {}, &Launch::time);
    return from == launches.end() ? kNoOperation : from->operation;
}

std::vector<GpuOpId> Launches::lastEnded(std::uint16_t source, TimeNs launched, TimeNs end) const {
    const auto found = m_byEnd.find(source);
    std::vector<GpuOpId> last;
    if (found == m_byEnd.end()) {
        return last;
    }
    const std::vector<Launch>& byEnd = found->second;
    auto at = std::ranges::upper_bound(byEnd, end, {}, &Launch::time);
    for (std::size_t looked = 0; at != byEnd.begin() && looked < kMaxLookedAt; ++looked) {
        const GpuOpId before = (--at)->operation;
        const bool isKnown =
            std::ranges::any_of(last, [&](GpuOpId id) { return m_stream[id] == m_stream[before]; });
        if (!isKnown && m_tables.launched(before) < launched) {
            last.push_back(before);
            if (last.size() == std::min(kMaxStreams, m_launches.size())) {
                break;
            }
        }
    }
    return last;
}

}  // namespace kinetoscope::path
