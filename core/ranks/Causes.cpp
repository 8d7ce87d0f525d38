// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/Causes.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "core/ranks/Peers.h"
#include "core/ranks/parts/Faint.h"
#include "core/stats/Statistics.h"

namespace kinetoscope::ranks {

namespace {

constexpr TimeNs kMinOfStep = 500;  // less of a step's length is no cause
constexpr TimeNs kMinOfOwnSteps = 20;
constexpr TimeNs kPartHeldUp = 10;
constexpr TimeNs kPartOfPace = 5;  // of a step, by which hosts commonly differ

class Finder {
public:
    Finder(const std::vector<RankRecord>& records, const Matching& matching,
           const std::vector<CollectiveWait>& waits)
        : m_records(records),
          m_peers(records),
          m_job(measureShares(records, m_peers, matching, waits)) {}

    std::vector<JobStep> find() {
        findOutliers(m_records, m_peers, m_job);
        for (std::size_t r = 0; r < m_records.size(); ++r) {
            moveOutliers(m_job.byRecord[r]);
        }
        for (const auto& [number, step] : m_job.steps) {
            compareWithOthers(number);
        }
        m_noise = parts::Faint(byStep());
        m_pace = pace();
        std::vector<JobStep> steps;
        for (auto& [number, step] : m_job.steps) {
            conclude(step, steps.size());
            steps.push_back(std::move(step));
        }
        dropEchoes(steps);
        return steps;
    }

private:
    // What a rank did behind the last collective of a step delays the first one of the next.
    static void moveOutliers(std::map<std::int64_t, Share>& shares) {
        Share* before = nullptr;
        for (auto& [number, share] : shares) {
            const auto moves = [&](TimeNs WorkTime::*part) {
                const TimeNs ns = before == nullptr ? 0 : before->outlier.*part;
                return ns > 0 && share.outlier.*part == 0 && 2 * (before->excess.work.*part) < ns &&
                       2 * (share.carried.work.*part) >= ns;
            };
            if (moves(&WorkTime::hostNs)) {
                share.outlier.hostNs = std::exchange(before->outlier.hostNs, 0);
                share.stalledBefore = before->stalledBefore;
            }
            if (moves(&WorkTime::computeNs)) {
                share.outlier.computeNs = std::exchange(before->outlier.computeNs, 0);
                share.extra = before->extra;
            }
            before = &share;
        }
    }

    // What each is beyond the median one of the others.
    static std::vector<Excess> overOthers(const std::vector<Share*>& shares) {
        std::vector<std::size_t> order(shares.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return shares[i]->excess.own(); });
        std::vector<Excess> over(shares.size());
        for (std::size_t place = 0; place < order.size(); ++place) {
            over[order[place]] = shares[order[place]]->excess;
            if (order.size() > 1) {
                const std::size_t middle = (order.size() - 2) / 2;
                over[order[place]].add(shares[order[middle + (middle < place ? 0 : 1)]]->excess,
                                       -1);
            }
        }
        return over;
    }

    // A host that is late without having taken longer was as late before: where both hosts are
    // equally slow, the one that is ahead hides its time behind its waits for the other.
    static void limitHosts(const std::vector<Share*>& shares) {
        std::vector<TimeNs> more;
        for (const Share* share : shares) {
            if (!share->hostMoreNs) {
                return;
            }
            more.push_back(*share->hostMoreNs - share->outlier.hostNs);
        }
        for (std::size_t i = 0; i < shares.size(); ++i) {
            std::vector<TimeNs> others = more;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
            // Slower kernels leave gaps of their own.
            if (kindOf(shares[i]->excess) == CauseKind::Host) {
                TimeNs& host = shares[i]->excess.work.hostNs;
                host = std::min(host, std::max<TimeNs>(0, more[i] - stats::lowerMedian(others)));
            }
        }
    }

    // Outliers are told apart, and what is left compared.
    void compareWithOthers(std::int64_t number) {
        for (const std::vector<std::uint32_t>& alike : m_peers.classes()) {
            std::vector<Share*> shares;
            for (const std::uint32_t r : alike) {
                if (const auto at = m_job.byRecord[r].find(number); at != m_job.byRecord[r].end()) {
                    shares.push_back(&at->second);
                }
            }
            const std::vector<Excess> all = overOthers(shares);
            for (std::size_t i = 0; i < shares.size(); ++i) {
                for (const auto part : {&WorkTime::hostNs, &WorkTime::computeNs}) {
                    shares[i]->excess.work.*part -=
                        std::min(shares[i]->outlier.*part, std::max<TimeNs>(0, all[i].work.*part));
                }
            }
            const std::vector<Excess> rest = overOthers(shares);
            for (std::size_t i = 0; i < shares.size(); ++i) {
                shares[i]->excess = rest[i];
            }
            if (shares.size() > 1) {
                limitHosts(shares);
            }
        }
    }

    // More than commonly differs between the ranks; hosts of equal machines do by up to a fifth.
    [[nodiscard]] bool isReal(std::size_t step, std::size_t rank, const Share& share) const {
        if (kindOf(share.excess) != CauseKind::Host) {
            return m_noise.standsOut(step, rank) || m_noise.isSteady(rank);
        }
        return (m_noise.standsOut(step, rank) && share.excess.own() >= m_pace) ||
               m_noise.recurs(rank, m_pace);
    }

    // A fifth of the usual step; none where steps are too few to show what is common.
    [[nodiscard]] TimeNs pace() const {
        std::vector<TimeNs> lengths;
        for (const auto& [number, step] : m_job.steps) {
            lengths.push_back(step.usualLength());
        }
        return lengths.size() < parts::Faint::kMinSteps ? 0
                                                        : stats::lowerMedian(lengths) / kPartOfPace;
    }

    // The excess of each rank in each step.
    [[nodiscard]] std::vector<std::vector<TimeNs>> byStep() const {
        std::vector<std::vector<TimeNs>> all;
        for (const auto& [number, step] : m_job.steps) {
            std::vector<TimeNs>& ranks = all.emplace_back();
            for (std::size_t r = 0; r < m_records.size(); ++r) {
                const auto at = m_job.byRecord[r].find(number);
                const bool hasAny = at != m_job.byRecord[r].end() && !m_peers.isAlone(r);
                ranks.push_back(hasAny ? at->second.excess.own() : 0);
            }
        }
        return all;
    }

    void conclude(JobStep& step, std::size_t row) {
        const TimeNs longest = std::max<TimeNs>(0, std::ranges::max(step.lengthNs));
        TimeNs explained = 0;
        for (std::size_t r = 0; r < m_records.size(); ++r) {
            const auto at = m_job.byRecord[r].find(step.number);
            if (at == m_job.byRecord[r].end()) {
                continue;
            }
            Share& share = at->second;
            addOutliers(r, share, step);
            explained = std::max(explained, share.excess.own());
            // A rank's own steps differ by more than equal ranks do in one step.
            const bool isAlone = m_peers.isAlone(r);
            const TimeNs least =
                std::max(kMinCauseNs, longest / (isAlone ? kMinOfOwnSteps : kMinOfStep));
            if (share.excess.own() >= least && (isAlone || isReal(row, r, share))) {
                step.causes.push_back(causeOf(r, step.number, share));
            }
        }
        addHeldUp(step, longest, explained);
        for (Cause& cause : step.causes) {
            describe(cause);
        }
        std::ranges::stable_sort(step.causes, std::ranges::greater{}, [](const Cause& cause) {
            return std::pair(cause.blameNs, cause.ns());
        });
    }

    // The others waited for them, or for what was later still; for the rest only what is left.
    void addOutliers(std::size_t record, Share& share, JobStep& step) {
        const auto waiting = static_cast<TimeNs>(share.waiting.size());
        TimeNs left = share.blameNs;
        for (const auto part : {&WorkTime::hostNs, &WorkTime::computeNs}) {
            const TimeNs ns = share.outlier.*part;
            if (ns <= 0) {
                continue;
            }
            Cause& cause = step.causes.emplace_back(causeOf(record, step.number, share));
            cause.excess = {};
            cause.excess.work.*part = ns;
            cause.kind = kindOf(cause.excess);
            cause.besideOwnSteps = true;
            if (cause.kind == CauseKind::Host) {
                cause.detail = share.stalledBefore;
            } else if (share.extra.count > 0) {
                cause.detail = describeMore(share.extra, m_records[record].names[share.extra.name]);
            }
            if (2 * share.blameNs < waiting * ns) {
                cause.blameNs = 0;
                cause.waiting = 0;
            } else {
                left = std::max<TimeNs>(0, left - waiting * ns);
            }
        }
        share.blameNs = left;
    }

    static Cause causeOf(std::size_t record, std::int64_t step, const Share& share) {
        return {.record = record,
                .step = step,
                .lastStep = step,
                .steps = 1,
                .kind = kindOf(share.excess),
                .excess = share.excess,
                .blameNs = share.blameNs,
                .waiting = share.blameNs > 0 ? share.waiting.size() : 0,
                .detail = {}};
    }

    // A rank for which others waited because a collective of another group delayed it, for a reason
    // that is not in the job.
    // `explained`: what the ranks took longer themselves, be it noise.
    void addHeldUp(JobStep& step, TimeNs longest, TimeNs explained) {
        const TimeNs least = std::max(5 * kMinCauseNs, longest / kPartHeldUp);
        for (const Cause& cause : step.causes) {
            explained = std::max(explained, cause.ns());
        }
        for (std::size_t r = 0; r < m_records.size(); ++r) {
            const auto at = m_job.byRecord[r].find(step.number);
            if (at == m_job.byRecord[r].end()) {
                continue;
            }
            const Share& share = at->second;
            const TimeNs heldUp = share.excess.otherGroupNs;
            if (std::min(heldUp, share.blameNs) >= least && heldUp > 2 * explained) {
                Cause cause = causeOf(r, step.number, share);
                cause.kind = CauseKind::Other;
                step.causes.push_back(std::move(cause));
            }
        }
    }

    void describe(Cause& cause) {
        if (cause.kind == CauseKind::Compute && !cause.detail.empty()) {
            return;
        }
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

    [[nodiscard]] std::size_t usualPeer(const Cause& cause) {
        std::vector<std::size_t> alike;
        for (std::size_t r = 0; r < m_records.size(); ++r) {
            if (r != cause.record && m_peers.areAlike(r, cause.record)) {
                alike.push_back(r);
            }
        }
        return middle(alike,
                      [&](std::size_t r) { return m_job.byRecord[r][cause.step].excess.own(); });
    }
    [[nodiscard]] Place usualStep(std::size_t record) {
        std::vector<std::int64_t> steps;
        for (const auto& [number, share] : m_job.byRecord[record]) {
            steps.push_back(number);
        }
        return {record, middle(steps, [&](std::int64_t step) {
                    const Share& share = m_job.byRecord[record][step];
                    return share.excess.own() + share.outlier.total();
                })};
    }

    // The lower one of two; the first of equals.
    template <class Key, class Value>
    static Key middle(const std::vector<Key>& keys, const Value& value) {
        std::vector<std::pair<TimeNs, Key>> values;
        values.reserve(keys.size());
        for (const Key key : keys) {
            values.emplace_back(value(key), key);
        }
        std::ranges::sort(values);
        return values[(values.size() - 1) / 2].second;
    }

    const std::vector<RankRecord>& m_records;
    Peers m_peers;
    JobShares m_job;
    parts::Faint m_noise;
    TimeNs m_pace = 0;
};

}  // namespace

std::vector<JobStep> findCauses(const std::vector<RankRecord>& records, const Matching& matching,
                                const std::vector<CollectiveWait>& waits) {
    return records.size() < 2 ? std::vector<JobStep>{} : Finder(records, matching, waits).find();
}

}  // namespace kinetoscope::ranks
