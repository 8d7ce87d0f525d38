// SPDX-License-Identifier: GPL-3.0-or-later
// Pointer input of the overview.
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/session/ViewState.h"
#include "widgets/style/PlainText.h"
#include "widgets/timeline/overview/OverviewStrip.h"

namespace kinetoscope::timeline {

namespace {

constexpr double kFrameReach = 5.0;   // logical pixels beside an edge of the frame
constexpr double kInsideReach = 0.2;  // of the frame's width at most, from an edge inwards
constexpr double kNotchZoom = 0.8;    // of the visible time, a notch of the wheel
constexpr double kMinDrag = 3.0;      // pixels that choose what is on screen

}  // namespace

OverviewStrip::Part OverviewStrip::partAt(double x) const {
    if (!m_state.layout() || x < area().left() - kFrameReach || x > area().right() + kFrameReach) {
        return Part::None;
    }
    const QRectF box = frame();
    const double inside = std::min(kFrameReach, kInsideReach * box.width());
    if (x > box.left() - kFrameReach && x < box.left() + inside) {
        return Part::Left;
    }
    if (x > box.right() - inside && x < box.right() + kFrameReach) {
        return Part::Right;
    }
    if (box.width() >= area().width() - 1.0) {
        return Part::Whole;
    }
    return box.left() <= x && x <= box.right() ? Part::Frame : Part::Outside;
}

void OverviewStrip::showFrom(TimeNs start) {
    const TimeSpan all = m_state.fitSpan();
    const TimeNs length = m_pressVisible.duration();
    const TimeNs last = std::max(all.start, all.end - length);
    const TimeNs from = std::clamp(start, all.start, last);
    m_state.setVisible({from, from + length});
}

void OverviewStrip::mousePressEvent(QMouseEvent* event) {
    const double x = event->position().x();
    const Part part = partAt(x);
    if (event->button() != Qt::LeftButton || part == Part::None) {
        QWidget::mousePressEvent(event);
        return;
    }
    QToolTip::hideText();
    m_pressX = x;
    m_pressVisible = m_state.visible();
    m_drag = part;
    if (part == Part::Outside) {
        showFrom(coordinates().time(x) - m_pressVisible.duration() / 2);
        m_pressVisible = m_state.visible();
        m_drag = Part::Frame;  // and on from there
    }
    pointAt(x);
}

void OverviewStrip::drag(double x) {
    const TimeCoordinates at = coordinates();
    const TimeNs time = at.time(std::clamp(x, at.left(), at.left() + at.width()));
    switch (m_drag) {
        case Part::Frame:
            showFrom(addTime(m_pressVisible.start, at.length(x - m_pressX)));
            break;
        case Part::Left:
            m_state.setVisible({std::min(time, m_pressVisible.end - 1), m_pressVisible.end});
            break;
        case Part::Right:
            m_state.setVisible({m_pressVisible.start, std::max(time, m_pressVisible.start + 1)});
            break;
        case Part::Whole:
            if (std::abs(x - m_pressX) >= kMinDrag) {
                const TimeNs first = at.time(m_pressX);
                m_state.setVisible({std::min(first, time), std::max(first, time)});
            }
            break;
        case Part::None:
        case Part::Outside:
            break;
    }
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event) {
    const double x = event->position().x();
    if (m_drag != Part::None) {
        drag(x);
    }
    pointAt(x);
}

void OverviewStrip::pointAt(double x) {
    switch (m_drag != Part::None ? m_drag : partAt(x)) {
        case Part::Left:
        case Part::Right:
            setCursor(Qt::SizeHorCursor);
            break;
        case Part::Frame:
            setCursor(m_drag == Part::Frame ? Qt::ClosedHandCursor : Qt::OpenHandCursor);
            break;
        case Part::Outside:
            setCursor(Qt::PointingHandCursor);
            break;
        case Part::Whole:
            setCursor(Qt::CrossCursor);
            break;
        case Part::None:
            setCursor(Qt::ArrowCursor);
            break;
    }
    const bool inside = m_state.trace() && x >= area().left() && x <= area().right();
    emit cursorMoved(inside ? std::optional(coordinates().time(x)) : std::nullopt);
}

void OverviewStrip::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        m_drag = Part::None;
        pointAt(event->position().x());
    }
}

void OverviewStrip::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && m_state.trace()) {
        m_drag = Part::None;
        m_state.fit();
    }
}

// At the pointer where that is in the frame, else in its middle: what is on screen stays there.
void OverviewStrip::wheelEvent(QWheelEvent* event) {
    event->accept();
    if (!m_state.trace()) {
        return;
    }
    const QPoint turn = event->angleDelta();
    const TimeSpan visible = m_state.visible();
    constexpr double kNotch = 120.0;
    if (std::abs(turn.x()) > std::abs(turn.y())) {
        m_state.pan(static_cast<TimeNs>(-turn.x() / kNotch / 10.0 *
                                        static_cast<double>(visible.duration())));
    } else {
        const TimeNs pointed = coordinates().time(event->position().x());
        const TimeNs middle = visible.start + visible.duration() / 2;
        m_state.zoom(std::pow(kNotchZoom, turn.y() / kNotch),
                     visible.contains(pointed) ? pointed : middle);
    }
}

void OverviewStrip::leaveEvent(QEvent*) {
    emit cursorMoved(std::nullopt);
}

bool OverviewStrip::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), style::plainToolTip(toolTipAt(help->pos().x())),
                           this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace kinetoscope::timeline
