// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of the timeline of ranks, in logical pixels.
#pragma once

#include <QFont>
#include <algorithm>

namespace kinetoscope::job {

inline constexpr int kLabels = 168;
inline constexpr int kRuler = 26;
inline constexpr int kHeadingRow = 20;
inline constexpr int kMinFitted = 12;
inline constexpr int kMaxFitted = 52;
inline constexpr int kMinRowHeight = 6;
inline constexpr int kMaxRowHeight = 60;
inline constexpr int kToggle = 20;  ///< of the label, for the triangle

/// Of a row, for its collectives.
[[nodiscard]] constexpr int marksHeight(int row) {
    return std::max(2, row * 3 / 10);
}

[[nodiscard]] inline QFont smallFont(QFont font) {
    font.setPixelSize(11);
    return font;
}

}  // namespace kinetoscope::job
