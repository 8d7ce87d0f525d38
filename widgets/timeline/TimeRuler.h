// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "core/base/Time.h"
#include "widgets/timeline/TimeCoordinates.h"

class QPainter;

namespace kinetoscope::session {
class ViewState;
}  // namespace kinetoscope::session

namespace kinetoscope::timeline {

/// The time axis above the timeline: ticks, the time under the pointer, the selected range.
class TimeRuler final : public QWidget {
    Q_OBJECT

public:
    explicit TimeRuler(session::ViewState& state, QWidget* parent = nullptr);

    /// Logical pixels that are not part of the time axis, left and right.
    void setMargins(int left, int right);
    void setCursorTime(std::optional<TimeNs> time);
    [[nodiscard]] TimeCoordinates coordinates() const;
    [[nodiscard]] QSize sizeHint() const override;

    /// Logical pixels between two ticks at least.
    static constexpr double kTickSpacing = 110.0;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintTicks(QPainter& painter) const;
    void paintRange(QPainter& painter) const;
    void paintCursor(QPainter& painter) const;

    session::ViewState& m_state;
    int m_left = 0;
    int m_right = 0;
    std::optional<TimeNs> m_cursor;
};

}  // namespace kinetoscope::timeline
