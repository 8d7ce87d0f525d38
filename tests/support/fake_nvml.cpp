// SPDX-License-Identifier: Apache-2.0
// Stands in for NVML: the fake CUPTI's GPU, at fixed clocks.
#include <string_view>

extern "C" {

int nvmlInit_v2() {
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
