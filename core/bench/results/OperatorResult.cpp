// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/OperatorResult.h"

#include <fmt/format.h>

#include <algorithm>

namespace kinetoscope::bench::results {

namespace {

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return stats::quantileOfSorted(values, 0.5);
}

}  // namespace

std::optional<double> ImplementationResult::timeNs() const {
    return repeatsNs.empty() ? std::nullopt : std::optional(median(repeatsNs));
}

const ImplementationResult* OperatorSample::find(const std::string& name) const {
    const auto found =
        std::find_if(implementations.begin(), implementations.end(),
                     [&](const ImplementationResult& one) { return one.name == name; });
    return found == implementations.end() ? nullptr : &*found;
}

std::optional<double> OperatorSample::speedup(const std::string& name) const {
    const ImplementationResult* baseline = find(kBaseline);
    const ImplementationResult* candidate = find(name);
    if (baseline == nullptr || candidate == nullptr) {
        return std::nullopt;
    }
    const auto before = baseline->timeNs();
    const auto after = candidate->timeNs();
    return before && after && *after > 0.0 ? std::optional(*before / *after) : std::nullopt;
}

std::optional<bool> OperatorSample::sameKernels() const {
    const ImplementationResult* baseline = find(kBaseline);
    if (!traced || traced->kernels.empty() || baseline == nullptr || baseline->kernels.empty()) {
        return std::nullopt;
    }
    return namesOf(traced->kernels) == namesOf(baseline->kernels);
}

std::optional<TraceTime> OperatorSample::traceTime() const {
    const ImplementationResult* baseline = find(kBaseline);
    const auto time = baseline == nullptr ? std::nullopt : baseline->timeNs();
    return traced && time ? std::optional(results::traceTime(traced->timeNs, *time,
                                                             totalNs(baseline->kernels)))
                          : std::nullopt;
}

std::optional<double> OperatorSample::traceRatio() const {
    const ImplementationResult* baseline = find(kBaseline);
    const auto time = baseline == nullptr ? std::nullopt : baseline->timeNs();
    return traced && time && *time > 0.0 ? std::optional(traced->timeNs / *time) : std::nullopt;
}

std::optional<Quantiles> OperatorResult::speedups(const std::string& implementation) const {
    std::vector<double> values;
    for (const OperatorSample& sample : samples) {
        if (const auto value = sample.speedup(implementation)) {
            values.push_back(*value);
        }
    }
    if (values.empty()) {
        return std::nullopt;
    }
    std::sort(values.begin(), values.end());
    Quantiles found{};
    std::transform(kSpeedupQuantiles.begin(), kSpeedupQuantiles.end(), found.begin(),
                   [&](double q) { return stats::quantileOfSorted(values, q); });
    return found;
}

std::size_t OperatorResult::measured() const {
    return static_cast<std::size_t>(
        std::count_if(samples.begin(), samples.end(), [](const OperatorSample& sample) {
            return sample.reason.empty() && !sample.implementations.empty();
        }));
}

std::int64_t OperatorDocument::calls() const {
    std::int64_t sum = 0;
    for (const OperatorResult& one : operators) {
        for (const OperatorSample& sample : one.samples) {
            sum += sample.count;
        }
    }
    return sum;
}

std::int64_t OperatorDocument::callsRun() const {
    std::int64_t sum = 0;
    for (const OperatorResult& one : operators) {
        for (const OperatorSample& sample : one.samples) {
            const bool ran = sample.reason.empty() && !sample.implementations.empty();
            sum += ran ? sample.count : 0;
        }
    }
    return sum;
}

std::string OperatorAccuracy::why() const {
    return difference.empty() ? fmt::format("cosine similarity {:.4f} is below 0.99", cosine)
                              : difference;
}

std::size_t OperatorDocument::inaccurate(bool onlyOfOtherForm) const {
    std::size_t count = 0;
    for (const OperatorResult& one : operators) {
        for (const OperatorSample& sample : one.samples) {
            for (const ImplementationResult& result : sample.implementations) {
                const bool failed =
                    result.accuracy && result.accuracy->reason.empty() && !result.accuracy->same;
                count += static_cast<std::size_t>(
                    failed && (!onlyOfOtherForm || !result.accuracy->difference.empty()));
            }
        }
    }
    return count;
}

}  // namespace kinetoscope::bench::results
