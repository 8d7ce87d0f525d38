// SPDX-License-Identifier: Apache-2.0
#include "core/trace/RunInfo.h"

#include <algorithm>

namespace kinetoscope::trace {

const DeviceProperties* RunInfo::device(std::int64_t id) const {
    const auto found = std::ranges::find(devices, id, &DeviceProperties::id);
    return found == devices.end() ? nullptr : &*found;
}

std::string gpuName(std::int64_t gpu) {
    return gpu < 0 ? "unknown GPU" : "GPU " + std::to_string(gpu);
}

std::string gpuNumber(std::int64_t gpu) {
    return gpu < 0 ? "?" : std::to_string(gpu);
}

}  // namespace kinetoscope::trace
