// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/TimelineOverlay.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "core/text/Format.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::timeline {

namespace {

constexpr double kArrowHead = 6.0;

QColor arrowColor(query::FlowKind kind) {
    const style::Theme& theme = style::Theme::current();
    return kind == query::FlowKind::Launch ? theme.highlight() : theme.accent();
}

void paintArrow(QPainter& painter, QPointF from, QPointF to, const QColor& color) {
    const double bend = std::clamp(std::abs(to.x() - from.x()) / 2, 24.0, 160.0);
    QPainterPath path(from);
    path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to - QPointF(kArrowHead, 0));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(style::Theme::current().base(), 3.5));
    painter.drawPath(path);
    painter.setPen(QPen(color, 1.6));
    painter.drawPath(path);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF({to, to + QPointF(-kArrowHead, -kArrowHead / 2),
                                   to + QPointF(-kArrowHead, kArrowHead / 2)}));
}

}  // namespace

void paintRange(QPainter& painter, const QRectF& area, const TimeCoordinates& at, TimeSpan range) {
    const style::Theme& theme = style::Theme::current();
    const double from = std::clamp(at.x(range.start), area.left(), area.right());
    const double to = std::clamp(at.x(range.end), area.left(), area.right());
    painter.fillRect(QRectF(from, area.top(), to - from, area.height()), theme.rangeFill());
    for (const double x : {at.x(range.start), at.x(range.end)}) {
        if (x >= area.left() && x < area.right() + 1) {
            painter.fillRect(QRectF(std::floor(x), area.top(), 1, area.height()), theme.accent());
        }
    }
}

void paintBadge(QPainter& painter, double x, const QRectF& area, const QString& text,
                const QColor& background, const QColor& color) {
    const double width = painter.fontMetrics().horizontalAdvance(text) + 12.0;
    const double most = std::max(area.left(), area.right() - width);
    const QRectF box(std::clamp(x - width / 2, area.left(), most), area.top(), width,
                     area.height());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(background);
    painter.drawRoundedRect(box, 4.0, 4.0);
    painter.setPen(color);
    painter.drawText(box, Qt::AlignCenter, text);
}

void paintCursor(QPainter& painter, const QRectF& area, const TimeCoordinates& at, TimeNs time) {
    const double x = std::floor(at.x(time));
    if (x < area.left() || x >= area.right()) {
        return;
    }
    QColor color = style::Theme::current().text();
    color.setAlphaF(0.35F);
    painter.fillRect(QRectF(x, area.top(), 1, area.height()), color);
}

void paintHover(QPainter& painter, const QRectF& box) {
    painter.fillRect(box, style::Theme::current().hover());
}

void paintSelection(QPainter& painter, const QRectF& box) {
    const style::Theme& theme = style::Theme::current();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    // On whole pixels, and wide enough to be seen around a slice of hardly any width.
    const double left = std::round(box.left());
    const double right = std::max(std::round(box.right()), left + 2.0);
    const QRectF outline(QPointF(left - 1, box.top() - 1), QPointF(right + 1, box.bottom() + 1));
    painter.setPen(QPen(theme.base(), 4.0));
    painter.drawRoundedRect(outline, 2.0, 2.0);
    painter.setPen(QPen(theme.selection(), 2.0));
    painter.drawRoundedRect(outline, 2.0, 2.0);
}

void paintGap(QPainter& painter, const QRectF& box) {
    const QColor lines = style::Theme::current().selection();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QBrush(lines, Qt::BDiagPattern));
    painter.drawRect(box);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(lines, 1.0));
    painter.drawRect(box.adjusted(0, 0, -1, -1));
}

void paintArrows(QPainter& painter, const std::vector<ArrowBoxes>& arrows) {
    painter.setRenderHint(QPainter::Antialiasing);
    // A graph launch starts thousands of kernels: one arrow for each pixel is enough.
    std::set<std::tuple<int, int, int, int>> drawn;
    for (const ArrowBoxes& arrow : arrows) {
        const QPointF from(arrow.from.right(), arrow.from.center().y());
        const QPointF to(arrow.to.left(), arrow.to.center().y());
        if (drawn.emplace(qRound(from.x()), qRound(from.y()), qRound(to.x()), qRound(to.y()))
                .second) {
            paintArrow(painter, from, to, arrowColor(arrow.kind));
        }
    }
}

}  // namespace kinetoscope::timeline
