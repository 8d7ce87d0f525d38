// SPDX-License-Identifier: Apache-2.0
#include "core/capture/DeviceText.h"

namespace kinetoscope::capture {

namespace {

// The names of GPUs are plain; anything else would break the JSON.
std::string plainText(const char* text) {
    std::string result;
    for (; text != nullptr && *text != '\0'; ++text) {
        const bool safe = *text >= ' ' && *text < 0x7f && *text != '"' && *text != '\\';
        result += safe ? *text : '?';
    }
    return result;
}

std::string hex(const std::uint8_t (&bytes)[16]) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : bytes) {
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 15U];
    }
    return text;
}

}  // namespace

std::string deviceText(const cupti::Device& device, std::string_view members) {
    std::string json =
        "{\"id\": " + std::to_string(device.id) + ", \"name\": \"" + plainText(device.name) + '"';
    const auto field = [&json](const char* key, std::uint64_t value) {
        json += ", \"" + std::string(key) + "\": " + std::to_string(value);
    };
    field("totalGlobalMem", device.memorySize);
    field("computeMajor", device.computeMajor);
    field("computeMinor", device.computeMinor);
    field("maxThreadsPerBlock", device.maxThreadsPerBlock);
    field("maxThreadsPerMultiprocessor",
          std::uint64_t{device.maxWarpsPerMultiprocessor} * device.warpSize);
    field("regsPerBlock", device.registersPerBlock);
    field("warpSize", device.warpSize);
    field("sharedMemPerBlock", device.sharedPerBlock);
    field("maxBlocksPerMultiprocessor", device.maxBlocksPerMultiprocessor);
    field("numSms", device.multiprocessors);
    field("regsPerMultiprocessor", device.registersPerMultiprocessor);
    field("sharedMemPerMultiprocessor", device.sharedPerMultiprocessor);
    field("l2CacheSize", device.l2CacheSize);
    field("coreClockKHz", device.coreClock);
    field("memoryBandwidthKBPerSecond", device.memoryBandwidth);
    json += members;
    return json + ", \"uuid\": \"" + hex(device.uuid) + "\"}";
}

}  // namespace kinetoscope::capture
