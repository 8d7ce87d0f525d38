// SPDX-License-Identifier: Apache-2.0
#include "core/compare/SelfCheck.h"

#include <numeric>

namespace kinetoscope::compare {

namespace {

Result<SelfCheck> check(std::string kind, const ComparedRun& base, const ComparedRun& candidate,
                        const CompareOptions& options) {
    const auto comparison = compareRuns(Baseline(&base), Candidate(&candidate), options);
    if (!comparison) {
        return tl::unexpected(comparison.error());
    }
    SelfCheck result;
    result.kind = std::move(kind);
    result.file = comparison->file;
    result.steps = comparison->stepCount;
    result.kernels = comparison->kernels.size();
    for (const stats::Verdict verdict : {stats::Verdict::Faster, stats::Verdict::Slower,
                                         stats::Verdict::Same, stats::Verdict::Unsure}) {
        const VerdictCount count = countVerdict(*comparison, verdict);
        result.count[static_cast<std::size_t>(verdict)] = count.kernels;
        result.timeNs[static_cast<std::size_t>(verdict)] = count.baseNs;
    }
    return result;
}

double percentOf(double part, double whole) {
    return whole > 0.0 ? 100.0 * part / whole : 0.0;
}

constexpr double kSameProgram = 0.95;

double matchedShare(const ComparedRun& run, const std::vector<std::uint32_t>& rowOf) {
    double matched = 0.0;
    double all = 0.0;
    for (std::size_t at = 0; at < rowOf.size(); ++at) {
        const auto ns = static_cast<double>(run.launches[at].duration);
        all += ns;
        matched += rowOf[at] == kNoRow ? 0.0 : ns;
    }
    return all > 0.0 ? matched / all : 1.0;
}

}  // namespace

double SelfCheck::falseAlarmPercent() const {
    const std::size_t alarms = count[static_cast<std::size_t>(stats::Verdict::Faster)] +
                               count[static_cast<std::size_t>(stats::Verdict::Slower)];
    return percentOf(static_cast<double>(alarms), static_cast<double>(kernels));
}

double SelfCheck::unsureTimePercent() const {
    return percentOf(timeNs[static_cast<std::size_t>(stats::Verdict::Unsure)],
                     std::accumulate(timeNs.begin(), timeNs.end(), 0.0));
}

Result<SelfCheck> checkHalves(const ComparedRun& run, const CompareOptions& options) {
    const auto steps = static_cast<std::uint32_t>(run.report.steps.size());
    if (steps < 2) {
        return check("launches", halfOf(run, false), halfOf(run, true), options);
    }
    return check("steps", stepsOf(run, 0, steps / 2), stepsOf(run, steps - steps / 2, steps),
                 options);
}

bool areRunsOfOneProgram(const ComparedRun& one, const ComparedRun& other) {
    const KernelMatches matches = matchKernels(one, other, MatchKind::Exact);
    return matchedShare(one, matches.rowOf.base) >= kSameProgram &&
           matchedShare(other, matches.rowOf.candidate) >= kSameProgram;
}

Result<SelfCheck> checkRuns(const ComparedRun& one, const ComparedRun& other,
                            const CompareOptions& options) {
    return check("runs", one, other, options);
}

}  // namespace kinetoscope::compare
