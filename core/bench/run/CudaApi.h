// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/base/Result.h"

// The few types and numbers of the CUDA driver API and NVML that are needed, as in cuda.h and
// nvml.h of CUDA 12 and 13; the libraries are opened at run time.
namespace kinetoscope::cuda {

using Status = int;
using Device = int;
using Context = void*;
using Module = void*;
using Function = void*;
using Stream = void*;
using Event = void*;
using Graph = void*;
using GraphExec = void*;
using Address = std::uint64_t;

inline constexpr Status kSuccess = 0;
inline constexpr Status kOutOfMemory = 2;

using DeviceAttribute = int;
inline constexpr DeviceAttribute kClockRateKhz = 13;
inline constexpr DeviceAttribute kMultiprocessors = 16;
inline constexpr DeviceAttribute kL2Bytes = 38;
inline constexpr DeviceAttribute kThreadsPerMultiprocessor = 39;
inline constexpr DeviceAttribute kComputeMajor = 75;
inline constexpr DeviceAttribute kComputeMinor = 76;
inline constexpr DeviceAttribute kSharedPerBlockOptIn = 97;

using FunctionAttribute = int;
inline constexpr FunctionAttribute kMaxThreadsPerBlock = 0;
inline constexpr FunctionAttribute kStaticSharedBytes = 1;
inline constexpr FunctionAttribute kLocalBytes = 3;
inline constexpr FunctionAttribute kRegisters = 4;
inline constexpr FunctionAttribute kMaxDynamicSharedBytes = 8;
inline constexpr FunctionAttribute kNonPortableCluster = 14;

using LaunchAttributeId = int;
inline constexpr LaunchAttributeId kCooperative = 2;
inline constexpr LaunchAttributeId kClusterDimension = 4;
inline constexpr LaunchAttributeId kClusterScheduling = 5;
inline constexpr LaunchAttributeId kProgrammaticSerialization = 6;

struct LaunchAttribute {
    int id;
    char pad[4];
    union {
        char bytes[64];
        int number;
        unsigned dims[3];
    } value;
};
static_assert(sizeof(LaunchAttribute) == 72);

struct LaunchConfig {
    unsigned grid[3];
    unsigned block[3];
    unsigned sharedBytes;
    Stream stream;
    LaunchAttribute* attributes;
    unsigned attributeCount;
};

/// Functions of libcuda.so.1, under their exported names.
struct Driver {
    Status (*cuInit)(unsigned);
    Status (*cuDriverGetVersion)(int*);
    Status (*cuGetErrorName)(Status, const char**);
    Status (*cuGetErrorString)(Status, const char**);
    Status (*cuDeviceGetCount)(int*);
    Status (*cuDeviceGet)(Device*, int);
    Status (*cuDeviceGetName)(char*, int, Device);
    Status (*cuDeviceGetUuid_v2)(unsigned char*, Device);
    Status (*cuDeviceGetAttribute)(int*, int, Device);
    Status (*cuDevicePrimaryCtxRetain)(Context*, Device);
    Status (*cuDevicePrimaryCtxRelease_v2)(Device);
    Status (*cuCtxSetCurrent)(Context);
    Status (*cuMemGetInfo_v2)(std::size_t*, std::size_t*);
    Status (*cuMemAlloc_v2)(Address*, std::size_t);
    Status (*cuMemFree_v2)(Address);
    Status (*cuMemHostAlloc)(void**, std::size_t, unsigned);
    Status (*cuMemFreeHost)(void*);
    Status (*cuMemHostGetDevicePointer_v2)(Address*, void*, unsigned);
    Status (*cuMemcpyHtoD_v2)(Address, const void*, std::size_t);
    Status (*cuMemcpyDtoH_v2)(void*, Address, std::size_t);
    Status (*cuMemcpyDtoDAsync_v2)(Address, Address, std::size_t, Stream);
    Status (*cuMemsetD8Async)(Address, unsigned char, std::size_t, Stream);
    Status (*cuMemsetD32Async)(Address, unsigned, std::size_t, Stream);
    Status (*cuModuleLoadData)(Module*, const void*);
    Status (*cuModuleUnload)(Module);
    Status (*cuModuleGetFunction)(Function*, Module, const char*);
    Status (*cuFuncGetAttribute)(int*, int, Function);
    Status (*cuFuncSetAttribute)(Function, int, int);
    Status (*cuOccupancyMaxActiveBlocksPerMultiprocessor)(int*, Function, int, std::size_t);
    Status (*cuLaunchKernelEx)(const LaunchConfig*, Function, void**, void**);
    Status (*cuStreamCreate)(Stream*, unsigned);
    Status (*cuStreamDestroy_v2)(Stream);
    Status (*cuStreamSynchronize)(Stream);
    Status (*cuStreamWaitValue32_v2)(Stream, Address, std::uint32_t, unsigned);
    Status (*cuStreamBeginCapture_v2)(Stream, int);
    Status (*cuStreamEndCapture)(Stream, Graph*);
    Status (*cuGraphInstantiateWithFlags)(GraphExec*, Graph, unsigned long long);
    Status (*cuGraphLaunch)(GraphExec, Stream);
    Status (*cuGraphDestroy)(Graph);
    Status (*cuGraphExecDestroy)(GraphExec);
    Status (*cuEventCreate)(Event*, unsigned);
    Status (*cuEventDestroy_v2)(Event);
    Status (*cuEventRecord)(Event, Stream);
    Status (*cuEventElapsedTime)(float*, Event, Event);

    /// "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered".
    [[nodiscard]] std::string errorText(Status status) const;
};

/// Opens and starts the driver. Fails with what is missing. The driver stays loaded for the life
/// of the process.
[[nodiscard]] Result<const Driver*> openDriver();

/// What NVML adds; everything is 0 or empty where it can't be had.
struct NvmlState {
    std::string driverVersion;
    unsigned maxSmClockMhz = 0;
    unsigned smClockMhz = 0;
    unsigned memoryClockMhz = 0;
    unsigned temperatureC = 0;
    unsigned powerMilliwatts = 0;
};

/// State of the GPU with this UUID ("GPU-…").
[[nodiscard]] NvmlState nvmlState(const std::string& uuid);

}  // namespace kinetoscope::cuda
