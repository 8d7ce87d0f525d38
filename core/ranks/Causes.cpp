// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/Causes.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "core/ranks/CauseDetail.h"

namespace kinetoscope::ranks {

namespace {

constexpr TimeNs kLeastNs = 20'000;   // less is the noise of clocks and of kernels
constexpr TimeNs kLeastOfStep = 500;  // and so is this part of a step's length

CauseKind kindOf(const Excess& excess) {
    const std::array parts{excess.work.hostNs, excess.work.computeNs + excess.work.deviceNs,
                           excess.work.copyNs, excess.otherGroupNs};
    return static_cast<CauseKind>(std::ranges::max_element(parts) - parts.begin());
}

// What belongs to one rank in one step.
struct Share {
    Excess excess;
    Excess carried;  ///< the part of it that began in the step before
    TimeNs blameNs = 0;
    std::set<std::uint32_t> waiting;
    StepWork work;
};

class Finder {
public:
    Finder(const std::vector<RankRecord>& records, const Matching& matching,
           const std::vector<CollectiveWait>& waits)
        : m_records(records), m_matching(matching), m_waits(waits) {
        for (const RankRecord& record : records) {
            m_segments.push_back(record.segments);
            std::vector<std::int64_t>& numbers = m_stepOf.emplace_back();
            for (const CollectiveCall& call : record.collectives) {
                numbers.push_back(call.step);
            }
            numbers.push_back(record.steps.empty() ? -1 : record.steps.back().number);
        }
        std::vector<std::vector<TimeNs>> waited;
        for (const RankRecord& record : records) {
            waited.emplace_back(record.collectives.size());
        }
        for (std::size_t i = 0; i < waits.size(); ++i) {
            for (std::size_t m = 0; m < waits[i].waitedNs.size(); ++m) {
                const Member member = matching.collectives[i].members[m];
                waited[member.record][member.call] = waits[i].waitedNs[m];
                m_stepOf[member.record][member.call] = waits[i].step;
            }
        }
        for (std::size_t r = 0; r < records.size(); ++r) {
            for (Segment& segment : m_segments[r]) {
                segment.waitedNs +=
                    segment.before < 0 ? 0 : waited[r][static_cast<std::size_t>(segment.before)];
            }
        }
        m_shares.resize(records.size());
    }

    std::vector<JobStep> find() {
        listSteps();
        takeSegments();
        for (std::size_t i = 0; i < m_waits.size(); ++i) {
            takeCollective(m_matching.collectives[i], m_waits[i]);
        }
        takeEnds();
        for (auto& shares : m_shares) {
            giveBack(shares);
        }
        for (auto& [number, step] : m_steps) {
            conclude(step);
        }
        std::vector<JobStep> steps;
        for (auto& [number, step] : m_steps) {
            steps.push_back(std::move(step));
        }
        return steps;
    }

private:
    JobStep& stepOf(std::int64_t number) {
        JobStep& step = m_steps[number];
        step.number = number;
        if (step.lengthNs.empty()) {
            step.lengthNs.assign(m_records.size(), -1);
        }
        return step;
    }

    void listSteps() {
        for (std::size_t r = 0; r < m_records.size(); ++r) {
            for (const RankStep& step : m_records[r].steps) {
                stepOf(step.number).lengthNs[r] = step.span.duration();
            }
        }
    }

    void takeSegments() {
        for (std::size_t r = 0; r < m_records.size(); ++r) {
            for (std::size_t row = 0; row < m_segments[r].size(); ++row) {
                StepWork& work = m_shares[r][m_stepOf[r][row]].work;
                const TimeSpan own = m_segments[r][row].own;
                work.span = work.segments.empty() ? own
                                                  : TimeSpan{std::min(work.span.start, own.start),
                                                             std::max(work.span.end, own.end)};
                work.segments.push_back(row);
            }
        }
    }

    void takeCollective(const Collective& collective, const CollectiveWait& wait) {
        const std::vector<Excess> excesses =
            excessOfMembers(m_records, m_segments, collective.members);
        for (std::size_t i = 0; i < excesses.size(); ++i) {
            const Member member = collective.members[i];
            Share& own = m_shares[member.record][wait.step];
            own.excess.add(excesses[i]);
            if (beganBefore(member, wait.step)) {
                own.carried.add(excesses[i]);
            }
        }
        const Member last = collective.members[wait.last];
        Share& share = m_shares[last.record][wait.step];
        share.blameNs += wait.exposedSum();
        for (std::size_t i = 0; i < wait.exposedNs.size(); ++i) {
            if (wait.exposedNs[i] > kLeastNs) {
                share.waiting.insert(collective.members[i].record);
            }
        }
        stepOf(wait.step).blameNs += wait.exposedSum();
    }

    [[nodiscard]] bool beganBefore(Member member, std::int64_t number) const {
        const std::vector<RankStep>& steps = m_records[member.record].steps;
        const auto step = std::ranges::find(steps, number, &RankStep::number);
        return step != steps.end() &&
               m_segments[member.record][member.call].own.start < step->span.start;
    }

    // The work up to the first collective of a step begins in the step before. Of a rank that was
    // late there for the same reason and by much more, it is the rest of that.
    static void giveBack(std::map<std::int64_t, Share>& shares) {
        constexpr TimeNs kMuchMore = 4;
        Share* before = nullptr;
        for (auto& [number, share] : shares) {
            const TimeNs carried = share.carried.total();
            if (before != nullptr && carried > 0 && before->excess.total() >= kMuchMore * carried &&
                kindOf(before->excess) == kindOf(share.carried)) {
                before->excess.add(share.carried);
                share.excess.add(share.carried, -1);
            }
            before = &share;
        }
    }

    void takeEnds() {
        std::vector<Member> members;
        for (std::uint32_t r = 0; r < m_records.size(); ++r) {
            members.push_back({r, static_cast<std::uint32_t>(m_records[r].collectives.size())});
        }
        const std::vector<Excess> excesses = excessOfMembers(m_records, m_segments, members);
        for (std::size_t r = 0; r < excesses.size(); ++r) {
            m_shares[r][m_stepOf[r].back()].excess.add(excesses[r]);
        }
    }

    void conclude(JobStep& step) {
        TimeNs longest = 0;
        for (const TimeNs length : step.lengthNs) {
            longest = std::max(longest, length);
        }
        const TimeNs least = std::max(kLeastNs, longest / kLeastOfStep);
        const std::size_t usual = usualRecord(step.number);
        // The median of the sums: noise makes now one rank the median of a part, now another.
        const Excess median = m_shares[usual][step.number].excess;
        for (std::size_t r = 0; r < m_records.size(); ++r) {
            const auto at = m_shares[r].find(step.number);
            if (at == m_shares[r].end()) {
                continue;
            }
            Share& share = at->second;
            share.excess.add(median, -1);
            if (share.excess.total() < least) {
                continue;
            }
            Cause cause{.record = r,
                        .step = step.number,
                        .lastStep = step.number,
                        .steps = 1,
                        .kind = kindOf(share.excess),
                        .excess = share.excess,
                        .blameNs = share.blameNs,
                        .waiting = share.waiting.size(),
                        .detail = {}};
            cause.detail = describeCause(cause, m_records[r], share.work, m_records[usual],
                                         m_shares[usual][step.number].work);
            step.causes.push_back(std::move(cause));
        }
        std::ranges::stable_sort(step.causes, std::ranges::greater{}, [](const Cause& cause) {
            return std::pair(cause.blameNs, cause.ns());
        });
    }

    // The rank in the middle of the step.
    [[nodiscard]] std::size_t usualRecord(std::int64_t step) {
        std::vector<std::pair<TimeNs, std::size_t>> totals;
        for (std::size_t r = 0; r < m_records.size(); ++r) {
            totals.emplace_back(m_shares[r][step].excess.total(), r);
        }
        std::ranges::sort(totals);
        return totals[(totals.size() - 1) / 2].second;
    }

    const std::vector<RankRecord>& m_records;
    const Matching& m_matching;
    const std::vector<CollectiveWait>& m_waits;
    /// By record; waited: until the last member had come.
    std::vector<std::vector<Segment>> m_segments;
    std::vector<std::map<std::int64_t, Share>> m_shares;  ///< by record, then by step
    /// By record, then by segment: the step in which the last rank came. What follows the last
    /// collective belongs to the last step.
    std::vector<std::vector<std::int64_t>> m_stepOf;
    std::map<std::int64_t, JobStep> m_steps;
};

}  // namespace

const char* causeKindName(CauseKind kind) {
    static constexpr std::array kNames{"host", "compute", "copy", "other"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::vector<JobStep> findCauses(const std::vector<RankRecord>& records, const Matching& matching,
                                const std::vector<CollectiveWait>& waits) {
    return records.size() < 2 ? std::vector<JobStep>{} : Finder(records, matching, waits).find();
}

namespace {

// One rank's causes: those that recur, of much the same size, as one, and all others.
std::vector<Cause> mergeRank(const std::vector<const Cause*>& causes, std::size_t steps) {
    constexpr std::size_t kLeastSteps = 3;
    constexpr TimeNs kAlike = 5;  // steps differ in what they compute
    std::vector<TimeNs> sizes;
    for (const Cause* cause : causes) {
        sizes.push_back(cause->ns());
    }
    std::ranges::sort(sizes);
    const TimeNs median = sizes[(sizes.size() - 1) / 2];
    const auto isAlike = [&](const Cause* cause) {
        return cause->ns() <= kAlike * median && kAlike * cause->ns() >= median;
    };
    const auto alike = static_cast<std::size_t>(std::ranges::count_if(causes, isAlike));
    const bool recurs = alike >= kLeastSteps && 2 * alike >= steps;
    std::vector<Cause> merged;
    std::optional<Cause> sum;
    TimeNs most = 0;
    for (const Cause* cause : causes) {
        if (!recurs || !isAlike(cause)) {
            merged.push_back(*cause);
            continue;
        }
        if (!sum) {
            sum = *cause;
            most = cause->blameNs;
            continue;
        }
        sum->excess.add(cause->excess);
        sum->blameNs += cause->blameNs;
        sum->lastStep = cause->step;
        ++sum->steps;
        sum->waiting = std::max(sum->waiting, cause->waiting);
        if (cause->blameNs > most) {
            most = cause->blameNs;
            sum->detail = cause->detail;
        }
    }
    if (sum) {
        sum->kind = kindOf(sum->excess);
        merged.push_back(std::move(*sum));
    }
    return merged;
}

}  // namespace

std::vector<Cause> mergeCauses(const std::vector<JobStep>& steps) {
    std::map<std::size_t, std::vector<const Cause*>> byRecord;
    for (const JobStep& step : steps) {
        for (const Cause& cause : step.causes) {
            byRecord[cause.record].push_back(&cause);
        }
    }
    std::vector<Cause> merged;
    for (const auto& [record, causes] : byRecord) {
        std::ranges::move(mergeRank(causes, steps.size()), std::back_inserter(merged));
    }
    std::ranges::stable_sort(merged, std::ranges::greater{}, [](const Cause& cause) {
        return std::pair(cause.blameNs > 0, cause.ns());
    });
    return merged;
}

}  // namespace kinetoscope::ranks
