// SPDX-License-Identifier: Apache-2.0
#include "core/stats/DurationHistogram.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace kinetoscope::stats {

namespace {

constexpr TimeNs kLongest = std::numeric_limits<TimeNs>::max();
constexpr double kWantedBins = 40.0;
constexpr std::size_t kBetweenLooks = 1 << 16;  // at the stop token

constexpr int kLastDecade = 18;  // 10^18 ns is the largest power that a time holds

TimeNs powerOfTen(int exponent) {
    TimeNs power = 1;
    for (int i = 0; i < exponent; ++i) {
        power *= 10;
    }
    return power;
}

/// Edge `index` where each decade has that many bins.
TimeNs logarithmicEdge(int index, int perDecade) {
    const int decade = index / perDecade;
    const int part = index % perDecade;
    if (decade > kLastDecade) {
        return kLongest;
    }
    const TimeNs base = powerOfTen(decade);
    const long double edge = static_cast<long double>(base) *
                             std::pow(10.0L, static_cast<long double>(part) / perDecade);
    return edge >= static_cast<long double>(kLongest) ? kLongest : std::llround(edge);
}

std::vector<TimeNs> logarithmicEdges(TimeNs least, TimeNs most) {
    std::vector<TimeNs> edges;
    if (least == 0) {
        edges.push_back(0);
    }
    const TimeNs low = std::max<TimeNs>(least, 1);
    const TimeNs high = std::max<TimeNs>(most, 1);
    const double decades =
        std::log10(static_cast<double>(high)) - std::log10(static_cast<double>(low));
    constexpr std::array kPerDecade{5, 10, 20, 50, 100, 200, 500, 1000};
    const auto* fine = std::ranges::find_if(
        kPerDecade, [decades](int perDecade) { return decades * perDecade >= kWantedBins; });
    const int perDecade = fine == kPerDecade.end() ? kPerDecade.back() : *fine;
    int index = static_cast<int>(std::log10(static_cast<double>(low)) * perDecade) + 1;
    const auto isBeyond = [low](TimeNs edge) { return edge > low || edge == kLongest; };
    while (index > 0 && isBeyond(logarithmicEdge(index, perDecade))) {
        --index;
    }
    for (TimeNs edge = logarithmicEdge(index, perDecade);;
         edge = logarithmicEdge(++index, perDecade)) {
        if (edges.empty() || edge > edges.back()) {  // below 10 ns several round to one
            edges.push_back(edge);
        }
        if ((edge > most && edges.size() > 1) || edge == kLongest) {
            return edges;
        }
    }
}

std::vector<TimeNs> linearEdges(TimeNs least, TimeNs most) {
    const double wanted = static_cast<double>(most - least) / kWantedBins;
    TimeNs step = 1;
    for (int decade = 0; decade <= kLastDecade && static_cast<double>(step) < wanted; ++decade) {
        for (const TimeNs factor : {1, 2, 5}) {
            if (decade < kLastDecade || factor < 5) {
                step = factor * powerOfTen(decade);
            }
            if (static_cast<double>(step) >= wanted) {
                break;
            }
        }
    }
    std::vector<TimeNs> edges{std::min(least / step * step, kLongest - 1)};
    while (edges.back() <= most && edges.back() != kLongest) {
        edges.push_back(addTime(edges.back(), step));
    }
    return edges;
}

}  // namespace

std::vector<TimeNs> binEdges(TimeNs least, TimeNs most, BinScale scale) {
    return scale == BinScale::Linear ? linearEdges(least, most) : logarithmicEdges(least, most);
}

std::vector<DurationBin> durationHistogram(std::span<const TimeNs> durations, BinScale scale,
                                           const std::stop_token& stop) {
    std::vector<DurationBin> bins;
    if (durations.empty()) {
        return bins;
    }
    const auto [least, most] = std::ranges::minmax(durations);
    const std::vector<TimeNs> edges = binEdges(least, most, scale);
    for (std::size_t at = 0; at + 1 < edges.size(); ++at) {
        bins.push_back({edges[at], edges[at + 1], 0, 0});
    }
    for (std::size_t at = 0; at < durations.size(); ++at) {
        if (at % kBetweenLooks == 0 && stop.stop_requested()) {
            break;
        }
        const auto after = std::ranges::upper_bound(edges, durations[at]);
        const auto bin = std::min<std::ptrdiff_t>(after - edges.begin() - 1,
                                                  static_cast<std::ptrdiff_t>(bins.size()) - 1);
        DurationBin& taker = bins[static_cast<std::size_t>(bin)];
        ++taker.count;
        taker.total = addTime(taker.total, durations[at]);
    }
    return bins;
}

std::vector<double> durationQuantiles(std::vector<TimeNs>& durations,
                                      std::span<const double> quantiles) {
    std::vector<double> values(quantiles.size(), 0.0);
    if (durations.empty()) {
        return values;
    }
    auto done = durations.begin();
    for (std::size_t i = 0; i < quantiles.size(); ++i) {
        const double at =
            std::clamp(quantiles[i], 0.0, 1.0) * static_cast<double>(durations.size() - 1);
        const auto below = durations.begin() + static_cast<std::ptrdiff_t>(at);
        std::nth_element(done, below, durations.end());
        done = below;
        const double part = at - std::floor(at);
        const auto low = static_cast<double>(*below);
        const double high = part > 0.0 && below + 1 != durations.end()
                                ? static_cast<double>(*std::min_element(below + 1, durations.end()))
                                : low;
        values[i] = low + (high - low) * part;
    }
    return values;
}

}  // namespace kinetoscope::stats
