// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/compare/KernelMatch.h"
#include "core/compare/MeasuredResult.h"
#include "core/compare/Pairing.h"
#include "core/compare/Sides.h"
#include "core/stats/Verdict.h"

namespace kinetoscope::compare {

/// What counts and times are of.
enum class Normalisation : std::uint8_t {
    Run,   ///< the whole trace
    Step,  ///< one step: what lies in steps, divided by their number
};

struct CompareOptions {
    /// Without: per step when both have steps and not equally many, else per run.
    std::optional<Normalisation> per = std::nullopt;
    MatchKind match = MatchKind::Operator;
    stats::VerdictRule rule = {};
    std::stop_token stop = {};
};

/// Speedup of a pair = baseline time / candidate time.
struct Speedup {
    std::size_t pairs = 0;
    double min = 1.0;
    double q20 = 1.0;
    double q50 = 1.0;
    double q80 = 1.0;
    double max = 1.0;
    std::optional<stats::RatioInterval> interval;  ///< of the median speedup
};

/// A figure of both sides and what became of it.
struct Change {
    Both<double> value;

    [[nodiscard]] double delta() const { return value.candidate - value.base; }
    /// Nothing when the baseline has none of it.
    [[nodiscard]] std::optional<double> percent() const;
};

/// Launches of one kernel by one operator inside of a row.
struct KernelPart {
    std::string name;
    std::string op;  ///< empty if unknown, and in rows that were matched by name
    double count = 0.0;
    double totalNs = 0.0;
};

/// One row: kernels of the baseline and what they are in the candidate.
struct KernelChange {
    std::string name;
    MatchKind match = MatchKind::Exact;
    Both<std::vector<KernelPart>> parts;  ///< most time first
    Both<double> count;                   ///< launches, per normalisation
    Change totalNs;
    double shareOfChange = 0.0;  ///< of the change of all kernel time; 0 when that is 0
    Speedup speedup;
    stats::Verdict verdict = stats::Verdict::Unsure;
    Both<double> clockMhz;                ///< of benchmarks that sampled it; 0: not known
    Both<std::vector<double>> samplesNs;  ///< of benchmarks only, in their order
    std::uint32_t row = kNoRow;           ///< of KernelMatches; of traces only
    bool independent = false;             ///< the samples are not paired: of runs or moved repeats
    Both<std::string> key;                ///< of benchmarks: distinguishes those of one name
};

/// Launches of a kernel without a partner: all of them, or what is left of a matched one.
struct KernelOfOneSide {
    std::string name;
    double count = 0.0;
    double totalNs = 0.0;
    double shareOfChange = 0.0;
    std::string reason;  ///< why a benchmark has no time; empty otherwise
    std::string failed;  ///< why the other side's benchmark could not measure it; empty otherwise
};

/// How GPU time was spent, in nanoseconds per normalisation: one change for each figure of a report
/// that is compared.
struct TimeChange {
    std::map<std::string_view, Change> figures;  ///< by Figure::name()

    /// No time on either side for a figure that is not there.
    [[nodiscard]] const Change& of(std::string_view name) const;
};

struct GpuChange {
    Both<std::int64_t> gpu;
    Both<std::string> name;
    TimeChange times;
};

struct StepChange {
    Both<std::string> name;
    Both<std::int64_t> number;
    Change durationNs;
    Change busyNs;
    Both<std::uint64_t> kernels;
    Speedup speedup;  ///< over all paired kernels of the step
    stats::Verdict verdict = stats::Verdict::Unsure;
};

struct Comparison {
    std::optional<ResultKind> results;  ///< what was benchmarked; nothing: traces
    Both<std::string> file;
    Normalisation per = Normalisation::Run;
    MatchKind match = MatchKind::Operator;
    double tolerance = stats::kTraceTolerance;
    Both<std::uint64_t> stepCount;
    Change kernelTimeNs;  ///< all kernels, matched or not, but for those that failed on one side
    /// The median duration of all steps of each side; of traces that both have steps.
    std::optional<Change> stepTimeNs;
    std::vector<GpuChange> gpus;
    TimeChange breakdown;               ///< sum over the GPUs
    std::vector<KernelChange> kernels;  ///< largest change of total time first
    std::vector<KernelOfOneSide> onlyBase;
    std::vector<KernelOfOneSide> onlyCandidate;
    std::vector<StepChange> steps;
    KernelMatches matches;  ///< of traces: launches and units behind the rows
    std::vector<std::string> notes;
};

/// Fails if --per step is given and a run has no steps, or when stopped.
[[nodiscard]] Result<Comparison> compareRuns(const Baseline<const ComparedRun*>& base,
                                             const Candidate<const ComparedRun*>& candidate,
                                             const CompareOptions& options);

/// Kernels of one verdict and their part of the baseline's matched kernel time.
struct VerdictCount {
    std::size_t kernels = 0;
    double baseNs = 0.0;
};
[[nodiscard]] VerdictCount countVerdict(const Comparison& comparison, stats::Verdict verdict);

/// The steps of both runs in their order, as far as both have them; their verdicts are corrected
/// for the number of steps.
[[nodiscard]] std::vector<StepChange> compareSteps(const ComparedRun& base,
                                                   const ComparedRun& candidate,
                                                   const KernelMatches& matches,
                                                   const CompareOptions& options);

/// Quantiles of the speedups of pairs.
[[nodiscard]] Speedup speedupOf(const stats::PairedTimes& times, const stats::Decision& decision);

/// Orders rows by the size of their change and sets shares, from kernels, onlyBase, onlyCandidate.
void finishShares(Comparison& comparison);

}  // namespace kinetoscope::compare
