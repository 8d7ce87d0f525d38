// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/Breakdown.h"
#include "core/analysis/IdleTime.h"
#include "core/base/Time.h"
#include "core/ranks/packed/PackedTimes.h"
#include "core/ranks/packed/WorkRuns.h"

namespace kinetoscope::ranks {

using packed::PackedTimes;
using packed::WorkKind;
using packed::WorkRuns;
using packed::WorkTime;

/// Ranks that communicate with each other.
struct ProcessGroup {
    std::string name;                   ///< "Process Group Name"; empty: unknown
    std::string description;            ///< "Process Group Description"
    std::vector<std::int64_t> members;  ///< global ranks, ascending; empty: unknown
    std::int64_t size = -1;             ///< -1: unknown

    /// Neither its name nor its members are known.
    [[nodiscard]] bool isUnknown() const { return name.empty() && members.empty(); }
};

/// A kernel of communication on one rank. Times are the rank's own.
struct CollectiveCall {
    TimeSpan span;
    TimeNs launched = 0;     ///< start of the call that launched it; its own start without one
    std::int64_t step = -1;  ///< number of the step in which it began; -1: none
    /// That of the step in which it was launched; -1 too where the program marks no steps.
    std::int64_t launchedInStep = -1;
    std::int64_t stream = 0;
    std::uint32_t group = 0;  ///< row of RankRecord::groups
    std::string kind;  ///< "allreduce", "send"…; of kernels without arguments by their name
    std::string type;  ///< element type
    std::int64_t inElements = -1;  ///< of this rank; -1: unknown
    std::int64_t outElements = -1;
    std::optional<std::int64_t> sequence;
    std::int64_t peer = -1;  ///< of a message from rank to rank: the other one
    /// Bytes of the largest buffer of this rank, as nccl-tests counts them; 0: unknown.
    std::uint64_t bytes = 0;
    bool pointToPoint = false;
};

/// Time of the kernels of one name in a part of the trace.
struct KernelSum {
    std::uint32_t name = 0;  ///< row of RankRecord::names
    std::uint32_t count = 0;
    TimeNs sumNs = 0;
};

/// Work of a rank's GPU without communication.
struct OwnWork {
    PackedTimes starts;  ///< of the operations
    WorkRuns runs;       ///< from the first operation to the end of the last one
};

/// A rank's own work between two of its collectives, in the order of its program.
struct Segment {
    TimeSpan own;         ///< from being ready for the one before to being ready for this one
    TimeNs release = 0;   ///< when the one before ended
    TimeNs waitedNs = 0;  ///< from being ready for it to its start
    std::uint64_t firstOperation = 0;  ///< of OwnWork::starts, that the program launched in here
    std::int64_t before = -1;          ///< call before it; -1: none
    /// The host's time from launching the previous one to launching this one, its waits for the GPU
    /// left out; -1: not known.
    TimeNs hostNs = -1;
};

/// A gap of the GPU in which the host was late.
struct HostGap {
    TimeSpan span;         ///< the part before the next launch
    std::string activity;  ///< what the host did; empty: nothing was recorded
    std::string kind;      ///< see analysis::activityKind()
    std::string before;    ///< the operator, or else the call, that ended it
};

/// A time in which nothing began or ended on the threads that launch work, and no wait for the GPU
/// says why.
struct HostStall {
    TimeNs ns = 0;             ///< longer than the longest before the same in the median step
    std::uint32_t before = 0;  ///< what began or ended then: row of RankRecord::names
};

/// Kernels of which the rank launched more, or fewer, than in its median step.
struct ExtraKernels {
    TimeNs ns = 0;   ///< their time beyond that in the median step
    KernelSum most;  ///< those of one name that are most of it
};

struct RankStep {
    std::int64_t number = 0;
    TimeSpan span;
    analysis::Breakdown time;
    std::vector<HostStall> stalls;  ///< the longest, not there in the rank's median step
    ExtraKernels extra;
};

/// RankRecord::gpu of a rank whose work is known only for the program as a whole.
inline constexpr std::int32_t kNoGpu = -1;

/// The part of one rank's trace that the views of its job need.
struct RankRecord {
    std::int64_t rank = -1;
    std::int64_t worldSize = -1;  ///< -1: unknown
    std::string file;
    std::vector<std::string> origins;  ///< originOf() where it was read, ascending; not encoded
    std::string host;                  ///< empty: unknown
    TimeNs baseTimeNs = 0;             ///< add it to the times for those of the rank's clock
    std::int32_t gpu = 0;
    std::string device;            ///< its name, "NVIDIA H200"; empty: unknown
    std::size_t devicesThere = 0;  ///< how many the file lists
    TimeSpan extent;
    TimeSpan gpuSpan;          ///< from the first to the last operation of its GPU
    analysis::Breakdown time;  ///< of that
    analysis::IdleTime idle;
    TimeNs busyNs = 0;
    OwnWork work;
    std::vector<ProcessGroup> groups;
    std::vector<CollectiveCall> collectives;  ///< by start
    std::vector<Segment> segments;  ///< before each collective, and what follows the last one
    /// The kernels launched between each collective and the one before it; at the end those behind
    /// the last.
    std::vector<std::vector<KernelSum>> kernels;
    std::vector<RankStep> steps;
    std::vector<HostGap> hostGaps;   ///< the longest, by start
    std::vector<std::string> names;  ///< of kernels, and of what the host did

    [[nodiscard]] const ProcessGroup& groupOf(const CollectiveCall& call) const {
        return groups[call.group];
    }
    /// Whether the steps were counted by those of the optimizer, for want of marked ones.
    [[nodiscard]] bool countsSteps() const {
        return !steps.empty() && !collectives.empty() &&
               std::ranges::all_of(
                   collectives, [](const CollectiveCall& call) { return call.launchedInStep < 0; });
    }
    bool complete = true;  ///< false: something in the file could not be read
};

}  // namespace kinetoscope::ranks
