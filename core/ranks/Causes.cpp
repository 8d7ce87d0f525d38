// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/Causes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

#include "core/ranks/CauseDetail.h"
#include "core/ranks/Peers.h"
#include "core/ranks/Segments.h"
#include "core/ranks/parts/OnThreads.h"

namespace kinetoscope::ranks {

namespace {

constexpr TimeNs kMinCauseNs = 20'000;  // less is the noise of clocks and of kernels
constexpr TimeNs kMinOfStep = 500;      // and so is this part of a step's length
constexpr TimeNs kMinOfOwnSteps = 20;

// A rank's excess over its peers, and the part of it that kept others waiting at one time. The rest
// may be the noise of many small differences.
struct Late {
    Excess excess;
    Excess clear;

    void add(const Late& more, int sign = 1) {
        excess.add(more.excess, sign);
        clear.add(more.clear, sign);
    }
    [[nodiscard]] Excess faint() const {
        Excess rest = excess;
        rest.add(clear, -1);
        return rest;
    }
};

// What belongs to one rank in one step.
struct Share {
    Late late;
    Late carried;           ///< the part of it that began in the step before
    TimeNs hostMoreNs = 0;  ///< what its host took longer; the gaps where that is not known
    Excess hidden;          ///< beyond its own median step, behind what was later still
    TimeNs blameNs = 0;
    std::set<std::uint32_t> waiting;
    StepWork work;
};

class Finder {
public:
    Finder(const std::vector<RankRecord>& records, const Matching& matching,
           const std::vector<CollectiveWait>& waits)
        : m_records(records), m_matching(matching), m_waits(waits), m_peers(records) {
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
        m_shares.resize(records.size());
    }

    std::vector<JobStep> find() {
        listSteps();
        takeSegments();
        for (std::size_t i = 0; i < m_waits.size(); ++i) {
            takeBlame(m_matching.collectives[i], m_waits[i]);
        }
        takeExcesses(compared());
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
        dropEchoes(steps);
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
        Share& share = m_shares[last.record][wait.step];
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
            clear.push_back(settle(members[i], excesses[i], beyond, i));
        }
        if (m_records.size() == 2 && members.size() == 2 &&
            members[0].record != members[1].record && !clear[0] && !clear[1]) {
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
        }
    }

    // Takes out what is not the member's own; true if what it took longer is clear.
    bool settle(Member member, MemberExcess& found, const std::vector<Beyond>& beyond,
                std::size_t place) {
        WorkTime& work = found.excess.work;
        if (m_peers.isAlone(member.record)) {
            // Its GPU's pauses and what held it up are those of the others as well: a pipeline
            // fills in the first step, and stands behind whoever is late.
            work.deviceNs = 0;
            found.excess.otherGroupNs = 0;
            return isClear(member, found.excess);
        }
        const TimeNs least = leastClear(stepOfCall(member));
        const TimeNs more = std::max<TimeNs>(0, found.hostMoreNs.value_or(0));
        if (found.hostMoreNs && work.hostNs - more > least) {
            work.hostNs = more;
        }
        const Beyond others = beyondOthers(beyond, place);
        const bool clear = isClear(member, found.excess);
        if (clear) {
            // The one in the middle may have a slower host in all steps.
            work.hostNs = std::max(work.hostNs, std::min(others.hostNs, found.gapsNs));
        }
        Share& own = shareOf(member);
        const bool counts = clear || !found.hostMoreNs;
        own.hostMoreNs += counts ? std::max(more, work.hostNs) : more;
        if (!clear && others.hostNs >= least && 2 * work.hostNs < others.hostNs) {
            own.hidden.work.hostNs += others.hostNs;
        }
        if (!clear && others.computeNs >= least && 2 * work.computeNs < others.computeNs) {
            own.hidden.work.computeNs += others.computeNs;
        }
        return clear;
    }

    [[nodiscard]] Share& shareOf(Member member) {
        return m_shares[member.record][stepOfCall(member)];
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
        return 2 * keptNs(member) >= excess.own() && excess.own() >= leastClear(stepOfCall(member));
    }

    [[nodiscard]] TimeNs leastClear(std::int64_t step) const {
        constexpr TimeNs kPartOfStep = 20;
        const auto found = m_steps.find(step);
        const TimeNs length = found == m_steps.end() ? 0 : std::ranges::max(found->second.lengthNs);
        return std::max(5 * kMinCauseNs, length / kPartOfStep);
    }

    // A host that is late without having taken longer was as late before: where both hosts are
    // equally slow, the one that is ahead hides its time behind its waits for the other.
    void limitHost(std::int64_t step, Share& share) const {
        TimeNs& host = share.late.excess.work.hostNs;
        if (2 * host > 3 * share.hostMoreNs && host - share.hostMoreNs > leastClear(step)) {
            host = share.hostMoreNs;
        }
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

    void conclude(JobStep& step) {
        const TimeNs longest = std::max<TimeNs>(0, std::ranges::max(step.lengthNs));
        const std::size_t usual = usualRecord(step.number);
        // The median of the sums: noise makes now one rank the median of a part, now another.
        const Excess median = m_shares[usual][step.number].late.faint();
        for (std::size_t r = 0; r < m_records.size(); ++r) {
            const auto at = m_shares[r].find(step.number);
            if (at == m_shares[r].end()) {
                continue;
            }
            Share& share = at->second;
            share.late.excess.add(median, -1);
            if (!m_peers.isAlone(r)) {
                limitHost(step.number, share);
            }
            // A rank's own steps differ by more than equal ranks do in one step.
            const TimeNs part = m_peers.isAlone(r) ? kMinOfOwnSteps : kMinOfStep;
            if (share.late.excess.own() >= std::max(kMinCauseNs, longest / part)) {
                step.causes.push_back(causeOf(r, step.number, share));
            }
            addHidden(r, share, step);
        }
        addHeldUp(step, longest);
        for (Cause& cause : step.causes) {
            describe(cause);
        }
        std::ranges::stable_sort(step.causes, std::ranges::greater{}, [](const Cause& cause) {
            return std::pair(cause.blameNs, cause.ns());
        });
    }

    // Without effect, because another rank was later still.
    static void addHidden(std::size_t record, const Share& share, JobStep& step) {
        const bool told = share.hidden.own() <= 0 ||
                          (!step.causes.empty() && step.causes.back().record == record &&
                           step.causes.back().kind == kindOf(share.hidden));
        if (!told) {
            Share hidden;
            hidden.late.excess = share.hidden;
            step.causes.push_back(causeOf(record, step.number, hidden));
            step.causes.back().besideOwnSteps = true;
        }
    }

    static Cause causeOf(std::size_t record, std::int64_t step, const Share& share) {
        return {.record = record,
                .step = step,
                .lastStep = step,
                .steps = 1,
                .kind = kindOf(share.late.excess),
                .excess = share.late.excess,
                .blameNs = share.blameNs,
                .waiting = share.waiting.size(),
                .clear = share.late.clear.own() > 0,
                .detail = {}};
    }

    // A rank for which others waited because a collective of another group delayed it, for a reason
    // that is not in the job.
    void addHeldUp(JobStep& step, TimeNs longest) {
        constexpr TimeNs kPartOfStep = 50;
        const TimeNs least = std::max(5 * kMinCauseNs, longest / kPartOfStep);
        TimeNs explained = 0;
        for (const Cause& cause : step.causes) {
            explained = std::max(explained, cause.ns());
        }
        for (std::size_t r = 0; r < m_records.size(); ++r) {
            const auto at = m_shares[r].find(step.number);
            if (at == m_shares[r].end()) {
                continue;
            }
            const Share& share = at->second;
            const TimeNs heldUp = share.late.excess.otherGroupNs;
            if (std::min(heldUp, share.blameNs) >= least && heldUp > 2 * explained) {
                Cause cause = causeOf(r, step.number, share);
                cause.kind = CauseKind::Other;
                step.causes.push_back(std::move(cause));
            }
        }
    }

    void describe(Cause& cause) {
        const bool isBesideOwn = cause.besideOwnSteps || m_peers.isAlone(cause.record);
        const Place usual =
            isBesideOwn ? usualStep(cause.record) : Place{usualPeer(cause), cause.step};
        cause.besideOwnSteps = usual.record == cause.record;
        cause.detail =
            describeCause(cause, m_records[cause.record], m_shares[cause.record][cause.step].work,
                          m_records[usual.record], m_shares[usual.record][usual.step].work);
    }

    struct Place {
        std::size_t record = 0;
        std::int64_t step = -1;
    };

    // The rank in the middle of the step.
    [[nodiscard]] std::size_t usualRecord(std::int64_t step) {
        std::vector<std::size_t> all(m_records.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        return middle(all, [&](std::size_t r) { return m_shares[r][step].late.faint().own(); });
    }
    [[nodiscard]] std::size_t usualPeer(const Cause& cause) {
        std::vector<std::size_t> alike;
        for (std::size_t r = 0; r < m_records.size(); ++r) {
            if (r != cause.record && m_peers.areAlike(r, cause.record)) {
                alike.push_back(r);
            }
        }
        return middle(alike,
                      [&](std::size_t r) { return m_shares[r][cause.step].late.excess.own(); });
    }
    [[nodiscard]] Place usualStep(std::size_t record) {
        std::vector<std::int64_t> steps;
        for (const auto& [number, share] : m_shares[record]) {
            steps.push_back(number);
        }
        return {record, middle(steps, [&](std::int64_t step) {
                    return m_shares[record][step].late.excess.own();
                })};
    }

    // The lower one of two; the first of equals.
    template <class Key, class Value>
    static Key middle(const std::vector<Key>& keys, const Value& value) {
        std::vector<std::pair<TimeNs, Key>> values;
        for (const Key key : keys) {
            values.emplace_back(value(key), key);
        }
        std::ranges::sort(values);
        return values[(values.size() - 1) / 2].second;
    }

    const std::vector<RankRecord>& m_records;
    const Matching& m_matching;
    const std::vector<CollectiveWait>& m_waits;
    Peers m_peers;
    /// Of each call that came last: how long the first one waited for it.
    std::map<std::pair<std::uint32_t, std::uint32_t>, TimeNs> m_keptNs;
    /// By record; waited: until the last member had come.
    std::vector<std::vector<Segment>> m_segments;
    std::vector<std::map<std::int64_t, Share>> m_shares;  ///< by record, then by step
    /// By record, then by segment: the step in which the last rank came. What follows the last
    /// collective belongs to the last step.
    std::vector<std::vector<std::int64_t>> m_stepOf;
    std::map<std::int64_t, JobStep> m_steps;
};

}  // namespace

std::vector<JobStep> findCauses(const std::vector<RankRecord>& records, const Matching& matching,
                                const std::vector<CollectiveWait>& waits) {
    return records.size() < 2 ? std::vector<JobStep>{} : Finder(records, matching, waits).find();
}

}  // namespace kinetoscope::ranks
