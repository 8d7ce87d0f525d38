// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include "core/base/Result.h"

namespace kinetoscope::json {

/// Limits of a JSON document. Copying, writing and showing a document recurse or indent by its
/// depth, and a value takes up to thirty times the memory of its text.
inline constexpr std::size_t kMaxJsonDepth = 128;            ///< brackets inside of each other
inline constexpr std::size_t kMaxJsonBytes = 512U << 20;     ///< bytes of text
inline constexpr std::size_t kMaxJsonValues = 1U << 26;      ///< keys not counted
inline constexpr std::size_t kMaxJsonContainers = 1U << 22;  ///< arrays and objects

/// Fails, in words that follow a name, when the text passes a limit. Looks at brackets and commas
/// outside of strings alone and takes no memory, so that it can come before any parser; what is no
/// JSON may pass.
[[nodiscard]] Result<void> withinJsonLimits(std::string_view text);

}  // namespace kinetoscope::json
