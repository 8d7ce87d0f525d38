// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/trace/Category.h"

namespace kinetoscope::import::rocm {

/// "Memcpy HtoD" of "MEMORY_COPY_HOST_TO_DEVICE" or "CopyHostToDevice"; "Memcpy" if the text has no
/// direction.
[[nodiscard]] std::string copyName(std::string_view text);

/// A kernel's name without the ".kd" of its descriptor, demangled.
[[nodiscard]] std::string kernelName(std::string_view text);

/// Blocks along an axis: HSA counts work items, of which the last group may have fewer.
[[nodiscard]] std::uint32_t blocksOf(std::int64_t items, std::int64_t group);

/// A count that is negative or too large for its column becomes the next one that is not.
template <class T>
[[nodiscard]] T bounded(std::int64_t value) {
    constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    return value < 0 ? T{0}
                     : static_cast<T>(static_cast<std::uint64_t>(value) < kMax
                                          ? static_cast<std::uint64_t>(value)
                                          : kMax);
}

/// The number of a category's row.
[[nodiscard]] constexpr trace::CategoryId idOf(trace::Category category) {
    return static_cast<trace::CategoryId>(category);
}

inline constexpr std::int64_t kGpuSortIndex = 5'000'000;  ///< as Kineto has it, below processes
/// A process whose number is a GPU's gets one that no GPU has.
inline constexpr std::int64_t kPidBeyondGpus = std::int64_t{1} << 32;

}  // namespace kinetoscope::import::rocm
