// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/flight/Dump.h"

namespace kinetoscope::flight {

/// One entry of one dump.
struct Call {
    std::size_t dump = 0;   ///< of the job's dumps
    std::size_t entry = 0;  ///< of Dump::entries

    friend bool operator==(const Call&, const Call&) = default;
};

/// One rank's calls in a group.
struct Member {
    std::size_t dump = 0;
    /// Collectives by their number, those of one number (coalesced ones) in their order.
    std::vector<std::size_t> collectives;
    std::vector<std::size_t> messages;  ///< point to point, in their order
    std::int64_t first = -1;            ///< numbers; -1: none
    std::int64_t last = -1;             ///< the last one that it is known to have called
};

/// A process group across the dumps: name and ranks are the same.
struct Group {
    std::string name;
    std::string description;
    std::vector<std::int64_t>
        ranks;  ///< ascending; without a list of the dumps', those that are there
    bool ranksKnown = false;
    std::vector<Member> members;        ///< ranks with a dump, by rank
    std::vector<std::int64_t> missing;  ///< ranks without one

    /// "all_reduce of group 0 (default_pg)": how the group is called.
    [[nodiscard]] std::string title() const;
};

/// The groups of a job by their names. `dumps` by rank.
[[nodiscard]] std::vector<Group> groupsOf(std::span<const Dump> dumps);

/// Entries of that number, empty where the member has none.
[[nodiscard]] std::span<const std::size_t> callsAt(const Member& member, const Dump& dump,
                                                   std::int64_t number);

}  // namespace kinetoscope::flight
