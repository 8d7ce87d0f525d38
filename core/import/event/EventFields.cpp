// SPDX-License-Identifier: Apache-2.0
#include "core/import/event/EventFields.h"

#include <charconv>

#include "core/import/event/EventArguments.h"

namespace kinetoscope::import::event {

scan::Decimal decimalOf(const RawEvent& event, EventField field, int shift) {
    if (const auto number = event.decodedNumber(field)) {
        return {*number, scan::DecimalStatus::Exact};
    }
    return scan::parseDecimal(event[field], shift);
}

scan::Decimal timeOf(const RawEvent& event) {
    constexpr int kMicrosecondsToNs = 3;
    scan::Decimal time = decimalOf(event, EventField::Time, kMicrosecondsToNs);
    if (time.ok() && (time.value < -kFarthestTime || time.value > kFarthestTime)) {
        time.status = scan::DecimalStatus::OutOfRange;
    }
    return time;
}

scan::DecodedString shownText(scan::JsonText value, std::string& storage) {
    if (value.kind != scan::JsonKind::String) {
        if (value.view() == "null") {
            return {};
        }
        value.escaped = false;
    }
    return scan::decodeString(value, storage);
}

std::optional<std::int64_t> rowNumber(const RawEvent& event, EventField field) {
    if (const auto number = event.decodedNumber(field)) {
        return number;
    }
    if (!event.has(field)) {
        return 0;
    }
    const scan::JsonText& value = event[field];
    if (value.kind == scan::JsonKind::Number) {
        const scan::Decimal number = scan::parseDecimal(value.view(), 0);
        if (number.status == scan::DecimalStatus::Exact) {
            return number.value;
        }
    }
    return std::nullopt;
}

std::optional<std::int64_t> idNumber(std::string_view written) {
    if (const scan::Decimal number = scan::parseDecimal(written, 0);
        number.status == scan::DecimalStatus::Exact) {
        return number.value;
    }
    if (!written.starts_with("0x") && !written.starts_with("0X")) {
        return std::nullopt;
    }
    written.remove_prefix(2);
    std::uint64_t bits = 0;
    const char* const end = written.data() + written.size();
    const auto [stop, error] = std::from_chars(written.data(), end, bits, 16);
    return error == std::errc() && stop == end ? std::optional(static_cast<std::int64_t>(bits))
                                               : std::nullopt;
}

scan::JsonText asyncId(const RawEvent& event) {
    if (!event.has(EventField::Id2)) {
        return event[EventField::Id];
    }
    // {"id2": {"local": "0x1"}} or {"global": …}; null without one.
    scan::JsonText found;
    const scan::JsonText& id2 = event[EventField::Id2];
    if (id2.kind == scan::JsonKind::Object) {
        static_cast<void>(
            forEachMember(id2, [&](const scan::JsonText& key, const scan::JsonText& value) {
                if (scan::standsFor(key, "local") || scan::standsFor(key, "global")) {
                    found = value;
                }
            }));
    }
    return found;
}

}  // namespace kinetoscope::import::event
