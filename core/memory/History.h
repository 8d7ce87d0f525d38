// SPDX-License-Identifier: Apache-2.0
// Allocations over time, of a snapshot of PyTorch's allocator or of a trace's [memory] events.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/StringPool.h"
#include "core/base/Time.h"

namespace kinetoscope::memory {

using PlaceId = std::uint32_t;

/// What memory is for, as far as the place of its allocation tells. Untold: the place is unknown.
enum class Purpose : std::uint8_t {
    Untold,
    Other,
    Parameters,
    Activations,
    Gradients,
    OptimizerState
};
inline constexpr std::size_t kPurposes = 6;

/// "unknown", "other", "parameters", "activations", "gradients", "optimizer state".
[[nodiscard]] std::string_view purposeName(Purpose purpose);

/// Where memory was allocated.
struct Place {
    NameId operation = kEmptyName;  ///< the operator, else the innermost function that has a name
    NameId line = kEmptyName;       ///< the innermost line of the program's own code; empty:
                                    ///< unknown
    Purpose purpose = Purpose::Untold;
    std::vector<NameId> stack;  ///< innermost first, a line each
};

inline constexpr std::uint32_t kBefore = std::numeric_limits<std::uint32_t>::max() - 1;
inline constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

/// Of one block, and of all together; more is damage.
inline constexpr std::int64_t kMaxBlockBytes = std::int64_t{1} << 56U;
inline constexpr std::int64_t kMaxBytes = std::int64_t{1} << 61U;

/// a + b, at most kMaxBytes away from 0, as both of them are.
[[nodiscard]] constexpr std::int64_t addBytes(std::int64_t a, std::int64_t b) {
    return std::clamp(a + b, -kMaxBytes, kMaxBytes);
}

/// Memory that was allocated once. `from` and `to` count the device's events.
struct Block {
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    std::uint32_t from = kBefore;  ///< the event that allocated it; kBefore: before the first one
    std::uint32_t to = kNever;     ///< the event that freed it; kNever: none did
    PlaceId place = 0;             ///< of History::places

    [[nodiscard]] bool isAliveAfter(std::uint32_t event) const {
        return (from == kBefore || from <= event) && (to == kNever || to > event);
    }
};

/// Memory in use after an event.
struct Usage {
    TimeNs time = 0;
    std::int64_t bytes = 0;
};

/// A request that could not be met.
struct OutOfMemory {
    TimeNs time = 0;
    std::int64_t requested = 0;
    std::int64_t deviceFree = -1;  ///< -1: unknown
    PlaceId place = 0;
};

/// Memory that the allocator holds of a device, by kind ("small", "large").
struct SegmentSums {
    std::string kind;
    std::uint64_t count = 0;
    std::uint64_t wholeFree = 0;  ///< segments in which nothing is allocated
    std::int64_t bytes = 0;
    std::int64_t allocated = 0;
    std::int64_t requested = 0;   ///< of the allocated bytes, those requested
    std::int64_t freeInUsed = 0;  ///< bytes between blocks of segments that are in use
    std::int64_t largestFree = 0;
};

enum class BlockState : std::uint8_t {
    Allocated,
    Pending,  ///< freed, but another stream may still use it
    Free
};

/// A part of a segment, at the snapshot's time.
struct SegmentBlock {
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    std::int64_t requested = 0;
    BlockState state = BlockState::Free;
    PlaceId place = 0;
};

/// A segment of the allocator.
struct Segment {
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    std::uint32_t kind = 0;  ///< of Device::segments
    std::vector<SegmentBlock> blocks;
};

/// One device's allocator.
struct Device {
    std::string name;                  ///< "GPU 0", "CPU"
    std::vector<Block> blocks;         ///< those from before first, then by their event
    std::vector<Usage> allocated;      ///< by event, ascending in time as the file has it
    std::vector<Usage> reserved;       ///< where it changes
    std::int64_t allocatedBefore = 0;  ///< before the first event
    std::int64_t reservedBefore = 0;
    std::vector<OutOfMemory> outOfMemory;
    std::vector<SegmentSums> segments;  ///< snapshots only; at their time
    std::vector<Segment> segmentList;   ///< snapshots only; by address
    std::vector<std::uint32_t>
        instants;  ///< traces only; of each event the row of Trace::instants()

    [[nodiscard]] std::int64_t allocatedAtEnd() const {
        return allocated.empty() ? allocatedBefore : allocated.back().bytes;
    }
    [[nodiscard]] std::int64_t reservedAtEnd() const {
        return reserved.empty() ? reservedBefore : reserved.back().bytes;
    }
};

enum class Source : std::uint8_t { Snapshot, Trace };

struct History {
    Source source = Source::Snapshot;
    std::string file;
    TimeNs startNs =
        0;  ///< of the times: since 1970 for a snapshot, of the trace's first event else
    StringPool names;
    std::vector<Place> places;  ///< the first is unknown
    std::vector<Device> devices;

    [[nodiscard]] std::string_view name(NameId id) const { return names.view(id); }
};

}  // namespace kinetoscope::memory
