// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace kinetoscope::stats {

/// Quantile `q` (0 to 1) of `sorted`, ascending and not empty, linearly interpolated at
/// q * (n - 1).
[[nodiscard]] double quantileOfSorted(std::span<const double> sorted, double q);

/// Halfway between the two in the middle of an even count; 0 for none. Reorders `values`.
template <class T>
[[nodiscard]] double medianOf(std::vector<T>& values) {
    if (values.empty()) {
        return 0.0;
    }
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    const auto upper = static_cast<double>(*middle);
    if (values.size() % 2 == 1) {
        return upper;
    }
    const auto lower = static_cast<double>(*std::max_element(values.begin(), middle));
    return lower / 2.0 + upper / 2.0;
}

/// One of the values: the lower of the two in the middle of an even count. Not of none. Reorders
/// `values`.
template <class T>
[[nodiscard]] T lowerMedian(std::vector<T>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

/// Halfway between the two in the middle, rounded down, of whole numbers that need more digits than
/// a double has, such as times since 1970. Not of none. Reorders `values`.
template <class T>
[[nodiscard]] T exactMedian(std::vector<T>& values) {
    const T lower = lowerMedian(values);
    if (values.size() % 2 == 1) {
        return lower;
    }
    const auto above = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    return lower + (*std::min_element(above, values.end()) - lower) / 2;
}

struct Interval {
    double low = 0.0;
    double high = 0.0;
};

/// The mean without the smallest and the largest; of fewer than three of all; 0 of none. Medians of
/// a bench's repeats may have a few levels, between which their median jumps.
[[nodiscard]] double middleMean(std::vector<double> values);
/// 95 % of the mean of at least two values, by Student's distribution.
[[nodiscard]] Interval meanInterval(std::span<const double> values);

/// Figures of one sample, in its own unit.
struct SampleSummary {
    std::size_t count = 0;
    double min = 0.0;
    double q1 = 0.0;
    double median = 0.0;
    double q3 = 0.0;
    double max = 0.0;
    double mean = 0.0;
    double deviation = 0.0;  ///< standard deviation with n - 1; 0 below two values
    double low = 0.0;        ///< interval that holds the true median with at least 95 %
    double high = 0.0;       ///< below six values: min and max, which hold it with less

    /// Width of the interval over the median; 1 below six values or for a median of 0.
    [[nodiscard]] double relativeWidth() const;
};

/// All zero for an empty sample. The interval is that of order statistics, free of any
/// assumption about the distribution.
[[nodiscard]] SampleSummary summarize(std::span<const double> values);

/// Largest rank r (from 1) for which the r-th smallest and the r-th largest of `count` values
/// enclose the median with at least 95 %; 0 if there is none.
[[nodiscard]] std::size_t medianRank(std::size_t count);

}  // namespace kinetoscope::stats
