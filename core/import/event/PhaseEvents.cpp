// SPDX-License-Identifier: Apache-2.0
// The phases that Kineto writes rarely or never: begin and end, instants, counters, metadata.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/import/event/EventAssembler.h"
#include "core/import/scan/StringDecoder.h"

namespace kinetoscope::import::event {

namespace {

// PyTorch's allocators report their totals in instants of this name.
constexpr std::string_view kMemoryEvent = "[memory]";

// The last member of this name in "args"; a null word without one.
scan::JsonText argument(const RawEvent& event, std::string_view name) {
    scan::JsonText found;
    if (event[EventField::Args].kind == scan::JsonKind::Object) {
        static_cast<void>(forEachMember(
            event[EventField::Args], [&](const scan::JsonText& key, const scan::JsonText& value) {
                if (scan::standsFor(key, name)) {
                    found = value;
                }
            }));
    }
    return found;
}

}  // namespace

trace::TrackId EventAssembler::asyncTrack(const RawEvent& event) {
    const trace::RowId pid = m_decoder.rowId(event, EventField::Pid);
    const std::string label = asyncLabel(
        event, [&](const scan::JsonText& value) { return m_decoder.text(event, value); });
    const trace::RowId tid{true, static_cast<std::int64_t>(m_builder.name(label))};
    return m_builder.track(pid, tid, trace::TrackKind::Async);
}

void EventAssembler::begin(const RawEvent& event, trace::TrackId track) {
    const auto start = m_decoder.time(event);
    if (!start) {
        ++m_skipped;
        return;
    }
    trace::SliceInput slice;
    slice.start = *start;
    slice.category = m_decoder.category(event);
    std::optional<EventArguments> own;
    const EventArguments& values = arguments(event, trace::categoryKind(slice.category), own);
    slice.correlation = values.correlation;
    slice.externalId = values.externalId;
    slice.offset = event.offset;
    slice.name = m_decoder.name(event);
    slice.track = track;
    const trace::SliceId id = m_builder.addSlice(slice);
    m_builder.compatFacts().notComplete.push_back(id);
    m_open.begin(track, {id, *start, event.offset});
    reach(*start);
}

void EventAssembler::end(const RawEvent& event, trace::TrackId track) {
    const auto time = m_decoder.time(event);
    if (!time) {
        ++m_skipped;
        return;
    }
    if (m_before == Before::OtherPart && !m_open.isOpen(track)) {
        m_pendingEnds.push_back({track, *time, event.offset, EventDecoder::describe(event)});
        return;
    }
    close(track, *time, event.offset, [&event] { return EventDecoder::describe(event); });
}

template <class Describe>
void EventAssembler::close(trace::TrackId track, TimeNs time, std::uint64_t offset,
                           Describe&& describe) {
    const auto open = m_open.end(track);
    if (!open) {
        ++m_skipped;
        return m_issues.add(trace::Issue::UnmatchedEnd, offset,
                            [&] { return fmt::format("{} ends nothing", describe()); });
    }
    reach(time);
    if (time < open->start) {
        m_issues.add(trace::Issue::NegativeDuration, offset, [&] {
            return fmt::format("{} ends {} ns before it starts", describe(), open->start - time);
        });
    }
    m_builder.setDuration(open->slice, std::max<TimeNs>(time - open->start, 0));
}

void EventAssembler::append(const EventAssembler& part, const trace::AppendedPart& rows) {
    // A part's ends are only pending while nothing that began in it is open: they come first.
    for (const PendingEnd& end : part.m_pendingEnds) {
        close(rows.tracks[end.track], end.time, end.offset, [&end] { return end.what; });
    }
    part.m_open.forEach([&](trace::TrackId track, OpenSlice open) {
        open.slice += rows.firstSlice;
        m_open.begin(rows.tracks[track], open);
    });
    reach(part.m_lastTime);
    m_skipped += part.m_skipped;
}

void EventAssembler::instant(const RawEvent& event, trace::TrackId track) {
    const auto time = m_decoder.time(event);
    if (!time) {
        ++m_skipped;
        return;
    }
    const scan::JsonText& scope = event[EventField::Scope];
    trace::Instant instant;
    instant.time = *time;
    instant.name = m_decoder.name(event);
    instant.track = track;
    instant.category = m_decoder.category(event);
    instant.scope = scan::standsFor(scope, "p") ? 'p' : scan::standsFor(scope, "g") ? 'g' : 't';
    instant.offset = event.offset;
    m_builder.addInstant(instant);
    reach(*time);
    if (m_builder.text(instant.name) == kMemoryEvent) {
        memorySamples(event, *time);
    }
}

// The totals of one device after an allocation or a release.
void EventAssembler::memorySamples(const RawEvent& event, TimeNs time) {
    if (event[EventField::Args].kind != scan::JsonKind::Object) {
        return;
    }
    std::int64_t type = 0;
    std::int64_t device = 0;
    std::optional<double> allocated;
    std::optional<double> reserved;
    static_cast<void>(forEachMember(event[EventField::Args],
                                    [&](const scan::JsonText& key, const scan::JsonText& value) {
                                        if (scan::standsFor(key, "Device Type")) {
                                            type = integerOf(value).value_or(0);
                                        } else if (scan::standsFor(key, "Device Id")) {
                                            device = integerOf(value).value_or(0);
                                        } else if (scan::standsFor(key, "Total Allocated")) {
                                            allocated = doubleOf(value);
                                        } else if (scan::standsFor(key, "Total Reserved")) {
                                            reserved = doubleOf(value);
                                        }
                                    }));
    if (!allocated && !reserved) {
        return;
    }
    // c10::DeviceType: 0 is the CPU, whose allocator reserves nothing; who records has one other.
    const std::string label = type == 0 ? "CPU memory" : fmt::format("GPU {} memory", device);
    const trace::RowId tid{true, static_cast<std::int64_t>(m_builder.name(label))};
    const auto add = [&](const char* series, double value) {
        const trace::TrackId track = m_builder.track(m_decoder.rowId(event, EventField::Pid), tid,
                                                     trace::TrackKind::Counter);
        m_builder.addCounter({time, track, m_builder.name(series), value, event.offset});
    };
    if (allocated) {
        add("Total Allocated", *allocated);
    }
    if (reserved && type != 0) {
        add("Total Reserved", *reserved);
    }
}

void EventAssembler::counter(const RawEvent& event) {
    const auto time = m_decoder.time(event);
    if (!time) {
        ++m_skipped;
        return;
    }
    const trace::RowId pid = m_decoder.rowId(event, EventField::Pid);
    std::string label(m_builder.text(m_decoder.name(event)));
    if (event.has(EventField::Id)) {
        label += ' ';
        label += m_decoder.text(event, event[EventField::Id]);
    }
    const trace::RowId tid{true, static_cast<std::int64_t>(m_builder.name(label))};
    const trace::TrackId track = m_builder.track(pid, tid, trace::TrackKind::Counter);
    bool any = false;
    const auto addSeries = [&](const scan::JsonText& key, const scan::JsonText& value) {
        if (const auto number = doubleOf(value)) {
            any = true;
            scan::JsonText name = key;
            name.kind = scan::JsonKind::String;
            m_builder.addCounter(
                {*time, track, m_builder.name(m_decoder.text(event, name)), *number, event.offset});
        }
    };
    if (event[EventField::Args].kind == scan::JsonKind::Object) {
        static_cast<void>(forEachMember(event[EventField::Args], addSeries));
    }
    if (!any) {
        return skip(trace::Issue::CounterWithoutValue, event, "has no number in args");
    }
    reach(*time);
}

void EventAssembler::processLabels(const RawEvent& event, const scan::JsonText& labels) {
    trace::CompatFacts& facts = m_builder.compatFacts();
    if (labels.data == nullptr) {
        facts.labelsMissing = true;
        return;
    }
    const trace::RowId pid = m_decoder.rowId(event, EventField::Pid);
    const std::string_view text = m_decoder.text(event, labels);
    if (labels.kind == scan::JsonKind::String && text.find("GPU") != std::string_view::npos) {
        facts.gpuPids.push_back(pid);
    }
    m_builder.setProcess(m_builder.process(pid), trace::RowField::Labels, m_builder.name(text));
}

void EventAssembler::metadata(const RawEvent& event) {
    ++m_builder.counts().metadata;
    std::string storage;
    const std::string_view kind = scan::decodeString(event[EventField::Name], storage).text;
    if (kind == "process_labels") {
        return processLabels(event, argument(event, "labels"));
    }
    const bool isName = kind == "process_name" || kind == "thread_name";
    const bool isOrder = kind == "process_sort_index" || kind == "thread_sort_index";
    const scan::JsonText value = argument(event, isName ? "name" : "sort_index");
    if ((!isName && !isOrder) || value.data == nullptr) {
        return;
    }
    const std::int64_t set =
        isName ? m_builder.name(m_decoder.text(event, value)) : integerOf(value).value_or(0);
    const trace::RowField field = isName ? trace::RowField::Name : trace::RowField::SortIndex;
    if (kind.starts_with("process")) {
        m_builder.setProcess(m_builder.process(m_decoder.rowId(event, EventField::Pid)), field,
                             set);
    } else {
        m_builder.setTrack(m_decoder.track(event), field, set);
    }
}

}  // namespace kinetoscope::import::event
