// SPDX-License-Identifier: Apache-2.0
#include "core/query/LaunchIds.h"

#include <algorithm>

namespace kinetoscope {

namespace {

std::size_t sourceCount(const Trace& trace) {
    std::size_t count = 0;
    for (const auto& process : trace.processes()) {
        count = std::max<std::size_t>(count, process.source + std::size_t{1});
    }
    return count;
}

}  // namespace

LaunchIds::LaunchIds(const Trace& trace) : m_trace(trace), m_external(sourceCount(trace)) {
    std::vector<SliceId> first(m_external.size(), kNoSlice);
    std::vector<bool> isKnown(m_external.size());
    std::size_t unknown = m_external.size();
    for (SliceId slice = 0; slice < trace.sliceCount() && unknown > 0; ++slice) {
        if (!isApiCall(trace.category(slice))) {
            continue;
        }
        const std::uint16_t source = sourceOf(slice);
        if (trace.correlation(slice) != kNoId) {
            unknown -= isKnown[source] ? 0U : 1U;
            isKnown[source] = true;
        } else if (first[source] == kNoSlice && trace.externalId(slice) != kNoId) {
            first[source] = slice;
        }
    }
    for (std::size_t source = 0; source < m_external.size(); ++source) {
        m_external[source] =
            !isKnown[source] && first[source] != kNoSlice && !namesOperator(first[source]);
        m_anyExternal = m_anyExternal || m_external[source];
    }
}

// Whether the operator with the External id of a call is the one around it.
bool LaunchIds::namesOperator(SliceId call) const {
    for (SliceId slice = 0; slice < m_trace.sliceCount(); ++slice) {
        if (m_trace.category(slice) == Category::CpuOp &&
            m_trace.externalId(slice) == m_trace.externalId(call) &&
            sourceOf(slice) == sourceOf(call) && m_trace.start(slice) <= m_trace.start(call) &&
            m_trace.end(call) <= m_trace.end(slice)) {
            return true;
        }
    }
    return false;
}

std::uint16_t LaunchIds::sourceOf(SliceId slice) const {
    return m_trace.processes()[m_trace.tracks()[m_trace.trackOf(slice)].process].source;
}

std::int64_t LaunchIds::externalOf(SliceId slice) const {
    const Category category = m_trace.category(slice);
    const bool joins = isApiCall(category) || isGpuOperation(category);
    return joins && m_external[sourceOf(slice)] ? m_trace.externalId(slice) : kNoId;
}

}  // namespace kinetoscope
