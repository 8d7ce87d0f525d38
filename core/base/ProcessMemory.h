// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kinetoscope {

/// Bytes of the machine; 0 if the system does not report it.
[[nodiscard]] std::uint64_t machineMemory();

/// Bytes of this process that are in memory, those that the allocator keeps for later included; 0
/// if the system does not report it.
[[nodiscard]] std::uint64_t residentMemory();

/// Gives back what the allocator keeps for later.
void releaseFreeMemory();

}  // namespace kinetoscope
