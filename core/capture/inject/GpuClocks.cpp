// SPDX-License-Identifier: Apache-2.0
#include "core/capture/inject/GpuClocks.h"

#include <dlfcn.h>

#include <cstdlib>

namespace kinetoscope::capture::inject {

namespace {

using Device = void*;
constexpr int kGood = 0;
constexpr unsigned kSmClock = 1;
constexpr unsigned kMemoryClock = 2;
constexpr unsigned kGpuSensor = 0;

// "GPU-00112233-4455-6677-8899-aabbccddeeff", as NVML names a GPU.
std::string uuidText(const std::uint8_t (&uuid)[16]) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text = "GPU-";
    for (std::size_t i = 0; i < sizeof uuid; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) {
            text += '-';
        }
        text += kDigits[uuid[i] >> 4U];
        text += kDigits[uuid[i] & 15U];
    }
    return text;
}

class Nvml {
public:
    Nvml() {
        const char* chosen = std::getenv("KINETOSCOPE_NVML");
        m_library = ::dlopen(chosen != nullptr ? chosen : "libnvidia-ml.so.1", RTLD_NOW);
        const auto begin = find<int (*)()>("nvmlInit_v2");
        m_ready = begin != nullptr && begin() == kGood;
    }
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;
    ~Nvml() {
        if (const auto end = find<int (*)()>("nvmlShutdown"); end != nullptr && m_ready) {
            end();
        }
        if (m_library != nullptr) {
            ::dlclose(m_library);
        }
    }

    [[nodiscard]] Device device(const std::string& uuid) const {
        const auto get = find<int (*)(const char*, Device*)>("nvmlDeviceGetHandleByUUID");
        Device device = nullptr;
        return m_ready && get != nullptr && get(uuid.c_str(), &device) == kGood ? device : nullptr;
    }
    /// A function that takes the device, perhaps a choice, and where to put a number.
    template <class... Choice>
    void add(std::string& json, const char* key, const char* function, Device device,
             Choice... choice) const {
        const auto get = find<int (*)(Device, Choice..., unsigned*)>(function);
        unsigned value = 0;
        if (get != nullptr && get(device, choice..., &value) == kGood) {
            json += ", \"" + std::string(key) + "\": " + std::to_string(value);
        }
    }

private:
    template <class Function>
    [[nodiscard]] Function find(const char* name) const {
        return m_library == nullptr ? nullptr
                                    : reinterpret_cast<Function>(::dlsym(m_library, name));
    }

    void* m_library = nullptr;
    bool m_ready = false;
};

}  // namespace

std::string gpuClockMembers(const std::uint8_t (&uuid)[16]) {
    const Nvml nvml;
    Device device = nvml.device(uuidText(uuid));
    std::string json;
    if (device != nullptr) {
        nvml.add(json, "smClockMHz", "nvmlDeviceGetClockInfo", device, kSmClock);
        nvml.add(json, "memoryClockMHz", "nvmlDeviceGetClockInfo", device, kMemoryClock);
        nvml.add(json, "maxSmClockMHz", "nvmlDeviceGetMaxClockInfo", device, kSmClock);
        nvml.add(json, "maxMemoryClockMHz", "nvmlDeviceGetMaxClockInfo", device, kMemoryClock);
        nvml.add(json, "powerMilliwatts", "nvmlDeviceGetPowerUsage", device);
        nvml.add(json, "powerLimitMilliwatts", "nvmlDeviceGetEnforcedPowerLimit", device);
        nvml.add(json, "temperatureCelsius", "nvmlDeviceGetTemperature", device, kGpuSensor);
    }
    return json;
}

}  // namespace kinetoscope::capture::inject
