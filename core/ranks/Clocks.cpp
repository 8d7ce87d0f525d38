// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/Clocks.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/stats/Statistics.h"

namespace kinetoscope::ranks {

namespace {

constexpr TimeNs kDrifts = 10'000'000'000;   // recordings beyond that
constexpr TimeNs kPiece = 5'000'000'000;     // length of their pieces
constexpr TimeNs kMinApart = 1'000'000'000;  // from one piece's middle to the next
constexpr TimeNs kMaxDrift = 100;            // no clock is wrong by a hundredth

class Aligner {
public:
    Aligner(const std::vector<RankRecord>& records, std::vector<const Collective*> collectives)
        : m_records(records), m_collectives(std::move(collectives)), m_domain(records.size()) {
        std::map<std::string, std::size_t> hosts;
        for (std::size_t r = 0; r < records.size(); ++r) {
            const std::string name =
                records[r].host.empty() ? "\n" + std::to_string(r) : records[r].host;
            m_domain[r] = hosts.try_emplace(name, hosts.size()).first->second;
        }
        m_offsets.resize(hosts.size());
        m_island.resize(hosts.size());
    }

    std::vector<RankClock> align() {
        // Those that nothing joins with the first rank have a time of their own among themselves.
        for (const std::size_t domain : m_domain) {
            if (m_offsets[domain]) {
                continue;
            }
            m_offsets[domain] = 0;
            m_roots.push_back(domain);
            m_island[domain] = m_roots.size() - 1;
            while (alignMore()) {
            }
        }
        // Again with all of them: a clock that came early saw only those before it.
        refine();
        return clocks();
    }

private:
    [[nodiscard]] TimeNs endOf(Member member) const {
        return m_records[member.record].collectives[member.call].span.end +
               (m_records[member.record].baseTimeNs - m_records.front().baseTimeNs);
    }

    // The median end of the members whose clocks are known.
    [[nodiscard]] std::optional<TimeNs> commonEnd(const Collective& collective) const {
        std::vector<TimeNs> ends;
        for (const Member member : collective.members) {
            if (const auto& offset = m_offsets[m_domain[member.record]]) {
                ends.push_back(endOf(member) - *offset);
            }
        }
        return ends.empty() ? std::nullopt : std::optional(stats::exactMedian(ends));
    }

    // Of clocks that are unknown so far, from the collectives that they share with known ones.
    bool alignMore() {
        std::map<std::size_t, std::vector<TimeNs>> seen;
        for (const Collective* at : m_collectives) {
            const Collective& collective = *at;
            const bool anyUnknown = std::ranges::any_of(collective.members, [&](Member member) {
                return !m_offsets[m_domain[member.record]];
            });
            if (!anyUnknown) {
                continue;
            }
            const std::optional<TimeNs> end = commonEnd(collective);
            if (!end) {
                continue;
            }
            for (const Member member : collective.members) {
                if (!m_offsets[m_domain[member.record]]) {
                    seen[m_domain[member.record]].push_back(endOf(member) - *end);
                }
            }
        }
        for (auto& [domain, distances] : seen) {
            m_offsets[domain] = stats::exactMedian(distances);
            m_island[domain] = m_roots.size() - 1;
        }
        return !seen.empty();
    }

    void refine() {
        std::map<std::size_t, std::vector<TimeNs>> seen;
        for (const Collective* at : m_collectives) {
            const Collective& collective = *at;
            const std::optional<TimeNs> end = commonEnd(collective);
            for (const Member member : collective.members) {
                if (end && m_offsets[m_domain[member.record]]) {
                    seen[m_domain[member.record]].push_back(endOf(member) - *end);
                }
            }
        }
        for (auto& [domain, distances] : seen) {
            m_offsets[domain] = stats::exactMedian(distances);
        }
        std::vector<TimeNs> first;
        first.reserve(m_roots.size());
        for (const std::size_t root : m_roots) {
            first.push_back(*m_offsets[root]);
        }
        for (std::size_t domain = 0; domain < m_offsets.size(); ++domain) {
            *m_offsets[domain] -= first[m_island[domain]];
        }
    }

    [[nodiscard]] std::vector<RankClock> clocks() const {
        std::vector<RankClock> clocks(m_records.size());
        for (std::size_t r = 0; r < clocks.size(); ++r) {
            clocks[r].aligned = m_island[m_domain[r]] == 0;
            clocks[r].offsetNs = *m_offsets[m_domain[r]];
        }
        return clocks;
    }

    const std::vector<RankRecord>& m_records;
    std::vector<const Collective*> m_collectives;
    std::vector<std::size_t> m_domain;             ///< the clock of each record
    std::vector<std::optional<TimeNs>> m_offsets;  ///< of each clock
    std::vector<std::size_t> m_island;             ///< of each clock: those that something joins
    std::vector<std::size_t> m_roots;              ///< the first clock of each island
};

const CollectiveCall& callOf(const std::vector<RankRecord>& records, Member member) {
    return records[member.record].collectives[member.call];
}

// The collectives by pieces of the recording; a single one where it is short.
std::vector<std::vector<const Collective*>> dividePieces(const std::vector<RankRecord>& records,
                                                         const std::vector<RankClock>& clocks,
                                                         const Matching& matching) {
    std::vector<std::pair<TimeNs, const Collective*>> ends;
    for (const Collective& collective : matching.collectives) {
        const Member first = collective.members.front();
        ends.emplace_back(
            onJobClock(records, clocks, first.record, callOf(records, first).span.end),
            &collective);
    }
    std::ranges::sort(ends, {}, [](const auto& end) { return end.first; });
    std::vector<std::vector<const Collective*>> pieces;
    if (ends.empty() || ends.back().first - ends.front().first <= kDrifts) {
        return pieces;
    }
    TimeNs begin = 0;
    for (const auto& [end, collective] : ends) {
        if (pieces.empty() || end - begin >= kPiece) {
            begin = end;
            pieces.emplace_back();
        }
        pieces.back().push_back(collective);
    }
    return pieces;
}

// Adds what a part of the recording shows of each clock.
void addPiece(const std::vector<RankRecord>& records,
              const std::vector<const Collective*>& collectives, std::vector<RankClock>& clocks) {
    const std::vector<RankClock> found = Aligner(records, collectives).align();
    std::vector<std::vector<TimeNs>> ends(records.size());
    for (const Collective* collective : collectives) {
        for (const Member member : collective->members) {
            ends[member.record].push_back(callOf(records, member).span.end);
        }
    }
    for (std::size_t r = 0; r < records.size(); ++r) {
        if (ends[r].empty() || !found[r].aligned || !clocks[r].aligned) {
            continue;
        }
        const ClockPiece piece{stats::exactMedian(ends[r]), found[r].offsetNs};
        std::vector<ClockPiece>& pieces = clocks[r].pieces;
        if (pieces.empty() || piece.at - pieces.back().at >= kMinApart) {
            pieces.push_back(piece);
        }
    }
}

bool isClock(const std::vector<ClockPiece>& pieces) {
    return pieces.size() > 1 &&
           std::ranges::adjacent_find(pieces, [](const ClockPiece& a, const ClockPiece& b) {
               return std::abs(b.offsetNs - a.offsetNs) > (b.at - a.at) / kMaxDrift;
           }) == pieces.end();
}

void findResiduals(const std::vector<RankRecord>& records, const Matching& matching,
                   std::vector<RankClock>& clocks) {
    std::vector<std::vector<TimeNs>> left(records.size());
    for (const Collective& collective : matching.collectives) {
        std::vector<TimeNs> ends;
        ends.reserve(collective.members.size());
        for (const Member member : collective.members) {
            ends.push_back(
                onJobClock(records, clocks, member.record, callOf(records, member).span.end));
        }
        std::vector<TimeNs> sorted = ends;
        const TimeNs common = stats::exactMedian(sorted);
        for (std::size_t i = 0; i < ends.size(); ++i) {
            left[collective.members[i].record].push_back(std::abs(ends[i] - common));
        }
    }
    for (std::size_t r = 0; r < clocks.size(); ++r) {
        clocks[r].residualNs = left[r].empty() ? 0 : stats::exactMedian(left[r]);
    }
}

}  // namespace

TimeNs RankClock::offsetAt(TimeNs time) const {
    if (pieces.size() < 2) {
        return offsetNs;
    }
    // The line between two pieces; the first and last one are extended.
    const auto next =
        std::upper_bound(pieces.begin() + 1, pieces.end() - 1, time,
                         [](TimeNs at, const ClockPiece& piece) { return at < piece.at; });
    const ClockPiece& a = *std::prev(next);
    const double slope =
        static_cast<double>(next->offsetNs - a.offsetNs) / static_cast<double>(next->at - a.at);
    return a.offsetNs + std::llround(slope * static_cast<double>(time - a.at));
}

double RankClock::driftPpm() const {
    return pieces.size() < 2
               ? 0.0
               : 1e6 * static_cast<double>(pieces.back().offsetNs - pieces.front().offsetNs) /
                     static_cast<double>(pieces.back().at - pieces.front().at);
}

std::vector<RankClock> alignClocks(const std::vector<RankRecord>& records,
                                   const Matching& matching) {
    if (records.empty()) {
        return {};
    }
    std::vector<const Collective*> all;
    all.reserve(matching.collectives.size());
    for (const Collective& collective : matching.collectives) {
        all.push_back(&collective);
    }
    std::vector<RankClock> clocks = Aligner(records, all).align();
    for (const auto& piece : dividePieces(records, clocks, matching)) {
        addPiece(records, piece, clocks);
    }
    for (RankClock& clock : clocks) {
        if (!isClock(clock.pieces)) {
            clock.pieces.clear();
        }
    }
    findResiduals(records, matching, clocks);
    return clocks;
}

TimeNs onJobClock(const std::vector<RankRecord>& records, const std::vector<RankClock>& clocks,
                  std::size_t record, TimeNs time) {
    return time + (records[record].baseTimeNs - records.front().baseTimeNs) -
           clocks[record].offsetAt(time);
}

}  // namespace kinetoscope::ranks
