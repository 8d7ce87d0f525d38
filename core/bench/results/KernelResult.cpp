// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/KernelResult.h"

#include <algorithm>

namespace kinetoscope::bench::results {

double ConfigResult::timeNs() const {
    const stats::SampleSummary all = summary();
    return minimum ? all.min : all.median;
}

std::size_t ConfigResult::throttled() const {
    return static_cast<std::size_t>(std::count_if(
        samples.begin(), samples.end(), [](const BenchSample& s) { return s.throttled; }));
}

double ConfigResult::clockMhz() const {
    std::vector<double> clocks;
    for (const BenchSample& sample : samples) {
        if (sample.clockMhz > 0.0) {
            clocks.push_back(sample.clockMhz);
        }
    }
    return stats::summarize(clocks).median;
}

namespace {

bool faster(const ConfigResult& a, const ConfigResult& b) {
    return a.timeNs() < b.timeNs();
}

}  // namespace

std::size_t KernelResult::best() const {
    return static_cast<std::size_t>(std::min_element(configs.begin(), configs.end(), faster) -
                                    configs.begin());
}

std::size_t KernelResult::worst() const {
    return static_cast<std::size_t>(std::max_element(configs.begin(), configs.end(), faster) -
                                    configs.begin());
}

std::size_t KernelResult::chosen() const {
    for (std::size_t i = 0; i < configs.size(); ++i) {
        if (configs[i].winner) {
            return i;
        }
    }
    return best();
}

std::optional<double> KernelResult::gbPerS(double ns) const {
    return gigabytes && ns > 0.0 ? std::optional(*gigabytes / (ns / 1e9)) : std::nullopt;
}

std::vector<double> countedNs(const std::vector<BenchSample>& samples) {
    std::vector<double> counted;
    for (const BenchSample& sample : samples) {
        if (!sample.throttled) {
            counted.push_back(sample.gpuNs);
        }
    }
    if (counted.empty()) {
        for (const BenchSample& sample : samples) {
            counted.push_back(sample.gpuNs);
        }
    }
    return counted;
}

}  // namespace kinetoscope::bench::results
