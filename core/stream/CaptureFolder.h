// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kinetoscope {

/// The capture files in a folder, by name; empty when there is no such folder.
[[nodiscard]] std::vector<std::string> capturesIn(const std::string& folder);

}  // namespace kinetoscope
