// SPDX-License-Identifier: Apache-2.0
#include "core/capture/inject/OtherUsers.h"

#include <dlfcn.h>

#include <array>
#include <atomic>

#include "core/capture/inject/ImportHook.h"
#include "core/capture/inject/Ranges.h"

namespace kinetoscope::capture::inject::others {

namespace {

// So long after its last call another user is taken to have ended.
constexpr std::uint64_t kQuiet = 1'000'000'000;

// CUPTI's own functions. Ours stand in for them in the other libraries of the program.
std::atomic<decltype(CuptiApi::registerCallbacks)> registerCallbacks;
std::atomic<decltype(CuptiApi::registerTimestamp)> registerTimestamp;
std::atomic<decltype(CuptiApi::enable)> enable;
std::atomic<decltype(CuptiApi::disable)> disable;
std::atomic<decltype(CuptiApi::flushAll)> flushAll;

std::atomic<const char*> usedCopy;  // path of the CUPTI that is used here
std::atomic<others::Arrival> onArrival;
std::atomic<cupti::CompleteBuffer> theirComplete;
std::atomic<std::uint64_t> theirKinds{0};  // a bit each
std::atomic<std::uint64_t> lastCall{0};
std::atomic<bool> collected{false};

bool arrive(const void* callerAddress) {
    Dl_info caller{};
    const bool known = ::dladdr(callerAddress, &caller) != 0 && caller.dli_fname != nullptr;
    collected = false;
    lastCall = monotonicNow();
    return onArrival.load()(known ? caller.dli_fname : "");
}

std::uint64_t bitOf(cupti::Kind kind) {
    return std::uint64_t{1} << (static_cast<std::uint32_t>(kind) & 63U);
}

cupti::Result registerByOthers(cupti::RequestBuffer request, cupti::CompleteBuffer complete) {
    static_cast<void>(arrive(__builtin_return_address(0)));
    theirComplete = complete;
    return registerCallbacks.load()(request, complete);
}

cupti::Result timestampByOthers(cupti::Timestamp timestamp) {
    static_cast<void>(arrive(__builtin_return_address(0)));
    return registerTimestamp.load()(timestamp);
}

cupti::Result enableByOthers(cupti::Kind kind) {
    theirKinds |= bitOf(kind);
    lastCall = monotonicNow();
    return enable.load()(kind);
}

cupti::Result disableByOthers(cupti::Kind kind) {
    theirKinds &= ~bitOf(kind);
    lastCall = monotonicNow();
    return disable.load()(kind);
}

cupti::Result flushByOthers(std::uint32_t flag) {
    const cupti::Result result = flushAll.load()(flag);
    collected = collected || theirKinds == 0;
    lastCall = monotonicNow();
    return result;
}

// Triton's Proton brings a CUPTI of its own. Once one copy was in use the driver refuses any other
// to the end of the process (seen with those of CUDA 12.8 and 13.0, also after cuptiFinalize), so
// that Proton has to work with ours.
void* openByOthers(const char* path, int mode) {
    if (path == nullptr || std::string_view(path).find("libcupti") == std::string_view::npos) {
        return ::dlopen(path, mode);
    }
    return ::dlopen(arrive(__builtin_return_address(0)) ? usedCopy.load() : path, mode);
}

template <class Function>
void* address(Function* function) {
    return reinterpret_cast<void*>(function);
}

struct Replacement {
    const char* name;
    void* original;
    void* ours;
};

std::array<Replacement, 5> replacements() {
    return {{
        {"cuptiActivityRegisterCallbacks", address(registerCallbacks.load()),
         address(registerByOthers)},
        {"cuptiActivityRegisterTimestampCallback", address(registerTimestamp.load()),
         address(timestampByOthers)},
        {"cuptiActivityEnable", address(enable.load()), address(enableByOthers)},
        {"cuptiActivityDisable", address(disable.load()), address(disableByOthers)},
        {"cuptiActivityFlushAll", address(flushAll.load()), address(flushByOthers)},
    }};
}

// XLA imports nothing of CUPTI: it looks each function up by name before its first call.
void* lookUpByOthers(void* library, const char* name) {
    void* found = ::dlsym(library, name);
    for (const Replacement& replacement : replacements()) {
        if (found != nullptr && found == replacement.original) {
            return replacement.ours;
        }
    }
    return found;
}

}  // namespace

void watch(const CuptiApi& api, others::Arrival arrival) {
    registerCallbacks = api.registerCallbacks;
    registerTimestamp = api.registerTimestamp;
    enable = api.enable;
    disable = api.disable;
    flushAll = api.flushAll;
    onArrival = arrival;
    usedCopy = api.path.c_str();
    for (const Replacement& replacement : replacements()) {
        hookImports(replacement.name, replacement.ours);
    }
    // Only there, because a lookup of "the next library" depends on who calls.
    for (const char* library : {"xla", "libtensorflow"}) {
        hookImports("dlsym", address(lookUpByOthers), library);
    }
    // Elsewhere a call that comes from here would be looked up beside the wrong library.
    hookImports("dlopen", address(openByOthers), "libproton");
}

bool haveEnded() {
    return theirKinds == 0 && collected && monotonicNow() - lastCall > kQuiet;
}

void complete(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
              std::size_t validSize) {
    if (const auto theirs = theirComplete.load(); theirs != nullptr) {
        theirs(context, stream, buffer, size, validSize);
    }
}

}  // namespace kinetoscope::capture::inject::others
