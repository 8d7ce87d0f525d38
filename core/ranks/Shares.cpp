// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/ranks/Cause.h"
#include "core/ranks/Peers.h"
#include "core/ranks/Segments.h"
#include "core/ranks/parts/OnThreads.h"

namespace kinetoscope::ranks {

namespace {

// How much later than its peers a rank has to be in the step for that to be clear at once.
TimeNs leastClear(const StepsByNumber& steps, std::int64_t step) {
    constexpr TimeNs kPartOfStep = 20;
    const auto found = steps.find(step);
    const TimeNs length = found == steps.end() ? 0 : std::ranges::max(found->second.lengthNs);
    return std::max(5 * kMinCauseNs, length / kPartOfStep);
}

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
        for (const RankRecord& record : records) {
            waited.emplace_back(record.collectives.size());
        }
        for (std::size_t i = 0; i < waits.size(); ++i) {
            for (std::size_t m = 0; m < waits[i].waitedNs.size(); ++m) {
                const Member member = matching.collectives[i].members[m];
                waited[member.record][member.call] = waits[i].waitedNs[m];
                if (m == waits[i].last) {
                    m_keptNs[{member.record, member.call}] = std::ranges::max(waits[i].waitedNs);
                }
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
        const auto beyond = beyondOwnSteps(m_records, m_stepOf, compared, excesses);
        for (std::size_t i = 0; i < compared.size(); ++i) {
            takeExcess(compared[i], excesses[i], beyond[i]);
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

    // What each took up to that call longer than the one in the middle.
    void takeExcess(const std::vector<Member>& members, std::vector<MemberExcess>& excesses,
                    const std::vector<Beyond>& beyond) {
        std::vector<bool> clear;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const Against others{beyondOthers(beyond, i), stallBeyondOthers(excesses, i)};
            clear.push_back(settle(members[i], excesses[i], others));
        }
        const bool isPair =
            m_records.size() == 2 && members.size() == 2 && members[0].record != members[1].record;
        if (isPair && !clear[0] && !clear[1]) {
            shareBetween(excesses[0].excess, excesses[1].excess);
        }
        for (std::size_t i = 0; i < members.size(); ++i) {
            const Excess& excess = excesses[i].excess;
            const Late late{excess, clear[i] ? excess : Excess{}};
            Share& own = shareOf(members[i]);
            own.late.add(late);
            if (beganBefore(members[i], stepOfCall(members[i]))) {
                own.carried.add(late);
            }
            // Of two ranks, either may be the one in the middle, and beside a clear cause the other
            // one shows nothing of its own.
            const bool besideClear = isPair && clear[1 - i];
            const TimeNs others = isPair ? excesses[1 - i].hostMoreNs.value_or(0) : 0;
            const TimeNs more = excesses[i].hostMoreNs.value_or(0) - others;
            own.hostMoreNs += besideClear ? 0
                              : clear[i] || !excesses[i].hostMoreNs
                                  ? std::max(more, excess.work.hostNs)
                                  : more;
        }
    }

    // Beyond its own median step, as far as the others were not too.
    struct Against {
        Beyond beyond;
        TimeNs stallNs = -1;  ///< of one launch behind another; -1: not known
    };

    // Takes out what is not the member's own; true if what it took longer is clear.
    bool settle(Member member, MemberExcess& found, const Against& others) {
        WorkTime& work = found.excess.work;
        if (m_peers.isAlone(member.record)) {
            // Its GPU's pauses and what held it up are those of the others as well: a pipeline
            // fills in the first step, and stands behind whoever is late.
            work.deviceNs = 0;
            found.excess.otherGroupNs = 0;
            return isClear(member, found.excess);
        }
        const TimeNs least = leastClear(m_job.steps, stepOfCall(member));
        const TimeNs more = std::max<TimeNs>(0, found.hostMoreNs.value_or(0));
        if (found.hostMoreNs && work.hostNs - more > least) {
            work.hostNs = more;
        }
        // What the host took no longer for is not clear, whatever the gaps of its GPU.
        Excess sure = found.excess;
        sure.work.hostNs = found.hostMoreNs ? std::min(work.hostNs, more) : work.hostNs;
        const bool clear = isClear(member, sure);
        if (others.stallNs >= least || others.beyond.computeNs >= least) {
            shareOf(member).standsOut = true;
        }
        // As far as its GPU had nothing launched meanwhile.
        const TimeNs stall = std::min(others.stallNs, found.hostGapsNs);
        if (!clear) {
            hide(member, found, others.beyond, others.stallNs);
        } else if (kindOf(found.excess) == CauseKind::Host) {
            if (stall >= least && 2 * stall >= work.hostNs && 3 * work.hostNs >= stall) {
                shareOf(member).isStall = true;
                work.hostNs = stall;  // the rest is how the hosts' pace differs anyway
            } else {
                // The one in the middle may have a slower host in all steps.
                work.hostNs = std::max(work.hostNs, std::min(others.beyond.hostNs, found.gapsNs));
            }
        }
        return clear;
    }

    // Keeps what was longer by itself, although nobody felt it here.
    void hide(Member member, const MemberExcess& found, const Beyond& beyond, TimeNs stall) {
        const TimeNs least = leastClear(m_job.steps, stepOfCall(member));
        const WorkTime& work = found.excess.work;
        Excess& hidden = shareOf(member).hidden;
        if (stall >= least) {
            hidden.work.hostNs += stall;
        } else if (found.stallNs < 0 && beyond.hostNs >= least && 2 * work.hostNs < beyond.hostNs) {
            hidden.work.hostNs += beyond.hostNs;
        }
        if (beyond.computeNs >= least) {
            hidden.work.computeNs += beyond.computeNs;
        }
    }

    [[nodiscard]] Share& shareOf(Member member) {
        return m_job.byRecord[member.record][stepOfCall(member)];
    }

    // Of two ranks, one is as much quicker as the other is slower: what is now one's, now the
    // other's must not add up to a cause of either.
    static void shareBetween(Excess& a, Excess& b) {
        const auto half = [](const Excess& of, const Excess& from) {
            Excess excess;
            for (const auto part : {&WorkTime::computeNs, &WorkTime::copyNs, &WorkTime::hostNs,
                                    &WorkTime::deviceNs, &WorkTime::waitNs}) {
                excess.work.*part = (of.work.*part - from.work.*part) / 2;
            }
            excess.otherGroupNs = of.otherGroupNs;
            return excess;
        };
        const Excess first = half(a, b);
        b = half(b, a);
        a = first;
    }

    [[nodiscard]] std::int64_t stepOfCall(Member member) const {
        return m_stepOf[member.record][member.call];
    }

    [[nodiscard]] TimeNs keptNs(Member member) const {
        const auto kept = m_keptNs.find({member.record, member.call});
        return kept == m_keptNs.end() ? 0 : kept->second;
    }

    // Whether the rank came last for this, and kept others waiting for most of it.
    [[nodiscard]] bool isClear(Member member, const Excess& excess) const {
        return 2 * keptNs(member) >= excess.own() &&
               excess.own() >= leastClear(m_job.steps, stepOfCall(member));
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
            const TimeNs carried = share.carried.excess.own();
            if (before != nullptr && carried > 0 &&
                before->late.excess.own() >= kMuchMore * carried &&
                kindOf(before->late.excess) == kindOf(share.carried.excess)) {
                before->late.add(share.carried);
                share.late.add(share.carried, -1);
            }
            before = &share;
        }
    }

    const std::vector<RankRecord>& m_records;
    const Matching& m_matching;
    const std::vector<CollectiveWait>& m_waits;
    const Peers& m_peers;
    /// Of each call that came last: how long the first one waited for it.
    std::map<std::pair<std::uint32_t, std::uint32_t>, TimeNs> m_keptNs;
    /// By record; waited: until the last member had come.
    std::vector<std::vector<Segment>> m_segments;
    /// By record, then by segment: the step in which the last rank came. What follows the last
    /// collective belongs to the last step.
    std::vector<std::vector<std::int64_t>> m_stepOf;
    JobShares m_job;
};

}  // namespace

JobShares measureShares(const std::vector<RankRecord>& records, const Peers& peers,
                        const Matching& matching, const std::vector<CollectiveWait>& waits) {
    return ShareFinder(records, peers, matching, waits).find();
}

}  // namespace kinetoscope::ranks
