// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "core/import/event/HistoricalSpellings.h"
#include "core/import/scan/Decimal.h"
#include "core/import/scan/JsonScan.h"
#include "core/trace/Trace.h"

namespace kinetoscope::import::event {

/// How much of "args" the columns of a category take; everything else is read on demand.
enum class ArgumentNeeds : std::uint8_t { Nothing, Ids, Everything };

[[nodiscard]] ArgumentNeeds argumentsNeeded(trace::Category category);

/// The members of an event's "args" that have columns.
struct EventArguments {
    std::int64_t correlation = trace::kNoId;
    std::int64_t externalId = trace::kNoId;
    std::int64_t device = trace::kNoId;
    std::int64_t stream = trace::kNoId;
    std::array<std::int64_t, 3> grid{};
    std::array<std::int64_t, 3> block{};
    std::int64_t registers = 0;
    std::int64_t sharedBytes = 0;
    std::int64_t occupancyPercent = -1;
    std::int64_t bytes = 0;
    std::int64_t graph = 0;
    bool collective = false;
    scan::JsonText kernelName;
    bool malformed = false;  ///< reading stopped before the end
};

/// Reads the outermost members of an object once. `text` is the object as RawEvent has it, with
/// its brackets. Duplicate keys: the last wins.
void readArguments(const scan::JsonText& text, EventArguments& arguments);

/// The same for events that have nothing but ids to give.
void readIds(const scan::JsonText& text, EventArguments& arguments);

/// The operation with these arguments; slice, GPU and stream are the caller's. Values too large for
/// a column become the largest that fits.
[[nodiscard]] trace::GpuOperation operationOf(const EventArguments& arguments);

/// One number or a number in quotes, rounded to an integer.
[[nodiscard]] std::optional<std::int64_t> integerOf(const scan::JsonText& value);

/// One number or a number in quotes.
[[nodiscard]] std::optional<double> doubleOf(const scan::JsonText& value);

/// Calls visit(key, value) for each outermost member; false if the text is damaged. Keys are
/// without quotes, not decoded.
template <class Visit>
bool forEachMember(const scan::JsonText& object, Visit&& visit);

/// Reads any value of a text that a reader has accepted.
[[nodiscard]] const char* valueEnd(const char* at, const char* end, scan::JsonText& value);

template <class Visit>
bool forEachMember(const scan::JsonText& object, Visit&& visit) {
    const char* at = object.data + 1;
    const char* end = object.data + object.size;
    for (;;) {
        at = scan::skipSpace(at);
        while (*at == ',') {
            at = scan::skipSpace(at + 1);
        }
        if (at >= end || *at != '"') {
            return at + 1 == end;
        }
        scan::JsonText key;
        scan::JsonText value;
        at = valueEnd(at, end, key);
        at = at == nullptr ? nullptr : scan::skipSpace(at);
        if (at == nullptr || *at != ':') {
            return false;
        }
        at = valueEnd(scan::skipSpace(at + 1), end, value);
        if (at == nullptr) {
            return false;
        }
        visit(key, value);
    }
}

}  // namespace kinetoscope::import::event
