// SPDX-License-Identifier: Apache-2.0
#include "core/stream/RecordChecks.h"

#include <algorithm>

namespace kinetoscope::stream {

using namespace format;

namespace {

constexpr std::uint32_t kMaxRegisters = 0xffff;  // of a thread
constexpr std::uint32_t kMaxShared = 1U << 30U;  // bytes of a block
constexpr std::uint32_t kMaxLocal = 1U << 30U;   // bytes of a thread

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
    return device == format::kNone ? 0 : mendAbove(device, format::kMaxDevices - 1, format::kNone);
}

}  // namespace

std::uint64_t mendRecord(format::KernelRecord& record) {
    return mendAbove<std::int64_t>(record.queued, format::kLatestTime) +
           mendExtents(record.grid, format::kMaxInGrid) +
           mendExtents(record.block, format::kMaxInBlock) +
           mendExtents(record.cluster, format::kMaxInBlock) +
           mendAbove(record.staticShared, kMaxShared) +
           mendAbove(record.dynamicShared, kMaxShared) +
           mendAbove(record.localPerThread, kMaxLocal) + mendAbove(record.registers, kMaxRegisters);
}

std::uint64_t mendRecord(format::CopyRecord& record) {
    return mendAbove(record.bytes, format::kMaxBytes) + mendDevice(record.sourceDevice) +
           mendDevice(record.targetDevice);
}

std::uint64_t mendRecord(format::MemsetRecord& record) {
    return mendAbove(record.bytes, format::kMaxBytes);
}

std::uint64_t mendRecord(format::MemoryRecord& record) {
    return mendAbove(record.bytes, format::kMaxBytes) + mendDevice(record.device);
}

}  // namespace kinetoscope::stream
