// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace kinetoscope::bench::results {

struct GpuDescription {
    std::string name;
    std::string uuid;
    std::string architecture;  ///< "sm_90"
    std::string driver;
    std::int64_t memoryBytes = 0;
    std::int64_t l2Bytes = 0;
    int multiprocessors = 0;
    double maxSmClockMhz = 0.0;
    double copyGbPerS = 0.0;  ///< measured; 0: not known
};

/// How the result of any bench came to be.
struct ResultHeader {
    std::string id;       ///< file name without ".json"; empty before it was saved
    std::string created;  ///< UTC, ISO 8601
    std::string host;
    std::string system;
    std::string command;
    GpuDescription gpu;  ///< empty on a CPU
    std::string device;  ///< of a bench on PyTorch's engine, as the next two
    std::string torchVersion;
    int threads = 0;
};

/// Now, on this machine, by this process's command line.
void describeRun(ResultHeader& header);

}  // namespace kinetoscope::bench::results
