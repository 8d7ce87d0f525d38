// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace kinetoscope::capture {

inline constexpr int kMaxDetail = 4;
inline constexpr int kDefaultDetail = 3;
/// From here on ranges that the program marks are recorded.
inline constexpr int kRangesFrom = 3;
/// From here on all calls of the runtime are recorded, with the range around each.
inline constexpr int kAllRuntimeFrom = 3;

/// How a program is recorded; travels to the injected library in the environment.
struct RecordOptions {
    std::string folder;  ///< where the capture files go
    int level = kDefaultDetail;
    bool paused = false;  ///< nothing is recorded until the program or the socket requests it
    std::int64_t delayMs = 0;
    std::int64_t durationMs = 0;  ///< 0: to the end
    std::uint64_t mostBytes = 0;  ///< of one capture file; 0: no limit
    std::string kernel;           ///< regular expression; empty: all kernels
    std::string range;            ///< record only inside NVTX ranges of this name
    std::string control;          ///< socket of `kscope record`; empty: none
};

/// From the KINETOSCOPE_… variables of this process. `folder` is empty when it is not recorded.
[[nodiscard]] RecordOptions optionsFromEnvironment();

/// Sets the KINETOSCOPE_… variables and the driver's and NVTX's injection variables.
void optionsToEnvironment(const RecordOptions& options, const std::string& library);

/// What a launcher (torchrun, mpirun, srun) says about this process; -1 where none does.
struct ProcessRanks {
    std::int64_t rank = -1;
    std::int64_t localRank = -1;
    std::int64_t worldSize = -1;
};
[[nodiscard]] ProcessRanks ranksFromEnvironment();

}  // namespace kinetoscope::capture
