// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/base/Time.h"
#include "widgets/timeline/TimeCoordinates.h"

namespace kinetoscope::session {
class TraceNotes;
class ViewState;
}  // namespace kinetoscope::session

namespace kinetoscope::timeline {

/// The whole trace in one thin strip: how busy its GPUs were, lightly how busy its threads, and a
/// frame around the visible time. The frame can be moved and its edges dragged; a press outside
/// goes there; if everything is visible, a drag chooses the visible part. The picture of the trace
/// is made once for each width. `state` outlives it.
class OverviewStrip final : public QWidget {
    Q_OBJECT

public:
    explicit OverviewStrip(session::ViewState& state, QWidget* parent = nullptr);

    /// Logical pixels that are not part of the time axis, left and right.
    void setMargins(int left, int right);
    void setCursorTime(std::optional<TimeNs> time);
    /// Of the shown trace; outlive the strip.
    void setNotes(session::TraceNotes& notes);

    /// Of the whole trace, in logical pixels.
    [[nodiscard]] TimeCoordinates coordinates() const;
    /// Around the time on screen; never too narrow to be seen.
    [[nodiscard]] QRectF frame() const;
    /// 0 to 1 for each device pixel column of the time axis.
    struct Columns {
        std::vector<float> gpu;  ///< mean of the GPUs
        std::vector<float> cpu;
    };
    [[nodiscard]] Columns columns() const;
    /// The tool tip there.
    [[nodiscard]] QString toolTipAt(double x) const;

    [[nodiscard]] QSize sizeHint() const override;

signals:
    /// The time under the pointer; nullopt when it left the time axis.
    void cursorMoved(std::optional<TimeNs> time);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    enum class Part { None, Frame, Left, Right, Outside, Whole };

    [[nodiscard]] QRect area() const;
    [[nodiscard]] Part partAt(double x) const;
    void drag(double x);
    void showFrom(TimeNs start);
    void pointAt(double x);
    void forgetPicture();
    void renderPicture();
    void findMarks();
    void paintMarks(QPainter& painter) const;
    void paintSelected(QPainter& painter) const;
    void paintFrame(QPainter& painter) const;
    void paintLabel(QPainter& painter) const;

    session::ViewState& m_state;
    session::TraceNotes* m_notes = nullptr;
    int m_left = 0;
    int m_right = 0;
    std::optional<TimeNs> m_cursor;
    QImage m_picture;                   ///< null: to be made
    std::vector<std::int32_t> m_marks;  ///< columns of what was found, in logical pixels
    Part m_drag = Part::None;
    double m_pressX = 0.0;
    TimeSpan m_pressVisible;
};

}  // namespace kinetoscope::timeline
