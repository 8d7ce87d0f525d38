// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace kinetoscope::style {

/// A colour of the perceptual OKLCH space: equal `lightness` looks equally light whatever the hue.
/// lightness 0 to 1, chroma 0 to about 0.3, hue in degrees. Chroma is lowered until the colour
/// exists on a screen (sRGB).
[[nodiscard]] QColor oklch(double lightness, double chroma, double hueDegrees);

/// WCAG relative luminance, 0 (black) to 1 (white).
[[nodiscard]] double relativeLuminance(const QColor& color);

/// WCAG contrast ratio, 1 to 21.
[[nodiscard]] double contrastRatio(const QColor& a, const QColor& b);

/// `share` of b over a, 0 to 1.
[[nodiscard]] QColor mixColors(const QColor& a, const QColor& b, double share);

}  // namespace kinetoscope::style
