// SPDX-License-Identifier: Apache-2.0
// What the members of an event stand for, for readers with and without a trace to build.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/Time.h"
#include "core/import/event/RawEvent.h"
#include "core/import/scan/Decimal.h"
#include "core/import/scan/StringDecoder.h"

namespace kinetoscope::import::event {

/// Times beyond this distance from zero (73 years) are refused: sums and differences of any two
/// that are within fit into TimeNs.
inline constexpr TimeNs kFarthestTime = TimeNs{1} << 61;

/// A number field times ten to the power `shift`, decoded already or not.
[[nodiscard]] scan::Decimal decimalOf(const RawEvent& event, EventField field, int shift);
/// "ts" in nanoseconds; NotANumber or OutOfRange where it is of no use.
[[nodiscard]] scan::Decimal timeOf(const RawEvent& event);

/// The text of a string, anything else as it is written; null is nothing. `storage` as in
/// decodeString().
[[nodiscard]] scan::DecodedString shownText(scan::JsonText value, std::string& storage);

/// The number of a process or thread, 0 for a missing one; nothing for a text, which a fraction
/// and what is too large are as well.
[[nodiscard]] std::optional<std::int64_t> rowNumber(const RawEvent& event, EventField field);

/// The number that an id, decoded, is: also in quotes and hexadecimal.
[[nodiscard]] std::optional<std::int64_t> idNumber(std::string_view written);

/// The id of an async event: the one inside of "id2", if it has that.
[[nodiscard]] scan::JsonText asyncId(const RawEvent& event);

/// The name of an async event's row in its process; textOf(value) gives a member's text.
template <class TextOf>
[[nodiscard]] std::string asyncLabel(const RawEvent& event, TextOf&& textOf) {
    std::string label;
    for (const EventField field : {EventField::Category, EventField::IdScope}) {
        if (event.has(field)) {
            label += textOf(event[field]);
            label += ' ';
        }
    }
    label += textOf(asyncId(event));
    return label;
}

}  // namespace kinetoscope::import::event
