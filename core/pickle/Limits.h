// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace kinetoscope::pickle {

/// Limits of a pickle, whatever its size: memory is allocated for what exists.
inline constexpr std::size_t kMaxStack = 1U << 26U;       ///< values that wait for a container
inline constexpr std::size_t kMaxContainers = 1U << 26U;  ///< lists, dicts, tuples, sets
inline constexpr std::size_t kMaxHeld = 1U << 28U;        ///< values in containers
inline constexpr std::size_t kMaxTextBytes = 1U << 28U;   ///< of one text

/// Thrown inside of the reader: what is wrong at the instruction that is being read.
struct Damage {
    std::string what;
};

}  // namespace kinetoscope::pickle
