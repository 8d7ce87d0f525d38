// SPDX-License-Identifier: Apache-2.0
#include "core/stats/Verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

#include "core/base/Threads.h"
#include "core/stats/Statistics.h"
#include "core/stats/Student.h"

namespace kinetoscope::stats {

namespace {

// Two equal ratios may differ in the last bits of their logarithms.
constexpr double kRounding = 1e-12;

/// A kernel that is tested.
struct Test {
    std::size_t kernel = 0;
    std::function<RatioInterval(double error)> interval;
    double p = 1.0;  ///< least error at which its interval decides
    Verdict verdict = Verdict::Unsure;
};

/// Probabilities that the true ratio is on the other side of a bound.
struct Doubts {
    double atMostHigh;
    double atLeastLow;
    double aboveHigh;
    double belowLow;
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
Test testOf(std::size_t kernel, const Doubts& doubts,
            std::function<RatioInterval(double error)> interval) {
    const std::array<std::pair<double, Verdict>, 3> claims{
        {{2.0 * doubts.atMostHigh, Verdict::Slower},
         {2.0 * doubts.atLeastLow, Verdict::Faster},
         {2.0 * std::max(doubts.belowLow, doubts.aboveHigh), Verdict::Same}}};
    const auto best = *std::ranges::min_element(claims);
    return {kernel, std::move(interval), std::min(best.first, 1.0), best.second};
}

Test pairedTest(std::size_t kernel, const MedianBootstrap& bootstrap, double tolerance) {
    const double below = bootstrap.atMost(std::log1p(-tolerance) - kRounding, false);
    const double above = 1.0 - bootstrap.atMost(std::log1p(tolerance) + kRounding);
    return testOf(kernel, {1.0 - above, 1.0 - below, above, below}, [bootstrap](double error) {
        return RatioInterval{std::exp(bootstrap.quantile(error / 2.0)),
                             std::exp(bootstrap.quantile(1.0 - error / 2.0))};
    });
}

/// What Welch's test knows of two groups of logarithms.
struct Welch {
    double difference = 0.0;
    double error = 0.0;  ///< standard error of the difference
    double freedom = 1.0;

    [[nodiscard]] double above(double bound) const { return tail(difference - bound); }
    [[nodiscard]] double below(double bound) const { return tail(bound - difference); }

private:
    // Where nothing varies, the difference is what it is.
    [[nodiscard]] double tail(double distance) const {
        constexpr double kFar = std::numeric_limits<double>::infinity();
        return studentTail(error > 0.0 ? distance / error : distance > 0.0 ? kFar : -kFar, freedom);
    }
};

Welch welchOf(const IndependentTimes& times) {
    const auto logsOf = [](const std::vector<double>& values) {
        std::vector<double> logs;
        std::ranges::transform(values, std::back_inserter(logs),
                               [](double value) { return std::log(value); });
        return summarize(logs);
    };
    const SampleSummary base = logsOf(times.base);
    const SampleSummary candidate = logsOf(times.candidate);
    const auto n = static_cast<double>(base.count);
    const auto m = static_cast<double>(candidate.count);
    const double ofBase = base.deviation * base.deviation / n;
    const double ofCandidate = candidate.deviation * candidate.deviation / m;
    const double both = ofBase + ofCandidate;
    Welch welch{candidate.mean - base.mean, std::sqrt(both), n + m - 2.0};
    if (both > 0.0) {
        welch.freedom =
            both * both / (ofBase * ofBase / (n - 1.0) + ofCandidate * ofCandidate / (m - 1.0));
    }
    return welch;
}

Test independentTest(std::size_t kernel, const Welch& welch, double tolerance) {
    const double low = std::log1p(-tolerance) - kRounding;
    const double high = std::log1p(tolerance) + kRounding;
    return testOf(
        kernel, {welch.above(high), welch.below(low), welch.below(high), welch.above(low)},
        [welch](double error) {
            const double reach = welch.error * studentQuantile(error / 2.0, welch.freedom);
            return RatioInterval{std::exp(welch.difference - reach),
                                 std::exp(welch.difference + reach)};
        });
}

// Holm: the k-th smallest p is held against error / (m - k); after the first that is too large none
// counts.
void decideByHolm(std::vector<Test> tests, const VerdictRule& rule,
                  std::vector<Decision>& decisions, const std::stop_token& stop) {
    std::ranges::stable_sort(tests, {}, &Test::p);
    double error = 0.0;
    bool isDecided = true;
    for (std::size_t rank = 0; rank < tests.size(); ++rank) {
        const Test& test = tests[rank];
        if (isDecided) {
            error = rule.error / static_cast<double>(tests.size() + rule.others - rank);
            isDecided = test.p <= error;
        }
        throwIfStopped(stop);
        Decision& decision = decisions[test.kernel];
        decision.verdict = isDecided ? test.verdict : Verdict::Unsure;
        decision.interval = test.interval(error);
    }
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
            const MedianBootstrap bootstrap(logRatios(kernels[i]));
            decisions[i].ratio = std::exp(bootstrap.median());
            if (kernels[i].base.size() >= rule.leastPairs) {
                tests.push_back(pairedTest(i, bootstrap, rule.tolerance));
            }
        }
    }
    decideByHolm(std::move(tests), rule, decisions, stop);
    return decisions;
}

std::vector<Decision> decideIndependent(std::span<const IndependentTimes> kernels,
                                        const VerdictRule& rule, const std::stop_token& stop) {
    std::vector<Decision> decisions(kernels.size());
    std::vector<Test> tests;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        throwIfStopped(stop);
        const std::size_t least = std::min(kernels[i].base.size(), kernels[i].candidate.size());
        if (kernels[i].identical) {
            decisions[i] = {Verdict::Same, 1.0, RatioInterval{}};
        } else if (least > 0) {
            const Welch welch = welchOf(kernels[i]);
            decisions[i].ratio = std::exp(welch.difference);
            if (least >= std::max<std::size_t>(rule.leastPairs, 2)) {
                tests.push_back(independentTest(i, welch, rule.tolerance));
            }
        }
    }
    decideByHolm(std::move(tests), rule, decisions, stop);
    return decisions;
}

}  // namespace kinetoscope::stats
