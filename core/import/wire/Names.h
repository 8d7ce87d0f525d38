// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kinetoscope::import::wire {

/// The number behind `prefix`, as in "/device:GPU:0"; -1 if there is none.
[[nodiscard]] std::int64_t numberBehind(std::string_view text, std::string_view prefix);

/// As much of a name as others may repeat: 200 bytes and "…", or all of it.
[[nodiscard]] std::string beginningOf(std::string_view name);

}  // namespace kinetoscope::import::wire
