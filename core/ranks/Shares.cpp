// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ranks/Cause.h"
#include "core/ranks/Peers.h"
#include "core/ranks/Segments.h"
#include "core/ranks/parts/OnThreads.h"
#include "core/stats/Statistics.h"

namespace kinetoscope::ranks {

namespace {

class ShareFinder {
public:
    ShareFinder(const std::vector<RankRecord>& records, const Peers& peers,
                const Matching& matching, const std::vector<CollectiveWait>& waits)
        : m_records(records), m_matching(matching), m_waits(waits), m_peers(peers) {
        for (const RankRecord& record : records) {
            m_segments.push_back(record.segments);
            std::vector<std::int64_t>& numbers = m_stepOf.emplace_back();
            for (const CollectiveCall& call : record.collectives) {
                numbers.push_back(call.step);
            }
            numbers.push_back(record.steps.empty() ? -1 : record.steps.back().number);
        }
        std::vector<std::vector<TimeNs>> waited;
        waited.reserve(records.size());
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
        m_job.byRecord.resize(records.size());
    }

    JobShares find() {
        listSteps();
        takeSegments();
        for (std::size_t i = 0; i < m_waits.size(); ++i) {
            takeBlame(m_matching.collectives[i], m_waits[i]);
        }
        takeExcesses(compared());
        for (auto& shares : m_job.byRecord) {
            giveBack(shares);
        }
        return std::move(m_job);
    }

private:
    JobStep& stepOf(std::int64_t number) {
        JobStep& step = m_job.steps[number];
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
                StepWork& work = m_job.byRecord[r][m_stepOf[r][row]].work;
                const TimeSpan own = m_segments[r][row].own;
                work.span = work.segments.empty() ? own
                                                  : TimeSpan{std::min(work.span.start, own.start),
                                                             std::max(work.span.end, own.end)};
                work.segments.push_back(row);
            }
        }
    }

    // Calls that can be compared with each other.
    [[nodiscard]] std::vector<std::vector<Member>> compared() const {
        std::vector<std::vector<Member>> all;
        for (const Collective& collective : m_matching.collectives) {
            // Who sends and who receives do different work.
            if (!isMessage(collective.members.front())) {
                std::ranges::move(m_peers.alike(collective.members), std::back_inserter(all));
            }
        }
        std::ranges::move(m_peers.places(m_stepOf), std::back_inserter(all));
        // What follows the last collective.
        for (const std::vector<std::uint32_t>& alike : m_peers.classes()) {
            std::vector<Member>& members = all.emplace_back();
            for (const std::uint32_t r : alike) {
                members.push_back({r, static_cast<std::uint32_t>(m_records[r].collectives.size())});
            }
        }
        return all;
    }

    // Measured on all cores, and summed up in their order.
    void takeExcesses(const std::vector<std::vector<Member>>& compared) {
        std::vector<std::vector<MemberExcess>> excesses(compared.size());
        parts::forEachOnThreads(compared.size(), [&](std::size_t i) {
            excesses[i] = excessOfMembers(m_records, m_segments, compared[i]);
        });
        for (std::size_t i = 0; i < compared.size(); ++i) {
            for (std::size_t m = 0; m < compared[i].size(); ++m) {
                takeExcess(compared[i][m], excesses[i][m]);
            }
        }
    }

    void takeBlame(const Collective& collective, const CollectiveWait& wait) {
        const Member last = collective.members[wait.last];
        Share& share = m_job.byRecord[last.record][wait.step];
        share.blameNs += wait.exposedSum();
        for (std::size_t i = 0; i < wait.exposedNs.size(); ++i) {
            if (wait.exposedNs[i] > kMinCauseNs) {
                share.waiting.insert(collective.members[i].record);
            }
        }
        stepOf(wait.step).blameNs += wait.exposedSum();
    }

    [[nodiscard]] bool isMessage(Member member) const {
        return m_records[member.record].collectives[member.call].pointToPoint;
    }

    // What it took up to that call longer than the one in the middle.
    void takeExcess(Member member, MemberExcess& found) {
        if (m_peers.isAlone(member.record)) {
            // Its GPU's pauses and what held it up are those of the others as well: a pipeline
            // fills in the first step, and stands behind whoever is late.
            found.excess.work.deviceNs = 0;
            found.excess.otherGroupNs = 0;
        }
        const std::int64_t step = stepOfCall(member);
        Share& own = m_job.byRecord[member.record][step];
        own.excess.add(found.excess);
        if (beganBefore(member, step)) {
            own.carried.add(found.excess);
        }
        if (found.hostMoreNs) {
            own.hostMoreNs = own.hostMoreNs.value_or(0) + *found.hostMoreNs;
        }
    }

    [[nodiscard]] std::int64_t stepOfCall(Member member) const {
        return m_stepOf[member.record][member.call];
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
            const TimeNs carried = share.carried.own();
            if (before != nullptr && carried > 0 && before->excess.own() >= kMuchMore * carried &&
                kindOf(before->excess) == kindOf(share.carried)) {
                before->excess.add(share.carried);
                share.excess.add(share.carried, -1);
            }
            before = &share;
        }
    }

    const std::vector<RankRecord>& m_records;
    const Matching& m_matching;
    const std::vector<CollectiveWait>& m_waits;
    const Peers& m_peers;
    /// By record; waited: until the last member had come.
    std::vector<std::vector<Segment>> m_segments;
    /// By record, then by segment: the step in which the last rank came. What follows the last
    /// collective belongs to the last step.
    std::vector<std::vector<std::int64_t>> m_stepOf;
    JobShares m_job;
};

// The lower median of all values but that one. `sorted` are those of `count` ranks; the others have
// nothing.
TimeNs medianOfOthers(const std::vector<TimeNs>& sorted, TimeNs own, std::size_t count) {
    if (count < 2) {
        return 0;
    }
    const std::size_t middle = (count - 2) / 2;
    const std::size_t without = count - sorted.size();
    if (middle < without) {
        return 0;
    }
    const auto place = std::ranges::lower_bound(sorted, own) - sorted.begin();
    const std::size_t at = middle - without;
    return sorted[at + (std::cmp_less(at, place) ? 0 : 1)];
}

// The ranks of a class in one step.
class StepOutliers {
public:
    StepOutliers(const std::vector<RankRecord>& records, const std::vector<std::uint32_t>& ranks,
                 std::int64_t number, TimeNs least)
        : m_records(records), m_least(least) {
        for (const std::uint32_t r : ranks) {
            const auto step = std::ranges::find(records[r].steps, number, &RankStep::number);
            if (step == records[r].steps.end()) {
                continue;
            }
            m_steps.emplace_back(r, &*step);
            m_extras.push_back(step->extra.ns);
            for (const HostStall& stall : step->stalls) {
                m_stalls[records[r].names[stall.before]].push_back(stall.ns);
            }
        }
        std::ranges::sort(m_extras);
        for (auto& [name, stalls] : m_stalls) {
            std::ranges::sort(stalls);
        }
    }

    void giveTo(std::int64_t number, JobShares& job) const {
        for (const auto& [r, step] : m_steps) {
            const TimeNs extra =
                step->extra.ns -
                std::max<TimeNs>(0, medianOfOthers(m_extras, step->extra.ns, m_steps.size()));
            if (extra >= m_least) {
                Share& share = job.byRecord[r][number];
                share.outlier.computeNs = extra;
                share.extra = step->extra.most;
            }
            for (const HostStall& stall : step->stalls) {
                const std::string& name = m_records[r].names[stall.before];
                const TimeNs others = medianOfOthers(m_stalls.at(name), stall.ns, m_steps.size());
                // What most of them have is not this one's.
                const TimeNs own = 2 * others < stall.ns ? stall.ns - others : 0;
                Share& share = job.byRecord[r][number];
                if (own >= m_least && own > share.outlier.hostNs) {
                    share.outlier.hostNs = own;
                    share.stalledBefore = name;
                }
            }
        }
    }

    // The longest stall that most of them have at one place.
    [[nodiscard]] HostPause pause() const {
        HostPause longest;
        for (const auto& [name, stalls] : m_stalls) {
            const std::size_t middle = (m_steps.size() - 1) / 2;
            const std::size_t without = m_steps.size() - stalls.size();
            const TimeNs median = middle < without ? 0 : stalls[middle - without];
            if (m_steps.size() > 1 && median >= m_least && median > longest.ns) {
                longest = {median, std::string(name)};
            }
        }
        return longest;
    }

private:
    const std::vector<RankRecord>& m_records;
    TimeNs m_least;
    std::vector<std::pair<std::uint32_t, const RankStep*>> m_steps;
    std::vector<TimeNs> m_extras;
    std::map<std::string_view, std::vector<TimeNs>> m_stalls;
};

}  // namespace

JobShares measureShares(const std::vector<RankRecord>& records, const Peers& peers,
                        const Matching& matching, const std::vector<CollectiveWait>& waits) {
    return ShareFinder(records, peers, matching, waits).find();
}

TimeNs JobStep::usualLength() const {
    std::vector<TimeNs> lengths;
    std::ranges::copy_if(lengthNs, std::back_inserter(lengths), [](TimeNs ns) { return ns >= 0; });
    return lengths.empty() ? 0 : stats::lowerMedian(lengths);
}

void findOutliers(const std::vector<RankRecord>& records, const Peers& peers, JobShares& job) {
    constexpr TimeNs kPartOfStep = 20;
    for (auto& [number, step] : job.steps) {
        const TimeNs least = std::max(5 * kMinCauseNs, step.usualLength() / kPartOfStep);
        for (const std::vector<std::uint32_t>& ranks : peers.classes()) {
            const StepOutliers outliers(records, ranks, number, least);
            outliers.giveTo(number, job);
            HostPause pause = outliers.pause();
            if (pause.ns > step.pause.ns) {
                step.pause = std::move(pause);
            }
        }
    }
}

}  // namespace kinetoscope::ranks
