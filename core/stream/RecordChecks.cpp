// SPDX-License-Identifier: Apache-2.0
#include "core/stream/RecordChecks.h"

#include <algorithm>

namespace kinetoscope {

using namespace capture;

namespace {

constexpr std::uint32_t kMostRegisters = 0xffff;  // of a thread
constexpr std::uint32_t kMostShared = 1U << 30U;  // bytes of a block
constexpr std::uint32_t kMostLocal = 1U << 30U;   // bytes of a thread

template <class T>
std::uint64_t mendAbove(T& value, std::uint64_t most, T otherwise = 0) {
    const bool odd = static_cast<std::uint64_t>(value) > most;
    value = odd ? otherwise : value;
    return odd ? 1 : 0;
}

// Extents that cannot be are not known at all.
std::uint64_t mendExtents(std::array<std::uint32_t, 3>& extents, std::uint32_t most) {
    const bool odd = std::ranges::any_of(extents, [most](auto extent) { return extent > most; });
    if (odd) {
        extents = {};
    }
    return odd ? 1 : 0;
}

std::uint64_t mendDevice(std::uint32_t& device) {
    return device == kNone ? 0 : mendAbove(device, kMostDevices - 1, kNone);
}

}  // namespace

std::uint64_t mendRecord(KernelRecord& record) {
    return mendAbove<std::int64_t>(record.queued, kLatestTime) +
           mendExtents(record.grid, kMostInGrid) + mendExtents(record.block, kMostInBlock) +
           mendExtents(record.cluster, kMostInBlock) + mendAbove(record.staticShared, kMostShared) +
           mendAbove(record.dynamicShared, kMostShared) +
           mendAbove(record.localPerThread, kMostLocal) +
           mendAbove(record.registers, kMostRegisters);
}

std::uint64_t mendRecord(CopyRecord& record) {
    return mendAbove(record.bytes, kMostBytes) + mendDevice(record.sourceDevice) +
           mendDevice(record.targetDevice);
}

std::uint64_t mendRecord(MemsetRecord& record) {
    return mendAbove(record.bytes, kMostBytes);
}

std::uint64_t mendRecord(MemoryRecord& record) {
    return mendAbove(record.bytes, kMostBytes) + mendDevice(record.device);
}

}  // namespace kinetoscope
