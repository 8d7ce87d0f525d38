// SPDX-License-Identifier: Apache-2.0
#include "core/import/perfetto/Clocks.h"

#include <algorithm>
#include <vector>

#include "core/base/Wrapping.h"
#include "core/import/event/EventDecoder.h"
#include "core/import/wire/Fields.h"

namespace kinetoscope::import::perfetto {

namespace {

constexpr std::uint32_t kRealtime = 1;
constexpr std::uint32_t kBoottime = 6;

struct Reading {
    std::uint32_t clock = 0;
    std::int64_t ns = 0;
    std::int64_t unitNs = 1;
    bool incremental = false;
};

Reading readingOf(std::string_view message) {
    Reading reading;
    std::uint64_t timestamp = 0;
    wire::forEachField(message, [&](const wire::Field& field) {
        if (field.tag == 1) {
            reading.clock = static_cast<std::uint32_t>(field.number);
        } else if (field.tag == 2) {
            timestamp = field.number;
        } else if (field.tag == 3) {
            reading.incremental = field.number != 0;
        } else if (field.tag == 4) {
            reading.unitNs = std::max<std::int64_t>(field.integer(), 1);
        }
    });
    reading.ns = wrappingProduct(static_cast<std::int64_t>(timestamp), reading.unitNs);
    return reading;
}

}  // namespace

void Clocks::snapshot(std::string_view message, std::uint32_t sequence) {
    std::vector<Reading> readings;
    wire::forEachField(message, [&](const wire::Field& field) {
        if (field.tag == 1) {
            readings.push_back(readingOf(field.bytes));
        }
    });
    const auto boot = std::ranges::find(readings, kBoottime, &Reading::clock);
    for (const Reading& reading : readings) {
        Clock& clock = m_clocks[keyOf(reading.clock, sequence)];
        clock.unitNs = reading.unitNs;
        clock.incremental = reading.incremental;
        clock.now = reading.ns;
        if (boot != readings.end()) {
            clock.offset = wrappingDifference(boot->ns, reading.ns);
        }
    }
    const auto real = std::ranges::find(readings, kRealtime, &Reading::clock);
    if (boot != readings.end() && !m_firstBoot) {
        m_firstBoot = boot->ns;
        if (real != readings.end()) {
            m_firstUnix = real->ns;
        }
    }
}

std::optional<TimeNs> Clocks::time(std::uint64_t timestamp, std::uint32_t clock,
                                   std::uint32_t sequence) {
    std::int64_t ns = static_cast<std::int64_t>(timestamp);
    if (const auto known = m_clocks.find(keyOf(clock == 0 ? kBoottime : clock, sequence));
        known != m_clocks.end()) {
        Clock& state = known->second;
        ns = wrappingProduct(ns, state.unitNs);
        if (state.incremental) {
            state.now = wrappingSum(state.now, ns);
            ns = state.now;
        }
        ns = wrappingSum(ns, state.offset);
    }
    const bool possible = ns >= -event::kFarthestTime && ns <= event::kFarthestTime;
    return possible ? std::optional(ns) : std::nullopt;
}

}  // namespace kinetoscope::import::perfetto
