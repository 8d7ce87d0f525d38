// SPDX-License-Identifier: Apache-2.0
#include "core/stats/Verdict.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/Threads.h"

namespace kinetoscope::stats {

namespace {

// Two equal ratios may differ in the last bits of their logarithms.
constexpr double kRounding = 1e-12;

/// A kernel that is tested.
struct Test {
    std::size_t kernel = 0;
    MedianBootstrap bootstrap;
    double p = 1.0;  ///< least error at which its interval decides
    Verdict verdict = Verdict::Unsure;
};

std::vector<double> logRatios(const PairedTimes& times) {
    std::vector<double> ratios;
    ratios.reserve(times.base.size());
    for (std::size_t i = 0; i < times.base.size(); ++i) {
        ratios.push_back(std::log(times.candidate[i] / times.base[i]));
    }
    return ratios;
}

// An interval with equal tails lies on one side of a bound when the other side has no more than
// half of the error.
Test makeTest(std::size_t kernel, MedianBootstrap bootstrap, double tolerance) {
    const double low = std::log1p(-tolerance) - kRounding;
    const double high = std::log1p(tolerance) + kRounding;
    const double below = bootstrap.atMost(low, false);
    const double above = 1.0 - bootstrap.atMost(high);
    const double atMostHigh = 1.0 - above;
    const double atLeastLow = 1.0 - below;
    const std::array<std::pair<double, Verdict>, 3> claims{
        {{2.0 * atMostHigh, Verdict::Slower},
         {2.0 * atLeastLow, Verdict::Faster},
         {2.0 * std::max(below, above), Verdict::Same}}};
    const auto best = *std::ranges::min_element(claims);
    return {kernel, std::move(bootstrap), std::min(best.first, 1.0), best.second};
}

Decision decisionAt(const Test& test, double error, bool isDecided) {
    Decision decision;
    decision.verdict = isDecided ? test.verdict : Verdict::Unsure;
    decision.ratio = std::exp(test.bootstrap.median());
    decision.interval = {std::exp(test.bootstrap.quantile(error / 2.0)),
                         std::exp(test.bootstrap.quantile(1.0 - error / 2.0))};
    return decision;
}

}  // namespace

std::string_view verdictName(Verdict verdict) {
    static constexpr std::array<std::string_view, 4> kNames{"FASTER", "SLOWER", "SAME", "UNSURE"};
    return kNames[static_cast<std::size_t>(verdict)];
}

std::vector<Decision> decide(std::span<const PairedTimes> kernels, const VerdictRule& rule,
                             const std::stop_token& stop) {
    std::vector<Decision> decisions(kernels.size());
    std::vector<Test> tests;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        throwIfStopped(stop);
        if (kernels[i].identical) {
            decisions[i] = {Verdict::Same, 1.0, RatioInterval{}};
        } else if (!kernels[i].base.empty()) {
            MedianBootstrap bootstrap(logRatios(kernels[i]));
            decisions[i].ratio = std::exp(bootstrap.median());
            if (kernels[i].base.size() >= rule.leastPairs) {
                tests.push_back(makeTest(i, std::move(bootstrap), rule.tolerance));
            }
        }
    }
    std::ranges::stable_sort(tests, {}, &Test::p);
    // Holm: the k-th smallest p is held against error / (m - k); after the first that is too large
    // none counts.
    double error = 0.0;
    bool isDecided = true;
    for (std::size_t rank = 0; rank < tests.size(); ++rank) {
        if (isDecided) {
            error = rule.error / static_cast<double>(tests.size() - rank);
            isDecided = tests[rank].p <= error;
        }
        throwIfStopped(stop);
        decisions[tests[rank].kernel] = decisionAt(tests[rank], error, isDecided);
    }
    return decisions;
}

}  // namespace kinetoscope::stats
