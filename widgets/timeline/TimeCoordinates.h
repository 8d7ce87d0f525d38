// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

#include "core/base/SaturatedTime.h"

namespace kinetoscope::timeline {

/// Nanoseconds to pixels and back: `visible` fills the pixels [left, left + width). Pixels may be
/// logical or device ones. With no width or no time every place is the left edge.
class TimeCoordinates {
public:
    TimeCoordinates(TimeSpan visible, double left, double width)
        : m_visible(visible), m_left(left), m_width(width) {}

    [[nodiscard]] TimeSpan visible() const { return m_visible; }
    [[nodiscard]] double left() const { return m_left; }
    [[nodiscard]] double width() const { return m_width; }

    [[nodiscard]] double x(TimeNs time) const {
        if (isFlat()) {
            return m_left;
        }
        const auto since = static_cast<double>(time - m_visible.start);
        return m_left + since * m_width / static_cast<double>(m_visible.duration());
    }
    /// The nearest nanosecond.
    [[nodiscard]] TimeNs time(double x) const {
        return isFlat() ? m_visible.start : addTime(m_visible.start, length(x - m_left));
    }
    /// Nanoseconds of that many pixels, or as many as fit a time.
    [[nodiscard]] TimeNs length(double pixels) const {
        return isFlat() ? 0
                        : saturatedTime(std::round(
                              pixels * static_cast<double>(m_visible.duration()) / m_width));
    }

private:
    [[nodiscard]] bool isFlat() const { return m_width <= 0.0 || m_visible.empty(); }

    TimeSpan m_visible;
    double m_left;
    double m_width;
};

}  // namespace kinetoscope::timeline
