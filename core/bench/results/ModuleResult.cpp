// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/ModuleResult.h"

namespace kinetoscope::bench::results {

namespace {

constexpr double kThreshold = 0.01;

}  // namespace

std::size_t ModuleDocument::failures() const {
    std::size_t count = 0;
    for (const ModuleGroup& group : groups) {
        for (const ModuleResult& runner : group.runners) {
            count += runner.reason.empty() ? 0U : 1U;
        }
    }
    return count;
}

std::size_t ModuleDocument::disagreements() const {
    std::size_t count = 0;
    for (const ModuleGroup& group : groups) {
        for (const ModuleResult& runner : group.runners) {
            count += runner.agreement && !runner.agreement->same ? 1U : 0U;
        }
    }
    return count;
}

std::string moduleVerdict(const std::vector<double>& baselineMs,
                          const std::vector<double>& runnerMs) {
    const stats::SampleSummary before = stats::summarize(baselineMs);
    const stats::SampleSummary after = stats::summarize(runnerMs);
    if (before.count == 0 || after.count == 0 || before.low <= 0.0) {
        return {};
    }
    if (before.count < 6 || after.count < 6) {
        return "UNSURE";  // such intervals hold the median with less than 95 %
    }
    const double low = after.low / before.high;
    const double high = after.high / before.low;
    if (low > 1.0 + kThreshold) {
        return "SLOWER";
    }
    if (high < 1.0 - kThreshold) {
        return "FASTER";
    }
    return low >= 1.0 - kThreshold && high <= 1.0 + kThreshold ? "SAME" : "UNSURE";
}

}  // namespace kinetoscope::bench::results
