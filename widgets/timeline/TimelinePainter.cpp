// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/TimelinePainter.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "core/text/Format.h"
#include "widgets/timeline/MarkedColumns.h"

namespace kinetoscope::timeline {

namespace {

// Where slices are too short for a column of their own, the column is a pale one with a full part
// from the bottom, as high as the fraction of the time that is covered.
constexpr double kPale = 0.4;
constexpr double kMinRows = 2.0;   // logical pixels of the full part, however little is covered
constexpr double kDimmed = 0.22;   // of the colour of slices that are not the highlighted name
constexpr int kGapFrom = 3;        // columns from which on a slice leaves one free at its end
constexpr int kRoundFrom = 8;      // columns from which on a slice has round corners
constexpr double kTextMargin = 4;  // logical pixels beside a slice's name

QRgb* lineAt(QImage& image, int x, int y) {
    return reinterpret_cast<QRgb*>(image.scanLine(y)) + x;
}

void fillBox(QImage& image, const QRect& box, QRgb color) {
    const QRect inside = box & image.rect();
    for (int y = inside.top(); y <= inside.bottom(); ++y) {
        std::fill_n(lineAt(image, inside.left(), y), inside.width(), color);
    }
}

}  // namespace

void TimelinePainter::reset(std::shared_ptr<const trace::Trace> trace, const style::Theme& theme,
                            const QFont& font, double scale) {
    m_trace = std::move(trace);
    m_theme = theme;
    m_scale = scale;
    m_colors.reset(m_trace, theme);
    m_shortNames.clear();
    QFont device = font;
    device.setPixelSize(static_cast<int>(std::lround(font.pixelSize() * scale)));
    m_labels.reset(device);
    m_font = device;
}

QRgb TimelinePainter::itemColor(const query::ViewItem& item) {
    const QRgb color = m_colors.fill(item.name, item.category);
    const bool dimmed = m_emphasis ? item.count > 1 || !m_emphasis->has(item.slice)
                                   : m_highlight && item.name != *m_highlight;
    return dimmed ? mixRgb(m_theme.base().rgb(), color, kDimmed) : color;
}

void TimelinePainter::paint(QImage& image, const QRect& area, const TimelineGeometry& geometry,
                            const TimelineRows& rows, const std::vector<int>& gridColumns) {
    m_line.assign(static_cast<std::size_t>(area.width()), m_theme.base().rgb());
    for (const int column : gridColumns) {
        m_line[static_cast<std::size_t>(column)] = m_theme.grid().rgb();
    }
    const std::vector<QRgb> ground = m_line;
    const int split = area.top() + geometry.spec.clipTop(false);
    for (const bool pinned : {false, true}) {
        const QRect clip(QPoint(area.left(), pinned ? area.top() : split),
                         QPoint(area.right(), pinned ? split - 1 : area.bottom()));
        for (int y = clip.top(); y <= clip.bottom(); ++y) {
            std::copy(ground.begin(), ground.end(), lineAt(image, area.left(), y));
        }
        if (!clip.isEmpty()) {
            paintPart(image, area, clip, geometry, rows, pinned);
        }
    }
}

void TimelinePainter::paintPart(QImage& image, const QRect& area, const QRect& clip,
                                const TimelineGeometry& geometry, const TimelineRows& rows,
                                bool pinned) {
    paintRows(image, area, clip, geometry, rows, pinned);
    if (m_trace) {
        for (const LaneStrip& strip : geometry.lanes) {
            if ((strip.row < geometry.pinnedRows) == pinned) {
                paintStrip(image, area, clip, strip);
                if (m_emphasis) {
                    paintEmphasis(image, area, clip, strip, geometry, rows.rows()[strip.row].track);
                }
            }
        }
        for (const GroupStrip& strip : geometry.groups) {
            if (!pinned) {
                paintGroup(image, area, clip, strip);
            }
        }
        QPainter painter(&image);
        painter.setClipRect(clip);
        if (m_named) {
            paintLabels(painter, area, geometry, pinned);
        }
        paintInstants(painter, area, geometry, pinned);
        for (const CounterStrip& strip : geometry.counters) {
            if ((strip.row < geometry.pinnedRows) == pinned) {
                paintCounter(painter, area, strip, geometry.spec.columns);
            }
        }
        for (const CounterStrip& strip : geometry.counters) {
            if (strip.isFirst && (strip.row < geometry.pinnedRows) == pinned) {
                paintScale(painter, area, strip, rows.rows()[strip.row].track);
            }
        }
    }
    if (pinned) {
        fillBox(image, QRect(clip.left(), clip.bottom(), clip.width(), 1), m_theme.border().rgb());
    }
}

void TimelinePainter::paintRows(QImage& image, const QRect& area, const QRect& clip,
                                const TimelineGeometry& geometry, const TimelineRows& rows,
                                bool pinned) const {
    const GeometrySpec& spec = geometry.spec;
    for (const std::size_t row : rows.inView(spec.view())) {
        const TimelineRow& one = rows.rows()[row];
        if (one.pinned != pinned) {
            continue;
        }
        const auto deviceY = [&](int y) {
            return area.top() +
                   static_cast<int>(std::lround((y + rows.shift(one, spec.view())) * spec.scale));
        };
        const int top = deviceY(one.top);
        const int bottom = deviceY(one.bottom());
        if (one.kind == RowKind::Group) {
            fillBox(image, QRect(area.left(), top, area.width(), bottom - top) & clip,
                    m_theme.raised().rgb());
        }
        fillBox(image, QRect(area.left(), bottom - 1, area.width(), 1) & clip,
                m_theme.grid().rgb());
    }
}

int TimelinePainter::fullRows(const query::ViewItem& item, const LaneStrip& strip) const {
    const int height = strip.bottom - strip.top;
    const int least = static_cast<int>(std::lround(kMinRows * m_scale));
    return std::clamp(static_cast<int>(std::lround(static_cast<double>(item.busy) * height)),
                      std::min(least, height), height);
}

void TimelinePainter::paintStrip(QImage& image, const QRect& area, const QRect& clip,
                                 const LaneStrip& strip) {
    const int top = std::max(clip.top(), area.top() + strip.top);
    const int bottom = std::min(clip.bottom() + 1, area.top() + strip.bottom);
    if (top >= bottom || strip.items.empty()) {
        return;
    }
    std::copy_n(lineAt(image, area.left(), top), area.width(), m_line.begin());
    m_crowded.clear();
    for (const query::ViewItem& item : strip.items) {
        const int gap = item.last - item.first >= kGapFrom ? 1 : 0;
        QRgb color = itemColor(item);
        if (item.busy < 1.0F) {
            m_crowded.push_back({item.first, item.last, fullRows(item, strip), color});
            color = mixRgb(m_theme.base().rgb(), color, kPale);
        }
        std::fill(m_line.begin() + item.first, m_line.begin() + item.last - gap, color);
    }
    for (int y = top; y < bottom; ++y) {
        const int fromBottom = area.top() + strip.bottom - y;
        for (const Crowded& column : m_crowded) {
            if (column.rows == fromBottom || (y == top && column.rows > fromBottom)) {
                std::fill(m_line.begin() + column.first, m_line.begin() + column.last,
                          column.color);
            }
        }
        std::copy(m_line.begin(), m_line.end(), lineAt(image, area.left(), y));
    }
    const QRgb under = m_theme.base().rgb();
    for (const query::ViewItem& item : strip.items) {
        if (item.last - item.first < kRoundFrom) {
            continue;
        }
        const QRgb corner = mixRgb(under, itemColor(item), 0.4);
        for (const int y : {area.top() + strip.top, area.top() + strip.bottom - 1}) {
            if (y >= top && y < bottom) {
                *lineAt(image, area.left() + item.first, y) = corner;
                *lineAt(image, area.left() + item.last - 2, y) = corner;
            }
        }
    }
}

// Where many slices share a column the item stands for the longest: it is drawn pale, and over it
// the emphasised ones among them.
void TimelinePainter::paintEmphasis(QImage& image, const QRect& area, const QRect& clip,
                                    const LaneStrip& strip, const TimelineGeometry& geometry,
                                    trace::TrackId track) {
    const GeometrySpec& spec = geometry.spec;
    for (const MarkedColumns& box :
         markedColumns(*m_trace, m_emphasis->on(track, strip.lane), spec.visible, spec.columns)) {
        if (box.last - box.first < kGapFrom) {
            fillBox(image,
                    QRect(area.left() + box.first, area.top() + strip.top, box.last - box.first,
                          strip.bottom - strip.top) &
                        clip,
                    m_colors.fill(m_trace->nameId(box.slice), m_trace->categoryId(box.slice)));
        }
    }
}

void TimelinePainter::paintNames(QPainter& painter, const QRect& area,
                                 const TimelineGeometry& geometry) {
    if (m_trace) {
        paintLabels(painter, area, geometry, false);
        paintLabels(painter, area, geometry, true);
    }
}

void TimelinePainter::paintLabels(QPainter& painter, const QRect& area,
                                  const TimelineGeometry& geometry, bool pinned) {
    const int margin = static_cast<int>(std::lround(kTextMargin * m_scale));
    for (const LaneStrip& strip : geometry.lanes) {
        if ((strip.row < geometry.pinnedRows) != pinned) {
            continue;
        }
        for (const query::ViewItem& item : strip.items) {
            const int width = item.last - item.first - 2 * margin;
            if (width <= 2 * margin) {
                continue;
            }
            const QRgb fill = itemColor(item);
            m_labels.draw(painter, item.name, labelText(item), m_colors.textOn(fill),
                          {area.left() + item.first + margin, area.top() + strip.top, width,
                           strip.bottom - strip.top});
        }
    }
}

const std::string& TimelinePainter::labelText(const query::ViewItem& item) {
    const auto known = m_shortNames.constFind(item.name);
    if (known != m_shortNames.constEnd()) {
        return *known;
    }
    // Only kernels have template arguments that hide the name; "aten::mm" stays as it is.
    const std::string_view name = m_trace->text(item.name);
    const bool kernel = trace::categoryKind(item.category) == trace::Category::Kernel;
    return *m_shortNames.insert(item.name,
                                kernel ? text::shortKernelName(name) : std::string(name));
}

void TimelinePainter::paintInstants(QPainter& painter, const QRect& area,
                                    const TimelineGeometry& geometry, bool pinned) {
    painter.setRenderHint(QPainter::Antialiasing);
    const auto& all = geometry.instants;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const InstantMark& mark = all[i];
        if ((mark.row < geometry.pinnedRows) != pinned) {
            continue;
        }
        const double half = std::min(4.0 * m_scale, 0.5 * (mark.bottom - mark.top));
        const QColor fill = QColor::fromRgb(m_colors.instant(m_trace->instants()[mark.instant]));
        if (mark.isGlobal) {
            QColor line = fill;
            line.setAlphaF(0.5F);
            painter.fillRect(QRectF(area.left() + mark.column, area.top(), m_scale, area.height()),
                             line);
        }
        // Dense marks read better as lines than as diamonds.
        const auto isClose = [&](std::size_t other) {
            return all[other].row == mark.row &&
                   std::abs(all[other].column - mark.column) <= 2.0 * half;
        };
        if ((i > 0 && isClose(i - 1)) || (i + 1 < all.size() && isClose(i + 1))) {
            painter.fillRect(QRectF(area.left() + mark.column, area.top() + mark.top, m_scale,
                                    mark.bottom - mark.top),
                             fill);
            continue;
        }
        const QPointF middle(area.left() + mark.column + 0.5,
                             area.top() + 0.5 * (mark.top + mark.bottom));
        const QPolygonF diamond({middle + QPointF(0, -half), middle + QPointF(half, 0),
                                 middle + QPointF(0, half), middle + QPointF(-half, 0)});
        painter.setBrush(fill);
        painter.setPen(Qt::NoPen);
        painter.drawPolygon(diamond);
    }
}

void TimelinePainter::paintCounter(QPainter& painter, const QRect& area, const CounterStrip& strip,
                                   int columns) const {
    if (strip.columns.empty()) {
        return;
    }
    const auto yOf = [&](double value) { return area.top() + counterY(strip, value); };
    const auto xOf = [&](std::size_t i) { return area.left() + strip.columns[i].column + 0.5; };
    QPainterPath line(QPointF(xOf(0), yOf(strip.columns.front().least)));
    QPainterPath fill(QPointF(xOf(0), yOf(0.0)));
    for (std::size_t i = 0; i < strip.columns.size(); ++i) {
        const query::CounterColumn& column = strip.columns[i];
        const double end =
            i + 1 < strip.columns.size() ? xOf(i + 1) : static_cast<double>(area.left() + columns);
        line.lineTo(xOf(i), yOf(column.least));
        line.lineTo(xOf(i), yOf(column.most));
        line.lineTo(xOf(i), yOf(column.last));
        line.lineTo(end, yOf(column.last));
        fill.lineTo(xOf(i), yOf(column.last));
        fill.lineTo(end, yOf(column.last));
    }
    fill.lineTo(area.left() + columns, yOf(0.0));
    const std::string_view name = m_trace->text(strip.series->name);
    const QColor color = m_theme.nameColor(name).darker(m_theme.isDark() ? 100 : 120);
    QColor pale = color;
    pale.setAlphaF(0.25F);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillPath(fill, pale);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, m_scale));
    painter.drawPath(line);
}

// The ends of the scale, at the left of the row.
void TimelinePainter::paintScale(QPainter& painter, const QRect& area, const CounterStrip& strip,
                                 trace::TrackId track) const {
    painter.setFont(m_font);
    const QFontMetrics metrics(m_font);
    const bool bytes = query::countsBytes(*m_trace, track, strip.series->name);
    const auto label = [&](double value, int top) {
        const QString text = QString::fromStdString(text::formatQuantity(value, bytes));
        const int margin = static_cast<int>(std::lround(kTextMargin * m_scale));
        const QRect box(area.left(), area.top() + top, metrics.horizontalAdvance(text) + 2 * margin,
                        metrics.height());
        QColor under = m_theme.base();
        under.setAlphaF(0.8F);
        painter.fillRect(box, under);
        painter.setPen(m_theme.mutedText());
        painter.drawText(box, Qt::AlignCenter, text);
    };
    label(strip.scale.most, strip.top);
    if (strip.bottom - strip.top >= 2 * metrics.height()) {
        label(strip.scale.least, strip.bottom - metrics.height());
    }
}

// As high as the share of the column in which something ran, at least one pixel where anything did.
void TimelinePainter::paintGroup(QImage& image, const QRect& area, const QRect& clip,
                                 const GroupStrip& strip) const {
    const int height = strip.bottom - strip.top;
    const QRgb color = mixRgb(m_theme.raised().rgb(), m_theme.busy().rgb(), 0.7);
    for (std::size_t column = 0; column < strip.busy.size(); ++column) {
        const float share = std::min(strip.busy[column], 1.0F);
        if (share > 0.0F && height > 0) {
            const int full = std::clamp(
                static_cast<int>(std::lround(share * static_cast<float>(height))), 1, height);
            fillBox(image,
                    QRect(area.left() + static_cast<int>(column), area.top() + strip.bottom - full,
                          1, full) &
                        clip,
                    color);
        }
    }
}

}  // namespace kinetoscope::timeline
