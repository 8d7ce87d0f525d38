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
            m_external[source] = false;
        } else if (!isKnown[source] && trace.externalId(slice) != kNoId) {
            m_external[source] = true;
        }
    }
    m_anyExternal = std::ranges::find(m_external, true) != m_external.end();
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
