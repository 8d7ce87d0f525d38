// SPDX-License-Identifier: Apache-2.0
#include "core/cut/CutSelection.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/analysis/Steps.h"
#include "core/import/event/EventArguments.h"
#include "core/import/event/HistoricalSpellings.h"
#include "core/import/scan/Decimal.h"
#include "core/query/LaunchIds.h"

namespace kinetoscope::cut {

namespace {

std::optional<TimeNs> timeOf(const import::event::RawEvent& event) {
    if (const auto decoded = event.decodedNumber(import::event::EventField::Time)) {
        return decoded;
    }
    if (!event.has(import::event::EventField::Time)) {
        return std::nullopt;
    }
    const import::scan::Decimal time =
        import::scan::parseDecimal(event[import::event::EventField::Time].view(), 3);
    return time.ok() ? std::optional(time.value) : std::nullopt;
}

// The text of a pid, tid or id, whether it was decoded or not.
void appendField(std::string& key, const import::event::RawEvent& event,
                 import::event::EventField field) {
    const auto index = static_cast<std::size_t>(field);
    if (index < import::event::kNumberFields && event.decodedNumber(field)) {
        key += std::to_string(*event.decodedNumber(field));
    } else if (event.has(field)) {
        key += event[field].view();
    }
    key += '\x1f';
}

// Begin and end events with equal keys belong together.
std::string rowKey(const import::event::RawEvent& event, bool async) {
    std::string key(async ? "a" : "t");
    appendField(key, event, import::event::EventField::Pid);
    if (!async) {
        appendField(key, event, import::event::EventField::Tid);
        return key;
    }
    for (const import::event::EventField field :
         {import::event::EventField::Category, import::event::EventField::IdScope,
          import::event::EventField::Id, import::event::EventField::Id2}) {
        appendField(key, event, field);
    }
    return key;
}

bool isBegin(char phase) {
    return phase == 'B' || phase == 'b' || phase == 'S';
}

}  // namespace

CutSelection::CutSelection(const trace::Trace& trace, TimeSpan window)
    : m_trace(trace), m_window(window), m_firstStart(window.start) {
    selectSlices();
    selectStepNeighbour();
    selectFlows();
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

void CutSelection::selectStepNeighbour() {
    const std::vector<analysis::Step> steps = analysis::findSteps(m_trace);
    const auto overlaps = [this](const analysis::Step& step) {
        return m_window.overlaps(step.span);
    };
    const auto first = std::ranges::find_if(steps, overlaps);
    if (steps.size() < 2 || std::ranges::count_if(steps, overlaps) != 1 ||
        first->name.starts_with("ProfilerStep#")) {
        return;
    }
    const analysis::Step& neighbour =
        first == steps.begin() ? *std::next(first) : *std::prev(first);
    for (trace::SliceId slice = 0; slice < m_slices.size(); ++slice) {
        if (m_trace.start(slice) == neighbour.span.start &&
            m_trace.category(slice) == trace::Category::UserAnnotation &&
            m_trace.name(slice) == neighbour.name) {
            m_slices[slice] = true;
        }
    }
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

bool CutSelection::isSlice(std::uint64_t offset) {
    while (m_nextSlice < m_slices.size() && m_trace.offset(m_nextSlice) < offset) {
        ++m_nextSlice;
    }
    return m_nextSlice < m_slices.size() && m_trace.offset(m_nextSlice) == offset;
}

bool CutSelection::isInside(const import::event::RawEvent& event) const {
    const auto time = timeOf(event);
    return time && m_window.contains(*time);
}

bool CutSelection::keeps(const import::event::RawEvent& event) {
    const std::string_view phaseText = event[import::event::EventField::Phase].view();
    const char phase =
        event.has(import::event::EventField::Phase) && phaseText.size() == 1 ? phaseText[0] : '\0';
    if (isSlice(event.offset)) {
        const bool kept = m_slices[m_nextSlice];
        if (isBegin(phase)) {
            m_open[rowKey(event, phase != 'B')].push_back(kept);
        }
        return kept;
    }
    switch (phase) {
        case 'M':
            return true;
        case 's':
        case 't':
        case 'f':
            return keepsFlow(event, phase);
        case 'E':
            return keepsEnd(event, false);
        case 'e':
        case 'F':
            return keepsEnd(event, true);
        case 'X':
        case 'B':
        case 'b':
        case 'S':
        case '\0':
            return false;  // the import refused it
        default:
            return isInside(event);
    }
}

bool CutSelection::keepsEnd(const import::event::RawEvent& event, bool async) {
    const auto row = m_open.find(rowKey(event, async));
    if (row == m_open.end() || !timeOf(event)) {
        return false;
    }
    const bool kept = row->second.back();
    row->second.pop_back();
    if (row->second.empty()) {
        m_open.erase(row);
    }
    return kept;
}

bool CutSelection::keepsFlow(const import::event::RawEvent& event, char phase) {
    const auto category =
        import::event::categoryOfSpelling(event[import::event::EventField::Category].view(),
                                          event[import::event::EventField::Name].view());
    const auto flows = m_trace.flows();
    // The trace lists every arrow but those of launches, whose id is the correlation.
    const bool isNext = m_nextFlow < flows.size() && timeOf(event) == flows[m_nextFlow].time &&
                        phase == flows[m_nextFlow].phase &&
                        category.value_or(trace::categoryKind(flows[m_nextFlow].category)) ==
                            trace::categoryKind(flows[m_nextFlow].category);
    if (isNext) {
        return m_flows[m_nextFlow++];
    }
    if (category != trace::Category::Ac2g || !event.has(import::event::EventField::Id)) {
        return false;
    }
    const std::int64_t id =
        import::event::integerOf(event[import::event::EventField::Id]).value_or(trace::kNoId);
    return std::ranges::binary_search(m_launches, id);
}

}  // namespace kinetoscope::cut
