// SPDX-License-Identifier: Apache-2.0
// The least that recording can cost: asks CUPTI for the same records as kscope's level
// $FLOOR_LEVEL and throws every buffer away. Loaded through CUDA_INJECTION64_PATH. $FLOOR_WITH adds
// some of what a recorder does besides, to see what it costs: timestamp, thread, zeroed, flush.
#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <thread>

#include "core/capture/CuptiAbi.h"

using namespace kinetoscope::capture::cupti;

namespace {

constexpr std::size_t kBytes = 1U << 20;
constexpr std::size_t kBuffers = 256;
std::atomic<std::uint8_t*> buffers[kBuffers];

void request(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
    *size = kBytes;
    *records = 0;
    for (auto& slot : buffers) {
        if ((*buffer = slot.exchange(nullptr)) != nullptr) {
            return;
        }
    }
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, kBytes));
}

void complete(void*, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t) {
    for (auto& slot : buffers) {
        std::uint8_t* none = nullptr;
        if (slot.compare_exchange_strong(none, buffer)) {
            return;
        }
    }
    std::free(buffer);
}

std::uint64_t monotonic() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(now.tv_nsec);
}

bool with(const char* what) {
    const char* list = std::getenv("FLOOR_WITH");
    return list != nullptr && std::strstr(list, what) != nullptr;
}

template <class Function>
Function find(void* library, const char* name) {
    return reinterpret_cast<Function>(::dlsym(library, name));
}

void launchCalls(void* library, bool runtime) {
    const auto call = find<Result (*)(std::uint32_t, std::uint8_t)>(
        library, runtime ? "cuptiActivityEnableRuntimeApi" : "cuptiActivityEnableDriverApi");
    if (call == nullptr) {
        return;
    }
    if (runtime) {
        for (const std::uint32_t id : {10, 11, 16, 17, 133, 134, 136, 317, 318}) {
            call(id, 0);
        }
    } else {
        for (std::uint32_t id = 1; id < 1024; ++id) {
            const auto launches = {307U, 442U, 477U, 478U, 480U, 514U, 515U, 652U, 653U};
            if (std::find(launches.begin(), launches.end(), id) == launches.end()) {
                call(id, 0);
            }
        }
    }
}

void* openCupti() {
    void* library = ::dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
    return library != nullptr ? library : ::dlopen("libcupti.so.13", RTLD_NOW);
}

}  // namespace

extern "C" int InitializeInjection() {
    void* library = openCupti();
    const char* text = std::getenv("FLOOR_LEVEL");
    const int level = text == nullptr ? 3 : std::atoi(text);
    if (library == nullptr) {
        return 1;
    }
    for (std::size_t i = 0; i < 32; ++i) {
        buffers[i] = static_cast<std::uint8_t*>(std::calloc(1, kBytes));
    }
    if (with("zeroed")) {
        std::uint8_t on = 1;
        std::size_t size = sizeof on;
        constexpr int kZeroedBuffers = 5;
        find<Result (*)(int, std::size_t*, void*)>(library, "cuptiActivitySetAttribute")(
            kZeroedBuffers, &size, &on);
    }
    if (with("thread")) {
        find<Result (*)(std::uint32_t)>(library, "cuptiSetThreadIdType")(kThreadIdSystem);
    }
    if (with("timestamp")) {
        find<Result (*)(Timestamp)>(library, "cuptiActivityRegisterTimestampCallback")(monotonic);
    }
    if (with("flush")) {
        const auto flush = find<Result (*)(std::uint32_t)>(library, "cuptiActivityFlushAll");
        std::thread([flush] {
            for (;;) {
                std::this_thread::sleep_for(std::chrono::milliseconds(200));
                flush(0);
            }
        }).detach();
    }
    find<Result (*)(RequestBuffer, CompleteBuffer)>(library, "cuptiActivityRegisterCallbacks")(
        request, complete);
    const auto enable = find<Result (*)(Kind)>(library, "cuptiActivityEnable");
    for (const Kind kind : {Kind::Device, Kind::Context, Kind::Memcpy, Kind::MemcpyPeer,
                            Kind::Memset, Kind::ConcurrentKernel}) {
        enable(kind);
    }
    if (level >= 3) {
        for (const Kind kind : {Kind::Runtime, Kind::ExternalCorrelation, Kind::Overhead}) {
            enable(kind);
        }
        launchCalls(library, true);
    }
    if (level == 3) {
        enable(Kind::Driver);
        launchCalls(library, false);
    }
    if (level >= 4) {
        for (const Kind kind :
             {Kind::Driver, Kind::Synchronization, Kind::CudaEvent, Kind::Memory}) {
            enable(kind);
        }
    }
    return 1;
}
