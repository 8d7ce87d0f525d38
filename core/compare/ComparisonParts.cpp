// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/compare/Comparison.h"
#include "core/stats/Statistics.h"

namespace kinetoscope::compare {

namespace {

std::vector<stats::PairedTimes> timesBySteps(const KernelMatches& matches, std::size_t steps) {
    std::vector<stats::PairedTimes> times(steps);
    std::vector<Both<std::size_t>> units(steps);
    std::vector<std::size_t> pairs(steps);
    std::vector<bool> equal(steps, true);
    for (const MatchedKernels& matched : matches.rows) {
        for (const UnitPair& pair : pairUnits(matched)) {
            const MatchedUnit& a = matched.units.base[pair.base];
            const MatchedUnit& b = matched.units.candidate[pair.candidate];
            if (a.step >= steps || b.step != a.step) {
                continue;
            }
            ++pairs[a.step];
            equal[a.step] = equal[a.step] && a.ns == b.ns;
            if (a.ns > 0 && b.ns > 0) {
                times[a.step].base.push_back(a.ns);
                times[a.step].candidate.push_back(b.ns);
            }
        }
    }
    for (std::size_t step = 0; step < steps; ++step) {
        times[step].identical = equal[step] && pairs[step] > 0;
    }
    return times;
}

}  // namespace

std::vector<StepChange> compareSteps(const ComparedRun& base, const ComparedRun& candidate,
                                     const KernelMatches& matches, const CompareOptions& options) {
    std::vector<StepChange> steps;
    const auto& a = base.report.steps;
    const auto& b = candidate.report.steps;
    const std::size_t count = std::min(a.size(), b.size());
    const auto times = timesBySteps(matches, count);
    const auto decisions = stats::decide(times, options.rule, options.stop);
    for (std::size_t i = 0; i < count; ++i) {
        const auto pair = [](TimeNs left, TimeNs right) {
            return Change{{static_cast<double>(left), static_cast<double>(right)}};
        };
        steps.push_back({{a[i].name, b[i].name},
                         {a[i].number, b[i].number},
                         pair(a[i].span.duration(), b[i].span.duration()),
                         pair(a[i].busyNs, b[i].busyNs),
                         {a[i].kernels, b[i].kernels},
                         speedupOf(times[i], decisions[i]),
                         decisions[i].verdict});
    }
    return steps;
}

std::optional<double> Change::percent() const {
    return value.base > 0.0 ? std::optional(100.0 * delta() / value.base) : std::nullopt;
}

Speedup speedupOf(const stats::PairedTimes& times, const stats::Decision& decision) {
    Speedup speedup;
    speedup.pairs = times.base.size();
    if (!times.base.empty()) {
        std::vector<double> values;
        for (std::size_t i = 0; i < times.base.size(); ++i) {
            values.push_back(times.base[i] / times.candidate[i]);
        }
        std::ranges::sort(values);
        speedup.min = values.front();
        speedup.q20 = stats::quantileOfSorted(values, 0.2);
        speedup.q50 = stats::quantileOfSorted(values, 0.5);
        speedup.q80 = stats::quantileOfSorted(values, 0.8);
        speedup.max = values.back();
    }
    if (decision.interval) {
        speedup.interval = {1.0 / decision.interval->high, 1.0 / decision.interval->low};
    }
    return speedup;
}

void finishShares(Comparison& comparison) {
    Change& total = comparison.kernelTimeNs;
    total = {};
    for (const KernelChange& kernel : comparison.kernels) {
        total.value.base += kernel.totalNs.value.base;
        total.value.candidate += kernel.totalNs.value.candidate;
    }
    // A kernel that is gone saves its time; one that could not be measured saves nothing.
    const auto counted = [](const KernelOfOneSide& kernel) {
        return kernel.failed.empty() ? kernel.totalNs : 0.0;
    };
    for (const KernelOfOneSide& kernel : comparison.onlyBase) {
        total.value.base += counted(kernel);
    }
    for (const KernelOfOneSide& kernel : comparison.onlyCandidate) {
        total.value.candidate += counted(kernel);
    }
    const double delta = total.delta();
    const auto share = [&](double part) { return delta == 0.0 ? 0.0 : part / delta; };
    for (KernelChange& kernel : comparison.kernels) {
        kernel.shareOfChange = share(kernel.totalNs.delta());
    }
    for (KernelOfOneSide& kernel : comparison.onlyBase) {
        kernel.shareOfChange = share(-counted(kernel));
    }
    for (KernelOfOneSide& kernel : comparison.onlyCandidate) {
        kernel.shareOfChange = share(counted(kernel));
    }
    std::ranges::sort(comparison.kernels, {}, [](const KernelChange& kernel) {
        return std::tuple(-std::abs(kernel.totalNs.delta()), -kernel.totalNs.value.base,
                          kernel.name);
    });
    const auto byTime = [](const KernelOfOneSide& kernel) {
        return std::tuple(-kernel.totalNs, kernel.name);
    };
    std::ranges::sort(comparison.onlyBase, {}, byTime);
    std::ranges::sort(comparison.onlyCandidate, {}, byTime);
}

}  // namespace kinetoscope::compare
