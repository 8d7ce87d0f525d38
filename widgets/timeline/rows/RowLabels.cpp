// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/rows/RowLabels.h"

#include <QPainter>
#include <algorithm>

#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

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

struct Place {
    int top;       ///< of the row on screen
    int clearTop;  ///< what is above covers the row
    int width;
};

/// A pin's head and needle.
void paintPin(QPainter& painter, QPointF middle) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style::Theme::current().mutedText(), 1.2));
    painter.setBrush(style::Theme::current().mutedText());
    painter.drawEllipse(middle - QPointF(0, 2), 2.6, 2.6);
    painter.drawLine(middle, middle + QPointF(0, 5));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

QString labelText(const TimelineRows& rows, const TimelineRow& row) {
    std::string text = row.label;
    // Outside its group a row has to name it.
    if (const TimelineRow* heading = row.pinned ? rows.find(row.group) : nullptr) {
        text += " · " + heading->label;
    }
    return style::shownText(std::string_view(text));
}

void paintRowLabel(QPainter& painter, const TimelineRows& rows, const TimelineRow& row,
                   const Place& place) {
    const style::Theme& theme = style::Theme::current();
    const RowMetrics& metrics = rows.metrics();
    const bool group = row.kind == RowKind::Group;
    const int left = group ? kGroupIndent : kTrackIndent;
    // A track's label stands beside its first lane on screen, others in the middle of their row.
    QRect box(left, place.top, place.width - left - kRightMargin, row.height);
    if (row.kind == RowKind::Slices) {
        const int first = place.top + metrics.rowPadding;
        const int last = place.top + row.height - metrics.rowPadding - metrics.laneHeight;
        box.setTop(std::clamp(place.clearTop, first, std::max(first, last)));
        box.setHeight(metrics.laneHeight);
    }
    QFont font = painter.font();
    font.setBold(group);
    painter.setFont(font);
    painter.setPen(group ? theme.text() : theme.mutedText());
    painter.drawText(
        box, Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(labelText(rows, row), Qt::ElideRight, box.width()));
    painter.fillRect(QRect(0, place.top + row.height - 1, place.width, 1), theme.grid());
    if (group) {
        paintTriangle(painter, QPointF(11.0, place.top + row.height / 2.0), row.collapsed);
    } else if (row.pinned) {
        paintPin(painter, QPointF(12.0, box.center().y()));
    }
}

}  // namespace

std::optional<StickyLabel> stickyLabel(const TimelineRows& rows, const RowView& view) {
    const auto& all = rows.rows();
    const auto first = rows.rowAt(rows.pinnedHeight() + std::max(0, view.scroll));
    if (!first || all[*first].pinned || view.scroll <= 0) {
        return std::nullopt;
    }
    std::size_t heading = *first;
    while (heading > 0 && all[heading].kind != RowKind::Group) {
        --heading;
    }
    if (all[heading].kind != RowKind::Group ||
        all[heading].top + rows.shift(all[heading], view) >= view.pinned) {
        return std::nullopt;
    }
    StickyLabel label{heading, view.pinned};
    for (std::size_t next = *first + 1; next < all.size(); ++next) {
        const int top = all[next].top + rows.shift(all[next], view);
        if (top >= view.pinned + all[heading].height) {
            break;
        }
        if (all[next].kind == RowKind::Group) {
            label.top = top - all[heading].height;  // pushed away by the next one
            break;
        }
    }
    return label;
}

std::optional<std::size_t> labelAt(const TimelineRows& rows, const RowView& view, int y) {
    const auto sticky = stickyLabel(rows, view);
    if (sticky && y >= view.pinned && y < sticky->top + rows.rows()[sticky->row].height) {
        return sticky->row;
    }
    return rows.rowOnScreen(y, view);
}

void paintRowLabels(QPainter& painter, const TimelineRows& rows, const RowView& view, int width) {
    const style::Theme& theme = style::Theme::current();
    painter.save();
    painter.fillRect(QRect(0, 0, width, view.height), theme.raised());
    const auto sticky = stickyLabel(rows, view);
    const int covered = sticky ? sticky->top + rows.rows()[sticky->row].height : view.pinned;
    const auto paint = [&](std::size_t row, int top, int clearTop) {
        paintRowLabel(painter, rows, rows.rows()[row], {top, clearTop, width});
    };
    for (const std::size_t row : rows.inView(view)) {
        const TimelineRow& one = rows.rows()[row];
        painter.setClipRect(one.pinned ? QRect(0, 0, width, view.pinned)
                                       : QRect(0, covered, width, view.height - covered));
        paint(row, one.top + rows.shift(one, view), one.pinned ? 0 : covered);
    }
    if (sticky) {
        painter.setClipRect(QRect(0, view.pinned, width, view.height - view.pinned));
        paint(sticky->row, sticky->top, sticky->top);
    }
    painter.restore();
    if (view.pinned > 0) {
        painter.fillRect(QRect(0, view.pinned - 1, width, 1), theme.border());
    }
    painter.fillRect(QRect(width - 1, 0, 1, view.height), theme.border());
}

}  // namespace kinetoscope::timeline
