// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// What this program needs of CUPTI's binary interface, for CUDA 12 and 13. Record layouts only
/// ever grew at their end since CUDA 12.0, so one structure serves every version; fields that came
/// later are read only from a CUPTI that has them (the kSince… versions).
namespace kinetoscope::capture::cupti {

using Result = int;
inline constexpr cupti::Result kSuccess = 0;
inline constexpr cupti::Result kNotInitialized = 15;
inline constexpr cupti::Result kMultipleSubscribers = 39;

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
    cupti::Kind kind{};
};

struct Kernel {
    cupti::Kind kind{};
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
static_assert(offsetof(cupti::Kernel, start) == 16 && offsetof(cupti::Kernel, deviceId) == 40 &&
              offsetof(cupti::Kernel, grid) == 52 && offsetof(cupti::Kernel, correlationId) == 92 &&
              offsetof(cupti::Kernel, name) == 104 && offsetof(cupti::Kernel, queued) == 120 &&
              offsetof(cupti::Kernel, graphNodeId) == 144 &&
              offsetof(cupti::Kernel, graphId) == 156 && offsetof(cupti::Kernel, cluster) == 176 &&
              sizeof(cupti::Kernel) == 200);

struct Memcpy {
    cupti::Kind kind{};
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
static_assert(offsetof(cupti::Memcpy, correlationId) == 44 &&
              offsetof(cupti::Memcpy, graphNodeId) == 64 &&
              offsetof(cupti::Memcpy, graphId) == 72 && sizeof(cupti::Memcpy) == 80);

struct MemcpyPeer {
    cupti::Kind kind{};
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
static_assert(offsetof(cupti::MemcpyPeer, correlationId) == 60 &&
              offsetof(cupti::MemcpyPeer, graphNodeId) == 72 && sizeof(cupti::MemcpyPeer) == 88);

struct Memset {
    cupti::Kind kind{};
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
static_assert(offsetof(cupti::Memset, memoryKind) == 50 &&
              offsetof(cupti::Memset, graphNodeId) == 64 && sizeof(cupti::Memset) == 80);

struct Api {
    cupti::Kind kind{};
    std::uint32_t callback = 0;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint32_t processId = 0;
    std::uint32_t threadId = 0;
    std::uint32_t correlationId = 0;
    std::uint32_t returnValue = 0;
};
static_assert(sizeof(cupti::Api) == 40);

struct ExternalCorrelation {
    cupti::Kind kind{};
    std::uint32_t externalKind = 0;
    std::uint64_t externalId = 0;
    std::uint32_t correlationId = 0;
    std::uint32_t reserved = 0;
};
static_assert(sizeof(cupti::ExternalCorrelation) == 24);

struct Overhead {
    cupti::Kind kind{};
    std::uint32_t overheadKind = 0;
    std::uint32_t objectKind = 0;  ///< 2: a thread
    std::uint32_t object[3]{};     ///< process, thread
    std::uint64_t start = 0;
    std::uint64_t end = 0;
};
static_assert(offsetof(cupti::Overhead, start) == 24 && sizeof(cupti::Overhead) == 40);

struct Synchronization {
    cupti::Kind kind{};
    std::uint32_t type = 0;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint32_t correlationId = 0;
    std::uint32_t contextId = 0;
    std::uint32_t streamId = 0;
    std::uint32_t eventId = 0;
};
static_assert(sizeof(cupti::Synchronization) == 40);

struct CudaEvent {
    cupti::Kind kind{};
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
static_assert(offsetof(cupti::CudaEvent, deviceId) == 24 &&
              offsetof(cupti::CudaEvent, deviceTime) == 40 && sizeof(cupti::CudaEvent) == 56);

struct Memory {
    cupti::Kind kind{};
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
static_assert(offsetof(cupti::Memory, timestamp) == 32 && offsetof(cupti::Memory, deviceId) == 52);

struct GraphTrace {
    cupti::Kind kind{};
    std::uint32_t correlationId = 0;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint32_t deviceId = 0;
    std::uint32_t graphId = 0;
    std::uint32_t contextId = 0;
    std::uint32_t streamId = 0;
};
static_assert(sizeof(cupti::GraphTrace) == 40);

struct Context {
    cupti::Kind kind{};
    std::uint32_t contextId = 0;
    std::uint32_t deviceId = 0;
    std::uint16_t apiKind = 0;
    std::uint16_t nullStreamId = 0;
};
static_assert(sizeof(cupti::Context) == 16);

struct Device {
    cupti::Kind kind{};
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
static_assert(offsetof(cupti::Device, warpSize) == 32 &&
              offsetof(cupti::Device, maxThreadsPerBlock) == 76 &&
              offsetof(cupti::Device, computeMajor) == 104 &&
              offsetof(cupti::Device, uuid) == 120 && offsetof(cupti::Device, name) == 136);

using RequestBuffer = void (*)(std::uint8_t** buffer, std::size_t* size, std::size_t* records);
using CompleteBuffer = void (*)(void* context, std::uint32_t stream, std::uint8_t* buffer,
                                std::size_t size, std::size_t validSize);
using Timestamp = std::uint64_t (*)();
using Callback = void (*)(void* user, std::uint32_t domain, std::uint32_t id, const void* data);
using Subscriber = void*;

struct SubscriberParameters {
    std::size_t structSize = sizeof(cupti::SubscriberParameters);
    const char* subscriberName = nullptr;
    char* oldSubscriberName = nullptr;
    std::size_t oldSubscriberSize = 0;
};

}  // namespace kinetoscope::capture::cupti
