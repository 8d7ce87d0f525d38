// SPDX-License-Identifier: Apache-2.0
#include "core/capture/DriverDevice.h"

#include <dlfcn.h>

#include <array>

#include "core/capture/Symbols.h"

namespace kinetoscope::capture {

namespace {

constexpr int kCudaSuccess = 0;

// CUdevice_attribute.
enum class Attribute : int {
    ThreadsPerBlock = 1,
    SharedPerBlock = 8,
    WarpSize = 10,
    RegistersPerBlock = 12,
    Clock = 13,
    Multiprocessors = 16,
    MemoryClock = 36,
    MemoryBits = 37,
    L2Cache = 38,
    ThreadsPerMultiprocessor = 39,
    Major = 75,
    Minor = 76,
    SharedPerMultiprocessor = 81,
    RegistersPerMultiprocessor = 82,
    BlocksPerMultiprocessor = 106,
};

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
        get(&handle, static_cast<int>(id)) != kCudaSuccess) {
        return false;
    }
    // Aligned, because mold 1.10 lays a first section of thread storage without alignment before
    // the page that it then asks to protect: such a program doesn't start (1 link in 700).
    alignas(64) static thread_local std::array<char, 256> name{};
    std::size_t memory = 0;
    if (getName(name.data(), static_cast<int>(name.size()), handle) != kCudaSuccess ||
        getUuid(device.uuid, handle) != kCudaSuccess ||
        getMemory(&memory, handle) != kCudaSuccess) {
        return false;
    }
    const auto attribute = [&](Attribute which) {
        int value = 0;
        return getAttribute(&value, static_cast<int>(which), handle) == kCudaSuccess && value > 0
                   ? static_cast<std::uint32_t>(value)
                   : 0U;
    };
    device.kind = cupti::Kind::Device;
    device.id = id;
    device.name = name.data();
    device.memorySize = memory;
    device.maxThreadsPerBlock = attribute(Attribute::ThreadsPerBlock);
    device.sharedPerBlock = attribute(Attribute::SharedPerBlock);
    device.warpSize = attribute(Attribute::WarpSize);
    device.registersPerBlock = attribute(Attribute::RegistersPerBlock);
    device.coreClock = attribute(Attribute::Clock);
    device.multiprocessors = attribute(Attribute::Multiprocessors);
    device.l2CacheSize = attribute(Attribute::L2Cache);
    device.computeMajor = attribute(Attribute::Major);
    device.computeMinor = attribute(Attribute::Minor);
    device.sharedPerMultiprocessor = attribute(Attribute::SharedPerMultiprocessor);
    device.registersPerMultiprocessor = attribute(Attribute::RegistersPerMultiprocessor);
    device.maxBlocksPerMultiprocessor = attribute(Attribute::BlocksPerMultiprocessor);
    const std::uint32_t threads = attribute(Attribute::ThreadsPerMultiprocessor);
    device.maxWarpsPerMultiprocessor = device.warpSize == 0 ? 0 : threads / device.warpSize;
    // Two transfers a clock.
    device.memoryBandwidth =
        std::uint64_t{attribute(Attribute::MemoryClock)} * 2 * attribute(Attribute::MemoryBits) / 8;
    return true;
}

}  // namespace kinetoscope::capture
