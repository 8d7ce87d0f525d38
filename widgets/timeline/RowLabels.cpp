// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/RowLabels.h"

#include <QPainter>
#include <algorithm>

#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"
#include "widgets/timeline/TimelineRows.h"

namespace kinetoscope::timeline {

namespace {

constexpr int kGroupIndent = 20;
constexpr int kTrackIndent = 24;
constexpr int kRightMargin = 8;

/// Points down when the group is open, right when it is collapsed.
void paintTriangle(QPainter& painter, QPointF middle, bool collapsed) {
    const QPolygonF open(
        {middle + QPointF(-4, -2), middle + QPointF(4, -2), middle + QPointF(0, 3)});
    const QPolygonF closed(
        {middle + QPointF(-2, -4), middle + QPointF(3, 0), middle + QPointF(-2, 4)});
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(style::Theme::current().mutedText());
    painter.drawPolygon(collapsed ? closed : open);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void paintRowLabel(QPainter& painter, const TimelineRow& row, const RowMetrics& metrics, int top,
                   int width) {
    const style::Theme& theme = style::Theme::current();
    const bool group = row.kind == RowKind::Group;
    const int left = group ? kGroupIndent : kTrackIndent;
    // A track's label stands beside its first lane, others in the middle of their row.
    QRect box(left, top, width - left - kRightMargin, row.height);
    if (row.kind == RowKind::Slices) {
        box.setTop(top + metrics.rowPadding);
        box.setHeight(metrics.laneHeight);
    }
    QFont font = painter.font();
    font.setBold(group);
    painter.setFont(font);
    painter.setPen(group ? theme.text() : theme.mutedText());
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(style::shownText(std::string_view(row.label)),
                                                      Qt::ElideRight, box.width()));
    painter.fillRect(QRect(0, top + row.height - 1, width, 1), theme.grid());
    if (group) {
        paintTriangle(painter, QPointF(11.0, top + row.height / 2.0), row.collapsed);
    }
}

}  // namespace

void paintRowLabels(QPainter& painter, const TimelineRows& rows, int scroll, QSize size) {
    const style::Theme& theme = style::Theme::current();
    painter.fillRect(QRect(QPoint(0, 0), size), theme.raised());
    const auto& all = rows.rows();
    for (std::size_t row = rows.rowAt(std::max(0, scroll)).value_or(all.size());
         row < all.size() && all[row].top < scroll + size.height(); ++row) {
        paintRowLabel(painter, all[row], rows.metrics(), all[row].top - scroll, size.width());
    }
    painter.fillRect(QRect(size.width() - 1, 0, 1, size.height()), theme.border());
}

}  // namespace kinetoscope::timeline
