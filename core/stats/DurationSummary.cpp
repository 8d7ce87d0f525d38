// SPDX-License-Identifier: Apache-2.0
#include "core/stats/DurationSummary.h"

#include <algorithm>
#include <cmath>

#include "core/stats/Statistics.h"

namespace kinetoscope::stats {

DurationSummary summarizeDurations(std::vector<TimeNs> times) {
    DurationSummary result;
    if (times.empty()) {
        return result;
    }
    result.count = times.size();
    const auto [low, high] = std::ranges::minmax(times);
    result.min = low;
    result.max = high;
    long double sum = 0.0L;
    for (const TimeNs time : times) {
        result.total = addTime(result.total, time);
        sum += static_cast<long double>(time);
    }
    const auto count = static_cast<long double>(times.size());
    const long double mean = sum / count;
    result.mean = static_cast<double>(mean);
    long double squares = 0.0L;
    for (const TimeNs time : times) {
        const long double difference = static_cast<long double>(time) - mean;
        squares += difference * difference;
    }
    if (times.size() > 1) {
        result.standardDeviation = static_cast<double>(std::sqrt(squares / (count - 1.0L)));
    }
    result.median = medianOf(times);
    return result;
}

}  // namespace kinetoscope::stats
