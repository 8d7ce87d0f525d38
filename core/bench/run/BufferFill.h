// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kinetoscope::bench::run {

/// `elements` normally distributed values of a floating type as raw bytes, the same for the same
/// seed. A type that is not known gives zeros.
[[nodiscard]] std::vector<std::byte> normalValues(const std::string& dtype, std::size_t elements,
                                                  std::size_t itemBytes, std::uint64_t seed);

/// The value of element `index` of raw bytes; integers as they are.
[[nodiscard]] double valueAt(const std::vector<std::byte>& bytes, const std::string& dtype,
                             std::size_t index);

/// IEEE half precision, rounded to nearest even.
[[nodiscard]] std::uint16_t halfBits(float value);
[[nodiscard]] float halfValue(std::uint16_t bits);

}  // namespace kinetoscope::bench::run
