// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/TimeRuler.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/text/Format.h"
#include "widgets/session/ViewState.h"
#include "widgets/session/notes/TraceNotes.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"
#include "widgets/timeline/MarkedColumns.h"
#include "widgets/timeline/NoteMarks.h"
#include "widgets/timeline/SelectionChip.h"
#include "widgets/timeline/TimeTicks.h"
#include "widgets/timeline/TimelineOverlay.h"

namespace kinetoscope::timeline {

namespace {

constexpr int kHeight = 28;
constexpr int kTickHeight = 6;
constexpr int kBadgeTop = 4;
constexpr int kBadgeHeight = kHeight - 10;
constexpr int kChipTop = 3;
constexpr double kBadgeGap = 8.0;  // between the chip and the time under the pointer
constexpr int kMarkHeight = 4;
constexpr int kChosenMarkHeight = 7;

}  // namespace

TimeRuler::TimeRuler(session::ViewState& state, QWidget* parent)
    : QWidget(parent), m_state(state), m_chip(new SelectionChip(state, this)), m_drag(state) {
    setObjectName(QStringLiteral("ruler"));
    setMouseTracking(true);
    setToolTip(tr("Drag to select time"));
    setWhatsThis(
        tr("Time since the first event of the trace. Drag to select the window of all figures and "
           "tables."));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const auto repaint = [this] { update(); };
    connect(&state, &session::ViewState::traceChanged, this, repaint);
    connect(&state, &session::ViewState::traceGrown, this, repaint);
    connect(&state, &session::ViewState::visibleChanged, this, repaint);
    connect(&state, &session::ViewState::rangeChanged, this, repaint);
    connect(&state, &session::ViewState::visibleChanged, this, &TimeRuler::placeChip);
    connect(m_chip, &SelectionChip::changed, this, &TimeRuler::placeChip);
    connect(&state, &session::ViewState::marksChanged, this, repaint);
}

void TimeRuler::setMargins(int left, int right) {
    m_left = left;
    m_right = right;
    placeChip();
    update();
}

void TimeRuler::setNotes(session::TraceNotes& notes) {
    m_notes = &notes;
    connect(&notes, &session::TraceNotes::changed, this, [this] { update(); });
}

bool TimeRuler::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && m_notes != nullptr && m_state.trace()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const sidecar::Note* note = noteAt(coordinates(), m_notes->notes(), help->pos().x());
        const TimeNs origin = m_state.trace()->extent().start;
        QToolTip::showText(
            help->globalPos(),
            note != nullptr ? style::plainToolTip(noteText(*note, origin)) : QString(), this);
        return true;
    }
    return QWidget::event(event);
}

// In the middle of what is selected, but always on the axis.
void TimeRuler::placeChip() {
    const TimeCoordinates at = coordinates();
    const double right = at.left() + std::max(0.0, at.width());
    double middle = at.left();
    if (const auto range = m_state.selectedRange()) {
        middle = (std::clamp(at.x(range->start), at.left(), right) +
                  std::clamp(at.x(range->end), at.left(), right)) /
                 2;
    }
    const double most = std::max(at.left(), right - m_chip->width());
    m_chip->move(static_cast<int>(std::clamp(middle - m_chip->width() / 2.0, at.left(), most)),
                 kChipTop);
}

void TimeRuler::resizeEvent(QResizeEvent* /*event*/) {
    placeChip();
}

void TimeRuler::mousePressEvent(QMouseEvent* event) {
    const double x = event->position().x();
    if (event->button() != Qt::LeftButton || !m_state.trace() || x < m_left) {
        QWidget::mousePressEvent(event);
        return;
    }
    m_pressAt = event->position();
    m_dragging = false;
    m_drag.begin(coordinates(), x);
}

void TimeRuler::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    const TimeCoordinates time = coordinates();
    const bool inside = at.x() >= m_left && at.x() <= time.left() + time.width();
    m_dragging = m_dragging || (m_pressAt && (at - *m_pressAt).manhattanLength() >=
                                                 QApplication::startDragDistance());
    if (m_dragging) {
        m_drag.moveTo(time, at.x());
    } else {
        setCursor(!inside                         ? Qt::ArrowCursor
                  : m_drag.isOnEdge(time, at.x()) ? Qt::SizeHorCursor
                                                  : Qt::IBeamCursor);
    }
    emit cursorMoved(inside && m_state.trace() ? std::optional(time.time(at.x())) : std::nullopt);
}

void TimeRuler::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        const sidecar::Note* note =
            m_notes != nullptr && m_pressAt && !m_dragging
                ? flagAt(coordinates(), m_notes->notes(), event->position().x())
                : nullptr;
        m_pressAt.reset();
        m_dragging = false;
        if (note != nullptr) {
            m_notes->show(*note);
        }
    } else {
        QWidget::mouseReleaseEvent(event);
    }
}

void TimeRuler::leaveEvent(QEvent* /*event*/) {
    emit cursorMoved(std::nullopt);
}

void TimeRuler::setCursorTime(std::optional<TimeNs> time) {
    if (time != m_cursor) {
        m_cursor = time;
        update();
    }
}

TimeCoordinates TimeRuler::coordinates() const {
    return {m_state.visible(), static_cast<double>(m_left),
            static_cast<double>(width() - m_left - m_right)};
}

QSize TimeRuler::sizeHint() const {
    return {400, kHeight};
}

void TimeRuler::paintEvent(QPaintEvent* /*event*/) {
    const style::Theme& theme = style::Theme::current();
    QPainter painter(this);
    QFont small = font();
    small.setPixelSize(11);
    painter.setFont(small);
    painter.fillRect(rect(), theme.raised());
    painter.fillRect(0, height() - 1, width(), 1, theme.border());
    if (!m_state.trace()) {
        return;
    }
    painter.save();
    painter.setClipRect(m_left, 0, width() - m_left - m_right, height());
    paintTicks(painter);
    paintRange(painter);
    paintMarks(painter);
    if (m_notes != nullptr) {
        paintFlags(painter, QRectF(m_left, 0, width() - m_left - m_right, height() - 1),
                   coordinates(), m_notes->notes());
    }
    painter.restore();
    paintCursor(painter);
}

void TimeRuler::paintTicks(QPainter& painter) const {
    const style::Theme& theme = style::Theme::current();
    const TimeCoordinates at = coordinates();
    const TimeNs origin = m_state.trace()->extent().start;
    const TimeTicks ticks = timeTicks(at.visible(), origin, at.width(), kTickSpacing);
    const QFontMetrics metrics = painter.fontMetrics();
    for (const TimeTick& tick : ticks.ticks) {
        const double x = std::floor(at.x(tick.time));
        painter.fillRect(QRectF(x, height() - kTickHeight - 1, 1, kTickHeight), theme.mutedText());
        const QString label = QString::fromStdString(tick.label);
        if (x + 4 + metrics.horizontalAdvance(label) > at.left() + at.width()) {
            continue;  // a part of a label would be another one
        }
        painter.setPen(theme.mutedText());
        painter.drawText(QPointF(x + 4, height() - kTickHeight - 4), label);
    }
    // Five small parts between two ticks.
    const TimeNs small = ticks.step / 5;
    const TimeNs first = ticks.ticks.empty() ? 0 : ticks.ticks.front().time - ticks.step;
    for (TimeNs time = first; small > 0 && time < at.visible().end; time += small) {
        painter.fillRect(QRectF(std::floor(at.x(time)), height() - 4, 1, 3), theme.border());
    }
    painter.setClipping(false);
    const QString shown =
        ticks.anchorLabel.empty()
            ? QString::fromStdString(text::formatDuration(m_state.visibleOfTrace().duration())) +
                  QStringLiteral(" in view")
            : QString::fromStdString(ticks.anchorLabel) + QStringLiteral(" +");
    const QRect left(8, 0, m_left - 16, height() - 1);
    painter.setPen(theme.mutedText());
    painter.drawText(left, Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(shown, Qt::ElideLeft, left.width()));
}

void TimeRuler::paintRange(QPainter& painter) const {
    const auto range = m_state.selectedRange();
    if (!range) {
        return;
    }
    const style::Theme& theme = style::Theme::current();
    const TimeCoordinates at = coordinates();
    const double from = at.x(range->start);
    painter.setClipRect(m_left, 0, width() - m_left - m_right, height());
    painter.fillRect(QRectF(from, 0, at.x(range->end) - from, height() - 1), theme.rangeFill());
}

// Along the upper edge, where neither ticks nor their labels are.
void TimeRuler::paintMarks(QPainter& painter) const {
    const session::SliceMarks* marks = m_state.marks().get();
    if (marks == nullptr) {
        return;
    }
    const style::Theme& theme = style::Theme::current();
    const TimeCoordinates at = coordinates();
    const trace::Trace& trace = *m_state.trace();
    for (const std::int32_t column : startColumns(trace, marks->byStart(), at.visible(),
                                                  static_cast<std::int32_t>(at.width()))) {
        painter.fillRect(QRectF(at.left() + column, 0, 1, kMarkHeight), theme.highlight());
    }
    if (const trace::SliceId chosen = m_state.chosenMark(); marks->has(chosen)) {
        const double x = std::floor(at.x(trace.start(chosen)));
        painter.fillRect(QRectF(x - 1, 0, 3, kChosenMarkHeight), theme.selection());
    }
}

void TimeRuler::paintCursor(QPainter& painter) const {
    if (!m_cursor || !m_state.visible().contains(*m_cursor)) {
        return;
    }
    const style::Theme& theme = style::Theme::current();
    const TimeCoordinates at = coordinates();
    const TimeNs since = *m_cursor - m_state.trace()->extent().start;
    const QString text = QString::fromStdString(text::formatDuration(since));
    QRectF area(at.left(), kBadgeTop, at.width(), kBadgeHeight);
    // Beside the chip, which would cover it.
    const double half = painter.fontMetrics().horizontalAdvance(text) / 2.0 + kBadgeGap;
    const QRectF chip = m_chip->isVisible() ? QRectF(m_chip->geometry()) : QRectF();
    const double x = at.x(*m_cursor);
    if (x + half > chip.left() && x - half < chip.right()) {
        if (x > chip.center().x() && chip.right() + 2 * half < area.right()) {
            area.setLeft(chip.right() + kBadgeGap / 2);
        } else {
            area.setRight(chip.left() - kBadgeGap / 2);
        }
    }
    paintBadge(painter, x, area, text, theme.text(), theme.base());
}

}  // namespace kinetoscope::timeline
