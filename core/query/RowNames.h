// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/query/LaneLayout.h"

namespace kinetoscope::query {

/// Names of a trace's rows: timeline, tables and texts use the same words.
class RowNames {
public:
    RowNames() = default;
    /// Keeps nothing of the index.
    explicit RowNames(const LaneIndex& index);

    /// Whether GPU work stands on the rows of the process.
    [[nodiscard]] bool isGpu(std::uint32_t process) const { return m_gpus[process]; }
    /// Heading of a process: "GPU 0 · NVIDIA H200", "python 477".
    [[nodiscard]] const std::string& heading(std::uint32_t process) const {
        return m_headings[process];
    }
    /// The same in short: "GPU 0".
    [[nodiscard]] const std::string& process(std::uint32_t process) const {
        return m_processes[process];
    }
    /// A track beside its heading: "stream 7", "thread 478".
    [[nodiscard]] const std::string& track(trace::TrackId track) const { return m_tracks[track]; }
    /// A track where no heading is near: "GPU 0, stream 7".
    [[nodiscard]] std::string whole(trace::TrackId track) const;

private:
    std::vector<bool> m_gpus;
    std::vector<std::string> m_headings;   ///< by process
    std::vector<std::string> m_processes;  ///< by process
    std::vector<std::string> m_tracks;
    std::vector<std::uint32_t> m_processOf;  ///< by track
};

}  // namespace kinetoscope::query
