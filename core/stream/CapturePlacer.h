// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/base/Time.h"
#include "core/stream/CaptureInfo.h"

namespace kinetoscope::stream {

/// The number that stands for a process: rows of GPUs have theirs among those, and pids start at 1
/// in containers.
[[nodiscard]] std::int64_t placedPid(std::int64_t pid);

/// Which capture of a trace used a GPU's row first; its streams keep their numbers there.
using GpuUsers = std::map<std::int64_t, std::int64_t>;

/// The place of a capture in a trace that may have several.
struct CapturePlacement {
    std::int64_t pid = 0;         ///< of the process; 0: as recorded
    TimeNs baseTimeNs = 0;        ///< Unix time of the trace's zero
    std::int64_t idBase = 0;      ///< added to correlations and range ids
    std::int64_t streamBase = 0;  ///< added to stream numbers on GPUs that another capture uses too
    std::map<std::uint32_t, std::int64_t> gpus;        ///< device number to row; others as recorded
    std::map<std::int64_t, std::int64_t> streamBases;  ///< by row, of those met so far
    std::shared_ptr<GpuUsers> users;  ///< shared by the captures of a trace; null: no others
    std::string suffix;               ///< of the names of processes, e.g. " (rank 1)"
};

/// Finds places for captures beside each other: one row for a GPU that several use, pids and ids
/// of their own. One host's GPU is known by its serial number, and an instance of it by its size;
/// without a number it is no other capture's.
class CapturePlacer {
public:
    explicit CapturePlacer(TimeNs baseTimeNs) : m_baseTimeNs(baseTimeNs) {}

    /// Of the next capture. `ranks`: its process is named with its rank.
    [[nodiscard]] CapturePlacement add(const CaptureInfo& info, bool ranks);
    /// To be called before the first record of the device.
    void addDevice(CapturePlacement& placement, const CaptureInfo& info,
                   const CaptureDevice& device);

private:
    struct Gpu {
        std::int64_t row = 0;
        std::int64_t multiprocessors = 0;
        std::uint64_t totalMemoryBytes = 0;
    };

    [[nodiscard]] static bool isSame(const Gpu& gpu, const CaptureDevice& device);

    TimeNs m_baseTimeNs;
    std::int64_t m_count = 0;
    std::set<std::int64_t> m_pids;
    std::map<std::string, std::vector<Gpu>> m_gpus;  ///< by host and serial number
    std::set<std::int64_t> m_rows;
    std::shared_ptr<GpuUsers> m_users = std::make_shared<GpuUsers>();
};

}  // namespace kinetoscope::stream
