// SPDX-License-Identifier: Apache-2.0
#include "core/capture/DriverDevice.h"

#include <dlfcn.h>

#include <array>

namespace kinetoscope {

namespace {

constexpr int kGood = 0;

// CUdevice_attribute.
enum Attribute : int {
    kThreadsPerBlock = 1,
    kSharedPerBlock = 8,
    kWarpSize = 10,
    kRegistersPerBlock = 12,
    kClock = 13,
    kMultiprocessors = 16,
    kMemoryClock = 36,
    kMemoryBits = 37,
    kL2Cache = 38,
    kThreadsPerMultiprocessor = 39,
    kMajor = 75,
    kMinor = 76,
    kSharedPerMultiprocessor = 81,
    kRegistersPerMultiprocessor = 82,
    kBlocksPerMultiprocessor = 106,
};

template <class Function>
bool find(void* driver, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(driver, name));
    return function != nullptr;
}

}  // namespace

bool describeByDriver(std::uint32_t id, cupti::Device& device) {
    int (*get)(int*, int) = nullptr;
    int (*getName)(char*, int, int) = nullptr;
    int (*getUuid)(void*, int) = nullptr;
    int (*getMemory)(std::size_t*, int) = nullptr;
    int (*getAttribute)(int*, int, int) = nullptr;
    void* driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    int handle = 0;
    if (driver == nullptr || !find(driver, "cuDeviceGet", get) ||
        !find(driver, "cuDeviceGetName", getName) || !find(driver, "cuDeviceGetUuid", getUuid) ||
        !find(driver, "cuDeviceTotalMem_v2", getMemory) ||
        !find(driver, "cuDeviceGetAttribute", getAttribute) ||
        get(&handle, static_cast<int>(id)) != kGood) {
        return false;
    }
    static thread_local std::array<char, 256> name{};
    std::size_t memory = 0;
    if (getName(name.data(), static_cast<int>(name.size()), handle) != kGood ||
        getUuid(device.uuid, handle) != kGood || getMemory(&memory, handle) != kGood) {
        return false;
    }
    const auto attribute = [&](Attribute which) {
        int value = 0;
        return getAttribute(&value, which, handle) == kGood && value > 0
                   ? static_cast<std::uint32_t>(value)
                   : 0U;
    };
    device.kind = cupti::Kind::Device;
    device.id = id;
    device.name = name.data();
    device.memorySize = memory;
    device.maxThreadsPerBlock = attribute(kThreadsPerBlock);
    device.sharedPerBlock = attribute(kSharedPerBlock);
    device.warpSize = attribute(kWarpSize);
    device.registersPerBlock = attribute(kRegistersPerBlock);
    device.coreClock = attribute(kClock);
    device.multiprocessors = attribute(kMultiprocessors);
    device.l2CacheSize = attribute(kL2Cache);
    device.computeMajor = attribute(kMajor);
    device.computeMinor = attribute(kMinor);
    device.sharedPerMultiprocessor = attribute(kSharedPerMultiprocessor);
    device.registersPerMultiprocessor = attribute(kRegistersPerMultiprocessor);
    device.maxBlocksPerMultiprocessor = attribute(kBlocksPerMultiprocessor);
    const std::uint32_t threads = attribute(kThreadsPerMultiprocessor);
    device.maxWarpsPerMultiprocessor = device.warpSize == 0 ? 0 : threads / device.warpSize;
    // Two transfers a clock.
    device.memoryBandwidth =
        std::uint64_t{attribute(kMemoryClock)} * 2 * attribute(kMemoryBits) / 8;
    return true;
}

}  // namespace kinetoscope
