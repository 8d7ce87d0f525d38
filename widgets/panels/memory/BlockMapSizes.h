// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of the picture of blocks, in logical pixels.
#pragma once

namespace kinetoscope::panels {

inline constexpr int kScale = 76;  ///< at the left, for bytes
inline constexpr int kRuler = 24;  ///< above, for times

}  // namespace kinetoscope::panels
