// SPDX-License-Identifier: Apache-2.0
#include "core/query/DurationStatistics.h"

#include <algorithm>
#include <cmath>

#include "core/query/Intervals.h"

namespace kinetoscope::query {

double medianOf(std::vector<TimeNs>& times) {
    if (times.empty()) {
        return 0.0;
    }
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    if (times.size() % 2 == 1) {
        return static_cast<double>(*middle);
    }
    const TimeNs below = *std::max_element(times.begin(), middle);
    return static_cast<double>(below) / 2.0 + static_cast<double>(*middle) / 2.0;
}

Statistics statisticsOf(std::vector<TimeNs> times) {
    Statistics result;
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

}  // namespace kinetoscope::query
