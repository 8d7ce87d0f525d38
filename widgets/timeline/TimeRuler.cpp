// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/TimeRuler.h"

#include <QPainter>
#include <cmath>

#include "core/text/Format.h"
#include "widgets/session/ViewState.h"
#include "widgets/style/Theme.h"
#include "widgets/timeline/TimeTicks.h"

namespace kinetoscope::timeline {

namespace {

constexpr int kHeight = 28;
constexpr int kTickHeight = 6;

/// A text on a rounded background, centred on x but inside [left, right].
void drawBadge(QPainter& painter, double x, double left, double right, int height,
               const QString& text, const QColor& background, const QColor& color) {
    const double width = painter.fontMetrics().horizontalAdvance(text) + 12.0;
    const double from = std::clamp(x - width / 2, left, std::max(left, right - width));
    const QRectF box(from, 4.0, width, height - 10.0);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(background);
    painter.drawRoundedRect(box, 4.0, 4.0);
    painter.setPen(color);
    painter.drawText(box, Qt::AlignCenter, text);
}

}  // namespace

TimeRuler::TimeRuler(session::ViewState& state, QWidget* parent) : QWidget(parent), m_state(state) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const auto repaint = [this] { update(); };
    connect(&state, &session::ViewState::traceChanged, this, repaint);
    connect(&state, &session::ViewState::traceGrown, this, repaint);
    connect(&state, &session::ViewState::visibleChanged, this, repaint);
    connect(&state, &session::ViewState::rangeChanged, this, repaint);
}

void TimeRuler::setMargins(int left, int right) {
    m_left = left;
    m_right = right;
    update();
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
        painter.setPen(theme.mutedText());
        painter.drawText(QPointF(x + 4, height() - kTickHeight - 4),
                         QString::fromStdString(tick.label));
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
            ? QString::fromStdString(text::formatDuration(at.visible().duration())) +
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
    const double to = at.x(range->end);
    painter.setClipRect(m_left, 0, width() - m_left - m_right, height());
    painter.fillRect(QRectF(from, 0, to - from, height() - 1), theme.rangeFill());
    const double left = std::clamp(from, at.left(), at.left() + at.width());
    const double right = std::clamp(to, at.left(), at.left() + at.width());
    drawBadge(painter, (left + right) / 2, at.left(), at.left() + at.width(), height(),
              QString::fromStdString(text::formatDuration(range->duration())), theme.accent(),
              theme.textOn(theme.accent()));
}

void TimeRuler::paintCursor(QPainter& painter) const {
    if (!m_cursor || !m_state.visible().contains(*m_cursor)) {
        return;
    }
    const style::Theme& theme = style::Theme::current();
    const TimeCoordinates at = coordinates();
    const TimeNs since = *m_cursor - m_state.trace()->extent().start;
    drawBadge(painter, at.x(*m_cursor), at.left(), at.left() + at.width(), height(),
              QString::fromStdString(text::formatDuration(since)), theme.text(), theme.base());
}

}  // namespace kinetoscope::timeline
