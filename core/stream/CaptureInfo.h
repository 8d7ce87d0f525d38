// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/base/Time.h"
#include "core/stream/Occupancy.h"

namespace kinetoscope::stream {

/// A capture's first chunk about the recorded process. Ranks are -1 if its environment does not
/// tell them.
struct CaptureInfo {
    std::int64_t version = 0;
    std::int64_t pid = 0;
    std::int64_t parentPid = 0;
    std::string program;  ///< file name of the executable
    std::string command;  ///< the whole command line
    std::string host;
    std::int64_t rank = -1;
    std::int64_t localRank = -1;
    std::int64_t worldSize = -1;
    std::int64_t level = 0;
    std::int64_t cuptiVersion = 0;
    std::int64_t driverVersion = 0;
    TimeNs monotonicNs = 0;  ///< the two clocks, read at the same moment
    TimeNs realtimeNs = 0;

    /// Add to a record's time to get Unix time.
    [[nodiscard]] TimeNs realtimeOffset() const { return realtimeNs - monotonicNs; }
    /// The start, down to a whole second: the baseTimeNanoseconds of a trace from this capture.
    [[nodiscard]] TimeNs baseTimeNs() const { return realtimeNs / 1'000'000'000 * 1'000'000'000; }
};

/// Fails if the JSON is invalid, of a version unknown to this program, or with impossible clocks.
/// Other impossible numbers count as missing.
[[nodiscard]] Result<CaptureInfo> parseCaptureInfo(std::string_view json);

/// One GPU that the process used.
struct CaptureDevice {
    std::uint32_t id = 0;
    std::string name;
    std::string uuid;
    MultiprocessorLimits limits;
    std::uint64_t totalMemoryBytes = 0;
    std::int64_t computeMinor = 0;
    std::string json;  ///< an entry of "deviceProperties", as written

    /// The same with the number of the GPU's row for its id.
    [[nodiscard]] std::string jsonOfRow(std::int64_t row) const;
};

/// Nothing for what describes no GPU. Numbers that cannot be count as missing, 0.
[[nodiscard]] std::optional<CaptureDevice> parseCaptureDevice(std::string_view json);

/// The first description of a number counts.
void addDevice(std::vector<CaptureDevice>& devices, CaptureDevice device);

/// A message of the recorder for the user; or one of the footer's counts.
struct CaptureNote {
    std::string name;  ///< stable, snake_case
    std::string text;  ///< one line
    std::int64_t count = 1;
    bool loss = false;  ///< something is missing from the capture
};

[[nodiscard]] std::optional<CaptureNote> parseCaptureNote(std::string_view json);

}  // namespace kinetoscope::stream
