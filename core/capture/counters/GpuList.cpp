// SPDX-License-Identifier: Apache-2.0
#include "core/capture/counters/GpuList.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "core/capture/DeviceText.h"
#include "core/capture/DriverDevice.h"

namespace kinetoscope::capture::counters {

Result<std::vector<Gpu>> gpusOfCuda(const Nvml& nvml) {
    void* driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    const auto function = [driver](const char* name) {
        return driver == nullptr ? nullptr : ::dlsym(driver, name);
    };
    const auto initialize = reinterpret_cast<int (*)(unsigned)>(function("cuInit"));
    const auto getCount = reinterpret_cast<int (*)(int*)>(function("cuDeviceGetCount"));
    int count = 0;
    if (initialize == nullptr || getCount == nullptr) {
        return fail("there is no CUDA driver (libcuda.so.1)");
    }
    if (const int error = initialize(0); error != 0 || getCount(&count) != 0 || count <= 0) {
        return fail(fmt::format("CUDA finds no GPU (cuInit: {})", error));
    }
    std::vector<Gpu> gpus;
    for (std::uint32_t id = 0; id < static_cast<std::uint32_t>(count); ++id) {
        cupti::Device device;
        if (describeByDriver(id, device)) {
            gpus.push_back({id, deviceText(device, ""), nvml.device(device.uuid)});
        }
    }
    return gpus;
}

std::vector<Gpu> gpusOfNvml(const Nvml& nvml) {
    std::vector<Gpu> gpus;
    for (std::uint32_t id = 0; id < nvml.count(); ++id) {
        cupti::Device device;
        std::string name;
        Nvml::Device sensors = nvml.describe(id, device, name);
        if (sensors != nullptr) {
            device.name = name.c_str();
            gpus.push_back({id, deviceText(device, ""), sensors});
        }
    }
    return gpus;
}

}  // namespace kinetoscope::capture::counters
