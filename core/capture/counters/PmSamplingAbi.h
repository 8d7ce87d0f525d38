// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/capture/CuptiAbi.h"

/// The part of CUPTI's sampling of hardware counters (CUDA 12.6 and later) that this program uses:
/// the arguments of its functions, which start with their own size.
namespace kinetoscope::capture::counters::pm {

struct Sampler;  ///< CUPTI's, of one GPU
struct Host;     ///< CUPTI's, computes metrics from counters

inline constexpr cupti::Result kOutOfMemory = 8;
inline constexpr cupti::Result kHardwareBusy = 26;
inline constexpr cupti::Result kNotSupported = 27;
inline constexpr cupti::Result kInsufficientPrivileges = 35;
inline constexpr std::uint32_t kProfilerTypeSampling = 1;
inline constexpr std::uint32_t kTriggerByTime = 1;  ///< ns; GA10x and later
inline constexpr std::uint32_t kKeepOldest = 0;
inline constexpr std::uint32_t kDataFull = 1;  ///< why decoding stopped: there is more

struct Initialize {
    std::size_t size = 0;
    void* reserved = nullptr;
};

struct ChipName {
    std::size_t size = 0;
    void* reserved = nullptr;
    std::size_t device = 0;
    const char* name = nullptr;
};

struct Availability {
    std::size_t size = 0;
    void* reserved = nullptr;
    std::size_t device = 0;
    std::size_t bytes = 0;
    std::uint8_t* image = nullptr;
};

struct HostInitialize {
    std::size_t size = 0;
    void* reserved = nullptr;
    std::uint32_t type = 0;
    const char* chip = nullptr;
    const std::uint8_t* availability = nullptr;
    pm::Host* host = nullptr;
};

struct HostOnly {
    std::size_t size = 0;
    void* reserved = nullptr;
    pm::Host* host = nullptr;
};

struct AddMetrics {
    std::size_t size = 0;
    void* reserved = nullptr;
    pm::Host* host = nullptr;
    const char** names = nullptr;
    std::size_t count = 0;
};

struct ConfigSize {
    std::size_t size = 0;
    void* reserved = nullptr;
    pm::Host* host = nullptr;
    std::size_t bytes = 0;
};

struct ConfigImage {
    std::size_t size = 0;
    void* reserved = nullptr;
    pm::Host* host = nullptr;
    std::size_t bytes = 0;
    std::uint8_t* image = nullptr;
};

struct Passes {
    std::size_t size = 0;
    void* reserved = nullptr;
    std::size_t bytes = 0;
    std::uint8_t* image = nullptr;
    std::size_t passes = 0;
};

struct Evaluate {
    std::size_t size = 0;
    void* reserved = nullptr;
    pm::Host* host = nullptr;
    const std::uint8_t* data = nullptr;
    std::size_t bytes = 0;
    std::size_t sample = 0;
    const char** names = nullptr;
    std::size_t count = 0;
    double* values = nullptr;
};

struct Enable {
    std::size_t size = 0;
    void* reserved = nullptr;
    std::size_t device = 0;
    pm::Sampler* sampler = nullptr;
};

/// Also the arguments of stopping and disabling.
struct Start {
    std::size_t size = 0;
    void* reserved = nullptr;
    pm::Sampler* sampler = nullptr;
};

struct SetConfig {
    std::size_t size = 0;
    void* reserved = nullptr;
    pm::Sampler* sampler = nullptr;
    std::size_t configBytes = 0;
    const std::uint8_t* config = nullptr;
    std::size_t bufferBytes = 0;
    std::uint64_t interval = 0;
    std::uint32_t trigger = 0;
    std::uint32_t append = 0;
};

struct DataSize {
    std::size_t size = 0;
    void* reserved = nullptr;
    pm::Sampler* sampler = nullptr;
    const char** names = nullptr;
    std::size_t count = 0;
    std::uint32_t maxSamples = 0;
    std::size_t bytes = 0;
};

struct InitializeData {
    std::size_t size = 0;
    void* reserved = nullptr;
    pm::Sampler* sampler = nullptr;
    std::size_t bytes = 0;
    std::uint8_t* data = nullptr;
};

struct Decode {
    std::size_t size = 0;
    void* reserved = nullptr;
    pm::Sampler* sampler = nullptr;
    std::uint8_t* data = nullptr;
    std::size_t bytes = 0;
    std::uint32_t stopReason = 0;
    std::uint8_t overflow = 0;
};

struct DataInfo {
    std::size_t size = 0;
    void* reserved = nullptr;
    const std::uint8_t* data = nullptr;
    std::size_t bytes = 0;
    std::size_t total = 0;
    std::size_t populated = 0;
    std::size_t completed = 0;
};

struct SampleInfo {
    std::size_t size = 0;
    void* reserved = nullptr;
    pm::Sampler* sampler = nullptr;
    const std::uint8_t* data = nullptr;
    std::size_t bytes = 0;
    std::size_t sample = 0;
    std::uint64_t start = 0;  ///< ns, Unix time
    std::uint64_t end = 0;
};

static_assert(sizeof(pm::SetConfig) == 64 && sizeof(pm::DataSize) == 56);
static_assert(sizeof(pm::HostInitialize) == 48 && sizeof(pm::SampleInfo) == 64);

/// With the size that CUPTI expects: up to the end of the last field.
template <class Arguments>
[[nodiscard]] Arguments arguments() {
    Arguments result;
    if constexpr (requires { result.overflow; }) {
        result.size = offsetof(Arguments, overflow) + sizeof result.overflow;
    } else {
        result.size = sizeof result;
    }
    return result;
}

}  // namespace kinetoscope::capture::counters::pm
