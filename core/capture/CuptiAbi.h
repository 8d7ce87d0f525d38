// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// What this program needs of CUPTI's binary interface, for CUDA 12 and 13. Record layouts only
/// ever grew at their end since CUDA 12.0, so one structure serves every version; fields that came
/// later are read only from a CUPTI that has them (the kSince… versions).
namespace kinetoscope::cupti {

using Result = int;
inline constexpr Result kSuccess = 0;
inline constexpr Result kNotInitialized = 15;
inline constexpr Result kMultipleSubscribers = 39;

// cuptiGetVersion: 1 to 28 up to CUDA 12.9, major * 10000 + minor * 100 + patch from 13.0 on.
inline constexpr std::uint32_t kOldestVersion = 19;        // CUDA 12.0
inline constexpr std::uint32_t kSinceEventTimes = 26;      // CUDA 12.8
inline constexpr std::uint32_t kSinceRefusedBuffers = 27;  // earlier ones crash without a buffer
inline constexpr std::uint32_t kSinceMajorInVersion = 130000;

enum class Kind : std::uint32_t {
    Memcpy = 1,
    Memset = 2,
    Driver = 4,
    Runtime = 5,
    Device = 8,
    Context = 9,
    ConcurrentKernel = 10,
    Overhead = 17,
    MemcpyPeer = 22,
    CudaEvent = 36,
    Synchronization = 38,
    ExternalCorrelation = 39,
    Memory = 49,
    GraphTrace = 51,
};

enum class Attribute : std::uint32_t { PerThreadBuffers = 9 };
inline constexpr std::uint32_t kThreadIdDefault = 0;
inline constexpr std::uint32_t kThreadIdSystem = 1;
inline constexpr std::uint32_t kFlushForced = 1;
inline constexpr std::uint32_t kExternalKindRange = 4;  // the first kind for users is 3
inline constexpr std::uint32_t kDomainDriver = 1;
inline constexpr std::uint32_t kDomainRuntime = 2;

struct Activity {
    Kind kind{};
};

struct Kernel {
    Kind kind{};
    std::uint8_t cacheConfig = 0;
    std::uint8_t sharedMemoryConfig = 0;
    std::uint16_t registersPerThread = 0;
    std::uint32_t partitionedCache[2]{};
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t completed = 0;
    std::uint32_t deviceId = 0;
    std::uint32_t contextId = 0;
    std::uint32_t streamId = 0;
    std::int32_t grid[3]{};
    std::int32_t block[3]{};
    std::int32_t staticShared = 0;
    std::int32_t dynamicShared = 0;
    std::uint32_t localPerThread = 0;
    std::uint32_t localTotal = 0;
    std::uint32_t correlationId = 0;
    std::int64_t gridId = 0;
    const char* name = nullptr;
    void* reserved = nullptr;
    std::uint64_t queued = 0;
    std::uint64_t submitted = 0;
    std::uint8_t launchType = 0;
    std::uint8_t carveout[2]{};
    std::uint8_t padding = 0;
    std::uint32_t sharedExecuted = 0;
    std::uint64_t graphNodeId = 0;
    std::uint32_t limitConfig = 0;
    std::uint32_t graphId = 0;
    void* accessPolicy = nullptr;
    std::uint32_t channelId = 0;
    std::uint32_t channelType = 0;
    std::uint32_t cluster[3]{};
    std::uint32_t clusterPolicy = 0;
    std::uint64_t localTotalLong = 0;
};
static_assert(offsetof(Kernel, start) == 16 && offsetof(Kernel, deviceId) == 40 &&
              offsetof(Kernel, grid) == 52 && offsetof(Kernel, correlationId) == 92 &&
              offsetof(Kernel, name) == 104 && offsetof(Kernel, queued) == 120 &&
              offsetof(Kernel, graphNodeId) == 144 && offsetof(Kernel, graphId) == 156 &&
              offsetof(Kernel, cluster) == 176 && sizeof(Kernel) == 200);

struct Memcpy {
    Kind kind{};
    std::uint8_t copyKind = 0;
    std::uint8_t sourceKind = 0;
    std::uint8_t targetKind = 0;
    std::uint8_t flags = 0;
    std::uint64_t bytes = 0;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint32_t deviceId = 0;
    std::uint32_t contextId = 0;
    std::uint32_t streamId = 0;
    std::uint32_t correlationId = 0;
    std::uint32_t runtimeCorrelationId = 0;
    std::uint32_t padding = 0;
    void* reserved = nullptr;
    std::uint64_t graphNodeId = 0;
    std::uint32_t graphId = 0;
    std::uint32_t channelId = 0;
};
static_assert(offsetof(Memcpy, correlationId) == 44 && offsetof(Memcpy, graphNodeId) == 64 &&
              offsetof(Memcpy, graphId) == 72 && sizeof(Memcpy) == 80);

struct MemcpyPeer {
    Kind kind{};
    std::uint8_t copyKind = 0;
    std::uint8_t sourceKind = 0;
    std::uint8_t targetKind = 0;
    std::uint8_t flags = 0;
    std::uint64_t bytes = 0;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint32_t deviceId = 0;
    std::uint32_t contextId = 0;
    std::uint32_t streamId = 0;
    std::uint32_t sourceDeviceId = 0;
    std::uint32_t sourceContextId = 0;
    std::uint32_t targetDeviceId = 0;
    std::uint32_t targetContextId = 0;
    std::uint32_t correlationId = 0;
    void* reserved = nullptr;
    std::uint64_t graphNodeId = 0;
    std::uint32_t graphId = 0;
    std::uint32_t channelId = 0;
};
static_assert(offsetof(MemcpyPeer, correlationId) == 60 &&
              offsetof(MemcpyPeer, graphNodeId) == 72 && sizeof(MemcpyPeer) == 88);

struct Memset {
    Kind kind{};
    std::uint32_t value = 0;
    std::uint64_t bytes = 0;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint32_t deviceId = 0;
    std::uint32_t contextId = 0;
    std::uint32_t streamId = 0;
    std::uint32_t correlationId = 0;
    std::uint16_t flags = 0;
    std::uint16_t memoryKind = 0;
    std::uint32_t padding = 0;
    void* reserved = nullptr;
    std::uint64_t graphNodeId = 0;
    std::uint32_t graphId = 0;
    std::uint32_t channelId = 0;
};
static_assert(offsetof(Memset, memoryKind) == 50 && offsetof(Memset, graphNodeId) == 64 &&
              sizeof(Memset) == 80);

struct Api {
    Kind kind{};
    std::uint32_t callback = 0;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint32_t processId = 0;
    std::uint32_t threadId = 0;
    std::uint32_t correlationId = 0;
    std::uint32_t returnValue = 0;
};
static_assert(sizeof(Api) == 40);

struct ExternalCorrelation {
    Kind kind{};
    std::uint32_t externalKind = 0;
    std::uint64_t externalId = 0;
    std::uint32_t correlationId = 0;
    std::uint32_t reserved = 0;
};
static_assert(sizeof(ExternalCorrelation) == 24);

struct Overhead {
    Kind kind{};
    std::uint32_t overheadKind = 0;
    std::uint32_t objectKind = 0;  ///< 2: a thread
    std::uint32_t object[3]{};     ///< process, thread
    std::uint64_t start = 0;
    std::uint64_t end = 0;
};
static_assert(offsetof(Overhead, start) == 24 && sizeof(Overhead) == 40);

struct Synchronization {
    Kind kind{};
    std::uint32_t type = 0;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint32_t correlationId = 0;
    std::uint32_t contextId = 0;
    std::uint32_t streamId = 0;
    std::uint32_t eventId = 0;
};
static_assert(sizeof(Synchronization) == 40);

struct CudaEvent {
    Kind kind{};
    std::uint32_t correlationId = 0;
    std::uint32_t contextId = 0;
    std::uint32_t streamId = 0;
    std::uint32_t eventId = 0;
    std::uint32_t padding = 0;
    // Since kSinceEventTimes.
    std::uint32_t deviceId = 0;
    std::uint32_t padding2 = 0;
    void* reserved = nullptr;
    std::uint64_t deviceTime = 0;
    std::uint64_t synchronizationId = 0;
};
static_assert(offsetof(CudaEvent, deviceId) == 24 && offsetof(CudaEvent, deviceTime) == 40 &&
              sizeof(CudaEvent) == 56);

struct Memory {
    Kind kind{};
    std::uint32_t operation = 0;  ///< 1: allocated, 2: released
    std::uint32_t memoryKind = 0;
    std::uint32_t correlationId = 0;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::uint64_t timestamp = 0;
    std::uint64_t programCounter = 0;
    std::uint32_t processId = 0;
    std::uint32_t deviceId = 0;
    std::uint32_t contextId = 0;
    std::uint32_t streamId = 0;
};
static_assert(offsetof(Memory, timestamp) == 32 && offsetof(Memory, deviceId) == 52);

struct GraphTrace {
    Kind kind{};
    std::uint32_t correlationId = 0;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint32_t deviceId = 0;
    std::uint32_t graphId = 0;
    std::uint32_t contextId = 0;
    std::uint32_t streamId = 0;
};
static_assert(sizeof(GraphTrace) == 40);

struct Context {
    Kind kind{};
    std::uint32_t contextId = 0;
    std::uint32_t deviceId = 0;
    std::uint16_t apiKind = 0;
    std::uint16_t nullStreamId = 0;
};
static_assert(sizeof(Context) == 16);

struct Device {
    Kind kind{};
    std::uint32_t flags = 0;
    std::uint64_t memoryBandwidth = 0;  ///< kB/s
    std::uint64_t memorySize = 0;
    std::uint32_t constantMemorySize = 0;
    std::uint32_t l2CacheSize = 0;
    std::uint32_t warpSize = 0;
    std::uint32_t coreClock = 0;  ///< kHz
    std::uint32_t copyEngines = 0;
    std::uint32_t multiprocessors = 0;
    std::uint32_t maxIpc = 0;
    std::uint32_t maxWarpsPerMultiprocessor = 0;
    std::uint32_t maxBlocksPerMultiprocessor = 0;
    std::uint32_t sharedPerMultiprocessor = 0;
    std::uint32_t registersPerMultiprocessor = 0;
    std::uint32_t registersPerBlock = 0;
    std::uint32_t sharedPerBlock = 0;
    std::uint32_t maxThreadsPerBlock = 0;
    std::uint32_t maxBlock[3]{};
    std::uint32_t maxGrid[3]{};
    std::uint32_t computeMajor = 0;
    std::uint32_t computeMinor = 0;
    std::uint32_t id = 0;
    std::uint32_t ecc = 0;
    std::uint8_t uuid[16]{};
    const char* name = nullptr;
};
static_assert(offsetof(Device, warpSize) == 32 && offsetof(Device, maxThreadsPerBlock) == 76 &&
              offsetof(Device, computeMajor) == 104 && offsetof(Device, uuid) == 120 &&
              offsetof(Device, name) == 136);

using RequestBuffer = void (*)(std::uint8_t** buffer, std::size_t* size, std::size_t* records);
using CompleteBuffer = void (*)(void* context, std::uint32_t stream, std::uint8_t* buffer,
                                std::size_t size, std::size_t validSize);
using Timestamp = std::uint64_t (*)();
using Callback = void (*)(void* user, std::uint32_t domain, std::uint32_t id, const void* data);
using Subscriber = void*;

struct SubscriberParameters {
    std::size_t structSize = sizeof(SubscriberParameters);
    const char* subscriberName = nullptr;
    char* oldSubscriberName = nullptr;
    std::size_t oldSubscriberSize = 0;
};

}  // namespace kinetoscope::cupti
