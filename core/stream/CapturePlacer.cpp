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

void CapturePlacer::addDevice(CapturePlacement& placement, const CaptureInfo& info,
                              const CaptureDevice& device) {
    const std::string key = fmt::format("{} {}", info.host, device.uuid);
    const auto known = m_rowOfGpu.find(key);
    std::int64_t row = known == m_rowOfGpu.end() ? device.id : known->second;
    if (known == m_rowOfGpu.end()) {
        // Its own number where that is free: processes may call different GPUs the same.
        for (std::int64_t next = 0; m_rows.contains(row); ++next) {
            row = next;
        }
        m_rows.insert(row);
        m_rowOfGpu.emplace(key, row);
    }
    placement.gpus[device.id] = row;
}

}  // namespace kinetoscope::stream
