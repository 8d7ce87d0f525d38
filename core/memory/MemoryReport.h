// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "core/memory/History.h"

namespace kinetoscope::memory {

inline constexpr std::uint32_t kNoBlock = ~std::uint32_t{0};

/// Blocks of one place together.
struct PlaceSum {
    PlaceId place = 0;
    std::int64_t bytes = 0;
    std::uint64_t count = 0;
    std::uint32_t largest = kNoBlock;  ///< of Device::blocks
};

/// What places have in common that are one row.
enum class GroupBy : std::uint8_t { Place, Operator, Stack, Purpose };

/// The figures of one device.
struct DeviceReport {
    std::size_t device = 0;  ///< of History::devices
    std::int64_t allocated = 0;
    std::int64_t reserved = 0;
    std::int64_t peakAllocated =
        0;  ///< the largest value, the state before the first event included
    std::int64_t peakReserved = 0;
    TimeNs peakTime = 0;                ///< the first moment at which that much was allocated
    std::uint32_t peakEvent = kBefore;  ///< kBefore: nothing later was more
    std::vector<PlaceSum> atPeak;       ///< most bytes first; place 0: unknown
    std::array<PlaceSum, kPurposes> atPeakByPurpose;
    std::int64_t olderAtPeak = 0;         ///< of blocks from before the first event
    std::vector<std::size_t> neverFreed;  ///< blocks: largest first, of equal ones the latest first
    std::int64_t neverFreedBytes = 0;
    std::vector<std::size_t> older;  ///< blocks from before the first event that stayed; likewise
    std::int64_t olderBytes = 0;
};

struct MemoryReport {
    History history;
    std::vector<DeviceReport> devices;

    [[nodiscard]] const Device& device(const DeviceReport& report) const {
        return history.devices[report.device];
    }
};

[[nodiscard]] MemoryReport reportOf(History history);

/// Live bytes by place, largest first. Allocated bytes outside all blocks are of place 0.
[[nodiscard]] std::vector<PlaceSum> aliveAfter(const History& history, const Device& device,
                                               std::uint32_t event);
/// Equal for places that are one row.
using GroupKey = std::tuple<Purpose, NameId, NameId, PlaceId>;
[[nodiscard]] GroupKey groupKey(const History& history, PlaceId place, GroupBy by);
/// Sums of places that have the same purpose, operator and line, operator, stack or purpose: most
/// bytes first, each with the place that has most of it.
[[nodiscard]] std::vector<PlaceSum> grouped(const History& history,
                                            const std::vector<PlaceSum>& sums, GroupBy by);
/// The event after which most was allocated in that time of the history, kBefore where it was most
/// before the first one.
[[nodiscard]] std::uint32_t peakWithin(const Device& device, TimeSpan time);

}  // namespace kinetoscope::memory
