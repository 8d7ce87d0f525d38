// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/Causes.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/ranks/Peers.h"
#include "core/ranks/parts/Faint.h"
#include "core/stats/Statistics.h"

namespace kinetoscope::ranks {

namespace {

constexpr TimeNs kMinOfStep = 500;  // less of a step's length is no cause
constexpr TimeNs kMinOfOwnSteps = 20;
constexpr TimeNs kPartOfPace = 10;  // of a step, by which hosts commonly differ

class Finder {
public:
    Finder(const std::vector<RankRecord>& records, const Matching& matching,
           const std::vector<CollectiveWait>& waits)
        : m_records(records),
          m_peers(records),
          m_job(measureShares(records, m_peers, matching, waits)) {}

    std::vector<JobStep> find() {
        for (const auto& [number, step] : m_job.steps) {
            leaveOutMedian(number);
        }
        const Noise noise{
            parts::Faint(byStep([](const Share& share) { return share.late.faint().own(); })),
            parts::Faint(byStep([](const Share& share) { return share.late.excess.own(); }),
                         usualLength() / kPartOfPace)};
        std::vector<JobStep> steps;
        for (auto& [number, step] : m_job.steps) {
            conclude(step, noise, steps.size());
            steps.push_back(std::move(step));
        }
        dropEchoes(steps);
        return steps;
    }

private:
    // A host that is late without having taken longer was as late before: where both hosts are
    // equally slow, the one that is ahead hides its time behind its waits for the other.
    static void limitHost(Share& share) {
        TimeNs& host = share.late.excess.work.hostNs;
        const TimeNs more = std::max<TimeNs>(share.hostMoreNs, 0);
        // Slower kernels leave gaps of their own.
        const TimeNs rest = share.late.excess.own() - host;
        if (2 * host > 3 * more && host - more > std::max(5 * kMinCauseNs, rest)) {
            host = more;
        }
    }

    // The median of the sums: noise makes now one rank the median of a part, now another.
    void leaveOutMedian(std::int64_t number) {
        const Excess median = m_job.byRecord[usualRecord(number)][number].late.faint();
        for (std::size_t r = 0; r < m_records.size(); ++r) {
            const auto at = m_job.byRecord[r].find(number);
            if (at != m_job.byRecord[r].end()) {
                at->second.late.excess.add(median, -1);
                if (!m_peers.isAlone(r)) {
                    limitHost(at->second);
                }
            }
        }
    }

    // That of the longest ranks in the steps.
    [[nodiscard]] TimeNs usualLength() const {
        std::vector<TimeNs> lengths;
        for (const auto& [number, step] : m_job.steps) {
            lengths.push_back(std::ranges::max(step.lengthNs));
        }
        return lengths.empty() ? 0 : stats::lowerMedian(lengths);
    }

    struct Noise {
        parts::Faint faint;
        parts::Faint all;

        // Beside a stall of its host, the rest is how the hosts' pace differs.
        [[nodiscard]] bool isReal(std::size_t step, std::size_t rank, const Share& share) const {
            return (!share.isStall && faint.standsOut(step, rank)) || all.isSteady(rank);
        }
    };

    // That of each rank in each step.
    template <class Value>
    [[nodiscard]] std::vector<std::vector<TimeNs>> byStep(const Value& value) const {
        std::vector<std::vector<TimeNs>> all;
        for (const auto& [number, step] : m_job.steps) {
            std::vector<TimeNs>& ranks = all.emplace_back();
            for (std::size_t r = 0; r < m_records.size(); ++r) {
                const auto at = m_job.byRecord[r].find(number);
                const bool hasAny = at != m_job.byRecord[r].end() && !m_peers.isAlone(r);
                ranks.push_back(hasAny ? std::invoke(value, at->second) : 0);
            }
        }
        return all;
    }

    void conclude(JobStep& step, const Noise& noise, std::size_t row) {
        const TimeNs longest = std::max<TimeNs>(0, std::ranges::max(step.lengthNs));
        TimeNs explained = 0;
        for (std::size_t r = 0; r < m_records.size(); ++r) {
            const auto at = m_job.byRecord[r].find(step.number);
            if (at == m_job.byRecord[r].end()) {
                continue;
            }
            Share& share = at->second;
            explained = std::max(explained, share.late.excess.own());
            const bool adds = share.isStall || share.late.faint().own() > 0;
            if (adds && !m_peers.isAlone(r) && !noise.isReal(row, r, share)) {
                const TimeNs heldUp = share.late.excess.otherGroupNs;
                share.late.excess = share.late.clear;
                share.late.excess.otherGroupNs = heldUp;
            }
            // A rank's own steps differ by more than equal ranks do in one step.
            const TimeNs part = m_peers.isAlone(r) ? kMinOfOwnSteps : kMinOfStep;
            if (share.late.excess.own() >= std::max(kMinCauseNs, longest / part)) {
                step.causes.push_back(causeOf(r, step.number, share));
            }
            addHidden(r, share, step);
        }
        addHeldUp(step, longest, explained);
        for (Cause& cause : step.causes) {
            describe(cause);
        }
        std::ranges::stable_sort(step.causes, std::ranges::greater{}, [](const Cause& cause) {
            return std::pair(cause.blameNs, cause.ns());
        });
    }

    // Without effect, because another rank was later still.
    static void addHidden(std::size_t record, const Share& share, JobStep& step) {
        if (share.hidden.own() <= 0) {
            return;
        }
        const CauseKind kind = kindOf(share.hidden);
        if (!step.causes.empty() && step.causes.back().record == record &&
            step.causes.back().kind == kind) {
            if (step.causes.back().ns() < share.hidden.own()) {
                step.causes.back().excess = share.hidden;
            }
            return;
        }
        Cause& hidden = step.causes.emplace_back(causeOf(record, step.number, share));
        hidden.excess = share.hidden;
        hidden.kind = kind;
        hidden.clear = false;
        hidden.besideOwnSteps = true;
        hidden.standsOut = true;
        const auto longest =
            hidden.waiting == 0 ? 0 : hidden.blameNs / static_cast<TimeNs>(hidden.waiting);
        if (2 * longest < hidden.ns()) {
            hidden.blameNs = 0;
            hidden.waiting = 0;
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
                .detail = {},
                .standsOut = share.standsOut};
    }

    // A rank for which others waited because a collective of another group delayed it, for a reason
    // that is not in the job.
    // `explained`: what the ranks took longer themselves, be it noise.
    void addHeldUp(JobStep& step, TimeNs longest, TimeNs explained) {
        const TimeNs least = std::max(5 * kMinCauseNs, longest / kPartOfPace);
        for (const Cause& cause : step.causes) {
            explained = std::max(explained, cause.ns());
        }
        for (std::size_t r = 0; r < m_records.size(); ++r) {
            const auto at = m_job.byRecord[r].find(step.number);
            if (at == m_job.byRecord[r].end()) {
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
        cause.detail = describeCause(
            cause, m_records[cause.record], m_job.byRecord[cause.record][cause.step].work,
            m_records[usual.record], m_job.byRecord[usual.record][usual.step].work);
    }

    struct Place {
        std::size_t record = 0;
        std::int64_t step = -1;
    };

    // The rank in the middle of the step.
    [[nodiscard]] std::size_t usualRecord(std::int64_t step) {
        std::vector<std::size_t> all(m_records.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        return middle(all,
                      [&](std::size_t r) { return m_job.byRecord[r][step].late.faint().own(); });
    }
    [[nodiscard]] std::size_t usualPeer(const Cause& cause) {
        std::vector<std::size_t> alike;
        for (std::size_t r = 0; r < m_records.size(); ++r) {
            if (r != cause.record && m_peers.areAlike(r, cause.record)) {
                alike.push_back(r);
            }
        }
        return middle(
            alike, [&](std::size_t r) { return m_job.byRecord[r][cause.step].late.excess.own(); });
    }
    [[nodiscard]] Place usualStep(std::size_t record) {
        std::vector<std::int64_t> steps;
        for (const auto& [number, share] : m_job.byRecord[record]) {
            steps.push_back(number);
        }
        return {record, middle(steps, [&](std::int64_t step) {
                    return m_job.byRecord[record][step].late.excess.own();
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
    Peers m_peers;
    JobShares m_job;
};

}  // namespace

std::vector<JobStep> findCauses(const std::vector<RankRecord>& records, const Matching& matching,
                                const std::vector<CollectiveWait>& waits) {
    return records.size() < 2 ? std::vector<JobStep>{} : Finder(records, matching, waits).find();
}

}  // namespace kinetoscope::ranks
