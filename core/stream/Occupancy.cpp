// SPDX-License-Identifier: Apache-2.0
#include "core/stream/Occupancy.h"

#include <algorithm>
#include <cmath>

#include "core/stream/RecordChecks.h"

namespace kinetoscope::stream {

namespace {

// The same for every GPU since compute capability 7.0.
constexpr std::int64_t kRegisterUnit = 256;  // registers of a warp come in these
constexpr std::int64_t kPartitions = 4;      // of a multiprocessor; a warp's registers are in one
constexpr std::int64_t kSharedUnit = 128;
// From 8.0 on each block has so much shared memory of the system's own.
constexpr std::int64_t kSystemShared = 1024;
constexpr std::int64_t kMaxBlocks = 32;
constexpr std::int64_t kMaxThreads = 1 << 20;  // of a block; 1024 today

std::int64_t inUnits(std::int64_t value, std::int64_t unit) {
    return (value + unit - 1) / unit;
}

std::int64_t roundedUp(std::int64_t value, std::int64_t unit) {
    return inUnits(value, unit) * unit;
}

std::int64_t product(const std::array<std::uint32_t, 3>& values) {
    return std::int64_t{values[0]} * values[1] * values[2];
}

}  // namespace

std::optional<int> achievedOccupancyPercent(const MultiprocessorLimits& limits,
                                            const format::KernelRecord& kernel) {
    if (volume(kernel.block) > static_cast<double>(kMaxThreads)) {
        return std::nullopt;  // of no block that there is
    }
    const std::int64_t threads = product(kernel.block);
    if (limits.multiprocessors <= 0 || limits.warpSize <= 0 || limits.threads <= 0 ||
        limits.registers <= 0 || limits.sharedBytes <= 0 || threads <= 0) {
        return std::nullopt;
    }
    const std::int64_t warps = inUnits(threads, limits.warpSize);
    std::int64_t blocks = limits.blocks > 0 ? limits.blocks : kMaxBlocks;
    blocks = std::min(blocks, limits.threads / limits.warpSize / warps);
    const std::int64_t registersOfWarp =
        roundedUp(std::int64_t{kernel.registers} * limits.warpSize, kRegisterUnit);
    if (registersOfWarp > 0) {
        const std::int64_t warpsWithRegisters =
            limits.registers / kPartitions / registersOfWarp * kPartitions;
        blocks = std::min(blocks, warpsWithRegisters / warps);
    }
    const std::int64_t own = limits.computeMajor >= 8 ? kSystemShared : 0;
    const std::int64_t shared =
        roundedUp(std::int64_t{kernel.staticShared} + kernel.dynamicShared + own, kSharedUnit);
    if (shared > 0) {
        blocks = std::min(blocks, limits.sharedBytes / shared);
    }
    const double launched = volume(kernel.grid) / static_cast<double>(limits.multiprocessors);
    const double together = std::min(launched, static_cast<double>(blocks));
    const double share =
        together * static_cast<double>(threads) / static_cast<double>(limits.threads);
    return static_cast<int>(std::floor(100.0 * share + 0.5));
}

}  // namespace kinetoscope::stream
