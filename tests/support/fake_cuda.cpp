// SPDX-License-Identifier: Apache-2.0
// Stands in for the CUDA driver: calls the injection entry as cuInit does, and hands launches to
// whatever fake CUPTI is loaded.
#include "tests/support/fake_cuda.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace {

// A function of whatever fake CUPTI is loaded; null without one.
template <class Function>
Function inFakeCupti(const char* name) {
    const char* path = std::getenv("KINETOSCOPE_CUPTI");
    void* cupti = path == nullptr ? nullptr : ::dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    return cupti == nullptr ? nullptr : reinterpret_cast<Function>(::dlsym(cupti, name));
}

}  // namespace

extern "C" int cuInit(unsigned) {
    static bool done = false;
    const char* path = std::getenv("CUDA_INJECTION64_PATH");
    if (done || path == nullptr) {
        return 0;
    }
    done = true;
    void* library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
    using Initialize = int (*)();
    const auto initialize =
        library == nullptr ? nullptr
                           : reinterpret_cast<Initialize>(::dlsym(library, "InitializeInjection"));
    if (initialize != nullptr) {
        initialize();
    }
    return 0;
}

extern "C" int cuDriverGetVersion(int* version) {
    *version = 13000;
    return 0;
}

extern "C" int cuDeviceGetCount(int* count) {
    *count = 1;
    return 0;
}

extern "C" int cuDeviceGet(int* device, int ordinal) {
    *device = ordinal;
    return 0;
}

extern "C" int cuDeviceGetName(char* name, int size, int) {
    std::snprintf(name, static_cast<std::size_t>(size), "Fake GPU of the driver");
    return 0;
}

extern "C" int cuDeviceGetUuid(unsigned char* uuid, int) {
    std::fill_n(uuid, 16, static_cast<unsigned char>(0x24));
    return 0;
}

extern "C" int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
    *bytes = 150109880320;
    return 0;
}

extern "C" int cuDeviceGetAttribute(int* value, int attribute, int) {
    constexpr int kWarpSize = 10;
    constexpr int kMultiprocessors = 16;
    *value = attribute == kWarpSize ? 32 : attribute == kMultiprocessors ? 132 : 1024;
    return 0;
}

extern "C" void fakeLaunch(const char* kernel, unsigned stream) {
    static const auto launch = inFakeCupti<void (*)(const char*, unsigned)>("fakeCuptiLaunch");
    if (launch != nullptr) {
        launch(kernel, stream);
    }
}

extern "C" void fakeCopy(unsigned stream) {
    static const auto copy = inFakeCupti<void (*)(unsigned)>("fakeCuptiCopy");
    if (copy != nullptr) {
        copy(stream);
    }
}
