// SPDX-License-Identifier: Apache-2.0
// load_time [--json] [--snapshots] FILE…: time and memory of loading each file once, one line a
// file. With --snapshots the trace is shown while it grows, as in the window: what is there is
// copied now and then, and another thread lays it out.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "core/import/load/LoadTrace.h"
#include "core/query/LaneLayout.h"

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

/// Lays out each snapshot that comes while none is being laid out.
class Shown {
public:
    void show(std::shared_ptr<const kinetoscope::trace::Trace> trace) {
        if (!m_busy.exchange(true)) {
            m_thread = std::jthread([this, trace = std::move(trace)] {
                kinetoscope::query::LaneIndex(trace).layOutAll(1);
                m_busy = false;
            });
        }
    }

private:
    std::atomic<bool> m_busy = false;
    std::jthread m_thread;
};

// Memory is what the process holds in pages, mapped files included, beyond what it began with.
int measure(const char* path, bool json, bool snapshots) {
    const long before = kilobytes("VmRSS:");
    const auto begin = std::chrono::steady_clock::now();
    Shown shown;
    kinetoscope::import::LoadOptions options;
    if (snapshots) {
        options.snapshot = [&shown](auto trace) { shown.show(std::move(trace)); };
    }
    const auto loaded = kinetoscope::import::loadTrace(path, options);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    if (!loaded) {
        fmt::print(stderr, "{}\n", loaded.error().message);
        return 2;
    }
    const kinetoscope::trace::Trace& trace = **loaded;
    const long held = kilobytes("VmRSS:") - before;
    const long peak = kilobytes("VmHWM:");
    if (json) {
        fmt::print(R"({{"seconds": {:.6f}, "elements": {}, "slices": {}, "gpu_operations": {}, )"
                   R"("name_bytes": {}, "held_bytes": {}, "peak_bytes": {}}})"
                   "\n",
                   seconds.count(), trace.log().events, trace.sliceCount(),
                   trace.gpuOperations().size(), trace.names().memoryBytes(), held * 1024,
                   peak * 1024);
        return 0;
    }
    fmt::print("{:.3f} s  {} events  {} slices  {:.1f} MiB held  VmHWM {:.1f} MiB  {}\n",
               seconds.count(), trace.log().events, trace.sliceCount(),
               static_cast<double>(held) / 1024.0, static_cast<double>(peak) / 1024.0, path);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    bool json = false;
    bool snapshots = false;
    for (const std::string_view argument :
         std::span(argv, static_cast<std::size_t>(argc)).subspan(1)) {
        json = json || argument == "--json";
        snapshots = snapshots || argument == "--snapshots";
        const bool option = argument.starts_with("--");
        if (const int code = option ? 0 : measure(argument.data(), json, snapshots); code != 0) {
            return code;
        }
    }
    return 0;
}
