// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/compare/JobComparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <span>
#include <tuple>

#include "core/base/Threads.h"
#include "core/ranks/JobText.h"
#include "core/stats/Statistics.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"

namespace kinetoscope::ranks::compare {

namespace {

double medianOf(std::vector<double> values) {
    return stats::medianOf(values);
}

// Samples that pair, row by row; a time of 0 or less has no ratio.
stats::PairedTimes paired(const Sides<std::vector<double>>& samples) {
    stats::PairedTimes times;
    const std::size_t count = std::min(samples.base.size(), samples.candidate.size());
    for (std::size_t i = 0; i < count; ++i) {
        if (samples.base[i] > 0.0 && samples.candidate[i] > 0.0) {
            times.base.push_back(samples.base[i]);
            times.candidate.push_back(samples.candidate[i]);
        }
    }
    times.identical = !times.base.empty() && samples.base == samples.candidate;
    return times;
}

// A list of what is compared, with the samples of each.
class Rows {
public:
    /// Where they do not pair, both sides are shown and nothing is decided.
    ComparedTimes& add(std::string name, const Sides<std::vector<double>>& samples, bool pair) {
        m_times.push_back(pair ? paired(samples) : stats::PairedTimes());
        ComparedTimes& row = m_rows.emplace_back();
        row.name = std::move(name);
        row.count = {samples.base.size(), samples.candidate.size()};
        row.medianNs = {medianOf(samples.base), medianOf(samples.candidate)};
        row.pairs = m_times.back().base.size();
        return row;
    }
    std::vector<ComparedTimes> decide(const stats::VerdictRule& rule, const std::stop_token& stop) {
        const std::vector<stats::Decision> decisions = stats::decide(m_times, rule, stop);
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            m_rows[i].change = decisions[i];
        }
        throwIfStopped(stop);
        return std::move(m_rows);
    }

private:
    std::vector<ComparedTimes> m_rows;
    std::vector<stats::PairedTimes> m_times;
};

struct CollectiveKey {
    std::string group;
    std::string kind;
    std::uint64_t bytes = 0;
    std::size_t members = 0;

    friend auto operator<=>(const CollectiveKey&, const CollectiveKey&) = default;
};

// Those of one key, by the order of the job's steps.
struct CollectiveSamples {
    std::map<std::size_t, std::vector<double>> tookNs;  ///< by row of Job::steps
    std::vector<double> all;
    TimeNs waitedNs = 0;
};

std::map<CollectiveKey, CollectiveSamples> collectivesOf(const Job& job) {
    std::map<std::int64_t, std::size_t> rows;
    for (const JobStep& step : job.steps) {
        rows.emplace(step.number, rows.size());
    }
    std::map<CollectiveKey, CollectiveSamples> samples;
    for (std::size_t i = 0; i < job.waits.size(); ++i) {
        const Collective& one = job.matching.collectives[i];
        CollectiveSamples& of = samples[{one.group, one.kind, one.bytes, one.members.size()}];
        const auto took = static_cast<double>(job.waits[i].tookNs);
        const auto row = rows.find(job.waits[i].step);
        of.tookNs[row == rows.end() ? rows.size() : row->second].push_back(took);
        of.all.push_back(took);
        of.waitedNs += job.waits[i].exposedSum();
    }
    return samples;
}

// Pairs of one step and place; steps in which the counts differ are left out.
Sides<std::vector<double>> placesOf(const CollectiveSamples& base,
                                    const CollectiveSamples& candidate) {
    Sides<std::vector<double>> pairs;
    for (const auto& [step, took] : base.tookNs) {
        const auto other = candidate.tookNs.find(step);
        if (other != candidate.tookNs.end() && other->second.size() == took.size()) {
            pairs.base.insert(pairs.base.end(), took.begin(), took.end());
            pairs.candidate.insert(pairs.candidate.end(), other->second.begin(),
                                   other->second.end());
        }
    }
    return pairs;
}

// Steps with a number; what is outside of them pairs with nothing.
std::vector<const JobStep*> numbered(const Job& job) {
    std::vector<const JobStep*> steps;
    for (const JobStep& step : job.steps) {
        if (step.number >= 0) {
            steps.push_back(&step);
        }
    }
    return steps;
}

class Comparer {
public:
    Comparer(const Sides<const Job*>& jobs, const stats::VerdictRule& rule,
             const std::stop_token& stop)
        : m_jobs(jobs),
          m_rule(rule),
          m_stop(stop),
          m_steps{numbered(*jobs.base), numbered(*jobs.candidate)} {
        for (std::size_t base = 0; base < jobs.base->records.size(); ++base) {
            const auto same = std::ranges::find(jobs.candidate->records,
                                                jobs.base->records[base].rank, &RankRecord::rank);
            if (same != jobs.candidate->records.end()) {
                m_ranks.push_back(
                    {base, static_cast<std::size_t>(same - jobs.candidate->records.begin())});
            }
        }
    }

    Result<JobComparison> compare() {
        if (m_ranks.empty()) {
            return fail("the jobs have no rank in common");
        }
        m_comparison.ranks = {m_jobs.base->records.size(), m_jobs.candidate->records.size()};
        compareSteps();
        compareRanks();
        compareCollectives();
        compareCauses();
        note();
        return std::move(m_comparison);
    }

private:
    [[nodiscard]] std::size_t commonSteps() const {
        return std::min(m_steps.base.size(), m_steps.candidate.size());
    }
    // -1: that rank has no such step.
    static double length(const std::vector<const JobStep*>& steps, std::size_t step,
                         std::size_t record) {
        return static_cast<double>(steps[step]->lengthNs[record]);
    }

    void compareSteps() {
        Rows rows;
        Sides<std::vector<double>> medians;
        Sides<TimeNs> waited;
        for (std::size_t step = 0; step < commonSteps(); ++step) {
            Sides<std::vector<double>> lengths;
            for (const Sides<std::size_t>& rank : m_ranks) {
                const double base = length(m_steps.base, step, rank.base);
                const double candidate = length(m_steps.candidate, step, rank.candidate);
                if (base > 0.0 && candidate > 0.0) {
                    lengths.base.push_back(base);
                    lengths.candidate.push_back(candidate);
                }
            }
            const JobStep& base = *m_steps.base[step];
            const JobStep& candidate = *m_steps.candidate[step];
            ComparedTimes& row =
                rows.add(base.number == candidate.number
                             ? fmt::format("{}", base.number)
                             : fmt::format("{} / {}", base.number, candidate.number),
                         lengths, true);
            row.waitedNs = {base.blameNs, candidate.blameNs};
            waited.base += base.blameNs;
            waited.candidate += candidate.blameNs;
            medians.base.push_back(row.medianNs.base);
            medians.candidate.push_back(row.medianNs.candidate);
        }
        m_comparison.steps = rows.decide(m_rule, m_stop);
        Rows all;
        all.add("all steps", medians, true).waitedNs = waited;
        m_comparison.all = all.decide(m_rule, m_stop).front();
    }

    void compareRanks() {
        const Sides<std::vector<TimeNs>> suffered{m_jobs.base->suffered(),
                                                  m_jobs.candidate->suffered()};
        const Sides<std::vector<TimeNs>> caused{m_jobs.base->caused(), m_jobs.candidate->caused()};
        Rows rows;
        for (const Sides<std::size_t>& rank : m_ranks) {
            Sides<std::vector<double>> lengths;
            for (std::size_t step = 0; step < commonSteps(); ++step) {
                const double base = length(m_steps.base, step, rank.base);
                const double candidate = length(m_steps.candidate, step, rank.candidate);
                if (base > 0.0 && candidate > 0.0) {
                    lengths.base.push_back(base);
                    lengths.candidate.push_back(candidate);
                }
            }
            ComparedTimes& row =
                rows.add(fmt::format("{}", m_jobs.base->records[rank.base].rank), lengths, true);
            row.waitedNs = {suffered.base[rank.base], suffered.candidate[rank.candidate]};
            row.causedNs = {caused.base[rank.base], caused.candidate[rank.candidate]};
        }
        m_comparison.byRank = rows.decide(m_rule, m_stop);
    }

    void compareCollectives() {
        const auto base = collectivesOf(*m_jobs.base);
        const auto candidate = collectivesOf(*m_jobs.candidate);
        std::map<CollectiveKey, Sides<const CollectiveSamples*>> keys;
        for (const auto& [key, samples] : base) {
            keys[key].base = &samples;
        }
        for (const auto& [key, samples] : candidate) {
            keys[key].candidate = &samples;
        }
        static const CollectiveSamples kNone;
        Rows rows;
        for (const auto& [key, found] : keys) {
            const CollectiveSamples& one = found.base == nullptr ? kNone : *found.base;
            const CollectiveSamples& other = found.candidate == nullptr ? kNone : *found.candidate;
            ComparedTimes& row = rows.add(nameOf(key), placesOf(one, other), true);
            row.count = {one.all.size(), other.all.size()};
            row.medianNs = {medianOf(one.all), medianOf(other.all)};
            row.waitedNs = {one.waitedNs, other.waitedNs};
        }
        m_comparison.collectives = rows.decide(m_rule, m_stop);
    }

    static std::string nameOf(const CollectiveKey& key) {
        return fmt::format("{}{}{}, {} ranks", text::printable(key.kind),
                           key.group.empty() ? "" : " of group " + text::printable(key.group),
                           key.bytes == 0 ? "" : ", " + text::formatBytes(key.bytes), key.members);
    }

    void compareCauses() {
        std::map<std::pair<std::int64_t, CauseKind>, ComparedCause> causes;
        const auto take = [&](const Job& job, TimeNs Sides<TimeNs>::*ns,
                              std::vector<std::string> Sides<std::vector<std::string>>::*texts) {
            for (const Cause& cause : job.answers) {
                const std::int64_t rank = job.records[cause.record].rank;
                ComparedCause& compared = causes[{rank, cause.kind}];
                compared.rank = rank;
                compared.kind = cause.kind;
                compared.ns.*ns += cause.ns();
                (compared.texts.*texts).push_back(answerText(job, cause));
            }
        };
        take(*m_jobs.base, &Sides<TimeNs>::base, &Sides<std::vector<std::string>>::base);
        take(*m_jobs.candidate, &Sides<TimeNs>::candidate,
             &Sides<std::vector<std::string>>::candidate);
        for (auto& [key, cause] : causes) {
            m_comparison.causes.push_back(std::move(cause));
        }
        std::ranges::stable_sort(m_comparison.causes, std::ranges::greater{},
                                 [](const ComparedCause& cause) {
                                     return std::abs(cause.ns.candidate - cause.ns.base);
                                 });
    }

    void note() {
        std::vector<std::string>& notes = m_comparison.notes;
        const auto& [base, candidate] = m_comparison.ranks;
        if (m_ranks.size() < base || m_ranks.size() < candidate) {
            notes.push_back(
                fmt::format("{} ranks are in both jobs: the baseline has {}, the candidate {}",
                            m_ranks.size(), base, candidate));
        }
        noteMissing("the baseline", *m_jobs.base);
        noteMissing("the candidate", *m_jobs.candidate);
        if (m_steps.base.size() != m_steps.candidate.size()) {
            notes.push_back(fmt::format(
                "the first {} steps are compared: the baseline has {}, the candidate {}",
                commonSteps(), m_steps.base.size(), m_steps.candidate.size()));
        }
        if (commonSteps() == 0) {
            notes.emplace_back("a job without steps has no lengths to compare");
        }
    }

    void noteMissing(const char* side, const Job& job) {
        if (const std::string missing = undecidedText(job); !missing.empty()) {
            m_comparison.decided = false;
            m_comparison.notes.push_back(fmt::format("{} is not whole: {}", side, missing));
        }
    }

    const Sides<const Job*>& m_jobs;
    const stats::VerdictRule& m_rule;
    const std::stop_token& m_stop;
    Sides<std::vector<const JobStep*>> m_steps;
    std::vector<Sides<std::size_t>> m_ranks;  ///< rows of the records of both, by rank
    JobComparison m_comparison;
};

template <class Takes>
std::size_t countRows(const JobComparison& comparison, const Takes& takes) {
    std::ptrdiff_t count = takes(comparison.all) ? 1 : 0;
    for (const auto* rows : {&comparison.steps, &comparison.byRank, &comparison.collectives}) {
        count += std::ranges::count_if(*rows, takes);
    }
    return static_cast<std::size_t>(count);
}

}  // namespace

Result<JobComparison> compareJobs(const Sides<const Job*>& jobs, const stats::VerdictRule& rule,
                                  const std::stop_token& stop) {
    return guarded([&] { return Comparer(jobs, rule, stop).compare(); });
}

std::size_t countSlower(const JobComparison& comparison, double percent) {
    constexpr double kRounding = 1e-9;  // ratios of exactly 1.1 come out a little on either side
    return countRows(comparison, [&](const ComparedTimes& row) {
        return row.change.verdict == stats::Verdict::Slower &&
               100.0 * (row.change.ratio - 1.0) >= percent - kRounding;
    });
}

std::size_t countCompared(const JobComparison& comparison) {
    return countRows(comparison, [](const ComparedTimes& row) { return row.pairs > 0; });
}

std::size_t countTested(const JobComparison& comparison) {
    return countRows(comparison,
                     [](const ComparedTimes& row) { return row.change.interval.has_value(); });
}

}  // namespace kinetoscope::ranks::compare
