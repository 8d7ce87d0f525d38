// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/flight/Group.h"

namespace kinetoscope::flight {

/// What blocks a collective or a message.
enum class Why : std::uint8_t {
    Absent,      ///< ranks never called it
    Mismatch,    ///< the ranks' calls do not fit each other
    NoDump,      ///< all ranks with a dump called it; others have none
    NotStarted,  ///< on some ranks it runs, on others it waits behind other work of the GPU
    Running,     ///< all ranks called it and none is known to have ended
};

/// "absent", "mismatch", "no_dump", "not_started", "running".
[[nodiscard]] std::string_view whyName(Why why);

/// The first call of a group that has not completed, and where each of its ranks is.
struct Stuck {
    std::size_t group = 0;     ///< of FlightJob::groups
    std::int64_t number = -1;  ///< of a collective; -1 for a message
    Why why = Why::Running;
    std::vector<Call> waiting;         ///< called, not completed
    std::vector<Call> finished;        ///< called and completed
    std::vector<std::size_t> absent;   ///< dumps of ranks that never called it
    std::vector<std::size_t> passed;   ///< dumps whose entry of it is overwritten
    std::vector<std::int64_t> noDump;  ///< ranks of the group without a dump
    std::size_t queued = 0;  ///< calls of the group that wait behind it, of one rank at most
    /// The stuck ones (of FlightJob::stuck) in which the absent ranks wait meanwhile. Without any
    /// it is a cause and not a consequence. The first of them, if they are many.
    std::vector<std::size_t> because;
    bool hasMoreCauses = false;
    bool inCycle = false;  ///< the ranks wait for each other
};

enum class Difference : std::uint8_t { Kind, Type, Size };

/// "operation", "type", "size".
[[nodiscard]] std::string_view differenceName(Difference difference);

/// Calls with one number that do not fit each other.
struct Mismatch {
    struct Part {
        std::string value;
        std::vector<std::size_t> dumps;
    };
    std::size_t group = 0;
    std::int64_t number = -1;
    std::string kind;
    Difference difference = Difference::Kind;
    std::vector<Part> parts;  ///< most ranks first
};

struct UnreadDump {
    std::string file;
    std::string reason;
};

struct FlightJob {
    std::vector<Dump> dumps;  ///< by rank
    std::vector<Group> groups;
    std::vector<Stuck> stuck;  ///< causes first
    std::vector<Mismatch> mismatches;
    std::vector<std::int64_t> missing;  ///< ranks of any group without a dump
    std::vector<UnreadDump> unread;

    [[nodiscard]] const Entry& entry(Call call) const {
        return dumps[call.dump].entries[call.entry];
    }
};

/// The last thing that a rank did in a group, a collective or a message; none where it did nothing
/// that is still there.
[[nodiscard]] std::optional<Call> lastCall(const FlightJob& job, const Member& member);

}  // namespace kinetoscope::flight
