// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/bench/operators/InputParser.h"
#include "core/bench/results/KernelResult.h"
#include "core/bench/results/TracedCall.h"

namespace kinetoscope::bench::results {

/// How the results of an implementation compare with those of the baseline.
struct OperatorAccuracy {
    double cosine = 1.0;  ///< similarity, smallest of all results
    double maxAbsolute = 0.0;
    bool same = true;
    std::string reason;      ///< why they were not compared; else empty
    std::string difference;  ///< what else than values differs, such as shapes; else empty

    /// Why they do not count as the same, in one line.
    [[nodiscard]] std::string why() const;
};

/// One implementation on one sample.
struct ImplementationResult {
    std::string name;
    std::vector<double> repeatsNs;  ///< of each repeat its median, or mean
    /// Medians of the up to 20 parts, of equally many runs, that each repeat is cut into, in their
    /// order: what a comparison with another result pairs. Empty in documents of older versions.
    std::vector<double> batchesNs;
    std::size_t samples = 0;  ///< runs timed, of all repeats
    double lowNs = 0.0;       ///< 95 % interval of the median of all runs
    double highNs = 0.0;
    bool graph = false;       ///< launched as a CUDA graph
    std::string graphReason;  ///< why not; empty on a CPU
    std::string reason;       ///< why it was not run; else empty
    std::optional<OperatorAccuracy> accuracy;
    /// What one run launches, with its inputs in the cache; empty where nobody asked.
    std::vector<LaunchedKernel> kernels;

    /// The median of the repeats; nothing when it was not run.
    [[nodiscard]] std::optional<double> timeNs() const;
};

struct OperatorSample {
    std::size_t index = 0;   ///< among the operator's recorded calls
    std::int64_t count = 0;  ///< how often it was recorded
    std::string input;       ///< the call, as recorded inputs spell it
    std::string reason;      ///< why it was not run; else empty
    std::vector<ImplementationResult> implementations;
    std::optional<TracedCall> traced{};  ///< of a call that a trace tells of
    /// "f32": the traced call before it, with this type in place of its own.
    std::string recast{};

    [[nodiscard]] const ImplementationResult* find(const std::string& name) const;
    /// Baseline time over the implementation's time.
    [[nodiscard]] std::optional<double> speedup(const std::string& name) const;
    /// Whether the baseline launched the trace's kernels; nothing where either is not known.
    [[nodiscard]] std::optional<bool> sameKernels() const;
    /// The trace's time beside the baseline's; nothing where either is not known.
    [[nodiscard]] std::optional<TraceTime> traceTime() const;
    /// Trace's time over the baseline's.
    [[nodiscard]] std::optional<double> traceRatio() const;
};

using Quantiles = std::array<double, 3>;
inline constexpr Quantiles kSpeedupQuantiles{0.2, 0.5, 0.8};

struct OperatorResult {
    std::string name;
    std::string reason;  ///< why none of it was run; else empty
    bool done = false;   ///< false while a run is under way or was interrupted
    std::vector<OperatorSample> samples;

    /// Of the samples that have a speedup; nothing without any.
    [[nodiscard]] std::optional<Quantiles> speedups(const std::string& implementation) const;
    [[nodiscard]] std::size_t measured() const;  ///< samples that ran
};

/// The baseline of all speedups.
inline constexpr const char* kBaseline = "eager";

/// One run of the operator bench.
struct OperatorDocument : TorchHeader {
    static constexpr const char* kKind = "operators";

    std::string suite;
    std::string inputFile;
    std::string operatorName = "all";
    std::string dtype;
    std::uint64_t seed = 0;
    std::size_t startIndex = 0;
    std::size_t maxSamples = 0;
    std::size_t repeats = 0;
    double timeLimitS = 0.0;
    bool accuracyChecking = false;
    bool channelsLast = false;
    bool means = false;                              ///< a repeat comes to its mean, not its median
    std::vector<std::string> implementations;        ///< asked for, the baseline first
    std::map<std::string, std::string> unavailable;  ///< implementation → reason
    std::vector<operators::InputProblem> problems;   ///< lines of the inputs that were left out
    std::optional<TraceOrigin> trace;                ///< of inputs that come from one
    std::vector<OperatorResult> operators;

    /// Recorded calls by their counts: of all samples, and of those that ran.
    [[nodiscard]] std::int64_t calls() const;
    [[nodiscard]] std::int64_t callsRun() const;
    /// Comparisons that failed: all, or only those of results that differ in more than values.
    [[nodiscard]] std::size_t inaccurate(bool onlyOfOtherForm = false) const;
};

/// What kscope-torch said of one sample, into `sample`. `line` is its JSON object. `means`: a
/// repeat comes to its mean, not its median.
[[nodiscard]] Result<void> takeSampleLine(std::string_view line, OperatorSample& sample,
                                          bool means = false);

}  // namespace kinetoscope::bench::results
