// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/Peers.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace kinetoscope::ranks {

namespace {

// Its sends, receives and collectives, in turn; empty for a rank without messages.
std::vector<std::string> programOf(const RankRecord& record) {
    std::vector<std::string> kinds;
    if (std::ranges::any_of(record.collectives, &CollectiveCall::pointToPoint)) {
        std::ranges::transform(record.collectives, std::back_inserter(kinds),
                               &CollectiveCall::kind);
    }
    return kinds;
}

// Whether they meet much more often than they send: a message now and then makes no pipeline.
bool isMostOf(const std::vector<RankRecord>& records,
              const std::map<std::uint32_t, std::size_t>& meetings) {
    return std::ranges::all_of(meetings, [&](const auto& each) {
        const auto messages =
            std::ranges::count_if(records[each.first].collectives, &CollectiveCall::pointToPoint);
        return each.second >= 2 * static_cast<std::size_t>(messages);
    });
}

}  // namespace

Peers::Peers(const std::vector<RankRecord>& records)
    : m_records(records), m_classOf(records.size()) {
    std::vector<std::vector<std::string>> programs;
    std::map<std::pair<std::string, std::vector<std::int64_t>>, Meetings> groups;
    for (std::uint32_t r = 0; r < records.size(); ++r) {
        programs.push_back(programOf(records[r]));
        for (const CollectiveCall& call : records[r].collectives) {
            if (!call.pointToPoint) {
                const ProcessGroup& group = records[r].groupOf(call);
                ++groups[{group.name, group.members}][r];
            }
        }
        m_classOf[r] = programs[r].empty() ? 0 : r + 1;
    }
    for (const auto& [name, meetings] : groups) {
        const auto& program = programs[meetings.begin()->first];
        const bool same = std::ranges::all_of(
            meetings, [&](const auto& each) { return programs[each.first] == program; });
        if ((same && !program.empty()) || isMostOf(records, meetings)) {
            join(meetings);
        }
    }
    std::map<std::size_t, std::size_t> rows;
    for (std::uint32_t r = 0; r < records.size(); ++r) {
        const auto [at, added] = rows.try_emplace(m_classOf[r], rows.size());
        if (added) {
            m_classes.emplace_back();
        }
        m_classOf[r] = at->second;
        m_classes[at->second].push_back(r);
    }
}

void Peers::join(const Meetings& meetings) {
    std::set<std::size_t> joined;
    for (const auto& [record, calls] : meetings) {
        joined.insert(m_classOf[record]);
    }
    for (std::size_t& each : m_classOf) {
        each = joined.contains(each) ? *joined.begin() : each;
    }
}

std::vector<std::vector<Member>> Peers::alike(const std::vector<Member>& members) const {
    std::map<std::size_t, std::vector<Member>> classes;
    for (const Member member : members) {
        classes[m_classOf[member.record]].push_back(member);
    }
    std::vector<std::vector<Member>> comparable;
    for (auto& [number, some] : classes) {
        if (some.size() > 1) {
            comparable.push_back(std::move(some));
        }
    }
    return comparable;
}

std::vector<std::vector<Member>> Peers::places(
    const std::vector<std::vector<std::int64_t>>& stepOf) const {
    std::vector<std::vector<Member>> peers;
    for (const std::vector<std::uint32_t>& alike : m_classes) {
        std::map<std::tuple<std::int64_t, std::size_t, std::string>, std::vector<Member>> places;
        for (const std::uint32_t r : alike) {
            std::map<std::int64_t, std::size_t> count;  // of those in each step
            const std::vector<CollectiveCall>& calls = m_records[r].collectives;
            for (std::uint32_t call = 0; call < calls.size(); ++call) {
                if (calls[call].pointToPoint || alike.size() == 1) {
                    const std::int64_t step = stepOf[r][call];
                    places[{alike.size() > 1 ? step : 0, count[step]++, calls[call].kind}]
                        .push_back({r, call});
                }
            }
        }
        for (auto& [place, members] : places) {
            peers.push_back(std::move(members));
        }
    }
    return peers;
}

}  // namespace kinetoscope::ranks
