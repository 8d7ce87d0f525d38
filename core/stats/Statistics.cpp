// SPDX-License-Identifier: Apache-2.0
#include "core/stats/Statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/stats/Student.h"

namespace kinetoscope::stats {

double quantileOfSorted(std::span<const double> sorted, double q) {
    const double at = std::clamp(q, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double part = at - static_cast<double>(below);
    return sorted[below] + (sorted[above] - sorted[below]) * part;
}

std::size_t medianRank(std::size_t count) {
    constexpr double kTail = 0.025;
    const auto n = static_cast<double>(count);
    double below = 0.0;
    std::size_t rank = 0;
    while (rank < count / 2) {
        const auto k = static_cast<double>(rank);
        // P(X = k) of a binomial distribution with p = 1/2
        below += std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) -
                          n * std::numbers::ln2);
        if (below > kTail) {
            break;
        }
        ++rank;
    }
    return rank;
}

double middleMean(std::vector<double> values) {
    if (values.size() > 2) {
        std::ranges::sort(values);
        values = {values.begin() + 1, values.end() - 1};
    }
    double sum = 0.0;
    for (const double value : values) {
        sum += value;
    }
    return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

Interval meanInterval(std::span<const double> values) {
    constexpr double kTail = 0.025;
    const SampleSummary summary = summarize(values);
    const auto n = static_cast<double>(values.size());
    const double reach = studentQuantile(kTail, n - 1.0) * summary.deviation / std::sqrt(n);
    return {summary.mean - reach, summary.mean + reach};
}

double SampleSummary::relativeWidth() const {
    return medianRank(count) == 0 || median <= 0.0 ? 1.0 : (high - low) / median;
}

SampleSummary summarize(std::span<const double> values) {
    SampleSummary summary;
    if (values.empty()) {
        return summary;
    }
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const auto n = static_cast<double>(sorted.size());
    summary.count = sorted.size();
    summary.min = sorted.front();
    summary.q1 = quantileOfSorted(sorted, 0.25);
    summary.median = quantileOfSorted(sorted, 0.5);
    summary.q3 = quantileOfSorted(sorted, 0.75);
    summary.max = sorted.back();
    for (const double value : sorted) {
        summary.mean += value / n;
    }
    if (sorted.size() > 1) {
        double squares = 0.0;
        for (const double value : sorted) {
            squares += (value - summary.mean) * (value - summary.mean);
        }
        summary.deviation = std::sqrt(squares / (n - 1.0));
    }
    const std::size_t rank = std::max<std::size_t>(medianRank(sorted.size()), 1);
    summary.low = sorted[rank - 1];
    summary.high = sorted[sorted.size() - rank];
    return summary;
}

}  // namespace kinetoscope::stats
