// SPDX-License-Identifier: Apache-2.0
#include "core/import/event/EventAssembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "core/import/scan/StringDecoder.h"

namespace kinetoscope::import::event {

namespace {

// Ids from here on join the nodes of CUDA graphs and are not launches.
constexpr std::int64_t kFirstGraphFlowId = std::int64_t{1} << 40;

std::int32_t gpuNumber(std::int64_t id) {
    constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
    return id == trace::kNoId ? 0 : static_cast<std::int32_t>(std::clamp(id, -kMax, kMax));
}

// "stream 7" and "7"; "GPU 1".
std::int64_t digitsIn(std::string_view text) {
    const std::size_t first = text.find_first_of("0123456789");
    if (first == std::string_view::npos) {
        return 0;
    }
    const std::size_t last = std::min(text.find_first_not_of("0123456789", first), text.size());
    return scan::parseDecimal(text.substr(first, last - first), 0).value;
}

bool isGenericKernelName(std::string_view name) {
    return name == "kernel" || name == "Kernel";
}

bool isEmpty(const RawEvent& event) {
    return std::all_of(event.begin, event.end, [](char c) {
        return c == '{' || c == '}' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
    });
}

}  // namespace

void EventAssembler::skip(trace::Issue issue, const RawEvent& event, std::string_view what) {
    ++m_skipped;
    m_issues.add(issue, event.offset,
                 [&] { return fmt::format("{} {}", EventDecoder::describe(event), what); });
}

void EventAssembler::add(const RawEvent& event) {
    const std::string_view phase = event[EventField::Phase].view();
    if (phase.empty() || event[EventField::Phase].kind != scan::JsonKind::String) {
        if (isEmpty(event)) {
            return m_issues.add(trace::Issue::EmptyEvent, event.offset,
                                [] { return std::string("{}"); });
        }
        return skip(trace::Issue::MissingPhase, event, "has no ph");
    }
    m_decoder.checkArguments(event);
    const char letter = phaseOf(event);
    switch (letter) {
        case 'X':
            return complete(event);
        case 's':
        case 't':
        case 'f':
            return flow(event, letter);
        case 'B':
            return begin(event, m_decoder.track(event));
        case 'E':
            return end(event, m_decoder.track(event));
        case 'b':
        case 'S':
            return begin(event, asyncTrack(event));
        case 'e':
        case 'F':
            return end(event, asyncTrack(event));
        case 'n':
        case 'T':
        case 'p':
            return instant(event, asyncTrack(event));
        case 'i':
        case 'I':
        case 'R':
        case 'P':
            return instant(event, m_decoder.track(event));
        case 'C':
            return counter(event);
        case 'M':
            return metadata(event);
        default:
            m_issues.add(trace::Issue::UnknownPhase, event.offset, [&] {
                return fmt::format("{} has ph '{}'", EventDecoder::describe(event),
                                   scan::excerpt(phase));
            });
    }
}

void EventAssembler::complete(const RawEvent& event) {
    const trace::TrackId track = m_decoder.track(event);
    const auto start = m_decoder.time(event);
    if (!start) {
        ++m_skipped;
        if (event.has(EventField::Pid)) {
            m_builder.compatFacts().slicesWithoutTime.push_back(track);
        }
        return;
    }
    const trace::CategoryId category = m_decoder.category(event);
    std::optional<EventArguments> own;
    const EventArguments& values = arguments(event, trace::categoryKind(category), own);
    const TimeNs duration = completeDuration(event, *start);
    NameId name = m_decoder.name(event);
    if (values.kernelName.kind == scan::JsonKind::String && values.kernelName.size > 0 &&
        trace::categoryKind(category) == trace::Category::Kernel &&
        isGenericKernelName(m_builder.text(name))) {
        name = m_builder.name(m_decoder.text(event, values.kernelName));
    }
    const trace::SliceId id = m_builder.addSlice({.start = *start,
                                                  .duration = duration,
                                                  .correlation = values.correlation,
                                                  .externalId = values.externalId,
                                                  .offset = event.offset,
                                                  .name = name,
                                                  .track = track,
                                                  .category = category});
    if (!event.has(EventField::Pid)) {
        m_builder.compatFacts().notComplete.push_back(id);
    }
    reach(*start + duration);
    if (trace::isGpuOperation(trace::categoryKind(category))) {
        gpuOperation(event, id, values);
    }
}

TimeNs EventAssembler::completeDuration(const RawEvent& event, TimeNs start) {
    const auto written = m_decoder.duration(event);
    if (written && *written > kFarthestTime - start) {
        m_issues.add(trace::Issue::DurationOutOfRange, event.offset, [&] {
            return fmt::format("{} lasts {} ns", EventDecoder::describe(event), *written);
        });
        return kFarthestTime - start;
    }
    if (written && *written >= 0) {
        return *written;
    }
    const auto slice = static_cast<trace::SliceId>(m_builder.sliceCount());
    m_builder.addInvalidDuration({slice, !written, written.value_or(0)});
    m_issues.add(written ? trace::Issue::NegativeDuration : trace::Issue::MissingDuration,
                 event.offset, [&] {
                     return written ? fmt::format("{} has a duration of {} ns",
                                                  EventDecoder::describe(event), *written)
                                    : EventDecoder::describe(event) + " has no dur";
                 });
    return 0;
}

const EventArguments& EventAssembler::arguments(const RawEvent& event, trace::Category category,
                                                std::optional<EventArguments>& own) {
    if (event.arguments != nullptr) {
        return *event.arguments;
    }
    EventArguments& values = own.emplace();
    if (event[EventField::Args].kind != scan::JsonKind::Object) {
        return values;
    }
    switch (argumentsNeeded(category)) {
        case ArgumentNeeds::Everything:
            readArguments(event[EventField::Args], values);
            break;
        case ArgumentNeeds::Ids:
            readIds(event[EventField::Args], values);
            break;
        case ArgumentNeeds::Nothing:
            break;
    }
    if (values.malformed) {
        m_issues.add(trace::Issue::MalformedArguments, event.offset,
                     [&] { return EventDecoder::describe(event); });
    }
    return values;
}

void EventAssembler::gpuOperation(const RawEvent& event, trace::SliceId slice,
                                  const EventArguments& values) {
    const trace::RowId pid = m_decoder.rowId(event, EventField::Pid);
    const trace::RowId tid = m_decoder.rowId(event, EventField::Tid);
    trace::GpuOperation operation = operationOf(values);
    operation.slice = slice;
    const auto digitsOf = [this](const trace::RowId& row) {
        return digitsIn(m_builder.text(static_cast<NameId>(row.value)));
    };
    operation.gpu = gpuNumber(!pid.isText                     ? pid.value
                              : values.device != trace::kNoId ? values.device
                                                              : digitsOf(pid));
    if (values.stream != trace::kNoId) {
        operation.stream = values.stream;
    } else {
        operation.stream = tid.isText ? digitsOf(tid) : tid.value == trace::kNoId ? 0 : tid.value;
    }
    m_builder.addGpuOperation(operation);
}

void EventAssembler::flow(const RawEvent& event, char phase) {
    const trace::CategoryId category = m_decoder.category(event);
    const trace::RowId id =
        event.has(EventField::Id) ? m_decoder.id(event[EventField::Id]) : trace::RowId{};
    if (trace::categoryKind(category) == trace::Category::Ac2g &&
        (id.isText || id.value < kFirstGraphFlowId)) {
        ++m_builder.counts().launchFlows;
        return;
    }
    const auto time = m_decoder.time(event);
    if (!time) {
        ++m_skipped;
        return;
    }
    const trace::FlowPoint flow{id.value, *time, m_decoder.track(event), m_decoder.name(event),
                                category, phase};
    if (id.isText) {
        m_builder.addFlow(flow, static_cast<NameId>(id.value));
    } else {
        m_builder.addFlow(flow);
    }
}

void EventAssembler::finish() {
    m_open.forEach([this](trace::TrackId, const OpenSlice& open) {
        m_builder.setDuration(open.slice, std::max<TimeNs>(m_lastTime - open.start, 0));
        m_issues.add(trace::Issue::UnfinishedBegin, open.offset,
                     [] { return std::string("a begin event has no end event"); });
    });
}

void EventAssembler::clear() {
    m_decoder.clear();
    m_open.clear();
    m_pendingEnds.clear();
    m_lastTime = -kFarthestTime;
    m_skipped = 0;
}

}  // namespace kinetoscope::import::event
