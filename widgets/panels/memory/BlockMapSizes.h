// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of the picture of blocks, in logical pixels, and its scale.
#pragma once

#include <QString>
#include <cstdint>

namespace kinetoscope::panels {

inline constexpr int kScale = 76;  ///< at the left, for bytes
inline constexpr int kRuler = 24;  ///< above, for times

/// A line of the scale in the unit that sizes like `top` are shown in, with as many digits as lines
/// `step` apart need: "1.125 GiB" beside a peak of "1.4 GiB".
[[nodiscard]] QString scaleText(std::int64_t bytes, std::int64_t step, std::int64_t top);

}  // namespace kinetoscope::panels
