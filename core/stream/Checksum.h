// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace kinetoscope::stream {

/// CRC-32C (Castagnoli) of `bytes`; pass an earlier result as `before` to go on.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);

}  // namespace kinetoscope::stream
