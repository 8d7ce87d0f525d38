// SPDX-License-Identifier: GPL-3.0-or-later
// Painting of the timeline of ranks.
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "core/ranks/view/JobWords.h"
#include "core/text/Format.h"
#include "widgets/job/RankTimeline.h"
#include "widgets/job/TimelineSizes.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"
#include "widgets/timeline/SliceColors.h"
#include "widgets/timeline/TimeTicks.h"

namespace kinetoscope::job {

using ranks::view::BusyShare;
using ranks::view::CollectiveMark;
using ranks::view::RankPicture;
using timeline::mixRgb;

namespace {

constexpr double kTickSpacing = 110.0;
constexpr int kMargin = 8;
constexpr double kDot = 2.5;
constexpr double kLastMark = 5.5;

}  // namespace

int RankTimeline::device(double logical) const {
    return static_cast<int>(std::lround(logical * devicePixelRatioF()));
}

void RankTimeline::fill(const QRect& box, QRgb color) {
    const QRect inside = box & m_canvas.rect();
    for (int y = inside.top(); y <= inside.bottom(); ++y) {
        std::fill_n(reinterpret_cast<QRgb*>(m_canvas.scanLine(y)) + inside.left(), inside.width(),
                    color);
    }
}

void RankTimeline::paintEvent(QPaintEvent* /*event*/) {
    const QSize wanted(device(viewport()->width()), device(viewport()->height()));
    if (m_canvas.size() != wanted) {
        m_canvas = QImage(wanted, QImage::Format_RGB32);
    }
    m_canvas.setDevicePixelRatio(1.0);
    paintRows();
    m_canvas.setDevicePixelRatio(devicePixelRatioF());
    QPainter painter(viewport());
    painter.drawImage(QPointF(0, 0), m_canvas);
    painter.setFont(smallFont(font()));
    paintOverlay(painter);
}

void RankTimeline::paintRows() {
    const style::Theme& theme = style::Theme::current();
    m_canvas.fill(theme.base().rgb());
    const timeline::TimeCoordinates at = coordinates();
    m_grid.clear();
    const auto ticks =
        timeline::timeTicks(at.visible(), m_state.shown().extent.start, at.width(), kTickSpacing);
    const int columns = m_canvas.width() - device(kLabels);
    for (const timeline::TimeTick& tick : ticks.ticks) {
        const int x = device(at.x(tick.time) - kLabels);
        if (x >= 0 && x < columns) {
            m_grid.push_back(x);
            fill({device(kLabels) + x, device(kRuler), 1, m_canvas.height()}, theme.grid().rgb());
        }
    }
    const auto& rows = m_state.rows();
    for (std::size_t row = m_rows.firstBelow(verticalScrollBar()->value()); row < rows.size();
         ++row) {
        const int top = rowTop(row);
        if (top >= viewport()->height()) {
            break;
        }
        if (!rows[row].isHeading()) {
            paintStrip(rows[row].record, top);
            paintMarks(rows[row].record, top);
            paintDetail(rows[row].record, top);
        }
        fill({0, device(top + m_rows.height(row)) - 1, m_canvas.width(), 1}, theme.grid().rgb());
    }
}

// Computation from the bottom, communication and copies beside it above.
void RankTimeline::paintStrip(std::size_t record, int top) {
    const style::Theme& theme = style::Theme::current();
    const RankPicture& rank = m_state.shown().ranks[record];
    const TimeSpan own = m_state.shown().onRank(record, m_state.visible());
    const int left = device(kLabels);
    m_columns.resize(static_cast<std::size_t>(std::max(0, m_canvas.width() - left)));
    rank.busy.draw(m_state.job().records[record], own, m_columns);
    const int bottom = device(top + 1 + stripHeight());
    const int height = device(stripHeight());
    const std::array colors{theme.compute().rgb(), theme.communication().rgb(),
                            theme.copies().rgb()};
    for (std::size_t column = 0; column < m_columns.size(); ++column) {
        const BusyShare share = m_columns[column];
        int used = 0;
        for (const auto& [part, color] :
             {std::pair(share.compute, colors[0]), std::pair(share.communication, colors[1]),
              std::pair(share.copies, colors[2])}) {
            if (part > 0) {
                const int full = std::min(height - used, std::max(1, (part * height + 127) / 255));
                fill({left + static_cast<int>(column), bottom - used - full, 1, full}, color);
                used += full;
            }
        }
    }
}

// Thin while it waited, full once all had come. Of many in one column the first is drawn.
void RankTimeline::paintMarks(std::size_t record, int top) {
    const style::Theme& theme = style::Theme::current();
    const RankPicture& rank = m_state.shown().ranks[record];
    const timeline::TimeCoordinates at = coordinates();
    const TimeSpan visible = m_state.visible();
    const int upper = device(top + 1 + stripHeight());
    const int height = std::max(2, device(marksHeight(m_rowHeight)));
    const int left = device(kLabels);
    const QRgb took = theme.communication().darker(theme.isDark() ? 100 : 115).rgb();
    const QRgb waited = theme.warning().rgb();
    const QRgb chosen = theme.highlight().rgb();
    const QRgb alone = theme.mutedText().rgb();
    const auto columnOf = [&](TimeNs time) {
        const double x = std::clamp(at.x(time), static_cast<double>(kLabels),
                                    static_cast<double>(viewport()->width()));
        return device(x);
    };
    for (std::size_t i = rank.firstMark(visible.start);
         i < rank.marks.size() && rank.marks[i].span.start < visible.end;) {
        const CollectiveMark& mark = rank.marks[i];
        if (mark.span.end <= visible.start) {
            ++i;
            continue;
        }
        const int from = std::max(left, columnOf(mark.span.start));
        const int to = std::max(from + 1, columnOf(mark.span.end));
        const int arrived = std::clamp(columnOf(mark.lastArrival), from, to);
        const bool isMatched = mark.collective != CollectiveMark::kUnmatched;
        const bool isChosen = isMatched && m_state.collective() == mark.collective;
        const int thin = std::max(1, height / 3);
        fill({from, upper + (height - thin) / 2, arrived - from, thin}, isChosen ? chosen : waited);
        fill({arrived, upper, to - arrived, height}, isChosen ? chosen : isMatched ? took : alone);
        if (to - from > 1) {
            ++i;
            continue;
        }
        const TimeNs next = at.time((from + 1) / devicePixelRatioF());
        const auto behind = std::lower_bound(
            rank.marks.begin() + static_cast<std::ptrdiff_t>(i) + 1, rank.marks.end(), next,
            [](const CollectiveMark& one, TimeNs time) { return one.span.start < time; });
        i = static_cast<std::size_t>(behind - rank.marks.begin());
    }
}

void RankTimeline::paintDetail(std::size_t record, int top) {
    const auto opened = m_opened.find(record);
    if (opened == m_opened.end()) {
        return;
    }
    const int first = top + m_rowHeight;
    const int from = std::max(first, kRuler);
    const int to = std::min(first + opened->second->height(), viewport()->height());
    if (to <= from) {
        return;
    }
    timeline::GeometrySpec spec;
    spec.visible = m_state.shown().onRank(record, m_state.visible());
    spec.columns = m_canvas.width() - device(kLabels);
    spec.scroll = from - first;
    spec.height = to - from;
    spec.scale = devicePixelRatioF();
    const QRect area(device(kLabels), device(from), spec.columns, device(to) - device(from));
    if (spec.columns > 0 && !(area & m_canvas.rect()).isEmpty()) {
        opened->second->paint(m_canvas, area & m_canvas.rect(), spec, m_grid);
    }
}

void RankTimeline::paintOverlay(QPainter& painter) {
    painter.save();
    painter.setClipRect(QRect(QPoint(kLabels, kRuler), viewport()->rect().bottomRight()));
    paintStep(painter);
    paintCollective(painter);
    painter.restore();
    paintLabels(painter);
    paintRuler(painter);
}

void RankTimeline::paintStep(QPainter& painter) {
    const auto cell = m_state.cell();
    if (!cell) {
        return;
    }
    const TimeSpan span = m_state.shown().stepSpan(cell->record, cell->step);
    if (span.empty()) {
        return;
    }
    const timeline::TimeCoordinates at = coordinates();
    const QRectF box(at.x(span.start), rowTop(m_state.rowOf(cell->record)),
                     at.x(span.end) - at.x(span.start), m_rowHeight - 1);
    painter.fillRect(box, style::Theme::current().rangeFill());
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(style::Theme::current().selection(), 1));
    painter.drawRect(box);
}

void RankTimeline::paintCollective(QPainter& painter) {
    const auto chosen = m_state.collective();
    m_lastSign = {};
    if (!chosen) {
        return;
    }
    const style::Theme& theme = style::Theme::current();
    const ranks::Job& job = m_state.job();
    const auto& members = job.matching.collectives[*chosen].members;
    struct Arrival {
        std::size_t row;
        QPointF at;
        bool isLast;
    };
    std::vector<Arrival> arrivals;
    const timeline::TimeCoordinates time = coordinates();
    for (std::size_t m = 0; m < members.size(); ++m) {
        const auto [record, call] = members[m];
        const TimeNs start =
            m_state.shown().onJob(record, job.records[record].collectives[call].span).start;
        const QRect row = marksRect(record);
        arrivals.push_back({m_state.rowOf(record),
                            {time.x(start), row.top() + row.height() / 2.0},
                            m == job.waits[*chosen].last});
    }
    std::ranges::sort(arrivals, {}, &Arrival::row);
    QPolygonF line;
    for (const Arrival& arrival : arrivals) {
        line.append(arrival.at);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.base(), 4));
    painter.drawPolyline(line);
    painter.setPen(QPen(theme.highlight(), 1.5));
    painter.drawPolyline(line);
    for (const Arrival& arrival : arrivals) {
        painter.setPen(QPen(theme.base(), 1));
        painter.setBrush(theme.highlight());
        if (!arrival.isLast) {
            painter.drawEllipse(arrival.at, kDot, kDot);
            continue;
        }
        paintLast(painter, arrival.at, job.records[members[job.waits[*chosen].last].record].rank);
    }
}

// Where its row is out of sight, at the edge behind which it lies.
void RankTimeline::paintLast(QPainter& painter, QPointF at, std::int64_t rank) {
    const style::Theme& theme = style::Theme::current();
    const QFontMetricsF metrics(painter.font());
    const double half = metrics.height() / 2 + 2;
    const bool isAbove = at.y() < kRuler;
    const bool isBelow = at.y() > viewport()->height();
    QString text = tr("last: rank %1").arg(rank);
    if (isAbove || isBelow) {
        text += isAbove ? QStringLiteral(" ↑") : QStringLiteral(" ↓");
        at.setY(isAbove ? kRuler + half : viewport()->height() - half);
    } else {
        painter.setPen(QPen(theme.base(), 1));
        painter.setBrush(theme.error());
        painter.drawPolygon(QPolygonF({at + QPointF(0, -kLastMark), at + QPointF(kLastMark, 0),
                                       at + QPointF(0, kLastMark), at + QPointF(-kLastMark, 0)}));
    }
    m_lastSign = QRectF(at.x() + 2 * kLastMark, at.y() - metrics.height() / 2,
                        metrics.horizontalAdvance(text) + kMargin, metrics.height());
    if (m_lastSign.right() > viewport()->width()) {
        m_lastSign.moveRight(at.x() - 2 * kLastMark);
    }
    painter.setBrush(theme.base());
    painter.setPen(QPen(theme.error(), 1));
    painter.drawRoundedRect(m_lastSign, 3, 3);
    painter.setPen(theme.text());
    painter.drawText(m_lastSign, Qt::AlignCenter, text);
}

void RankTimeline::paintLabels(QPainter& painter) {
    const style::Theme& theme = style::Theme::current();
    painter.fillRect(0, kRuler, kLabels, viewport()->height() - kRuler, theme.raised());
    painter.fillRect(kLabels - 1, kRuler, 1, viewport()->height() - kRuler, theme.border());
    painter.save();
    painter.setClipRect(0, kRuler, viewport()->width(), viewport()->height() - kRuler);
    const auto& rows = m_state.rows();
    for (std::size_t row = m_rows.firstBelow(verticalScrollBar()->value()); row < rows.size();
         ++row) {
        const int top = rowTop(row);
        if (top >= viewport()->height()) {
            break;
        }
        if (rows[row].isHeading()) {
            const QRect line(0, top, viewport()->width(), kHeadingRow);
            painter.fillRect(line, theme.raised());
            painter.setPen(theme.text());
            painter.drawText(line.adjusted(kMargin, 0, -kMargin, 0), Qt::AlignVCenter,
                             style::shownText(std::string_view(rows[row].heading), 200));
        } else {
            paintRowLabel(painter, row, top);
        }
    }
    painter.restore();
}

void RankTimeline::paintRowLabel(QPainter& painter, std::size_t row, int top) {
    const style::Theme& theme = style::Theme::current();
    const std::size_t record = m_state.rows()[row].record;
    const ranks::RankRecord& one = m_state.job().records[record];
    const auto opened = m_opened.find(record);
    if (m_current == record) {
        painter.fillRect(0, top, kLabels - 1, m_rowHeight - 1, theme.rangeFill());
    }
    const double middle = top + m_rowHeight / 2.0;
    const double half = std::min(4.0, m_rowHeight / 3.0);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.mutedText());
    const QPointF at(kMargin + 3, middle);
    painter.drawPolygon(opened != m_opened.end()
                            ? QPolygonF({at + QPointF(-half, -half / 2),
                                         at + QPointF(half, -half / 2), at + QPointF(0, half)})
                            : QPolygonF({at + QPointF(-half / 2, -half), at + QPointF(half, 0),
                                         at + QPointF(-half / 2, half)}));
    const QFontMetrics metrics(painter.font());
    if (m_rowHeight >= metrics.height() - 2) {
        const QString rank = tr("rank %1").arg(one.rank);
        const bool isRead = std::ranges::count(m_wanted, record) > 0;
        const QString beside =
            isRead ? tr("opening…") : style::shownText(std::string_view(one.host), 60);
        const QRect line(kToggle, top, kLabels - kToggle - kMargin, m_rowHeight - 1);
        const int width = metrics.horizontalAdvance(rank) + kMargin;
        painter.setPen(theme.text());
        painter.drawText(line, Qt::AlignVCenter, rank);
        painter.setPen(theme.mutedText());
        painter.drawText(line.adjusted(width, 0, 0, 0), Qt::AlignVCenter | Qt::AlignRight,
                         metrics.elidedText(beside, Qt::ElideRight, line.width() - width));
    }
    if (opened == m_opened.end()) {
        return;
    }
    for (const OpenedRank::Label& label : opened->second->labels()) {
        const QRect line(kToggle + (label.isHeading ? 0 : kMargin), top + m_rowHeight + label.top,
                         kLabels - kToggle - 2 * kMargin, label.height);
        if (line.bottom() >= kRuler && line.top() < viewport()->height()) {
            painter.setPen(theme.mutedText());
            painter.drawText(
                line, Qt::AlignVCenter,
                metrics.elidedText(style::shownText(label.text), Qt::ElideRight, line.width()));
        }
    }
}

void RankTimeline::paintRuler(QPainter& painter) {
    const style::Theme& theme = style::Theme::current();
    const timeline::TimeCoordinates at = coordinates();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(0, 0, viewport()->width(), kRuler, theme.raised());
    painter.fillRect(0, kRuler - 1, viewport()->width(), 1, theme.border());
    const auto ticks =
        timeline::timeTicks(at.visible(), m_state.shown().extent.start, at.width(), kTickSpacing);
    const QString shown = ticks.anchorLabel.empty()
                              ? tr("%1 in view")
                                    .arg(models::toText(text::formatDuration(
                                        m_state.shown().extent.clip(at.visible()).duration())))
                              : models::toText(ticks.anchorLabel) + QStringLiteral(" +");
    painter.setPen(theme.mutedText());
    painter.drawText(QRect(kMargin, 0, kLabels - 2 * kMargin, kRuler - 1),
                     Qt::AlignRight | Qt::AlignVCenter, shown);
    painter.save();
    painter.setClipRect(kLabels, 0, viewport()->width() - kLabels, kRuler);
    for (const timeline::TimeTick& tick : ticks.ticks) {
        const double x = std::floor(at.x(tick.time));
        painter.fillRect(QRectF(x, kRuler - 7, 1, 6), theme.mutedText());
        const QString label = models::toText(tick.label);
        if (x + 4 + painter.fontMetrics().horizontalAdvance(label) <= viewport()->width()) {
            painter.drawText(QPointF(x + 4, kRuler - 9), label);
        }
    }
    painter.restore();
}

}  // namespace kinetoscope::job
