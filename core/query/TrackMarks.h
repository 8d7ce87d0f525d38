// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope::query {

/// Some neighbouring samples in short, so that a zoomed-out picture does not touch each of them.
struct CounterBlock {
    static constexpr std::size_t kSamples = 16;

    TimeNs start = 0;  ///< of the first sample
    double least = 0.0;
    double most = 0.0;
};

/// The samples of one series of a counter, by time. Values that are not finite are left out.
struct CounterSeries {
    NameId name = kEmptyName;
    std::vector<std::uint32_t> samples;  ///< rows of Trace::counters()
    std::vector<CounterBlock> blocks;    ///< of the samples
    std::uint32_t lowest = 0;            ///< row of the first sample with the least value
    std::uint32_t highest = 0;           ///< row of the first sample with the largest value
};

/// Instants and counter samples by track and time.
class TrackMarks {
public:
    TrackMarks() = default;
    explicit TrackMarks(const trace::Trace& trace);

    /// Rows of Trace::instants() that belong to the track alone, by time.
    [[nodiscard]] std::span<const std::uint32_t> instants(trace::TrackId track) const {
        return track < m_instants.size() ? m_instants[track] : std::span<const std::uint32_t>{};
    }
    /// Those of the whole process, and those of all that carry its number.
    [[nodiscard]] std::span<const std::uint32_t> processInstants(std::uint32_t process) const {
        return process < m_processInstants.size() ? m_processInstants[process]
                                                  : std::span<const std::uint32_t>{};
    }
    [[nodiscard]] std::span<const CounterSeries> counters(trace::TrackId track) const {
        return track < m_counters.size() ? m_counters[track] : std::span<const CounterSeries>{};
    }
    /// The series that a row of Trace::counters() belongs to; null for a value that is not finite.
    [[nodiscard]] const CounterSeries* seriesOf(const trace::Trace& trace,
                                                std::uint32_t sample) const;

private:
    void addInstants(const trace::Trace& trace);
    void addCounters(const trace::Trace& trace);

    std::vector<std::vector<std::uint32_t>> m_instants;         ///< by track
    std::vector<std::vector<std::uint32_t>> m_processInstants;  ///< by process
    std::vector<std::vector<CounterSeries>> m_counters;         ///< by track
};

}  // namespace kinetoscope::query
