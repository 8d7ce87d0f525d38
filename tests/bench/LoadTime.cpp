// SPDX-License-Identifier: Apache-2.0
// load_time [--json] FILE…: time and memory of loading each file once, one line a file.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

#include "core/import/LoadTrace.h"

namespace {

// "VmHWM:   123456 kB" of the running process; 0 where the system has no such file.
long kilobytes(std::string_view key) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(key)) {
            return std::stol(line.substr(key.size()));
        }
    }
    return 0;
}

// Memory is what the process holds in pages, mapped files included, beyond what it began with.
int measure(const char* path, bool json) {
    const long before = kilobytes("VmRSS:");
    const auto begin = std::chrono::steady_clock::now();
    const auto loaded = kinetoscope::loadTrace(path);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    if (!loaded) {
        fmt::print(stderr, "{}\n", loaded.error().message);
        return 2;
    }
    const kinetoscope::Trace& trace = **loaded;
    const long held = kilobytes("VmRSS:") - before;
    const long peak = kilobytes("VmHWM:");
    if (json) {
        fmt::print(R"({{"seconds": {:.6f}, "elements": {}, "slices": {}, "gpu_operations": {}, )"
                   R"("name_bytes": {}, "column_bytes": {}, "held_bytes": {}, "peak_bytes": {}}})"
                   "\n",
                   seconds.count(), trace.log().events, trace.sliceCount(),
                   trace.gpuOperations().size(), trace.names().memoryBytes(), trace.memoryBytes(),
                   held * 1024, peak * 1024);
        return 0;
    }
    fmt::print("{:.3f} s  {} events  {} slices  {:.1f} MiB in columns  VmHWM {:.1f} MiB  {}\n",
               seconds.count(), trace.log().events, trace.sliceCount(),
               static_cast<double>(trace.memoryBytes()) / 1048576.0,
               static_cast<double>(peak) / 1024.0, path);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const bool json = argc > 1 && std::string_view(argv[1]) == "--json";
    for (int i = json ? 2 : 1; i < argc; ++i) {
        if (const int code = measure(argv[i], json); code != 0) {
            return code;
        }
    }
    return 0;
}
