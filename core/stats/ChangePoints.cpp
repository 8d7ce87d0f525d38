// SPDX-License-Identifier: Apache-2.0
#include "core/stats/ChangePoints.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/base/Threads.h"
#include "core/stats/Statistics.h"

namespace kinetoscope::stats {

namespace {

// More runs on either side of a place add little to it, and older ones less.
constexpr std::size_t kNearRuns = 30;

/// Entries of one series without a change point between them that is known.
struct Stretch {
    std::size_t series = 0;
    std::size_t first = 0;
    std::size_t last = 0;  ///< behind the last one
};

/// A place of a stretch that is tried.
struct Trial {
    std::size_t stretch = 0;
    std::size_t entry = 0;
};

std::vector<double> runsOf(const TimeSeries& series, std::size_t first, std::size_t last) {
    std::vector<double> runs;
    for (std::size_t entry = first; entry < last; ++entry) {
        runs.insert(runs.end(), series[entry].begin(), series[entry].end());
    }
    return runs;
}

double deviation(std::vector<double> runs) {
    std::ranges::transform(runs, runs.begin(), [](double time) { return std::log(time); });
    const double median = medianOf(runs);
    double sum = 0.0;
    for (const double run : runs) {
        sum += std::abs(run - median);
    }
    return sum;
}

/// The runs on both sides of a place: the last of those before, the first of those after.
IndependentTimes runsAround(const TimeSeries& series, const Stretch& stretch, std::size_t entry) {
    std::vector<double> before = runsOf(series, stretch.first, entry);
    std::vector<double> after = runsOf(series, entry, stretch.last);
    const std::size_t near = std::min({before.size(), after.size(), kNearRuns});
    before.erase(before.begin(), before.end() - static_cast<std::ptrdiff_t>(near));
    after.resize(near);
    return {std::move(before), std::move(after)};
}

/// Where the best of the places is among those that were found FASTER or SLOWER, of each stretch.
std::vector<std::optional<ChangePoint>> bestOf(std::span<const TimeSeries> series,
                                               const std::vector<Stretch>& stretches,
                                               const std::vector<Trial>& trials,
                                               const std::vector<Decision>& decisions) {
    std::vector<std::optional<ChangePoint>> best(stretches.size());
    std::vector<double> least(stretches.size(), std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < trials.size(); ++i) {
        const Verdict verdict = decisions[i].verdict;
        if (verdict != Verdict::Faster && verdict != Verdict::Slower) {
            continue;
        }
        const Stretch& stretch = stretches[trials[i].stretch];
        const TimeSeries& times = series[stretch.series];
        const double cost = deviation(runsOf(times, stretch.first, trials[i].entry)) +
                            deviation(runsOf(times, trials[i].entry, stretch.last));
        if (cost < least[trials[i].stretch]) {
            least[trials[i].stretch] = cost;
            best[trials[i].stretch] = ChangePoint{trials[i].entry, decisions[i]};
        }
    }
    return best;
}

}  // namespace

std::vector<std::vector<ChangePoint>> changePoints(std::span<const TimeSeries> series,
                                                   const VerdictRule& rule,
                                                   const std::stop_token& stop) {
    std::vector<std::vector<ChangePoint>> found(series.size());
    std::vector<Stretch> stretches;
    for (std::size_t i = 0; i < series.size(); ++i) {
        stretches.push_back({i, 0, series[i].size()});
    }
    while (!stretches.empty()) {
        std::vector<Trial> trials;
        std::vector<IndependentTimes> times;
        for (std::size_t i = 0; i < stretches.size(); ++i) {
            throwIfStopped(stop);
            const Stretch& stretch = stretches[i];
            for (std::size_t entry = stretch.first + 1; entry < stretch.last; ++entry) {
                IndependentTimes runs = runsAround(series[stretch.series], stretch, entry);
                if (std::min(runs.base.size(), runs.candidate.size()) >= rule.leastPairs) {
                    trials.push_back({i, entry});
                    times.push_back(std::move(runs));
                }
            }
        }
        const auto best = bestOf(series, stretches, trials, decideIndependent(times, rule, stop));
        std::vector<Stretch> next;
        for (std::size_t i = 0; i < stretches.size(); ++i) {
            if (best[i]) {
                const Stretch& stretch = stretches[i];
                found[stretch.series].push_back(*best[i]);
                next.push_back({stretch.series, stretch.first, best[i]->entry});
                next.push_back({stretch.series, best[i]->entry, stretch.last});
            }
        }
        stretches = std::move(next);
    }
    for (auto& points : found) {
        std::ranges::sort(points, {}, &ChangePoint::entry);
    }
    return found;
}

}  // namespace kinetoscope::stats
