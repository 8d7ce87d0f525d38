// SPDX-License-Identifier: Apache-2.0
#include "core/flight/Group.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace kinetoscope::flight {

namespace {

void setRange(Member& member, const Dump& dump, const GroupInfo& info) {
    if (!member.collectives.empty()) {
        member.first = dump.entries[member.collectives.front()].number;
        member.last = dump.entries[member.collectives.back()].number;
    }
    member.last = std::max(member.last, info.lastEnqueued);
}

void setRanks(Group& group, std::span<const Dump> dumps) {
    if (!group.ranksKnown) {
        for (const Member& member : group.members) {
            group.ranks.push_back(dumps[member.dump].rank);
        }
    }
    for (const std::int64_t rank : group.ranks) {
        if (!std::ranges::binary_search(dumps, rank, {}, &Dump::rank)) {
            group.missing.push_back(rank);
        }
    }
}

}  // namespace

std::string Group::title() const {
    return description.empty() || description == name || description == "undefined"
               ? fmt::format("group {}", name)
               : fmt::format("group {} ({})", name, description);
}

std::vector<Group> groupsOf(std::span<const Dump> dumps) {
    std::map<std::pair<std::string, std::vector<std::int64_t>>, Group> found;
    for (std::size_t d = 0; d < dumps.size(); ++d) {
        const Dump& dump = dumps[d];
        std::vector<Member> members(dump.groups.size());
        for (std::size_t i = 0; i < dump.entries.size(); ++i) {
            const Entry& entry = dump.entries[i];
            Member& member = members[entry.group];
            (entry.pointToPoint ? member.messages : member.collectives).push_back(i);
        }
        for (std::size_t g = 0; g < dump.groups.size(); ++g) {
            const GroupInfo& info = dump.groups[g];
            Member& member = members[g];
            member.dump = d;
            std::ranges::stable_sort(member.collectives, {},
                                     [&](std::size_t i) { return dump.entries[i].number; });
            setRange(member, dump, info);
            Group& group = found[{info.name, info.ranks}];
            group.name = info.name;
            group.ranks = info.ranks;
            group.ranksKnown = !info.ranks.empty();
            if (group.description.empty()) {
                group.description = info.description;
            }
            // A rank may know groups that it is not in.
            if (!group.ranksKnown || std::ranges::binary_search(info.ranks, dump.rank)) {
                group.members.push_back(std::move(member));
            }
        }
    }
    std::vector<Group> groups;
    for (auto& [key, group] : found) {
        setRanks(group, dumps);
        groups.push_back(std::move(group));
    }
    return groups;
}

std::span<const std::size_t> callsAt(const Member& member, const Dump& dump, std::int64_t number) {
    const auto range = std::ranges::equal_range(
        member.collectives, number, {}, [&](std::size_t i) { return dump.entries[i].number; });
    return {range.begin(), range.end()};
}

}  // namespace kinetoscope::flight
