// SPDX-License-Identifier: Apache-2.0
#include "core/query/LaunchIds.h"

#include <algorithm>

namespace kinetoscope::query {

namespace {

std::size_t sourceCount(const trace::Trace& trace) {
    std::size_t count = 0;
    for (const auto& process : trace.processes()) {
        count = std::max<std::size_t>(count, process.source + std::size_t{1});
    }
    return count;
}

}  // namespace

LaunchIds::LaunchIds(const trace::Trace& trace) : m_trace(trace), m_external(sourceCount(trace)) {
    std::vector<trace::SliceId> first(m_external.size(), trace::kNoSlice);
    std::vector<bool> isKnown(m_external.size());
    std::size_t unknown = m_external.size();
    for (trace::SliceId slice = 0; slice < trace.sliceCount() && unknown > 0; ++slice) {
        if (!trace::isApiCall(trace.category(slice))) {
            continue;
        }
        const std::uint16_t source = sourceOf(m_trace, slice);
        if (trace.correlation(slice) != trace::kNoId) {
            unknown -= isKnown[source] ? 0U : 1U;
            isKnown[source] = true;
        } else if (first[source] == trace::kNoSlice && trace.externalId(slice) != trace::kNoId) {
            first[source] = slice;
        }
    }
    for (std::size_t source = 0; source < m_external.size(); ++source) {
        m_external[source] =
            !isKnown[source] && first[source] != trace::kNoSlice && !namesOperator(first[source]);
        m_anyExternal = m_anyExternal || m_external[source];
    }
}

// Whether the operator with the External id of a call is the one around it.
bool LaunchIds::namesOperator(trace::SliceId call) const {
    for (trace::SliceId slice = 0; slice < m_trace.sliceCount(); ++slice) {
        if (m_trace.category(slice) == trace::Category::CpuOp &&
            m_trace.externalId(slice) == m_trace.externalId(call) &&
            sourceOf(m_trace, slice) == sourceOf(m_trace, call) &&
            m_trace.start(slice) <= m_trace.start(call) &&
            m_trace.end(call) <= m_trace.end(slice)) {
            return true;
        }
    }
    return false;
}

std::int64_t LaunchIds::externalOf(trace::SliceId slice) const {
    const trace::Category category = m_trace.category(slice);
    const bool joins = trace::isApiCall(category) || trace::isGpuOperation(category);
    return joins && m_external[sourceOf(m_trace, slice)] ? m_trace.externalId(slice) : trace::kNoId;
}

}  // namespace kinetoscope::query
