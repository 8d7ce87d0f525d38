// SPDX-License-Identifier: Apache-2.0
#include "core/bench/run/KernelTimes.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/capture/CuptiApi.h"

namespace kinetoscope::bench::run {

namespace {

constexpr std::size_t kBufferBytes = 1U << 20U;

struct KernelRecord {
    std::uint64_t start;
    std::uint64_t end;
};

// CUPTI's callbacks carry no pointer of ours.
struct Recorder {
    std::mutex mutex;
    capture::CuptiApi api;
    bool open = false;
    std::vector<KernelRecord> records;
};

Recorder& recorder() {
    static Recorder* const one = new Recorder;  // CUPTI may call at the very end of the process
    return *one;
}

std::uint64_t now() {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
}

void requestBuffer(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
    *buffer = new std::uint8_t[kBufferBytes]();
    *size = kBufferBytes;
    *records = 0;
}

void completeBuffer(void*, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
    const std::unique_ptr<std::uint8_t[]> owned(buffer);
    Recorder& all = recorder();
    const std::lock_guard lock(all.mutex);
    capture::cupti::Activity* record = nullptr;
    while (valid > 0 && all.api.nextRecord(buffer, valid, &record) == capture::cupti::kSuccess) {
        if (record->kind == capture::cupti::Kind::ConcurrentKernel) {
            // Names are of no use here: CUPTI may give those of modules that were unloaded.
            const auto& kernel = *reinterpret_cast<const capture::cupti::Kernel*>(record);
            if (kernel.block[0] > 1 && kernel.end > kernel.start) {
                all.records.push_back({kernel.start, kernel.end});
            }
        }
    }
}

}  // namespace

bool KernelTimes::available() {
    capture::CuptiApi api;
    std::string problem;
    return capture::openCupti(api, problem);
}

Result<void> KernelTimes::start() {
    Recorder& all = recorder();
    if (!all.open) {
        std::string problem;
        if (!capture::openCupti(all.api, problem)) {
            return fail(
                "cupti-cold needs CUPTI: " + problem + "; --method event-cold measures without it",
                ErrorKind::Output);
        }
        capture::cupti::Result result = all.api.registerTimestamp(now);
        result = result == capture::cupti::kSuccess
                     ? all.api.registerCallbacks(requestBuffer, completeBuffer)
                     : result;
        result = result == capture::cupti::kSuccess
                     ? all.api.enable(capture::cupti::Kind::ConcurrentKernel)
                     : result;
        if (result != capture::cupti::kSuccess) {
            return fail("cupti-cold: CUPTI refused: " + all.api.errorText(result) +
                            "; --method event-cold measures without it",
                        ErrorKind::Output);
        }
        all.open = true;
    }
    (void)take(0);
    return {};
}

std::vector<double> KernelTimes::take(std::size_t expected) {
    constexpr int kTries = 50;
    constexpr int kPatient = 5;
    Recorder& all = recorder();
    std::vector<KernelRecord> records;
    // CUPTI delivers a record a little after the kernel has ended, and holds a buffer back while it
    // considers one of its records incomplete. The GPU is idle, so all are complete.
    for (int i = 0; all.open && (i == 0 || (i < kTries && records.size() < expected)); ++i) {
        if (i > 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        (void)all.api.flushAll(i < kPatient ? 0 : capture::cupti::kFlushForced);
        const std::lock_guard lock(all.mutex);
        records.insert(records.end(), all.records.begin(), all.records.end());
        all.records.clear();
    }
    std::ranges::sort(records, {}, &KernelRecord::start);
    std::vector<double> durations;
    durations.reserve(records.size());
    for (const KernelRecord& record : records) {
        durations.push_back(static_cast<double>(record.end - record.start));
    }
    return durations;
}

}  // namespace kinetoscope::bench::run
