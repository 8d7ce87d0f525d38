// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/query/TrackMarks.h"

namespace kinetoscope::query {

/// The range of a series' values in one column; `last` extends to the next column that has one.
struct CounterColumn {
    std::int32_t column = 0;
    double least = 0.0;
    double most = 0.0;
    double last = 0.0;

    friend bool operator==(const CounterColumn&, const CounterColumn&) = default;
};

/// The picture of a series: one item for each column in which it has samples, and one at the left
/// edge for what was counted before. Where a column holds many blocks of samples it is cut between
/// blocks, and no sample is looked at.
[[nodiscard]] std::vector<CounterColumn> counterColumns(const trace::Trace& trace,
                                                        const CounterSeries& series, TimeSpan view,
                                                        std::int32_t columns);

/// Position in series.samples of the last one not after `time`; nothing before the first.
[[nodiscard]] std::optional<std::size_t> sampleAt(const trace::Trace& trace,
                                                  const CounterSeries& series, TimeNs time);

/// A mean of what begins and ends between two samples is blurred at each end by up to one of them.
inline constexpr std::size_t kMinSamplesOfMean = 5;
/// Mean over the time, where each value holds until the next sample; what is before the first one
/// does not count. Nothing where fewer than kMinSamplesOfMean samples lie in that time.
[[nodiscard]] std::optional<double> meanOver(const trace::Trace& trace, const CounterSeries& series,
                                             TimeSpan time);

/// The vertical range of a counter's rows: the smallest and largest value of all its series, and
/// zero, so that heights compare.
struct CounterScale {
    double least = 0.0;
    double most = 0.0;
    /// 0 at the bottom, 1 at the top.
    [[nodiscard]] double heightOf(double value) const {
        return most > least ? (value - least) / (most - least) : 0.0;
    }
};
[[nodiscard]] CounterScale counterScale(const trace::Trace& trace,
                                        std::span<const CounterSeries> series);

/// Whether a counter counts bytes, judged by its name and that of the series.
[[nodiscard]] bool countsBytes(const trace::Trace& trace, trace::TrackId track, NameId series);

}  // namespace kinetoscope::query
