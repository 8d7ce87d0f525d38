// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/base/Result.h"

// The few types and numbers of the CUDA driver API and NVML that are needed, as in cuda.h and
// nvml.h of CUDA 12 and 13; the libraries are opened at run time.
namespace kinetoscope::bench::run::cuda {

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

inline constexpr cuda::Status kSuccess = 0;
inline constexpr cuda::Status kOutOfMemory = 2;

using DeviceAttribute = int;
inline constexpr cuda::DeviceAttribute kClockRateKhz = 13;
inline constexpr cuda::DeviceAttribute kMultiprocessors = 16;
inline constexpr cuda::DeviceAttribute kL2Bytes = 38;
inline constexpr cuda::DeviceAttribute kThreadsPerMultiprocessor = 39;
inline constexpr cuda::DeviceAttribute kComputeMajor = 75;
inline constexpr cuda::DeviceAttribute kComputeMinor = 76;
inline constexpr cuda::DeviceAttribute kSharedPerBlockOptIn = 97;

using FunctionAttribute = int;
inline constexpr cuda::FunctionAttribute kMaxThreadsPerBlock = 0;
inline constexpr cuda::FunctionAttribute kStaticSharedBytes = 1;
inline constexpr cuda::FunctionAttribute kLocalBytes = 3;
inline constexpr cuda::FunctionAttribute kRegisters = 4;
inline constexpr cuda::FunctionAttribute kMaxDynamicSharedBytes = 8;
inline constexpr cuda::FunctionAttribute kNonPortableCluster = 14;

using LaunchAttributeId = int;
inline constexpr cuda::LaunchAttributeId kCooperative = 2;
inline constexpr cuda::LaunchAttributeId kClusterDimension = 4;
inline constexpr cuda::LaunchAttributeId kClusterScheduling = 5;
inline constexpr cuda::LaunchAttributeId kProgrammaticSerialization = 6;

struct LaunchAttribute {
    int id;
    char pad[4];
    union {
        char bytes[64];
        int number;
        unsigned dims[3];
    } value;
};
static_assert(sizeof(cuda::LaunchAttribute) == 72);

struct LaunchConfig {
    unsigned grid[3];
    unsigned block[3];
    unsigned sharedBytes;
    cuda::Stream stream;
    cuda::LaunchAttribute* attributes;
    unsigned attributeCount;
};

/// Functions of libcuda.so.1, under their exported names.
struct Driver {
    cuda::Status (*cuInit)(unsigned);
    cuda::Status (*cuDriverGetVersion)(int*);
    cuda::Status (*cuGetErrorName)(cuda::Status, const char**);
    cuda::Status (*cuGetErrorString)(cuda::Status, const char**);
    cuda::Status (*cuDeviceGetCount)(int*);
    cuda::Status (*cuDeviceGet)(cuda::Device*, int);
    cuda::Status (*cuDeviceGetName)(char*, int, cuda::Device);
    cuda::Status (*cuDeviceGetUuid_v2)(unsigned char*, cuda::Device);
    cuda::Status (*cuDeviceGetAttribute)(int*, int, cuda::Device);
    cuda::Status (*cuDevicePrimaryCtxRetain)(cuda::Context*, cuda::Device);
    cuda::Status (*cuDevicePrimaryCtxRelease_v2)(cuda::Device);
    cuda::Status (*cuCtxSetCurrent)(cuda::Context);
    cuda::Status (*cuMemGetInfo_v2)(std::size_t*, std::size_t*);
    cuda::Status (*cuMemAlloc_v2)(cuda::Address*, std::size_t);
    cuda::Status (*cuMemFree_v2)(cuda::Address);
    cuda::Status (*cuMemHostAlloc)(void**, std::size_t, unsigned);
    cuda::Status (*cuMemFreeHost)(void*);
    cuda::Status (*cuMemHostGetDevicePointer_v2)(cuda::Address*, void*, unsigned);
    cuda::Status (*cuMemcpyHtoD_v2)(cuda::Address, const void*, std::size_t);
    cuda::Status (*cuMemcpyDtoH_v2)(void*, cuda::Address, std::size_t);
    cuda::Status (*cuMemcpyDtoDAsync_v2)(cuda::Address, cuda::Address, std::size_t, cuda::Stream);
    cuda::Status (*cuMemsetD8Async)(cuda::Address, unsigned char, std::size_t, cuda::Stream);
    cuda::Status (*cuMemsetD32Async)(cuda::Address, unsigned, std::size_t, cuda::Stream);
    cuda::Status (*cuModuleLoadData)(cuda::Module*, const void*);
    cuda::Status (*cuModuleUnload)(cuda::Module);
    cuda::Status (*cuModuleGetFunction)(cuda::Function*, cuda::Module, const char*);
    cuda::Status (*cuFuncGetAttribute)(int*, int, cuda::Function);
    cuda::Status (*cuFuncSetAttribute)(cuda::Function, int, int);
    cuda::Status (*cuOccupancyMaxActiveBlocksPerMultiprocessor)(int*, cuda::Function, int,
                                                                std::size_t);
    cuda::Status (*cuLaunchKernelEx)(const cuda::LaunchConfig*, cuda::Function, void**, void**);
    cuda::Status (*cuStreamCreate)(cuda::Stream*, unsigned);
    cuda::Status (*cuStreamDestroy_v2)(cuda::Stream);
    cuda::Status (*cuStreamSynchronize)(cuda::Stream);
    cuda::Status (*cuStreamWaitValue32_v2)(cuda::Stream, cuda::Address, std::uint32_t, unsigned);
    cuda::Status (*cuStreamBeginCapture_v2)(cuda::Stream, int);
    cuda::Status (*cuStreamEndCapture)(cuda::Stream, cuda::Graph*);
    cuda::Status (*cuGraphInstantiateWithFlags)(cuda::GraphExec*, cuda::Graph, unsigned long long);
    cuda::Status (*cuGraphLaunch)(cuda::GraphExec, cuda::Stream);
    cuda::Status (*cuGraphDestroy)(cuda::Graph);
    cuda::Status (*cuGraphExecDestroy)(cuda::GraphExec);
    cuda::Status (*cuEventCreate)(cuda::Event*, unsigned);
    cuda::Status (*cuEventDestroy_v2)(cuda::Event);
    cuda::Status (*cuEventRecord)(cuda::Event, cuda::Stream);
    cuda::Status (*cuEventElapsedTime)(float*, cuda::Event, cuda::Event);

    /// "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered".
    [[nodiscard]] std::string errorText(cuda::Status status) const;
};

/// Opens and starts the driver. Fails with what is missing. The driver stays loaded for the life
/// of the process.
[[nodiscard]] Result<const cuda::Driver*> openDriver();

/// What NVML adds; everything is 0 or empty where it cannot be had.
struct NvmlState {
    std::string driverVersion;
    unsigned maxSmClockMhz = 0;
    unsigned smClockMhz = 0;
    unsigned memoryClockMhz = 0;
    unsigned temperatureC = 0;
    unsigned powerMilliwatts = 0;
};

/// State of the GPU with this UUID ("GPU-…").
[[nodiscard]] cuda::NvmlState nvmlState(const std::string& uuid);

}  // namespace kinetoscope::bench::run::cuda
