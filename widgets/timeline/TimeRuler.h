// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "core/base/Time.h"
#include "widgets/timeline/RangeDrag.h"
#include "widgets/timeline/TimeCoordinates.h"

class QPainter;

namespace kinetoscope::session {
class TraceNotes;
class ViewState;
}  // namespace kinetoscope::session

namespace kinetoscope::timeline {

class SelectionChip;

/// The time axis above the timeline: ticks, the time under the pointer, the selected time with its
/// chip, a flag for each note. Dragging selects time over all rows, or moves an edge of what is
/// selected.
class TimeRuler final : public QWidget {
    Q_OBJECT

public:
    explicit TimeRuler(session::ViewState& state, QWidget* parent = nullptr);

    /// Logical pixels that are not part of the time axis, left and right.
    void setMargins(int left, int right);
    void setCursorTime(std::optional<TimeNs> time);
    /// Of the shown trace; outlive the ruler.
    void setNotes(session::TraceNotes& notes);
    [[nodiscard]] TimeCoordinates coordinates() const;
    [[nodiscard]] QSize sizeHint() const override;

    /// Logical pixels between two ticks at least.
    static constexpr double kTickSpacing = 110.0;

signals:
    /// The time under the pointer; nullopt when it left the time axis.
    void cursorMoved(std::optional<TimeNs> time);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void paintTicks(QPainter& painter) const;
    void paintRange(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintCursor(QPainter& painter) const;
    void placeChip();

    session::ViewState& m_state;
    session::TraceNotes* m_notes = nullptr;
    int m_left = 0;
    int m_right = 0;
    std::optional<TimeNs> m_cursor;
    SelectionChip* m_chip;
    RangeDrag m_drag;
    std::optional<QPointF> m_pressAt;
    bool m_dragging = false;
};

}  // namespace kinetoscope::timeline
