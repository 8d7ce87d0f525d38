// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope::timeline {

/// The samples of one series of a counter, by time.
struct CounterSeries {
    NameId name = kEmptyName;
    std::vector<std::uint32_t> samples;  ///< rows of Trace::counters()
    double least = 0.0;
    double most = 0.0;
};

/// Instants and counter samples by track and time.
class TrackMarks {
public:
    TrackMarks() = default;
    explicit TrackMarks(const trace::Trace& trace);

    /// Rows of Trace::instants(), by time.
    [[nodiscard]] std::span<const std::uint32_t> instants(trace::TrackId track) const {
        return track < m_instants.size() ? m_instants[track] : std::span<const std::uint32_t>{};
    }
    [[nodiscard]] std::span<const CounterSeries> counters(trace::TrackId track) const {
        return track < m_counters.size() ? m_counters[track] : std::span<const CounterSeries>{};
    }

private:
    std::vector<std::vector<std::uint32_t>> m_instants;
    std::vector<std::vector<CounterSeries>> m_counters;
};

}  // namespace kinetoscope::timeline
