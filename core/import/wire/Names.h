// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kinetoscope::import::wire {

/// The number behind `prefix`, as in "/device:GPU:0"; -1 if there is none.
[[nodiscard]] std::int64_t numberBehind(std::string_view text, std::string_view prefix);

}  // namespace kinetoscope::import::wire
