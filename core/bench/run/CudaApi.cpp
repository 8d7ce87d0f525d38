// SPDX-License-Identifier: Apache-2.0
#include "core/bench/run/CudaApi.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

namespace kinetoscope::bench::run::cuda {

namespace {

template <class F>
bool load(void* library, const char* name, F& function) {
    // dlsym returns functions as data pointers; POSIX guarantees that the two convert.
    function = reinterpret_cast<F>(::dlsym(library, name));
    return function != nullptr;
}

const char* loadDriver(void* library, cuda::Driver& d) {
#define KSCOPE_LOAD(function)                    \
    if (!load(library, #function, d.function)) { \
        return #function;                        \
    }
    KSCOPE_LOAD(cuInit)
    KSCOPE_LOAD(cuDriverGetVersion)
    KSCOPE_LOAD(cuGetErrorName)
    KSCOPE_LOAD(cuGetErrorString)
    KSCOPE_LOAD(cuDeviceGetCount)
    KSCOPE_LOAD(cuDeviceGet)
    KSCOPE_LOAD(cuDeviceGetName)
    KSCOPE_LOAD(cuDeviceGetUuid_v2)
    KSCOPE_LOAD(cuDeviceGetAttribute)
    KSCOPE_LOAD(cuDevicePrimaryCtxRetain)
    KSCOPE_LOAD(cuDevicePrimaryCtxRelease_v2)
    KSCOPE_LOAD(cuCtxSetCurrent)
    KSCOPE_LOAD(cuMemGetInfo_v2)
    KSCOPE_LOAD(cuMemAlloc_v2)
    KSCOPE_LOAD(cuMemFree_v2)
    KSCOPE_LOAD(cuMemHostAlloc)
    KSCOPE_LOAD(cuMemFreeHost)
    KSCOPE_LOAD(cuMemHostGetDevicePointer_v2)
    KSCOPE_LOAD(cuMemcpyHtoD_v2)
    KSCOPE_LOAD(cuMemcpyDtoH_v2)
    KSCOPE_LOAD(cuMemcpyDtoDAsync_v2)
    KSCOPE_LOAD(cuMemsetD8Async)
    KSCOPE_LOAD(cuMemsetD32Async)
    KSCOPE_LOAD(cuModuleLoadData)
    KSCOPE_LOAD(cuModuleUnload)
    KSCOPE_LOAD(cuModuleGetFunction)
    KSCOPE_LOAD(cuFuncGetAttribute)
    KSCOPE_LOAD(cuFuncSetAttribute)
    KSCOPE_LOAD(cuOccupancyMaxActiveBlocksPerMultiprocessor)
    KSCOPE_LOAD(cuLaunchKernelEx)
    KSCOPE_LOAD(cuStreamCreate)
    KSCOPE_LOAD(cuStreamDestroy_v2)
    KSCOPE_LOAD(cuStreamSynchronize)
    KSCOPE_LOAD(cuStreamWaitValue32_v2)
    KSCOPE_LOAD(cuStreamBeginCapture_v2)
    KSCOPE_LOAD(cuStreamEndCapture)
    KSCOPE_LOAD(cuGraphInstantiateWithFlags)
    KSCOPE_LOAD(cuGraphLaunch)
    KSCOPE_LOAD(cuGraphDestroy)
    KSCOPE_LOAD(cuGraphExecDestroy)
    KSCOPE_LOAD(cuEventCreate)
    KSCOPE_LOAD(cuEventDestroy_v2)
    KSCOPE_LOAD(cuEventRecord)
    KSCOPE_LOAD(cuEventElapsedTime)
#undef KSCOPE_LOAD
    return nullptr;
}

Result<cuda::Driver> startDriver() {
    void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        return fail("no NVIDIA driver: libcuda.so.1 cannot be opened; --plan works without one");
    }
    cuda::Driver driver{};
    if (const char* missing = loadDriver(library, driver); missing != nullptr) {
        return fail(
            fmt::format("the NVIDIA driver is too old: it has no {} (CUDA 12 is needed)", missing));
    }
    if (const cuda::Status status = driver.cuInit(0); status != cuda::kSuccess) {
        return fail("cannot initialize the NVIDIA driver: " + driver.errorText(status));
    }
    return driver;
}

}  // namespace

std::string cuda::Driver::errorText(cuda::Status status) const {
    const char* name = nullptr;
    const char* text = nullptr;
    if (cuGetErrorName(status, &name) != cuda::kSuccess ||
        cuGetErrorString(status, &text) != cuda::kSuccess) {
        return fmt::format("CUDA error {}", status);
    }
    return fmt::format("{}: {}", name, text);
}

Result<const cuda::Driver*> openDriver() {
    static const Result<cuda::Driver> driver = startDriver();
    if (!driver) {
        return tl::unexpected(driver.error());
    }
    return &*driver;
}

cuda::NvmlState nvmlState(const std::string& uuid) {
    using Handle = void*;
    // Numbers of nvmlClockType_t and nvmlTemperatureSensors_t.
    constexpr int kSmClock = 1;
    constexpr int kMemoryClock = 2;
    constexpr int kGpuSensor = 0;
    cuda::NvmlState state;
    static void* const library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    int (*init)() = nullptr;
    int (*byUuid)(const char*, Handle*) = nullptr;
    int (*version)(char*, unsigned) = nullptr;
    int (*clock)(Handle, int, unsigned*) = nullptr;
    int (*maxClock)(Handle, int, unsigned*) = nullptr;
    int (*temperature)(Handle, int, unsigned*) = nullptr;
    int (*power)(Handle, unsigned*) = nullptr;
    const bool loaded = library != nullptr && load(library, "nvmlInit_v2", init) &&
                        load(library, "nvmlDeviceGetHandleByUUID", byUuid) &&
                        load(library, "nvmlSystemGetDriverVersion", version) &&
                        load(library, "nvmlDeviceGetClockInfo", clock) &&
                        load(library, "nvmlDeviceGetMaxClockInfo", maxClock) &&
                        load(library, "nvmlDeviceGetTemperature", temperature) &&
                        load(library, "nvmlDeviceGetPowerUsage", power);
    Handle device = nullptr;
    if (!loaded || init() != 0 || byUuid(uuid.c_str(), &device) != 0) {
        return state;
    }
    std::array<char, 96> text{};
    if (version(text.data(), static_cast<unsigned>(text.size() - 1)) == 0) {
        state.driverVersion = text.data();
    }
    // Each figure stays 0 if the driver does not report it.
    (void)maxClock(device, kSmClock, &state.maxSmClockMhz);
    (void)clock(device, kSmClock, &state.smClockMhz);
    (void)clock(device, kMemoryClock, &state.memoryClockMhz);
    (void)temperature(device, kGpuSensor, &state.temperatureC);
    (void)power(device, &state.powerMilliwatts);
    return state;
}

}  // namespace kinetoscope::bench::run::cuda
