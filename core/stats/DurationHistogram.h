// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/Time.h"

namespace kinetoscope::stats {

enum class BinScale : std::uint8_t {
    Logarithmic,  ///< equally wide in the logarithm; powers of ten are edges
    Linear        ///< equally wide: 1, 2 or 5 times a power of ten
};

/// Durations of [from, to).
struct DurationBin {
    TimeNs from = 0;
    TimeNs to = 0;
    std::uint64_t count = 0;
    TimeNs total = 0;  ///< sum of the durations; stays at the largest time instead of overflowing

    friend bool operator==(const DurationBin&, const DurationBin&) = default;
};

/// Edges of bins that take every duration from `least` to `most`, ascending, some dozens. Durations
/// of 0 have a bin of their own, [0, 1), on the logarithmic scale.
[[nodiscard]] std::vector<TimeNs> binEdges(TimeNs least, TimeNs most, BinScale scale);

/// Adjacent bins, empty ones too; none without durations. Durations are not negative. Unfinished
/// when asked to stop.
[[nodiscard]] std::vector<DurationBin> durationHistogram(std::span<const TimeNs> durations,
                                                         BinScale scale,
                                                         const std::stop_token& stop = {});

/// Quantiles (0 to 1, ascending), each linearly interpolated at q * (n - 1); all 0 without
/// durations. Reorders `durations`.
[[nodiscard]] std::vector<double> durationQuantiles(std::vector<TimeNs>& durations,
                                                    std::span<const double> quantiles);

}  // namespace kinetoscope::stats
