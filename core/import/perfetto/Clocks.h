// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/Time.h"

namespace kinetoscope::import::perfetto {

/// Brings the packets' timestamps to one clock, BOOTTIME, by the latest snapshot before them. How
/// clocks drift between snapshots is not followed.
class Clocks {
public:
    /// One clock in a snapshot.
    struct Reading {
        std::uint32_t clock = 0;
        std::int64_t ns = 0;
        std::int64_t unitNs = 1;
        bool incremental = false;
    };

    void snapshot(std::string_view message, std::uint32_t sequence);
    /// Nothing for times that no trace has. `clock` 0: BOOTTIME.
    [[nodiscard]] std::optional<TimeNs> time(std::uint64_t timestamp, std::uint32_t clock,
                                             std::uint32_t sequence);

    /// The first snapshot's BOOTTIME, and the Unix time then, which a later one may tell.
    [[nodiscard]] std::optional<TimeNs> firstBoot() const { return m_firstBoot; }
    [[nodiscard]] std::optional<TimeNs> firstUnix() const { return m_firstUnix; }

private:
    struct Clock {
        std::int64_t unitNs = 1;
        bool incremental = false;
        std::int64_t now = 0;     // of incremental ones
        std::int64_t offset = 0;  // to BOOTTIME
        bool placed = false;      // the offset is known
    };
    // Clocks 64 to 127 belong to a sequence.
    [[nodiscard]] static std::pair<std::uint32_t, std::uint32_t> keyOf(std::uint32_t clock,
                                                                       std::uint32_t sequence) {
        return {clock, clock >= 64 && clock < 128 ? sequence : 0};
    }

    [[nodiscard]] std::optional<TimeNs> bootOf(std::span<const Reading> readings,
                                               std::uint32_t sequence) const;

    std::map<std::pair<std::uint32_t, std::uint32_t>, Clock> m_clocks;
    std::optional<TimeNs> m_firstBoot;
    std::optional<TimeNs> m_firstUnix;
};

}  // namespace kinetoscope::import::perfetto
