// SPDX-License-Identifier: Apache-2.0
// Stands in for NVML: the fake CUPTI's GPU, at fixed clocks.
#include <cstdio>
#include <string_view>

extern "C" {

int nvmlInit_v2() {
    return 0;
}
int nvmlSystemGetDriverVersion(char* text, unsigned size) {
    std::snprintf(text, size, "580.00.42");
    return 0;
}
int nvmlShutdown() {
    return 0;
}
int nvmlDeviceGetHandleByUUID(const char* uuid, void** device) {
    static int gpu = 0;
    *device = &gpu;
    return std::string_view(uuid) == "GPU-42000000-0000-0000-0000-000000000000" ? 0 : 6;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
    *count = 1;
    return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
    static int gpu = 0;
    *device = &gpu;
    return index == 0 ? 0 : 2;
}
int nvmlDeviceGetUUID(void*, char* text, unsigned size) {
    std::snprintf(text, size, "GPU-42000000-0000-0000-0000-000000000000");
    return 0;
}
int nvmlDeviceGetTemperature(void*, unsigned, unsigned* celsius) {
    *celsius = 41;
    return 0;
}
int nvmlDeviceGetMemoryInfo(void*, unsigned long long* totalFreeUsed) {
    totalFreeUsed[0] = 150109880320;
    totalFreeUsed[1] = 150109880320 - 4096;
    totalFreeUsed[2] = 4096;
    return 0;
}
int nvmlDeviceGetClockInfo(void*, unsigned clock, unsigned* megahertz) {
    *megahertz = clock == 1 ? 1755 : 3201;
    return 0;
}
int nvmlDeviceGetMaxClockInfo(void*, unsigned clock, unsigned* megahertz) {
    *megahertz = clock == 1 ? 1980 : 3201;
    return 0;
}
int nvmlDeviceGetPowerUsage(void*, unsigned*) {
    return 3;  // not supported
}
}
