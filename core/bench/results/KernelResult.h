// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/bench/results/ResultHeader.h"
#include "core/stats/Statistics.h"

namespace kinetoscope::bench::results {

struct BenchSample {
    double gpuNs = 0.0;
    double clockMhz = 0.0;  ///< 0: not known
    bool throttled = false;
};

/// Durations of the samples that count: those not throttled, or all when there are no others.
[[nodiscard]] std::vector<double> countedNs(const std::vector<BenchSample>& samples);

struct ConfigResult {
    std::string label;
    bool winner = false;  ///< an autotuning chose it
    int registers = 0;
    int spills = 0;  ///< 32-bit words of local memory per thread
    std::int64_t sharedBytes = 0;
    double occupancy = 0.0;  ///< 0 to 1
    bool minimum = false;    ///< the method lets the fastest sample count, not the median
    std::vector<BenchSample> samples;

    [[nodiscard]] stats::SampleSummary summary() const {
        return stats::summarize(countedNs(samples));
    }
    /// The figure that stands for the samples.
    [[nodiscard]] double timeNs() const;
    [[nodiscard]] std::size_t throttled() const;
    /// Median of the samples that have one, MHz; 0 when none has.
    [[nodiscard]] double clockMhz() const;
};

/// How far the outputs of all configurations lie from the first one's.
struct AccuracyResult {
    double maxAbsolute = 0.0;
    double maxRelative = 0.0;  ///< of elements whose magnitude is at least 1e-6
    std::string buffer;        ///< where the largest absolute difference is; empty without any
};

struct KernelResult {
    std::string name;
    std::string key;
    std::string category;
    std::string source;
    std::optional<double> gigabytes;
    std::optional<double> flop;
    std::string reason;  ///< why it was not run; empty when it was
    std::vector<ConfigResult> configs;
    std::optional<AccuracyResult> accuracy;

    /// Index of the configuration with the smallest or largest time; of no meaning without any.
    [[nodiscard]] std::size_t best() const;
    [[nodiscard]] std::size_t worst() const;
    /// The one an autotuning chose, else the best.
    [[nodiscard]] std::size_t chosen() const;
    /// GB/s for a duration; nothing when the amount is not known.
    [[nodiscard]] std::optional<double> gbPerS(double ns) const;
};

/// One run of a bench, as it is kept and shown.
struct KernelDocument : ResultHeader {
    static constexpr const char* kKind = "kernels";

    std::string method;
    std::int64_t candidates = 0;  ///< kernels that only autotuning ran, left out
    std::vector<KernelResult> kernels;
};

}  // namespace kinetoscope::bench::results
