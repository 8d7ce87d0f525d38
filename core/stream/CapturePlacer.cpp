// SPDX-License-Identifier: Apache-2.0
#include "core/stream/CapturePlacer.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/stream/CaptureFormat.h"

namespace kinetoscope::stream {

namespace {

// Correlations are 32 bits wide, so each capture gets a range of its own.
constexpr int kIdBits = 32;
constexpr std::int64_t kOtherPids = std::int64_t{1} << kIdBits;
constexpr std::int64_t kStreamsOfCapture = 100'000;

}  // namespace

std::int64_t placedPid(std::int64_t pid) {
    return pid < format::kMaxDevices ? pid + kOtherPids : pid;
}

CapturePlacement CapturePlacer::add(const CaptureInfo& info, bool ranks) {
    const std::int64_t index = m_count++;
    CapturePlacement placement;
    placement.baseTimeNs = m_baseTimeNs;
    placement.idBase = index << kIdBits;
    placement.streamBase = index * kStreamsOfCapture;
    placement.users = m_users;
    placement.pid = placedPid(info.pid);
    while (!m_pids.insert(placement.pid).second) {
        placement.pid += kOtherPids;  // the same number on another host
    }
    if (ranks && info.rank >= 0) {
        placement.suffix = fmt::format(" (rank {})", info.rank);
    }
    return placement;
}

// Instances of a GPU may tell the serial number of the whole. NVML knows no multiprocessors, and
// counts memory a little differently.
bool CapturePlacer::isSame(const Gpu& gpu, const CaptureDevice& device) {
    if (gpu.multiprocessors == 0 || device.limits.multiprocessors == 0) {
        return true;
    }
    const auto [less, more] = std::minmax(gpu.totalMemoryBytes, device.totalMemoryBytes);
    return gpu.multiprocessors == device.limits.multiprocessors &&
           (less == 0 || more - less < less / 4);
}

void CapturePlacer::addDevice(CapturePlacement& placement, const CaptureInfo& info,
                              const CaptureDevice& device) {
    const bool numbered = device.uuid.find_first_not_of("0-") != std::string::npos;
    std::vector<Gpu>& gpus =
        m_gpus[numbered ? fmt::format("{} {}", info.host, device.uuid)
                        : fmt::format("{} of {}", device.id, placement.idBase >> kIdBits)];
    auto known = std::ranges::find_if(gpus, [&](const Gpu& gpu) { return isSame(gpu, device); });
    if (known == gpus.end()) {
        // Its own number where that is free: processes may call different GPUs the same.
        std::int64_t row = device.id;
        for (std::int64_t next = 0; m_rows.contains(row); ++next) {
            row = next;
        }
        m_rows.insert(row);
        known = gpus.insert(gpus.end(), Gpu{.row = row});
    }
    if (known->multiprocessors == 0) {
        known->multiprocessors = device.limits.multiprocessors;
        known->totalMemoryBytes = device.totalMemoryBytes;
    }
    placement.gpus[device.id] = known->row;
}

}  // namespace kinetoscope::stream
