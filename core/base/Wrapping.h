// SPDX-License-Identifier: Apache-2.0
// Arithmetic on numbers as a file has them: any may come, so the result wraps around where a sum of
// signed numbers would be undefined.
#pragma once

#include <cstdint>

namespace kinetoscope {

[[nodiscard]] constexpr std::int64_t wrappingSum(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

[[nodiscard]] constexpr std::int64_t wrappingDifference(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

[[nodiscard]] constexpr std::int64_t wrappingProduct(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

}  // namespace kinetoscope
