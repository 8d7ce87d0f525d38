// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/view/JobRows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "core/text/Printable.h"

namespace kinetoscope::ranks::view {

namespace {

// Hosts and groups by the lowest rank in them, which is how jobs are laid out.
using Groups = std::map<std::size_t, std::pair<std::string, std::vector<std::size_t>>>;

Groups groupsOf(const std::vector<std::string>& names) {
    std::map<std::string, std::vector<std::size_t>> members;
    for (std::size_t r = 0; r < names.size(); ++r) {
        members[names[r]].push_back(r);
    }
    Groups groups;
    for (auto& [name, records] : members) {
        const std::size_t first = records.front();
        groups[first] = {name, std::move(records)};
    }
    return groups;
}

std::string hostName(const RankRecord& record) {
    return record.host.empty() ? "unknown host" : text::printable(record.host);
}

/// "group tp2 (ranks 4, 5, 6, 7)" of the members that the collectives had.
std::vector<std::string> groupNames(const Job& job) {
    std::map<std::string, std::set<std::uint32_t>> members;
    for (const Collective& collective : job.matching.collectives) {
        std::set<std::uint32_t>& all = members[collective.group];
        for (const Member member : collective.members) {
            all.insert(member.record);
        }
    }
    std::vector<std::string> names(job.records.size(), "in no process group");
    std::vector<std::size_t> sizes(job.records.size(), std::numeric_limits<std::size_t>::max());
    for (const auto& [group, records] : members) {
        const std::string name = fmt::format(
            "group {}", group.empty() ? std::string("unknown") : text::printable(group));
        for (const std::uint32_t record : records) {
            if (records.size() < sizes[record]) {
                sizes[record] = records.size();
                names[record] = name;
            }
        }
    }
    return names;
}

std::vector<std::string> namesFor(const Job& job, RowGroups groups) {
    if (groups == RowGroups::ProcessGroup) {
        return groupNames(job);
    }
    std::vector<std::string> names;
    names.reserve(job.records.size());
    for (const RankRecord& record : job.records) {
        names.push_back(hostName(record));
    }
    return names;
}

/// Larger is worse.
double badness(const JobGrid& grid, CellFigure figure, std::size_t record) {
    const double total = grid.total(figure, record);
    if (std::isnan(total)) {
        return -std::numeric_limits<double>::infinity();
    }
    return figure == CellFigure::Busy ? -total : total;
}

}  // namespace

std::vector<JobRow> arrangeRows(const Job& job, const JobGrid& grid, CellFigure figure,
                                RowOrder order, RowGroups groups) {
    std::vector<std::size_t> ordered(job.records.size());
    std::iota(ordered.begin(), ordered.end(), std::size_t{0});
    if (order == RowOrder::Figure) {
        std::vector<double> keys;
        keys.reserve(ordered.size());
        for (const std::size_t record : ordered) {
            keys.push_back(badness(grid, figure, record));
        }
        std::ranges::stable_sort(ordered, std::ranges::greater{},
                                 [&](std::size_t record) { return keys[record]; });
    } else if (order == RowOrder::Host) {
        std::ranges::stable_sort(ordered, {},
                                 [&](std::size_t record) { return job.records[record].host; });
    }
    std::vector<JobRow> rows;
    if (groups == RowGroups::None) {
        for (const std::size_t record : ordered) {
            rows.push_back({.record = record});
        }
        return rows;
    }
    std::vector<std::size_t> places(ordered.size());
    for (std::size_t i = 0; i < ordered.size(); ++i) {
        places[ordered[i]] = i;
    }
    for (auto& [first, group] : groupsOf(namesFor(job, groups))) {
        rows.push_back({.heading = std::move(group.first)});
        std::ranges::sort(group.second, {}, [&](std::size_t record) { return places[record]; });
        for (const std::size_t record : group.second) {
            rows.push_back({.record = record});
        }
    }
    return rows;
}

}  // namespace kinetoscope::ranks::view
