// SPDX-License-Identifier: Apache-2.0
#include "core/trace/RunInfo.h"

#include <algorithm>

namespace kinetoscope::trace {

const DeviceProperties* RunInfo::device(std::int64_t id) const {
    const auto found = std::ranges::find(devices, id, &DeviceProperties::id);
    return found == devices.end() ? nullptr : &*found;
}

}  // namespace kinetoscope::trace
