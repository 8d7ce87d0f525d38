// SPDX-License-Identifier: Apache-2.0
// load_time FILE…: seconds, events and peak memory of loading each file once, one line a file.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>

#include "core/import/LoadTrace.h"

namespace {

// "VmHWM:   123456 kB" of the running process; 0 where the system has no such file.
long peakKilobytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) {
            return std::stol(line.substr(6));
        }
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        const auto trace = kinetoscope::loadTrace(argv[i]);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        if (!trace) {
            fmt::print(stderr, "{}\n", trace.error().message);
            return 2;
        }
        fmt::print("{:.3f} s  {} events  {} slices  {:.1f} MiB in columns  VmHWM {:.1f} MiB  {}\n",
                   seconds.count(), (*trace)->log().events, (*trace)->sliceCount(),
                   static_cast<double>((*trace)->memoryBytes()) / 1048576.0,
                   static_cast<double>(peakKilobytes()) / 1024.0, argv[i]);
    }
    return 0;
}
