// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/ModuleResult.h"

#include <algorithm>

#include "core/stats/Verdict.h"

namespace kinetoscope::bench::results {

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
    const std::size_t loops = std::min(baselineMs.size(), runnerMs.size());
    stats::PairedTimes times;
    for (std::size_t loop = 0; loop < loops; ++loop) {
        if (baselineMs[loop] > 0.0 && runnerMs[loop] > 0.0) {
            times.base.push_back(baselineMs[loop]);
            times.candidate.push_back(runnerMs[loop]);
        }
    }
    if (times.base.empty()) {
        return {};
    }
    const stats::VerdictRule rule{.tolerance = stats::kBenchTolerance};
    return std::string(stats::verdictName(stats::decide({&times, 1}, rule).front().verdict));
}

std::string moduleVerdict(const ModuleGroup& group, const ModuleResult& runner,
                          std::vector<double> ModuleResult::*times) {
    const ModuleResult& first = group.runners.front();
    return &runner == &first ? std::string() : moduleVerdict(first.*times, runner.*times);
}

}  // namespace kinetoscope::bench::results
