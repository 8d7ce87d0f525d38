// SPDX-License-Identifier: Apache-2.0
#include "core/capture/Nvml.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <string_view>

namespace kinetoscope::capture {

namespace {

constexpr int kNvmlSuccess = 0;
constexpr unsigned kSmClock = 1;
constexpr unsigned kMemoryClock = 2;
constexpr unsigned kGpuSensor = 0;
constexpr double kMilli = 1e-3;

// nvmlMemory_t.
struct Memory {
    unsigned long long total = 0;
    unsigned long long free = 0;
    unsigned long long used = 0;
};

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

// The other way round; false for anything else, such as a slice of a GPU ("MIG-…").
bool uuidBytes(std::string_view text, std::uint8_t (&uuid)[16]) {
    constexpr std::string_view kBegin = "GPU-";
    if (!text.starts_with(kBegin)) {
        return false;
    }
    std::size_t digits = 0;
    for (const char c : text.substr(kBegin.size())) {
        const std::string_view all = "0123456789abcdef";
        const std::size_t digit = all.find(c);
        if (c == '-') {
            continue;
        }
        if (digit == std::string_view::npos || digits == 32) {
            return false;
        }
        std::uint8_t& byte = uuid[digits / 2];
        byte = static_cast<std::uint8_t>(static_cast<std::size_t>(byte) << 4U | digit);
        ++digits;
    }
    return digits == 32;
}

std::optional<double> scaled(std::optional<unsigned> value, double factor = 1.0) {
    return value ? std::optional(*value * factor) : std::nullopt;
}

}  // namespace

template <class Function>
Function Nvml::find(const char* name) const {
    return m_library == nullptr ? nullptr : reinterpret_cast<Function>(::dlsym(m_library, name));
}

// From a function that takes the device, perhaps a choice, and where to put a number.
template <class... Choice>
std::optional<unsigned> Nvml::number(const char* function, Device device, Choice... choice) const {
    const auto get = find<int (*)(Device, Choice..., unsigned*)>(function);
    unsigned value = 0;
    return get != nullptr && get(device, choice..., &value) == kNvmlSuccess ? std::optional(value)
                                                                            : std::nullopt;
}

Nvml::Nvml() {
    const char* chosen = std::getenv("KINETOSCOPE_NVML");
    m_library = ::dlopen(chosen != nullptr ? chosen : "libnvidia-ml.so.1", RTLD_NOW);
    const auto begin = find<int (*)()>("nvmlInit_v2");
    m_ready = begin != nullptr && begin() == kNvmlSuccess;
}

Nvml::~Nvml() {
    if (const auto end = find<int (*)()>("nvmlShutdown"); end != nullptr && m_ready) {
        end();
    }
    if (m_library != nullptr) {
        ::dlclose(m_library);
    }
}

Nvml::Device Nvml::device(const std::uint8_t (&uuid)[16]) const {
    const auto get = find<int (*)(const char*, Device*)>("nvmlDeviceGetHandleByUUID");
    Device device = nullptr;
    return m_ready && get != nullptr && get(uuidText(uuid).c_str(), &device) == kNvmlSuccess
               ? device
               : nullptr;
}

GpuSensors Nvml::sensors(Device device) const {
    GpuSensors sensors;
    sensors.smClockMHz = scaled(number("nvmlDeviceGetClockInfo", device, kSmClock));
    sensors.memoryClockMHz = scaled(number("nvmlDeviceGetClockInfo", device, kMemoryClock));
    sensors.powerWatts = scaled(number("nvmlDeviceGetPowerUsage", device), kMilli);
    sensors.temperatureCelsius = scaled(number("nvmlDeviceGetTemperature", device, kGpuSensor));
    Memory memory;
    const auto getMemory = find<int (*)(Device, Memory*)>("nvmlDeviceGetMemoryInfo");
    if (getMemory != nullptr && getMemory(device, &memory) == kNvmlSuccess) {
        sensors.memoryUsedBytes = static_cast<double>(memory.used);
    }
    return sensors;
}

std::uint32_t Nvml::count() const {
    const auto get = find<int (*)(unsigned*)>("nvmlDeviceGetCount_v2");
    unsigned count = 0;
    return m_ready && get != nullptr && get(&count) == kNvmlSuccess ? count : 0;
}

Nvml::Device Nvml::describe(std::uint32_t index, cupti::Device& device, std::string& name) const {
    const auto get = find<int (*)(unsigned, Device*)>("nvmlDeviceGetHandleByIndex_v2");
    const auto getUuid = find<int (*)(Device, char*, unsigned)>("nvmlDeviceGetUUID");
    const auto getName = find<int (*)(Device, char*, unsigned)>("nvmlDeviceGetName");
    const auto getMemory = find<int (*)(Device, Memory*)>("nvmlDeviceGetMemoryInfo");
    const auto getCompute = find<int (*)(Device, int*, int*)>("nvmlDeviceGetCudaComputeCapability");
    Device handle = nullptr;
    std::array<char, 96> text{};
    const auto size = static_cast<unsigned>(text.size());
    if (get == nullptr || getUuid == nullptr || get(index, &handle) != kNvmlSuccess ||
        getUuid(handle, text.data(), size) != kNvmlSuccess ||
        !uuidBytes(text.data(), device.uuid)) {
        return nullptr;
    }
    name = getName != nullptr && getName(handle, text.data(), size) == kNvmlSuccess ? text.data()
                                                                                    : "GPU";
    device.id = index;
    if (Memory memory; getMemory != nullptr && getMemory(handle, &memory) == kNvmlSuccess) {
        device.memorySize = memory.total;
    }
    if (int major = 0, minor = 0;
        getCompute != nullptr && getCompute(handle, &major, &minor) == kNvmlSuccess) {
        device.computeMajor = static_cast<std::uint32_t>(major);
        device.computeMinor = static_cast<std::uint32_t>(minor);
    }
    return handle;
}

std::string gpuClockMembers(const std::uint8_t (&uuid)[16]) {
    const Nvml nvml;
    Nvml::Device device = nvml.device(uuid);
    std::string json;
    const auto add = [&](const char* key, std::optional<unsigned> value) {
        if (value) {
            json += ", \"" + std::string(key) + "\": " + std::to_string(*value);
        }
    };
    if (device != nullptr) {
        add("smClockMHz", nvml.number("nvmlDeviceGetClockInfo", device, kSmClock));
        add("memoryClockMHz", nvml.number("nvmlDeviceGetClockInfo", device, kMemoryClock));
        add("maxSmClockMHz", nvml.number("nvmlDeviceGetMaxClockInfo", device, kSmClock));
        add("maxMemoryClockMHz", nvml.number("nvmlDeviceGetMaxClockInfo", device, kMemoryClock));
        add("powerMilliwatts", nvml.number("nvmlDeviceGetPowerUsage", device));
        add("powerLimitMilliwatts", nvml.number("nvmlDeviceGetEnforcedPowerLimit", device));
        add("temperatureCelsius", nvml.number("nvmlDeviceGetTemperature", device, kGpuSensor));
    }
    return json;
}

}  // namespace kinetoscope::capture
