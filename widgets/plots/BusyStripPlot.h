// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/Time.h"
#include "core/query/BusyColumns.h"
#include "widgets/timeline/TimeCoordinates.h"

class QWheelEvent;

namespace kinetoscope::session {
class ViewState;
}  // namespace kinetoscope::session

namespace kinetoscope::plots {

class StripCanvas;

/// The content of a strip: how much of each pixel's time is covered, 0 to 100 %.
struct BusyStrip {
    QString title;                  ///< "GPU 0 busy"
    QString explanation;            ///< tool tip of the title
    std::function<QColor()> color;  ///< called again when the theme changes
    std::shared_ptr<const query::BusyColumns> busy;
};

/// One strip above the timeline, on the timeline's time axis.
class BusyStripPlot final : public QWidget {
    Q_OBJECT

public:
    BusyStripPlot(session::ViewState& state, BusyStrip strip, QWidget* parent = nullptr);
    ~BusyStripPlot() override;

    /// Logical pixels that are not part of the time axis, left and right.
    void setMargins(int left, int right);
    void setCursorTime(std::optional<TimeNs> time);
    void setBusy(std::shared_ptr<const query::BusyColumns> busy);

    [[nodiscard]] const BusyStrip& strip() const { return m_strip; }
    /// Of the widget's logical pixels.
    [[nodiscard]] timeline::TimeCoordinates coordinates() const;
    /// The fractions drawn last, one a device pixel column.
    [[nodiscard]] const std::vector<float>& columns() const;
    /// Where the axis of the plot library puts a time, in logical pixels.
    [[nodiscard]] double axisPixel(TimeNs time) const;

    /// How busy the visible part of the trace is, as it stands beside the title.
    [[nodiscard]] QString figure() const;
    /// The tool tip at that place: the value, or the explanation over the title.
    [[nodiscard]] QString toolTipAt(QPoint at) const;

signals:
    /// Strips hand the wheel on; the position is this widget's.
    void wheelTurned(QWheelEvent* event);
    /// The time under the pointer; nullopt when it left.
    void cursorMoved(std::optional<TimeNs> time);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showView();
    void showCursor();
    void showToolTip(QPoint at, QPoint global);
    [[nodiscard]] TimeNs origin() const;

    session::ViewState& m_state;
    BusyStrip m_strip;
    StripCanvas* m_canvas;
    std::optional<TimeNs> m_cursor;
    int m_left = 0;
    int m_right = 0;
};

}  // namespace kinetoscope::plots
