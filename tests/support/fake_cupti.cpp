// SPDX-License-Identifier: Apache-2.0
// Stands in for CUPTI: delivers records of made-up launches and copies through the buffers it is
// given.
// FAKE_CUPTI_VERSION is what cuptiGetVersion says; FAKE_CUPTI_HOLDER names another subscriber;
// with FAKE_CUPTI_LATE it tells nothing of the GPU, as the real one when it comes late.
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <utility>

#include "core/capture/CuptiAbi.h"

using namespace kinetoscope::capture::cupti;

namespace {

// What each version's records measure; only what follows the parts we know differs.
struct Sizes {
    std::size_t kernel;
    std::size_t memcpy;
};

std::uint32_t version() {
    const char* text = std::getenv("FAKE_CUPTI_VERSION");
    return text == nullptr ? 130001 : static_cast<std::uint32_t>(std::atoi(text));
}

Sizes sizes() {
    return version() >= kSinceMajorInVersion ? Sizes{216, 96} : Sizes{208, 88};
}

std::size_t sizeOf(const Activity* activity) {
    switch (activity->kind) {
        case Kind::ConcurrentKernel:
            return sizes().kernel;
        case Kind::Memcpy:
            return sizes().memcpy;
        case Kind::Device:
            return 184;
        case Kind::ExternalCorrelation:
            return sizeof(ExternalCorrelation);
        case Kind::Overhead:
            return version() >= kSinceMajorInVersion ? 56 : 48;
        default:
            return sizeof(Api);
    }
}

std::mutex mutex;
constexpr std::uint32_t kLaunchCall = 211;
constexpr std::uint32_t kDriverCopyCall = 277;
constexpr std::uint32_t kDriverNoiseCall = 3;

std::set<Kind> enabled;
// Calls switched on or off one by one; switching their kind on forgets the latter.
std::set<std::uint32_t> runtimeOn;
std::set<std::uint32_t> runtimeOff;
std::set<std::uint32_t> driverOff;
RequestBuffer request = nullptr;
CompleteBuffer complete = nullptr;
Timestamp timestamp = nullptr;
std::uint8_t* buffer = nullptr;
std::size_t bufferSize = 0;
std::size_t used = 0;
std::size_t dropped = 0;
std::uint32_t correlation = 0;
bool deviceTold = false;
thread_local std::uint64_t externalIds[64];
thread_local int externalDepth = 0;

}  // namespace

// Set while a callback of the profiler runs on this thread.
extern "C" {
thread_local bool fakeCuptiInside = false;
unsigned long fakeCuptiCallbacks = 0;
bool* fakeCuptiInsideFlag() {
    return &fakeCuptiInside;
}
}

namespace {

class Inside {
public:
    Inside() {
        ++fakeCuptiCallbacks;
        fakeCuptiInside = true;
    }
    ~Inside() { fakeCuptiInside = false; }
};

std::uint64_t now() {
    const Inside inside;
    return timestamp();
}

void deliver() {
    if (buffer != nullptr) {
        const Inside inside;
        complete(nullptr, 0, buffer, bufferSize, used);
    }
    buffer = nullptr;
    used = 0;
}

template <class Record>
void add(const Record& record, std::size_t size) {
    if (buffer != nullptr && used + size > bufferSize) {
        deliver();
    }
    if (buffer == nullptr) {
        std::size_t count = 0;
        const Inside inside;
        request(&buffer, &bufferSize, &count);
    }
    if (buffer == nullptr) {
        ++dropped;
        return;
    }
    std::memset(buffer + used, 0, size);
    std::memcpy(buffer + used, &record, std::min(size, sizeof record));
    used += size;
}

void addDevice() {
    Device device;
    device.kind = Kind::Device;
    device.multiprocessors = 132;
    device.warpSize = 32;
    device.maxWarpsPerMultiprocessor = 64;
    device.maxBlocksPerMultiprocessor = 32;
    device.registersPerMultiprocessor = 65536;
    device.sharedPerMultiprocessor = 233472;
    device.computeMajor = 9;
    device.memorySize = 150109880320;
    device.uuid[0] = 0x42;
    device.name = "Fake GPU";
    add(device, 184);
    deviceTold = true;
}

void addCall(Kind kind, std::uint32_t callback) {
    const bool isDriver = kind == Kind::Driver;
    const bool byKind =
        enabled.contains(kind) && !(isDriver ? driverOff : runtimeOff).contains(callback);
    const std::uint64_t start = now();
    const std::uint64_t end = now();
    if (byKind || (!isDriver && runtimeOn.contains(callback))) {
        Api api;
        api.kind = kind;
        api.callback = callback;
        api.start = start;
        api.end = end;
        api.processId = static_cast<std::uint32_t>(::getpid());
        api.threadId = static_cast<std::uint32_t>(::syscall(SYS_gettid));
        api.correlationId = correlation;
        add(api, sizeof api);
    }
}

bool begin() {
    if (request == nullptr || enabled.empty()) {
        return false;
    }
    ++correlation;
    if (!deviceTold && std::getenv("FAKE_CUPTI_LATE") == nullptr) {
        addDevice();
    }
    return true;
}

}  // namespace

extern "C" {

// One launch: its call, the id of the range around it, a kernel of 2 µs that begins 1 µs after it.
void fakeCuptiLaunch(const char* name, unsigned stream) {
    const std::lock_guard lock(mutex);
    if (!begin()) {
        return;
    }
    if (externalDepth > 0 && enabled.contains(Kind::ExternalCorrelation)) {
        ExternalCorrelation external;
        external.kind = Kind::ExternalCorrelation;
        external.externalKind = kExternalKindRange;
        external.externalId = externalIds[externalDepth - 1];
        external.correlationId = correlation;
        add(external, sizeof external);
    }
    addCall(Kind::Runtime, kLaunchCall);
    const std::uint64_t end = now();
    if (enabled.contains(Kind::ConcurrentKernel)) {
        Kernel kernel;
        kernel.kind = Kind::ConcurrentKernel;
        kernel.registersPerThread = 32;
        kernel.start = end + 1000;
        kernel.end = end + 3000;
        kernel.contextId = 1;
        kernel.streamId = stream;
        kernel.grid[0] = 264;
        kernel.grid[1] = kernel.grid[2] = 1;
        kernel.block[0] = 128;
        kernel.block[1] = kernel.block[2] = 1;
        kernel.correlationId = correlation;
        kernel.name = name;
        add(kernel, sizes().kernel);
    }
}

// One copy by the driver API, with its call and one that starts no work.
void fakeCuptiCopy(unsigned stream) {
    const std::lock_guard lock(mutex);
    if (!begin()) {
        return;
    }
    addCall(Kind::Driver, kDriverCopyCall);
    if (enabled.contains(Kind::Memcpy)) {
        Memcpy copy;
        copy.kind = Kind::Memcpy;
        copy.copyKind = 1;  // from the host to the device
        copy.bytes = 4096;
        copy.start = now() + 1000;
        copy.end = copy.start + 2000;
        copy.contextId = 1;
        copy.streamId = stream;
        copy.correlationId = correlation;
        add(copy, sizes().memcpy);
    }
    ++correlation;
    addCall(Kind::Driver, kDriverNoiseCall);
}

/// 0: nobody wants records, 2: the last kind of level 3 is switched on too, 1: in between.
int fakeCuptiIsEnabled() {
    const std::lock_guard lock(mutex);
    return enabled.empty() ? 0 : enabled.contains(Kind::Overhead) ? 2 : 1;
}

Result cuptiGetVersion(std::uint32_t* result) {
    *result = version();
    return kSuccess;
}

Result cuptiSubscribe(Subscriber* subscriber, Callback, void*) {
    *subscriber = &enabled;
    return std::getenv("FAKE_CUPTI_HOLDER") == nullptr ? kSuccess : kMultipleSubscribers;
}

Result cuptiSubscribe_v2(Subscriber* subscriber, Callback callback, void* user,
                         SubscriberParameters* parameters) {
    if (const char* holder = std::getenv("FAKE_CUPTI_HOLDER")) {
        std::strncpy(parameters->oldSubscriberName, holder, parameters->oldSubscriberSize - 1);
    }
    return cuptiSubscribe(subscriber, callback, user);
}

Result cuptiUnsubscribe(Subscriber) {
    return kSuccess;
}

Result cuptiActivityEnable(Kind kind) {
    const std::lock_guard lock(mutex);
    enabled.insert(kind);
    if (kind == Kind::Runtime || kind == Kind::Driver) {
        (kind == Kind::Driver ? driverOff : runtimeOff).clear();
    }
    return timestamp != nullptr ? kSuccess : kNotInitialized;
}

Result cuptiActivityDisable(Kind kind) {
    const std::lock_guard lock(mutex);
    enabled.erase(kind);
    return kSuccess;
}

Result cuptiActivityEnableRuntimeApi(std::uint32_t call, std::uint8_t on) {
    const std::lock_guard lock(mutex);
    (on != 0 ? runtimeOn : runtimeOff).insert(call);
    (on != 0 ? runtimeOff : runtimeOn).erase(call);
    return kSuccess;
}

Result cuptiActivityEnableDriverApi(std::uint32_t call, std::uint8_t on) {
    const std::lock_guard lock(mutex);
    on != 0 ? static_cast<void>(driverOff.erase(call)) : static_cast<void>(driverOff.insert(call));
    return kSuccess;
}

Result cuptiActivityRegisterCallbacks(RequestBuffer newRequest, CompleteBuffer newComplete) {
    const std::lock_guard lock(mutex);
    request = newRequest;
    complete = newComplete;
    return kSuccess;
}

Result cuptiActivityRegisterTimestampCallback(Timestamp callback) {
    timestamp = callback;
    return enabled.empty() ? kSuccess : kNotInitialized;
}

Result cuptiActivityFlushAll(std::uint32_t) {
    const std::lock_guard lock(mutex);
    deliver();
    return kSuccess;
}

Result cuptiActivityGetNextRecord(std::uint8_t* data, std::size_t valid, Activity** record) {
    std::uint8_t* next =
        *record == nullptr ? data : reinterpret_cast<std::uint8_t*>(*record) + sizeOf(*record);
    if (next >= data + valid) {
        return 12;
    }
    *record = reinterpret_cast<Activity*>(next);
    return kSuccess;
}

Result cuptiActivityGetNumDroppedRecords(void*, std::uint32_t, std::size_t* count) {
    *count = std::exchange(dropped, 0);
    return kSuccess;
}

Result cuptiActivitySetAttribute(Attribute, std::size_t*, void*) {
    return kSuccess;
}
Result cuptiSetThreadIdType(std::uint32_t) {
    return kSuccess;
}

Result cuptiGetCallbackName(std::uint32_t, std::uint32_t callback, const char** name) {
    *name = callback == kLaunchCall       ? "cudaLaunchKernel_v7000"
            : callback == kDriverCopyCall ? "cuMemcpyHtoDAsync_v2"
                                          : "unknown";
    return kSuccess;
}

Result cuptiGetResultString(Result, const char** text) {
    *text = "CUPTI_ERROR_OF_THE_FAKE";
    return kSuccess;
}

Result cuptiActivityPushExternalCorrelationId(std::uint32_t, std::uint64_t id) {
    externalIds[externalDepth++] = id;
    return kSuccess;
}

Result cuptiActivityPopExternalCorrelationId(std::uint32_t, std::uint64_t* last) {
    constexpr Result kQueueEmpty = 17;
    if (externalDepth == 0) {
        return kQueueEmpty;
    }
    *last = externalIds[--externalDepth];
    return kSuccess;
}
}
