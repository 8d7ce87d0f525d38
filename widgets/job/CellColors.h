// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <array>

#include "core/ranks/view/JobGrid.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::job {

/// The colours of a matrix: one hue that grows darker (in the dark theme lighter) with the value,
/// and for step times, which lie on both sides of the median, blue below and orange above it.
/// Lightness alone is enough to read them, also for the colour-blind. Times grow with their square
/// root, so that a long one does not hide the others.
class CellColors {
public:
    /// `largest`: the absolute value of the last colour.
    CellColors(const style::Theme& theme, ranks::view::CellFigure figure, double largest);

    [[nodiscard]] QColor color(double value) const;
    [[nodiscard]] double largest() const { return m_largest; }
    /// Values on both sides of nothing.
    [[nodiscard]] bool isDiverging() const { return m_diverging; }

private:
    static constexpr int kSteps = 128;

    bool m_diverging;
    bool m_rooted;  ///< shades go with the square root
    double m_largest;
    std::array<QColor, 2 * kSteps + 1> m_colors;  ///< nothing in the middle
};

}  // namespace kinetoscope::job
