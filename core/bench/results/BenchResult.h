// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/bench/operators/InputParser.h"
#include "core/bench/results/ResultHeader.h"
#include "core/bench/results/TracedCall.h"
#include "core/stats/Statistics.h"

namespace kinetoscope::bench::results {

enum class ResultKind : std::uint8_t { Kernels, Operators, Modules };

inline constexpr std::array<const char*, 3> kKindNames{"kernels", "operators", "modules"};

[[nodiscard]] inline std::string kindName(ResultKind kind) {
    return kKindNames[static_cast<std::size_t>(kind)];
}

struct BenchSample {
    double gpuNs = 0.0;     ///< of the wall on a CPU
    double clockMhz = 0.0;  ///< 0: not known
    bool throttled = false;
    std::uint32_t placement = 0;  ///< where arguments lay in memory while it was taken; not saved
};

/// Durations of the samples that count: those not throttled, or all if every one was throttled.
[[nodiscard]] std::vector<double> countedNs(const std::vector<BenchSample>& samples);

/// The median of each place in memory, in their order, of samples that count.
[[nodiscard]] std::vector<double> placementTimes(const std::vector<BenchSample>& samples);

/// How far outputs lie from those of a reference.
struct Accuracy {
    std::string with{};   ///< the reference; empty: a kernel's first configuration, or the baseline
    double cosine = 1.0;  ///< similarity, smallest of all outputs
    double maxAbsolute = 0.0;
    double maxRelative = 0.0;  ///< where it counts: of magnitudes from 1e-6, of a module's beyond 1
    bool same = true;
    std::string buffer{};      ///< where the largest difference of a kernel is; empty without any
    std::string reason{};      ///< why they were not compared; else empty
    std::string difference{};  ///< what else than values differs, such as shapes; else empty

    [[nodiscard]] bool differs() const { return reason.empty() && !same; }
    /// Why they do not count as the same, in one line.
    [[nodiscard]] std::string why() const;
};

/// The samples of one variant: a kernel's configuration, a call's implementation, or a direction of
/// a module's runner.
struct BenchSeries {
    std::string name;
    std::string reason;  ///< why nothing was measured; else empty
    /// In their order; of an implementation the medians of the up to 20 parts, of equally many
    /// runs, that each repeat is cut into, which the first versions did not keep.
    std::vector<BenchSample> samples;
    std::optional<Accuracy> accuracy;

    // Configurations of kernels
    bool winner = false;   ///< an autotuning chose it
    bool minimum = false;  ///< the method lets the fastest sample count, not the median
    int registers = 0;
    int spills = 0;  ///< 32-bit words of local memory per thread
    std::int64_t sharedBytes = 0;
    double occupancy = 0.0;  ///< 0 to 1

    std::vector<double> repeatsNs;  ///< of each repeat its median, or mean

    // Implementations of operators
    std::size_t runs = 0;  ///< all that were timed
    double lowNs = 0.0;    ///< 95 % interval of the median of all runs, or of moved repeats' mean
    double highNs = 0.0;
    bool graph = false;       ///< launched as a CUDA graph
    std::string graphReason;  ///< why not; empty on a CPU
    /// GPU operations of one run, with its inputs in the cache; empty unless requested.
    std::vector<LaunchedKernel> kernels;
    bool moved = false;  ///< memory lay elsewhere in each repeat

    [[nodiscard]] stats::SampleSummary summary() const {
        return stats::summarize(countedNs(samples));
    }
    [[nodiscard]] bool measured() const { return !samples.empty() || !repeatsNs.empty(); }
    /// The figure that stands for the samples: the mean of the repeats without the fastest and the
    /// slowest of them (of three their median), or the median of what counts.
    [[nodiscard]] double timeNs() const;
    /// 95 % of it: of moved repeats that of their mean, else that of the samples' median.
    [[nodiscard]] stats::Interval interval() const;
    [[nodiscard]] std::size_t throttled() const;
    /// Median of the samples that have one, MHz; 0 when none has.
    [[nodiscard]] double clockMhz() const;
};

/// Outcome of recording a module's runner.
struct RunnerProfile {
    std::string trace;
    std::int64_t runs = 0;
    double wallMs = 0.0;  ///< of all runs, without the profiler
    /// Of the recorded runs, as torch._functorch's benchmark_utilization gives them; none without
    /// GPU work.
    std::optional<double> utilization;
    std::optional<double> mmConvUtilization;
};

using Quantiles = std::array<double, 3>;
inline constexpr Quantiles kSpeedupQuantiles{0.2, 0.5, 0.8};

/// The implementation of all speedups' first time.
inline constexpr const char* kBaseline = "eager";
/// The two series of a module's runner.
inline constexpr std::array kDirections{"forward", "backward"};

/// One benched item. A kernel has a series for each configuration. An operator's parts are its
/// recorded calls, with a series for each implementation. A group of modules' parts are its
/// runners, with a series for each direction.
struct BenchItem {
    std::string name;    ///< of a call its input, as recorded inputs spell it
    std::string key;     ///< distinguishes kernels of one name; of a group "lstm", "resnet",
                         ///< "module"
    std::string reason;  ///< why it was not run; else empty
    std::string note;
    std::vector<BenchSeries> series;
    std::vector<BenchItem> parts;
    bool done = false;       ///< of an operator: false while a run is under way or was interrupted
    std::size_t index = 0;   ///< of a call among those that were recorded
    std::int64_t count = 0;  ///< how often the call was recorded

    std::optional<TracedCall> traced;  ///< of a call taken from a trace
    std::string recast;  ///< "f32": the traced call before it, with this type in place of its own

    // Kernels
    std::string category;
    std::string source;
    std::optional<double> gigabytes;
    std::optional<double> flop;

    std::optional<Accuracy> accuracy;  ///< of all configurations, or of a runner
    std::optional<RunnerProfile> profile;

    /// Null when there is none of this name.
    [[nodiscard]] const BenchSeries* find(std::string_view seriesName) const;
    /// Whether any of it was run.
    [[nodiscard]] bool ran() const { return reason.empty() && !series.empty(); }

    /// Of a kernel: index of the configuration with the smallest or largest time; of no meaning
    /// without any.
    [[nodiscard]] std::size_t best() const;
    [[nodiscard]] std::size_t worst() const;
    /// The one an autotuning chose, else the best.
    [[nodiscard]] std::size_t chosen() const;
    /// GB/s for a duration; nothing when the amount is not known.
    [[nodiscard]] std::optional<double> gbPerS(double ns) const;

    /// Of a call: baseline time over the implementation's time.
    [[nodiscard]] std::optional<double> speedup(std::string_view implementation) const;
    /// Whether the baseline launched the trace's kernels; nothing where either is not known.
    [[nodiscard]] std::optional<bool> sameKernels() const;
    /// The trace's time beside the baseline's; nothing where either is not known.
    [[nodiscard]] std::optional<TraceTime> traceTime() const;
    /// Trace's time over the baseline's.
    [[nodiscard]] std::optional<double> traceRatio() const;
    /// Of an operator: of the calls that have one; nothing without any.
    [[nodiscard]] std::optional<Quantiles> speedups(std::string_view implementation) const;
    [[nodiscard]] std::size_t partsRun() const;
    [[nodiscard]] std::int64_t calls() const;  ///< recorded ones, of all parts
};

/// Options of a bench of operators, and the conditions its times depend on.
struct OperatorOptions {
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
    bool means = false;                        ///< a repeat comes to its mean, not its median
    std::vector<std::string> implementations;  ///< requested, the baseline first
};

/// One run of a bench, as it is saved and shown.
struct ResultDocument : ResultHeader {
    ResultDocument() = default;
    explicit ResultDocument(ResultKind of) : kind(of) {}

    ResultKind kind = ResultKind::Kernels;
    std::string method;                              ///< of kernels
    std::int64_t candidates = 0;                     ///< kernels that only autotuning ran, left out
    OperatorOptions options;                         ///< of operators
    std::map<std::string, std::string> unavailable;  ///< implementation → reason
    std::vector<operators::InputProblem> problems;   ///< lines of the inputs that were left out
    std::vector<std::string> notes;                  ///< of modules
    std::optional<TraceOrigin> trace;                ///< of operators whose inputs come from one
    std::vector<BenchItem> items;

    /// Recorded calls of operators by their counts: all, and those that ran.
    [[nodiscard]] std::int64_t calls() const;
    [[nodiscard]] std::int64_t callsRun() const;
    /// Comparisons with a reference that failed: all, or only those of outputs that differ in more
    /// than values.
    [[nodiscard]] std::size_t inaccurate(bool onlyOfOtherForm = false) const;
    [[nodiscard]] std::size_t failures() const;  ///< runners of modules that did not run
};

/// FASTER, SLOWER, SAME or UNSURE by stats::decide() over the samples of both in their order. Empty
/// where nothing was measured.
[[nodiscard]] std::string seriesVerdict(const BenchSeries& baseline, const BenchSeries& series);
/// Of a runner's direction over that of the first of its group; empty for the first.
[[nodiscard]] std::string runnerVerdict(const BenchItem& group, const BenchItem& runner,
                                        std::string_view direction);

/// What kscope-torch said of one call, into `call`. `line` is its JSON object. `means`: a repeat
/// comes to its mean, not its median.
[[nodiscard]] Result<void> takeCallLine(std::string_view line, BenchItem& call, bool means = false);
/// What kscope-torch said of the kernels that a call launches, into its series.
void takeKernelsLine(std::string_view line, BenchItem& call);
/// What kscope-torch said of one runner of a module, into `runner`.
[[nodiscard]] Result<void> takeRunnerLine(std::string_view line, BenchItem& runner);

}  // namespace kinetoscope::bench::results
