// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/base/Result.h"

namespace kinetoscope::sidecar {

/// The whole of a regular file; nothing if there is none. Fails, with a message that follows a name
/// ("is not a regular file"), also if it has more than `maxBytes`. Never waits for a pipe.
[[nodiscard]] Result<std::optional<std::string>> readSmallFile(const std::string& path,
                                                               std::size_t maxBytes);

}  // namespace kinetoscope::sidecar
