// SPDX-License-Identifier: Apache-2.0
#include "core/import/perfetto/Flows.h"

#include <algorithm>
#include <tuple>

namespace kinetoscope::import::perfetto {

void Flows::tell(std::uint64_t offset, std::span<const FlowEnd> ends) {
    for (const FlowEnd& end : ends) {
        m_sorted = m_sorted && (m_ends.empty() || m_ends.back().offset <= offset);
        m_ends.push_back({offset, end});
    }
}

void Flows::place(std::uint64_t offset, TimeNs time, trace::TrackId track, bool isLaunch) {
    if (!m_sorted) {
        std::ranges::stable_sort(m_ends, {}, &End::offset);
        m_sorted = true;
    }
    for (End& end : std::ranges::equal_range(m_ends, offset, {}, &End::offset)) {
        m_launches += isLaunch ? 1 : 0;
        end.time = time;
        end.track = track;
        end.isPlaced = !isLaunch;
    }
}

std::vector<trace::FlowPoint> Flows::addTo(trace::TraceBuilder& builder) {
    builder.counts().launchFlows += m_launches;
    std::erase_if(m_ends, [](const End& end) { return !end.isPlaced; });
    std::ranges::stable_sort(
        m_ends, {}, [](const End& end) { return std::tuple(end.flow.id, end.time, end.offset); });
    std::vector<trace::FlowPoint> added;
    std::int64_t number = 0;
    for (std::size_t first = 0, behind = 0; first < m_ends.size(); first = behind) {
        do {
            ++behind;
        } while (behind < m_ends.size() && m_ends[behind].flow.id == m_ends[first].flow.id &&
                 !m_ends[behind - 1].flow.last);
        if (behind - first < 2) {
            continue;  // it leads to nothing
        }
        ++number;
        for (std::size_t i = first; i < behind; ++i) {
            const char phase = i == first ? 's' : i + 1 == behind ? 'f' : 't';
            added.push_back({number, m_ends[i].time, m_ends[i].track, builder.name(kFlow),
                             builder.otherCategory(kFlow), phase});
            builder.addFlow(added.back());
        }
    }
    return added;
}

}  // namespace kinetoscope::import::perfetto
