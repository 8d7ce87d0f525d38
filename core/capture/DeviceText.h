// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/capture/CuptiAbi.h"

namespace kinetoscope::capture {

/// The JSON of a capture's device chunk; `members` are further ones, each preceded by a comma.
[[nodiscard]] std::string deviceText(const cupti::Device& device, std::string_view members);

}  // namespace kinetoscope::capture
