// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/Time.h"

namespace kinetoscope::trace {

/// One entry of "deviceProperties". Numbers are 0 if the file has none.
struct DeviceProperties {
    std::int64_t id = 0;
    std::string name;
    std::uint64_t totalMemoryBytes = 0;
    int computeMajor = 0;
    int computeMinor = 0;
    int multiprocessors = 0;
    int warpSize = 0;
    int maxThreadsPerMultiprocessor = 0;
    std::string json;  ///< the whole entry as written
};

struct DistributedInfo {
    std::string backend;
    std::int64_t rank = -1;
    std::int64_t worldSize = -1;
};

/// A top-level key of the file that is not the events, with its value as JSON text.
struct RunField {
    std::string key;
    std::string json;
};

/// A file's facts about the run beside its events.
struct RunInfo {
    std::string path;
    std::string format;                ///< e.g. "Kineto JSON, gzip"
    std::uint64_t fileBytes = 0;       ///< on disk
    std::uint64_t textBytes = 0;       ///< decompressed
    std::optional<TimeNs> baseTimeNs;  ///< baseTimeNanoseconds: add it to get Unix time
    std::vector<DeviceProperties> devices;
    std::optional<DistributedInfo> distributed;
    std::optional<TimeSpan> cutWindow;  ///< kinetoscopeCut: what `kscope cut` was asked for
    std::vector<RunField> fields;       ///< every top-level key but traceEvents, in file order

    [[nodiscard]] const DeviceProperties* device(std::int64_t id) const;
};

/// "GPU 3"; what is below 0 is not known.
[[nodiscard]] std::string gpuName(std::int64_t gpu);
/// "3", for columns and where there is little room; "?" if it is not known.
[[nodiscard]] std::string gpuNumber(std::int64_t gpu);

}  // namespace kinetoscope::trace
