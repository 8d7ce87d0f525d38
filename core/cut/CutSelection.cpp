// SPDX-License-Identifier: Apache-2.0
#include "core/cut/CutSelection.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "core/query/LaunchIds.h"
#include "core/query/LaunchLinks.h"
#include "core/query/StepSpans.h"

namespace kinetoscope::cut {

namespace {

bool isBegin(char phase) {
    return phase == 'B' || phase == 'b' || phase == 'S';
}

// Instants, counters and arrows may lie before the first slice and after the last one: nothing is
// outside of a window that all slices are in.
TimeSpan withWhatHasNoLength(const trace::Trace& trace, TimeSpan window) {
    constexpr TimeSpan kAll{std::numeric_limits<TimeNs>::min(), std::numeric_limits<TimeNs>::max()};
    const TimeSpan slices = trace.extent();
    return window.start <= slices.start && slices.end <= window.end ? kAll : window;
}

}  // namespace

CutSelection::CutSelection(const trace::Trace& trace, TimeSpan window)
    : m_trace(trace), m_window(withWhatHasNoLength(trace, window)), m_firstStart(window.start) {
    selectSlices();
    selectLaunchers();
    selectStepNeighbour();
    selectFlows();
    orderByOffset();
    const auto count = static_cast<trace::SliceId>(m_slices.size());
    bool any = false;
    for (trace::SliceId slice = 0; slice < count; ++slice) {
        if (m_slices[slice]) {
            m_firstStart =
                any ? std::min(m_firstStart, m_trace.start(slice)) : m_trace.start(slice);
            any = true;
        }
    }
}

void CutSelection::selectSlices() {
    const auto count = static_cast<trace::SliceId>(m_trace.sliceCount());
    m_slices.resize(count);
    const query::LaunchIds ids(m_trace);
    // Old files write 0 where there is no correlation.
    const auto hasLaunch = [&](trace::SliceId slice) {
        return ids.of(slice) != trace::kNoId && ids.of(slice) != 0;
    };
    for (trace::SliceId slice = 0; slice < count; ++slice) {
        m_slices[slice] = m_window.overlaps(m_trace.span(slice));
        if (m_slices[slice] && hasLaunch(slice)) {
            m_launches.push_back(ids.of(slice));
        }
    }
    std::ranges::sort(m_launches);
    m_launches.erase(std::unique(m_launches.begin(), m_launches.end()), m_launches.end());
    for (trace::SliceId slice = 0; slice < count; ++slice) {
        if (hasLaunch(slice) && std::ranges::binary_search(m_launches, ids.of(slice))) {
            m_slices[slice] = true;
        }
    }
}

// What a kernel does is known from its operator.
void CutSelection::selectLaunchers() {
    const query::LaunchLinks links(m_trace);
    const auto operations = m_trace.gpuOperations();
    for (trace::GpuOpId id = 0; id < operations.size(); ++id) {
        const trace::SliceId launcher = links.launchingOperator(id);
        if (launcher != trace::kNoSlice && m_slices[operations[id].slice]) {
            m_slices[launcher] = true;
        }
    }
}

void CutSelection::selectStepNeighbour() {
    const std::vector<query::StepSpan> steps = query::findAllStepSpans(m_trace);
    const auto isKept = [this](const query::StepSpan& step) { return m_slices[step.slice]; };
    const auto first = std::ranges::find_if(steps, isKept);
    if (steps.size() < 2 || std::ranges::count_if(steps, isKept) != 1 ||
        m_trace.name(first->slice).starts_with("ProfilerStep#")) {
        return;
    }
    const auto neighbour = first == steps.begin() ? std::next(first) : std::prev(first);
    m_slices[neighbour->slice] = true;
}

void CutSelection::selectFlows() {
    const auto flows = m_trace.flows();
    std::map<std::pair<trace::CategoryId, std::int64_t>, bool> whole;
    for (const trace::FlowPoint& flow : flows) {
        const auto entry = whole.try_emplace({flow.category, flow.id}, true).first;
        entry->second = entry->second && m_window.contains(flow.time);
    }
    m_flows.reserve(flows.size());
    for (const trace::FlowPoint& flow : flows) {
        m_flows.push_back(whole.at({flow.category, flow.id}));
    }
}

// Events of a text come in this order already, those of a recording in that of their ends.
void CutSelection::orderByOffset() {
    m_byOffset.resize(m_slices.size());
    std::iota(m_byOffset.begin(), m_byOffset.end(), trace::SliceId{0});
    const auto offset = [this](trace::SliceId slice) { return m_trace.offset(slice); };
    if (!std::ranges::is_sorted(m_byOffset, {}, offset)) {
        std::ranges::sort(m_byOffset, {}, offset);
    }
}

// kNoSlice if the event is not a slice. Most are the next one.
trace::SliceId CutSelection::sliceAt(std::uint64_t offset) {
    const auto offsetOf = [this](trace::SliceId slice) { return m_trace.offset(slice); };
    const auto isNext = [&] {
        return m_nextSlice < m_byOffset.size() && offsetOf(m_byOffset[m_nextSlice]) == offset;
    };
    const bool isBetween =
        (m_nextSlice == 0 || offsetOf(m_byOffset[m_nextSlice - 1]) < offset) &&
        (m_nextSlice == m_byOffset.size() || offset < offsetOf(m_byOffset[m_nextSlice]));
    if (isBetween) {
        return trace::kNoSlice;
    }
    if (!isNext()) {
        const auto found = std::ranges::lower_bound(m_byOffset, offset, {}, offsetOf);
        m_nextSlice = static_cast<std::size_t>(found - m_byOffset.begin());
    }
    return isNext() ? m_byOffset[m_nextSlice++] : trace::kNoSlice;
}

bool CutSelection::keeps(const trace::ListedEvent& event) {
    if (const trace::SliceId slice = sliceAt(event.offset); slice != trace::kNoSlice) {
        ++m_seen;
        if (isBegin(event.phase)) {
            m_open[std::string(event.row)].push_back(m_slices[slice]);
        }
        return m_slices[slice];
    }
    switch (event.phase) {
        case 'M':
            return true;
        case 's':
        case 't':
        case 'f':
            return keepsFlow(event);
        case 'E':
        case 'e':
        case 'F':
            return keepsEnd(event);
        case 'X':
        case 'B':
        case 'b':
        case 'S':
        case '\0':
            return false;  // the import refused it
        default:
            return event.time && m_window.contains(*event.time);
    }
}

bool CutSelection::keepsEnd(const trace::ListedEvent& event) {
    const auto row = m_open.find(std::string(event.row));
    if (row == m_open.end() || !event.time) {
        return false;
    }
    const bool kept = row->second.back();
    row->second.pop_back();
    if (row->second.empty()) {
        m_open.erase(row);
    }
    return kept;
}

bool CutSelection::keepsFlow(const trace::ListedEvent& event) {
    const auto flows = m_trace.flows();
    // The trace lists every arrow but those of launches, whose id is the correlation.
    const bool isNext = m_nextFlow < flows.size() && event.time == flows[m_nextFlow].time &&
                        event.phase == flows[m_nextFlow].phase &&
                        event.category.value_or(trace::categoryKind(flows[m_nextFlow].category)) ==
                            trace::categoryKind(flows[m_nextFlow].category);
    if (isNext) {
        return m_flows[m_nextFlow++];
    }
    return event.category == trace::Category::Ac2g && event.id &&
           std::ranges::binary_search(m_launches, *event.id);
}

}  // namespace kinetoscope::cut
