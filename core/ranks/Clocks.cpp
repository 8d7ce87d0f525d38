// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/Clocks.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

namespace kinetoscope::ranks {

namespace {

TimeNs middle(std::vector<TimeNs>& values) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::ranges::nth_element(values, at);
    if (values.size() % 2 == 1) {
        return *at;
    }
    const TimeNs above = *std::min_element(at + 1, values.end());
    return *at + (above - *at) / 2;
}

class Aligner {
public:
    Aligner(const std::vector<RankRecord>& records, const Matching& matching)
        : m_records(records), m_matching(matching), m_domain(records.size()) {
        std::map<std::string, std::size_t> hosts;
        for (std::size_t r = 0; r < records.size(); ++r) {
            const std::string name =
                records[r].host.empty() ? "\n" + std::to_string(r) : records[r].host;
            m_domain[r] = hosts.try_emplace(name, hosts.size()).first->second;
        }
        m_offsets.resize(hosts.size());
    }

    std::vector<RankClock> align() {
        if (m_records.empty()) {
            return {};
        }
        m_offsets[m_domain[0]] = 0;
        while (alignMore()) {
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
        return ends.empty() ? std::nullopt : std::optional(middle(ends));
    }

    // Of clocks that are unknown so far, from the collectives that they share with known ones.
    bool alignMore() {
        std::map<std::size_t, std::vector<TimeNs>> seen;
        for (const Collective& collective : m_matching.collectives) {
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
            m_offsets[domain] = middle(distances);
        }
        return !seen.empty();
    }

    void refine() {
        std::map<std::size_t, std::vector<TimeNs>> seen;
        for (const Collective& collective : m_matching.collectives) {
            const std::optional<TimeNs> end = commonEnd(collective);
            for (const Member member : collective.members) {
                if (end && m_offsets[m_domain[member.record]]) {
                    seen[m_domain[member.record]].push_back(endOf(member) - *end);
                }
            }
        }
        for (auto& [domain, distances] : seen) {
            m_offsets[domain] = middle(distances);
        }
        const TimeNs first = m_offsets[m_domain[0]].value_or(0);
        for (std::optional<TimeNs>& offset : m_offsets) {
            if (offset) {
                *offset -= first;
            }
        }
    }

    [[nodiscard]] std::vector<RankClock> clocks() const {
        std::vector<RankClock> clocks(m_records.size());
        std::vector<std::vector<TimeNs>> left(m_records.size());
        for (const Collective& collective : m_matching.collectives) {
            if (const std::optional<TimeNs> end = commonEnd(collective)) {
                for (const Member member : collective.members) {
                    if (const auto& offset = m_offsets[m_domain[member.record]]) {
                        left[member.record].push_back(std::abs(endOf(member) - *offset - *end));
                    }
                }
            }
        }
        for (std::size_t r = 0; r < clocks.size(); ++r) {
            clocks[r].aligned = m_offsets[m_domain[r]].has_value();
            clocks[r].offsetNs = m_offsets[m_domain[r]].value_or(0);
            clocks[r].residualNs = left[r].empty() ? 0 : middle(left[r]);
        }
        return clocks;
    }

    const std::vector<RankRecord>& m_records;
    const Matching& m_matching;
    std::vector<std::size_t> m_domain;             ///< the clock of each record
    std::vector<std::optional<TimeNs>> m_offsets;  ///< of each clock
};

}  // namespace

std::vector<RankClock> alignClocks(const std::vector<RankRecord>& records,
                                   const Matching& matching) {
    return Aligner(records, matching).align();
}

TimeNs onJobClock(const std::vector<RankRecord>& records, const std::vector<RankClock>& clocks,
                  std::size_t record, TimeNs time) {
    return time + (records[record].baseTimeNs - records.front().baseTimeNs) -
           clocks[record].offsetNs;
}

}  // namespace kinetoscope::ranks
