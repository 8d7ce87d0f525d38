// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace kinetoscope::trace {

/// An id that counts within a process, as a number that no other process of the trace has;
/// `process` counts from 0.
[[nodiscard]] constexpr std::int64_t idAmongProcesses(std::int64_t own, std::int64_t process) {
    constexpr int kOwnBits = 40;
    constexpr std::int64_t kMaxOwn = (std::int64_t{1} << kOwnBits) - 1;
    constexpr std::int64_t kMaxProcess = std::int64_t{1} << 22;
    return std::min(own, kMaxOwn) + (std::min(process, kMaxProcess) << kOwnBits);
}

}  // namespace kinetoscope::trace
