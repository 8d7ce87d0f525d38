// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/Peers.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace kinetoscope::ranks {

namespace {

// What it sends, gets and takes part in, in turn; nothing for a rank without messages.
std::vector<std::string> programOf(const RankRecord& record) {
    std::vector<std::string> kinds;
    if (std::ranges::any_of(record.collectives, &CollectiveCall::pointToPoint)) {
        std::ranges::transform(record.collectives, std::back_inserter(kinds),
                               &CollectiveCall::kind);
    }
    return kinds;
}

}  // namespace

Peers::Peers(const std::vector<RankRecord>& records) : m_records(records) {
    std::map<std::vector<std::string>, std::size_t> classes;
    for (std::uint32_t r = 0; r < records.size(); ++r) {
        const auto [at, added] = classes.try_emplace(programOf(records[r]), m_classes.size());
        if (added) {
            m_classes.emplace_back();
        }
        m_classOf.push_back(at->second);
        m_classes[at->second].push_back(r);
    }
}

std::vector<std::vector<Member>> Peers::messages(
    const std::vector<std::vector<std::int64_t>>& stepOf) const {
    std::vector<std::vector<Member>> peers;
    for (const std::vector<std::uint32_t>& alike : m_classes) {
        std::map<std::pair<std::int64_t, std::size_t>, std::vector<Member>> places;
        for (const std::uint32_t r : alike) {
            std::map<std::int64_t, std::size_t> count;  // of messages in each step
            const std::vector<CollectiveCall>& calls = m_records[r].collectives;
            for (std::uint32_t call = 0; call < calls.size(); ++call) {
                if (calls[call].pointToPoint) {
                    const std::int64_t step = stepOf[r][call];
                    places[{alike.size() > 1 ? step : 0, count[step]++}].push_back({r, call});
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
