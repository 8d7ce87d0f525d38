// SPDX-License-Identifier: Apache-2.0
#include "core/import/event/EventDecoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/import/event/EventFields.h"
#include "core/import/event/HistoricalSpellings.h"
#include "core/import/scan/Decimal.h"
#include "core/import/scan/StringDecoder.h"

namespace kinetoscope::import::event {

namespace {

// Of the length and both ends.
std::size_t hashText(std::string_view text) {
    std::uint64_t head = 0;
    std::uint64_t tail = 0;
    if (text.size() >= sizeof head) {
        std::memcpy(&head, text.data(), sizeof head);
        std::memcpy(&tail, text.data() + text.size() - sizeof tail, sizeof tail);
    } else {
        std::memcpy(&head, text.data(), text.size());
    }
    return ((head + text.size()) * 0x9e3779b97f4a7c15ULL ^ tail) * 0x9e3779b97f4a7c15ULL >> 52U;
}

}  // namespace

std::string EventDecoder::describe(const RawEvent& event) {
    if (event.has(EventField::Name)) {
        return fmt::format("'{}'", scan::excerpt(event[EventField::Name].view()));
    }
    return scan::excerpt({event.begin, static_cast<std::size_t>(event.end - event.begin)});
}

std::optional<TimeNs> EventDecoder::time(const RawEvent& event) {
    const scan::Decimal time = timeOf(event);
    if (time.status == scan::DecimalStatus::NotANumber) {
        m_issues.add(trace::Issue::MissingTime, event.offset,
                     [&] { return describe(event) + " has no usable ts"; });
        return std::nullopt;
    }
    if (!time.ok()) {
        m_issues.add(trace::Issue::TimeOutOfRange, event.offset, [&] {
            return fmt::format("{} has ts {}", describe(event),
                               scan::excerpt(event[EventField::Time].view()));
        });
        return std::nullopt;
    }
    return time.value;
}

std::optional<TimeNs> EventDecoder::duration(const RawEvent& event) {
    constexpr int kMicrosecondsToNs = 3;
    const scan::Decimal duration = decimalOf(event, EventField::Duration, kMicrosecondsToNs);
    return duration.status == scan::DecimalStatus::NotANumber ? std::nullopt
                                                              : std::optional(duration.value);
}

trace::RowId EventDecoder::rowId(const RawEvent& event, EventField field) {
    if (const auto number = rowNumber(event, field)) {
        return {false, *number};
    }
    return {true, static_cast<std::int64_t>(m_builder.name(text(event, event[field])))};
}

trace::TrackId EventDecoder::track(const RawEvent& event) {
    const auto pid = event.decodedNumber(EventField::Pid);
    const auto tid = event.decodedNumber(EventField::Tid);
    if (!pid || !tid) {
        const trace::RowId process = rowId(event, EventField::Pid);
        return m_builder.track(process, rowId(event, EventField::Tid));
    }
    const std::uint64_t mixed =
        (static_cast<std::uint64_t>(*pid) << 32U ^ static_cast<std::uint64_t>(*tid)) *
        0x9e3779b97f4a7c15ULL;
    KnownTrack& known = m_tracks[mixed >> 58U];
    if (!known.used || known.pid != *pid || known.tid != *tid) {
        known = {*pid, *tid, m_builder.track({false, *pid}, {false, *tid}), true};
    }
    return known.track;
}

NameId EventDecoder::name(const RawEvent& event) {
    if (!event.has(EventField::Name)) {
        return kEmptyName;
    }
    const scan::JsonText& written = event[EventField::Name];
    if (event.shape == 0 || written.escaped || written.nonAscii) {
        return m_builder.name(text(event, written));
    }
    // Finding a name here takes a third of the time that the pool takes.
    NameId& known = m_names[hashText(written.view()) % m_names.size()];
    if (m_builder.text(known) != written.view()) {
        known = m_builder.name(written.view());
    }
    return known;
}

std::string_view EventDecoder::text(const RawEvent& event, const scan::JsonText& value) {
    const scan::DecodedString decoded = shownText(value, m_storage);
    if (decoded.invalidEscape) {
        m_issues.add(trace::Issue::InvalidEscape, event.offset, [&] { return describe(event); });
    }
    if (decoded.invalidUtf8) {
        m_issues.add(trace::Issue::InvalidUtf8, event.offset, [&] { return describe(event); });
    }
    return decoded.text;
}

void EventDecoder::checkArguments(const RawEvent& event) {
    scan::JsonText strings = event[EventField::Args];
    if (event.has(EventField::Args) && (strings.escaped || strings.nonAscii)) {
        strings.kind = scan::JsonKind::String;
        static_cast<void>(text(event, strings));
    }
}

trace::CategoryId EventDecoder::category(const RawEvent& event) {
    if (!event.has(EventField::Category)) {
        return static_cast<trace::CategoryId>(trace::Category::None);
    }
    if (event.shape == 0) {
        return writtenCategory(event);
    }
    KnownShape& known = m_shapes[event.shape % m_shapes.size()];
    if (known.shape != event.shape) {
        known = {event.shape, std::nullopt};
    }
    if (!known.category) {
        known.category = writtenCategory(event);
    }
    return *known.category;
}

trace::CategoryId EventDecoder::writtenCategory(const RawEvent& event) {
    const scan::JsonText& value = event[EventField::Category];
    const std::string_view written = value.view();
    KnownCategory& known = m_categories[hashText(written) % m_categories.size()];
    // A bare null is none, but "null" in quotes is a name.
    const bool isText = value.kind == scan::JsonKind::String;
    if (isText && !written.empty() && known.text == written) {
        return known.id;
    }
    const trace::CategoryId id = newCategory(event, text(event, value));
    if (isText && !value.escaped && !value.nonAscii && !spellingNeedsName(written)) {
        known = {std::string(written), id};
    }
    return id;
}

trace::CategoryId EventDecoder::newCategory(const RawEvent& event, std::string_view text) {
    if (text.empty()) {
        return static_cast<trace::CategoryId>(trace::Category::None);
    }
    std::string storage;
    const std::string_view name = scan::decodeString(event[EventField::Name], storage).text;
    if (const auto category = categoryOfSpelling(text, name)) {
        return static_cast<trace::CategoryId>(*category);
    }
    return m_builder.otherCategory(text);
}

void EventDecoder::clear() {
    m_tracks = {};
    m_categories = {};
    m_shapes = {};
    m_names = {};
}

trace::RowId EventDecoder::id(const scan::JsonText& value) {
    std::int64_t fast = 0;
    if (value.kind == scan::JsonKind::Number &&
        scan::fastInteger(value.data, fast) == value.data + value.size) {
        return {false, fast};
    }
    const std::string_view written = shownText(value, m_storage).text;
    if (const auto number = idNumber(written)) {
        return {false, *number};
    }
    return {true, static_cast<std::int64_t>(m_builder.name(written))};
}

}  // namespace kinetoscope::import::event
