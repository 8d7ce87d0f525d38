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

Clocks::Reading readingOf(std::string_view message) {
    Clocks::Reading reading;
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
    const std::optional<TimeNs> boot = bootOf(readings, sequence);
    for (const Reading& reading : readings) {
        Clock& clock = m_clocks[keyOf(reading.clock, sequence)];
        clock.unitNs = reading.unitNs;
        clock.incremental = reading.incremental;
        clock.now = reading.ns;
        if (boot) {
            clock.offset = wrappingDifference(*boot, reading.ns);
            clock.placed = true;
        }
    }
    m_firstBoot = m_firstBoot ? m_firstBoot : boot;
    const auto real = std::ranges::find(readings, kRealtime, &Reading::clock);
    if (boot && !m_firstUnix && real != readings.end()) {
        m_firstUnix = wrappingDifference(real->ns, wrappingDifference(*boot, *m_firstBoot));
    }
}

// Without BOOTTIME itself, by a clock that an earlier snapshot has beside it.
std::optional<TimeNs> Clocks::bootOf(std::span<const Reading> readings,
                                     std::uint32_t sequence) const {
    if (const auto boot = std::ranges::find(readings, kBoottime, &Reading::clock);
        boot != readings.end()) {
        return boot->ns;
    }
    for (const Reading& reading : readings) {
        const auto known = m_clocks.find(keyOf(reading.clock, sequence));
        if (known != m_clocks.end() && known->second.placed) {
            return wrappingSum(reading.ns, known->second.offset);
        }
    }
    return std::nullopt;
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
