// SPDX-License-Identifier: GPL-3.0-or-later
// Painting of the map of blocks.
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/text/Format.h"
#include "widgets/models/Text.h"
#include "widgets/panels/memory/BlockMap.h"
#include "widgets/panels/memory/BlockMapSizes.h"
#include "widgets/style/Theme.h"
#include "widgets/timeline/SliceColors.h"
#include "widgets/timeline/TimeTicks.h"

namespace kinetoscope::panels {

using memory::view::kNothing;
using memory::view::kUntold;
using timeline::mixRgb;

namespace {

constexpr double kTickSpacing = 110.0;
constexpr int kMargin = 6;
constexpr int kMinEdgedPixels = 3;   // pixels of a block that has an edge
constexpr double kEdge = 0.35;       // of the surface in the edge's colour
constexpr double kMark = 5.0;        // of what ran out of memory
constexpr double kLines = 44.0;      // pixels between two lines of the scale
constexpr std::size_t kFrame = 2;    // of a chosen block, above and below, in pixels
constexpr int kMostScaleDigits = 3;  // "1.125 GiB"
constexpr double kInFrame = 0.3;     // of the frame's colour inside of it

QFont smallFont(QFont font) {
    font.setPixelSize(11);
    return font;
}

// A power of two, as the units are.
std::int64_t niceBytes(double least) {
    constexpr double kMax = 4e18;
    return static_cast<std::int64_t>(
        std::bit_ceil(static_cast<std::uint64_t>(std::clamp(least, 1.0, kMax))));
}

}  // namespace

QString scaleText(std::int64_t bytes, std::int64_t step, std::int64_t top) {
    static constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
    constexpr double kKibi = 1024.0;
    std::size_t unit = 0;
    double size = 1.0;
    for (; static_cast<double>(top) >= kKibi * size && unit + 1 < kUnits.size(); ++unit) {
        size *= kKibi;
    }
    int digits = 0;
    for (double part = static_cast<double>(step) / size;
         part != std::floor(part) && digits < kMostScaleDigits; part *= 10.0) {
        ++digits;
    }
    return bytes == 0 ? QStringLiteral("0")
                      : QString::number(static_cast<double>(bytes) / size, 'f', digits) +
                            QLatin1Char(' ') + QLatin1String(kUnits[unit]);
}

void BlockMap::makeImage() {
    ++m_look.number;
    m_image = m_memory ? imageOf(m_picture, m_memory->device(m_device).blocks, m_look) : QImage();
    update();
}

// Colours the cells, edges between blocks that are high enough, from the top down as images are.
QImage BlockMap::imageOf(const Picture& picture, const std::vector<memory::Block>& blocks,
                         const Look& look) {
    const memory::view::Area& area = picture.area;
    if (picture.cells.empty()) {
        return {};
    }
    QImage image(area.columns, area.rows, QImage::Format_RGB32);
    const auto rows = static_cast<std::size_t>(area.rows);
    const auto stride = static_cast<std::size_t>(image.bytesPerLine()) / sizeof(QRgb);
    auto* const bottom = reinterpret_cast<QRgb*>(image.bits()) + (rows - 1) * stride;
    for (std::size_t column = 0; column < static_cast<std::size_t>(area.columns); ++column) {
        const std::uint32_t* const cells = picture.cells.data() + column * rows;
        QRgb* pixel = bottom + column;
        for (std::size_t row = 0; row < rows;) {
            const std::uint32_t cell = cells[row];
            const QRgb fill = cell == kNothing  ? look.surface
                              : cell == kUntold ? look.untold
                                                : look.fills[blocks[cell].place];
            const std::size_t first = row;
            std::size_t end = row;
            while (end < rows && cells[end] == cell) {
                ++end;
            }
            const bool isChosen = cell == look.block && cell != kNothing && cell != kUntold;
            for (; row < end; ++row, pixel -= stride) {
                // A frame around its own colour, where there is room for both.
                const bool isFrame = row < first + kFrame || row + kFrame >= end;
                *pixel = !isChosen ? fill
                         : isFrame ? look.selection
                                   : mixRgb(fill, look.selection, kInFrame);
            }
            if (cell != kNothing && !isChosen && row - first >= kMinEdgedPixels) {
                *(pixel + stride) = mixRgb(fill, look.surface, kEdge);
            }
        }
    }
    return image;
}

void BlockMap::paintEvent(QPaintEvent* /*event*/) {
    const style::Theme& theme = style::Theme::current();
    QPainter painter(this);
    painter.setFont(smallFont(font()));
    painter.fillRect(rect(), theme.base());
    if (!m_memory) {
        painter.setPen(theme.mutedText());
        painter.setFont(font());
        painter.drawText(rect().adjusted(kMargin, 0, -kMargin, 0),
                         Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
        return;
    }
    painter.save();
    painter.setClipRect(plot());
    paintPicture(painter);
    paintReserved(painter);
    painter.restore();
    paintScale(painter);
    paintRuler(painter);
    painter.setClipRect(plot());
    paintMarks(painter);
    if (m_colors == Colors::Purpose) {
        paintLegend(painter);
    }
}

// As it would be now, whatever part of time and stack it was made for.
void BlockMap::paintPicture(QPainter& painter) const {
    if (m_image.isNull()) {
        return;
    }
    const timeline::TimeCoordinates at = coordinates();
    const memory::view::Area& area = m_picture.area;
    const QRectF target(QPointF(at.x(area.time.start), y(area.top)),
                        QPointF(at.x(area.time.end), y(area.bottom)));
    painter.drawImage(target, m_image);
}

void BlockMap::paintReserved(QPainter& painter) const {
    const memory::view::Area& area = m_picture.area;
    if (m_picture.reserved.empty() || std::ranges::max(m_picture.reserved) <= 0) {
        return;
    }
    const timeline::TimeCoordinates at = coordinates();
    const timeline::TimeCoordinates drawn(area.time, 0.0, area.columns);
    QPainterPath line;
    for (std::size_t i = 0; i < m_picture.reserved.size(); ++i) {
        const double top = y(m_picture.reserved[i]);
        const double left = at.x(drawn.time(static_cast<double>(i)));
        if (i == 0) {
            line.moveTo(left, top);
        } else if (m_picture.reserved[i] != m_picture.reserved[i - 1]) {
            line.lineTo(left, y(m_picture.reserved[i - 1]));
            line.lineTo(left, top);
        }
    }
    line.lineTo(at.x(area.time.end), y(m_picture.reserved.back()));
    QPen pen(style::Theme::current().text());
    pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    painter.drawPath(line);
}

void BlockMap::paintScale(QPainter& painter) const {
    const style::Theme& theme = style::Theme::current();
    const QRect area = plot();
    painter.fillRect(QRect(0, 0, kScale, height()), theme.raised());
    const double perPixel = static_cast<double>(m_top - m_bottom) / area.height();
    const std::int64_t step = niceBytes(kLines * perPixel);
    QColor grid = theme.text();
    grid.setAlphaF(0.13F);
    const QFontMetrics metrics(painter.font());
    for (std::int64_t bytes = (m_bottom + step - 1) / step * step; bytes <= m_top; bytes += step) {
        const int at = static_cast<int>(std::lround(y(bytes)));
        if (at - metrics.height() / 2 >= kRuler) {
            painter.setPen(theme.mutedText());
            const int middle = std::min(at, height() - metrics.height() / 2);
            painter.drawText(
                QRect(0, middle - metrics.height() / 2, kScale - kMargin, metrics.height()),
                Qt::AlignRight | Qt::AlignVCenter, scaleText(bytes, step, m_top));
        }
        painter.setPen(grid);
        painter.drawLine(kScale, at, width(), at);
    }
}

// The purposes that are there at the peak, at the right.
void BlockMap::paintLegend(QPainter& painter) const {
    const style::Theme& theme = style::Theme::current();
    const QFontMetrics metrics(painter.font());
    const int line = metrics.height() + 2;
    int top = kRuler + kMargin;
    const auto& sums = m_memory->report->devices[m_device].atPeakByPurpose;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (sums[i].bytes == 0) {
            continue;
        }
        const auto purpose = static_cast<memory::Purpose>(i);
        const QString name = models::toText(memory::purposeName(purpose));
        const int left = width() - kMargin - metrics.horizontalAdvance(name) - line;
        QColor ground = theme.base();
        ground.setAlphaF(0.8F);
        painter.fillRect(QRect(left - 2, top, width() - left, line), ground);
        painter.fillRect(QRect(left, top + 3, line - 6, line - 6), purposeColor(purpose));
        painter.setPen(theme.text());
        painter.drawText(QRect(left + line - 2, top, width() - left, line), Qt::AlignVCenter, name);
        top += line;
    }
}

void BlockMap::paintRuler(QPainter& painter) const {
    const style::Theme& theme = style::Theme::current();
    painter.fillRect(QRect(0, 0, width(), kRuler), theme.raised());
    const timeline::TimeCoordinates at = coordinates();
    const timeline::TimeTicks ticks = timeline::timeTicks(m_time, 0, at.width(), kTickSpacing);
    painter.setPen(theme.mutedText());
    if (!ticks.anchorLabel.empty()) {
        painter.drawText(QRect(0, 0, kScale - kMargin, kRuler), Qt::AlignRight | Qt::AlignVCenter,
                         models::toText(ticks.anchorLabel));
    }
    for (const timeline::TimeTick& tick : ticks.ticks) {
        const int x = static_cast<int>(std::lround(at.x(tick.time)));
        painter.drawLine(x, kRuler - 5, x, kRuler - 1);
        painter.drawText(QRect(x + 4, 0, static_cast<int>(kTickSpacing), kRuler), Qt::AlignVCenter,
                         models::toText(tick.label));
    }
    painter.setPen(theme.border());
    painter.drawLine(0, kRuler - 1, width(), kRuler - 1);
}

void BlockMap::paintMarks(QPainter& painter) const {
    const style::Theme& theme = style::Theme::current();
    const timeline::TimeCoordinates at = coordinates();
    const QRect area = plot();
    if (m_range) {
        const QRectF range(QPointF(at.x(m_range->start), area.top()),
                           QPointF(at.x(m_range->end), area.bottom() + 1));
        painter.fillRect(range, theme.rangeFill());
    }
    for (const memory::OutOfMemory& event : m_memory->device(m_device).outOfMemory) {
        const double x = at.x(event.time);
        if (x < area.left() - kMark || x > area.right() + kMark) {
            continue;
        }
        painter.setPen(theme.error());
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        QPainterPath mark(QPointF(x - kMark, area.top()));
        mark.lineTo(x + kMark, area.top());
        mark.lineTo(x, area.top() + 2 * kMark);
        painter.fillPath(mark, theme.error());
    }
    if (m_moment) {
        painter.setPen(QPen(theme.selection(), 1.5));
        const double x = at.x(stacks()->timeOf(*m_moment));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
}

}  // namespace kinetoscope::panels
