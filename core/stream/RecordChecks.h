// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "core/stream/CaptureFormat.h"

namespace kinetoscope::stream {

// Each sets the fields of a record that cannot be to 0 (devices to kNone) and gives how many those
// were. Devices, times and ids are not looked at where the caller has to leave the record out.
[[nodiscard]] std::uint64_t mendRecord(format::KernelRecord& record);
[[nodiscard]] std::uint64_t mendRecord(format::CopyRecord& record);
[[nodiscard]] std::uint64_t mendRecord(format::MemsetRecord& record);
[[nodiscard]] std::uint64_t mendRecord(format::MemoryRecord& record);

/// A moment of the recorded host's clock; 0: none.
[[nodiscard]] constexpr bool isMoment(std::int64_t time) {
    return time > 0 && time <= format::kLatestTime;
}

/// The product of three extents without overflow.
[[nodiscard]] constexpr double volume(const std::array<std::uint32_t, 3>& extents) {
    return static_cast<double>(extents[0]) * extents[1] * extents[2];
}

}  // namespace kinetoscope::stream
