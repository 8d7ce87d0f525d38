// SPDX-License-Identifier: GPL-3.0-or-later
// Pointer and keyboard in the timeline.
#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "core/base/SaturatedTime.h"
#include "core/query/SlicesInView.h"
#include "widgets/session/IdleFinder.h"
#include "widgets/session/ViewState.h"
#include "widgets/timeline/TimelineWidget.h"

namespace kinetoscope::timeline {

namespace {

constexpr double kWheelZoom = 0.8;  // of the visible time, a notch
constexpr double kKeyZoom = 0.75;   // of the visible time, a key press
constexpr double kKeyPan = 0.1;     // of the visible time, a key press
constexpr double kNotch = 120.0;    // QWheelEvent's eighths of a degree
constexpr int kDividerReach = 4;    // logical pixels

/// The letter of a US keyboard at the key's place, so that W, A, S, D lie together on every layout.
/// X11 and Wayland report the place; elsewhere the letter itself counts.
int keyByPlace(const QKeyEvent& event) {
    const QString platform = QGuiApplication::platformName();
    const bool tellsPlace =
        platform == QLatin1String("xcb") || platform.startsWith(QLatin1String("wayland"));
    if (tellsPlace) {
        switch (event.nativeScanCode()) {
            case 25:
                return Qt::Key_W;
            case 38:
                return Qt::Key_A;
            case 39:
                return Qt::Key_S;
            case 40:
                return Qt::Key_D;
            default:
                break;
        }
    }
    return event.key();
}

}  // namespace

bool TimelineWidget::isOnDivider(QPointF at) const {
    return std::abs(at.x() - m_labelWidth) <= kDividerReach;
}

bool TimelineWidget::isOnAreaEdge(QPointF at) const {
    return m_rangeDrag.isOnEdge(coordinates(), at.x()) &&
           std::ranges::any_of(areaBands(), [&](const RowBand& band) {
               return band.top <= at.y() && at.y() < band.bottom;
           });
}

const TimelineRow* TimelineWidget::rowAt(QPointF at) const {
    const auto row = rowIndexAt(at);
    return row ? &m_rows.rows()[*row] : nullptr;
}

void TimelineWidget::wheelEvent(QWheelEvent* event) {
    const QPointF at = event->position();
    const QPoint turn = event->angleDelta();
    const TimeCoordinates time = coordinates();
    const bool scrolls = at.x() < m_labelWidth || event->modifiers().testFlag(Qt::ShiftModifier);
    if (scrolls) {
        // With Shift some platforms turn the wheel sideways.
        const int amount = turn.y() != 0 ? turn.y() : turn.x();
        scrollRows(
            at, -static_cast<int>(std::lround(amount / kNotch * 3 * m_rows.metrics().laneHeight)));
    } else if (std::abs(turn.x()) > std::abs(turn.y())) {
        m_state.pan(-time.length(turn.x() / 2.0));
    } else if (turn.y() != 0) {
        m_state.zoom(std::pow(kWheelZoom, turn.y() / kNotch), time.time(at.x()));
    }
    hover(at, event->globalPosition().toPoint());
    event->accept();
}

void TimelineWidget::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        QWidget::mousePressEvent(event);
        return;
    }
    const QPointF at = event->position();
    m_pressAt = at;
    m_pressVisible = m_state.visible();
    m_pressScroll = m_scrollBar->value();
    const bool onEdge = isOnAreaEdge(at);
    const bool selects = onEdge || event->modifiers().testFlag(Qt::ShiftModifier);
    m_pressDrag = selects && m_layout && at.x() >= m_labelWidth ? Drag::Range : Drag::Pan;
    m_rangeDrag.begin(coordinates(), at.x(), onEdge);
    m_drag = isOnDivider(at) ? Drag::Divider : Drag::Pending;
}

void TimelineWidget::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    if (dragRow(at)) {
        return;
    }
    if (m_drag == Drag::Pending &&
        (at - m_pressAt).manhattanLength() >= QApplication::startDragDistance()) {
        m_drag = m_pressDrag;
        setCursor(m_drag == Drag::Range ? Qt::SizeHorCursor : Qt::ClosedHandCursor);
        QToolTip::hideText();
    }
    if (m_drag == Drag::None || m_drag == Drag::Pending) {
        hover(at, event->globalPosition().toPoint());
    } else {
        drag(at);
    }
}

void TimelineWidget::drag(QPointF at) {
    const TimeCoordinates pressed(m_pressVisible, coordinates().left(), coordinates().width());
    if (m_drag == Drag::Divider) {
        setLabelWidth(static_cast<int>(std::lround(at.x())));
    } else if (m_drag == Drag::Pan) {
        const TimeNs by = pressed.length(m_pressAt.x() - at.x());
        m_state.setVisible(movedSpan(m_pressVisible, by));
        m_scrollBar->setValue(m_pressScroll + static_cast<int>(m_pressAt.y() - at.y()));
        emit cursorMoved(coordinates().time(at.x()));
    } else if (m_drag == Drag::Range) {
        RowView pressView = rowView();
        pressView.scroll = m_pressScroll;
        m_rangeDrag.moveTo(
            pressed, at.x(),
            tracksBetween(m_rows, *m_state.trace(),
                          m_rows.heightAt(static_cast<int>(m_pressAt.y()), pressView),
                          m_rows.heightAt(static_cast<int>(at.y()), rowView())));
        emit cursorMoved(pressed.time(at.x()));
    }
}

void TimelineWidget::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        QWidget::mouseReleaseEvent(event);
        return;
    }
    dropRow();
    const bool clicked = m_drag == Drag::Pending;
    m_drag = Drag::None;
    unsetCursor();
    if (clicked) {
        click(event->position());
    } else {
        // No event has updated the item under the pointer since the drag started.
        hover(event->position(), event->globalPosition().toPoint());
    }
}

void TimelineWidget::click(QPointF at) {
    const TimelineRow* row = rowAt(at);
    const Pointed under = pointedAt(at);
    if (row != nullptr && row->kind == RowKind::Group && isNothing(under.what)) {
        setCollapsed(row->process, !row->collapsed);
        return;
    }
    if (at.x() < m_labelWidth) {
        return;
    }
    const bool isLookedFor =
        isNothing(under.what) && row != nullptr && isGpuRow(*row) && m_idle.gaps() == nullptr;
    m_clicked = isLookedFor ? std::optional(at) : std::nullopt;
    m_state.setSelection(under.what);
}

void TimelineWidget::mouseDoubleClickEvent(QMouseEvent* event) {
    const session::Selection what = pointedAt(event->position()).what;
    if (!isNothing(what) && event->button() == Qt::LeftButton) {
        m_state.setSelection(what);
        fitSelection();
        m_state.askForKernel(sliceOf(what));
    }
}

void TimelineWidget::hover(QPointF at, QPoint global) {
    const bool inside = QRectF(timeArea()).contains(at);
    m_pointer = at;
    setCursor(isOnDivider(at)    ? Qt::SplitHCursor
              : isOnAreaEdge(at) ? Qt::SizeHorCursor
                                 : Qt::ArrowCursor);
    emit cursorMoved(inside ? std::optional(coordinates().time(at.x())) : std::nullopt);
    const Pointed under = pointedAt(at);
    m_hoverBoxes = under.boxes;
    if (under.toolTip.isEmpty()) {
        QToolTip::hideText();
    } else if (under.boxes.empty() || !under.boxes.front().contains(at)) {
        QToolTip::showText(global, under.toolTip, this);
    } else {
        QToolTip::showText(global, under.toolTip, this,
                           under.boxes.front().toAlignedRect().adjusted(-2, 0, 2, 0));
    }
    update();
}

void TimelineWidget::leaveEvent(QEvent* /*event*/) {
    m_hoverBoxes.clear();
    m_pointer.reset();
    emit cursorMoved(std::nullopt);
    update();
}

void TimelineWidget::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy) && !isNothing(m_state.selection())) {
        QGuiApplication::clipboard()->setText(
            session::selectionText(*m_state.trace(), m_state.selection()));
        return;
    }
    const bool plain =
        !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (!plain || !m_layout || (!rowKey(event) && !moveKey(event) && !selectionKey(event))) {
        QWidget::keyPressEvent(event);
    }
}

void TimelineWidget::zoomAtCursor(double factor) {
    const TimeSpan visible = m_state.visible();
    const TimeNs middle = visible.start + visible.duration() / 2;
    const bool pointed = m_cursor && visible.contains(*m_cursor);
    m_state.zoom(factor, pointed ? *m_cursor : middle);
}

bool TimelineWidget::moveKey(QKeyEvent* event) {
    const auto part =
        static_cast<TimeNs>(static_cast<double>(m_state.visible().duration()) * kKeyPan);
    switch (keyByPlace(*event)) {
        case Qt::Key_W:
            zoomAtCursor(kKeyZoom);
            return true;
        case Qt::Key_S:
            zoomAtCursor(1.0 / kKeyZoom);
            return true;
        case Qt::Key_A:
            m_state.pan(-std::max<TimeNs>(1, part));
            return true;
        case Qt::Key_D:
            m_state.pan(std::max<TimeNs>(1, part));
            return true;
        case Qt::Key_F:
            fitSelected();
            return true;
        case Qt::Key_PageDown:
            m_scrollBar->setValue(m_scrollBar->value() + height());
            return true;
        case Qt::Key_PageUp:
            m_scrollBar->setValue(m_scrollBar->value() - height());
            return true;
        default:
            return false;
    }
}

// First clears the selection in the rows, then the selected time, which all figures follow.
void TimelineWidget::endSelection() {
    if (!session::isNothing(m_state.selection()) || m_state.highlightedName() ||
        m_state.emphasis()) {
        m_state.select(trace::kNoSlice);
        m_state.highlightName(std::nullopt);
        m_state.setEmphasis(nullptr);
    } else {
        m_state.selectRange(std::nullopt);
    }
}

// Zooms to the selection, else the selected time, else, or on repeat, the whole trace.
void TimelineWidget::fitSelected() {
    const TimeSpan before = m_state.visible();
    const auto range = m_state.selectedRange();
    if (session::isNothing(m_state.selection()) && range) {
        m_state.zoomTo(*range);
        if (m_state.visible() != before) {
            return;
        }
    }
    fitSelection();
}

bool TimelineWidget::selectionKey(QKeyEvent* event) {
    const trace::SliceId slice = m_state.selected();
    if (event->key() == Qt::Key_Escape) {
        endSelection();
        return true;
    }
    if (slice == trace::kNoSlice) {
        return stepObject(event->key());
    }
    switch (event->key()) {
        case Qt::Key_Right:
        case Qt::Key_Period:
            step(query::neighbour(m_layout->lanes, slice, query::Direction::Next));
            return true;
        case Qt::Key_Left:
        case Qt::Key_Comma:
            step(query::neighbour(m_layout->lanes, slice, query::Direction::Previous));
            return true;
        case Qt::Key_Up:
            step(query::enclosing(m_layout->lanes, slice));
            return true;
        case Qt::Key_Down:
            step(query::firstInside(m_layout->lanes, slice));
            return true;
        default:
            return false;
    }
}

void TimelineWidget::step(std::optional<trace::SliceId> slice) {
    if (slice) {
        m_state.select(*slice);
        m_state.reveal(*slice);
    }
}

}  // namespace kinetoscope::timeline
