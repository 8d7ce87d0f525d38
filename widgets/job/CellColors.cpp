// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/CellColors.h"

#include <algorithm>
#include <cmath>

#include "widgets/style/Oklch.h"

namespace kinetoscope::job {

using ranks::view::CellFigure;

namespace {

constexpr double kBlue = 255.0;
constexpr double kOrange = 55.0;

double hueOf(CellFigure figure) {
    switch (figure) {
        case CellFigure::StepTime:
            return kOrange;
        case CellFigure::Waited:
            return 300.0;
        case CellFigure::Caused:
            return 30.0;
        case CellFigure::Busy:
            return 155.0;
        case CellFigure::ExposedComm:
            break;
    }
    return 230.0;
}

/// `share` of the way from nothing to the last colour of a hue.
QColor shade(const style::Theme& theme, double share, double hue) {
    const double from = theme.isDark() ? 0.29 : 0.965;
    const double to = theme.isDark() ? 0.84 : 0.47;
    return style::oklch(from + (to - from) * share, 0.01 + 0.16 * share, hue);
}

}  // namespace

CellColors::CellColors(const style::Theme& theme, CellFigure figure, double largest)
    : m_diverging(figure == CellFigure::StepTime),
      m_rooted(!ranks::view::isShare(figure)),
      m_largest(largest) {
    const double below = m_diverging ? kBlue : hueOf(figure);
    for (std::size_t i = 0; i <= kSteps; ++i) {
        const double share = static_cast<double>(i) / kSteps;
        m_colors[kSteps - i] = shade(theme, share, below);
        m_colors[kSteps + i] = shade(theme, share, hueOf(figure));
    }
}

QColor CellColors::color(double value) const {
    const double share = m_largest > 0.0 ? std::clamp(value / m_largest, -1.0, 1.0) : 0.0;
    const double shade = m_rooted ? std::copysign(std::sqrt(std::abs(share)), share) : share;
    return m_colors[static_cast<std::size_t>(kSteps + std::lround(shade * kSteps))];
}

}  // namespace kinetoscope::job
