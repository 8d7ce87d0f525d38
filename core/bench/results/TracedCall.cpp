// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/TracedCall.h"

#include <algorithm>
#include <numeric>

namespace kinetoscope::bench::results {

namespace {

// Clocks and neighbours change a time by so much from run to run.
constexpr double kTolerance = 0.1;

}  // namespace

std::vector<std::string> namesOf(const std::vector<LaunchedKernel>& kernels) {
    std::vector<std::string> names(kernels.size());
    std::ranges::transform(kernels, names.begin(), &LaunchedKernel::name);
    return names;
}

double totalNs(const std::vector<LaunchedKernel>& kernels) {
    return std::accumulate(
        kernels.begin(), kernels.end(), 0.0,
        [](double sum, const LaunchedKernel& kernel) { return sum + kernel.timeNs; });
}

const char* traceTimeName(TraceTime time) {
    return time == TraceTime::Same ? "same" : time == TraceTime::Longer ? "longer" : "shorter";
}

TraceTime traceTime(double traceNs, double coldNs, double warmNs) {
    const double other = warmNs > 0.0 ? warmNs : coldNs;
    const auto [least, most] = std::minmax(coldNs, other);
    return traceNs > most * (1.0 + kTolerance)    ? TraceTime::Longer
           : traceNs < least * (1.0 - kTolerance) ? TraceTime::Shorter
                                                  : TraceTime::Same;
}

}  // namespace kinetoscope::bench::results
