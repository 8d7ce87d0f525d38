// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/ranks/Job.h"
#include "core/stats/Verdict.h"

namespace kinetoscope::ranks::compare {

template <class T>
struct Sides {
    T base{};
    T candidate{};
};

/// Times of both jobs that pair up, and what waiting there was.
struct ComparedTimes {
    std::string name;
    Sides<std::size_t> count;  ///< of samples
    Sides<double> medianNs;    ///< of them; 0 without any
    Sides<TimeNs> waitedNs;    ///< exposed waiting: of the step, by the rank, at the collectives
    Sides<TimeNs> causedNs;    ///< of ranks: the waiting of others for it
    std::size_t pairs = 0;
    stats::Decision change;  ///< of candidate / baseline
};

/// A cause of either job or both: the same rank late for the same reason.
struct ComparedCause {
    std::int64_t rank = 0;
    CauseKind kind = CauseKind::Host;
    Sides<TimeNs> ns;                       ///< of all of its steps; 0: none
    Sides<std::vector<std::string>> texts;  ///< see answerText()
};

struct JobComparison {
    Sides<std::string> name;  ///< as they were given
    Sides<std::size_t> ranks;
    /// Length of the steps: of each the median of the ranks; pairs are steps.
    ComparedTimes all;
    std::vector<ComparedTimes> steps;        ///< pairs are ranks
    std::vector<ComparedTimes> byRank;       ///< length of the steps; pairs are steps
    std::vector<ComparedTimes> collectives;  ///< what they took, by group, kind and size; pairs are
                                             ///< those of one place in one step
    std::vector<ComparedCause> causes;       ///< the largest change first
    bool decided = true;  ///< false: the rank that all wait for may be one without a file
    std::vector<std::string> notes;  ///< what could not be compared
};

/// Steps pair by their order, ranks by their number. The verdicts of each list are corrected for
/// its length. Fails when the jobs have no rank in common, and when it is stopped.
[[nodiscard]] Result<JobComparison> compareJobs(const Sides<const Job*>& jobs,
                                                const stats::VerdictRule& rule,
                                                const std::stop_token& stop = {});

/// How many of all steps together, steps, ranks and collectives are SLOWER, by so many percent or
/// more.
[[nodiscard]] std::size_t countSlower(const JobComparison& comparison, double percent);
/// How many of them have anything that pairs up.
[[nodiscard]] std::size_t countCompared(const JobComparison& comparison);
/// How many of these have enough pairs for a test.
[[nodiscard]] std::size_t countTested(const JobComparison& comparison);

}  // namespace kinetoscope::ranks::compare
