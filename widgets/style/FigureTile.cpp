// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/FigureTile.h"

#include <QPainter>
#include <algorithm>

#include "widgets/style/Theme.h"

namespace kinetoscope::style {

namespace {

constexpr int kTilePadding = 9;
constexpr int kMeter = 4;
constexpr double kTileRadius = 6.0;
constexpr double kLarge = 1.6;  // of the normal font size

}  // namespace

FigureTile::FigureTile(const QString& caption, const QColor& color, QWidget* parent)
    : QWidget(parent), m_caption(caption), m_color(color) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void FigureTile::setFigure(const QString& text, double share) {
    m_text = text;
    m_share = std::clamp(share, 0.0, 1.0);
    setAccessibleName(m_caption + QLatin1String(": ") + text);
    updateGeometry();
    update();
}

QFont FigureTile::largeFont() const {
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * kLarge);
    large.setWeight(QFont::DemiBold);
    return large;
}

// A cut number is a wrong one. Tiles beside each other have one size, whatever they say.
QFont FigureTile::fittingFont(int width) const {
    constexpr double kStep = 0.5;
    const QString widest = QStringLiteral("100.00 %");
    QFont fitting = largeFont();
    while (std::max(QFontMetrics(fitting).horizontalAdvance(m_text),
                    QFontMetrics(fitting).horizontalAdvance(widest)) >= width &&
           fitting.pointSizeF() - kStep >= font().pointSizeF()) {
        fitting.setPointSizeF(fitting.pointSizeF() - kStep);
    }
    return fitting;
}

QSize FigureTile::sizeHint() const {
    const int large = QFontMetrics(largeFont()).height();
    return {110, 2 * kTilePadding + large + fontMetrics().height() + 6 + kMeter};
}

QSize FigureTile::minimumSizeHint() const {
    QFont smallest = largeFont();
    smallest.setPointSizeF(font().pointSizeF());
    const int widest = std::max(fontMetrics().horizontalAdvance(m_caption),
                                QFontMetrics(smallest).horizontalAdvance(m_text));
    return {widest + 2 * kTilePadding + 2, sizeHint().height()};
}

void FigureTile::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.border(), 1));
    painter.setBrush(theme.base());
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kTileRadius,
                            kTileRadius);

    QRect inner = rect().adjusted(kTilePadding, kTilePadding, -kTilePadding, -kTilePadding);
    painter.setFont(fittingFont(inner.width()));
    painter.setPen(theme.text());
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop, m_text);
    painter.setFont(font());
    painter.setPen(theme.mutedText());
    painter.drawText(inner.adjusted(0, 0, 0, -kMeter - 5), Qt::AlignLeft | Qt::AlignBottom,
                     fontMetrics().elidedText(m_caption, Qt::ElideRight, inner.width()));

    QRectF meter(inner.left(), inner.bottom() - kMeter + 1, inner.width(), kMeter);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.grid());
    painter.drawRoundedRect(meter, kMeter / 2.0, kMeter / 2.0);
    meter.setWidth(meter.width() * m_share);
    painter.setBrush(m_color);
    painter.drawRoundedRect(meter, kMeter / 2.0, kMeter / 2.0);
}

}  // namespace kinetoscope::style
