// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "core/base/Time.h"

namespace kinetoscope {

/// The system's clock: nanoseconds since 1970, as recordings count their time.
[[nodiscard]] inline TimeNs unixNow() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

}  // namespace kinetoscope
