// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/BusyPlottable.h"

#include <algorithm>
#include <cmath>

namespace kinetoscope {

BusyPlottable::BusyPlottable(QCPAxis* keyAxis, QCPAxis* valueAxis, const BusyColumns& busy)
    : QCPAbstractPlottable(keyAxis, valueAxis), m_busy(busy) {}

double BusyPlottable::selectTest(const QPointF& /*at*/, bool /*onlySelectable*/,
                                 QVariant* /*details*/) const {
    return -1.0;  // a strip cannot be selected
}

QCPRange BusyPlottable::getKeyRange(bool& found, QCP::SignDomain /*domain*/) const {
    found = true;
    return mKeyAxis->range();
}

QCPRange BusyPlottable::getValueRange(bool& found, QCP::SignDomain /*domain*/,
                                      const QCPRange& /*keyRange*/) const {
    found = true;
    return {0.0, 1.0};
}

void BusyPlottable::draw(QCPPainter* painter) {
    const QRect area = mKeyAxis->axisRect()->rect();
    const double scale = mParentPlot->bufferDevicePixelRatio();
    const int left = static_cast<int>(std::lround(area.left() * scale));
    const int right = static_cast<int>(std::lround((area.left() + area.width()) * scale));
    const QSize size(right - left, static_cast<int>(std::lround(area.height() * scale)));
    m_columns = m_busy.fractions(m_visible, size.width());
    if (m_columns.empty() || size.height() <= 0) {
        return;
    }
    QImage image = makeImage(size);
    image.setDevicePixelRatio(scale);
    painter->drawImage(QPointF(left / scale, area.top()), image);
}

QImage BusyPlottable::makeImage(QSize size) const {
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    const auto shade = [this](double share) {
        QColor color = m_color;
        color.setAlphaF(static_cast<float>(share));
        return qPremultiply(color.rgba());
    };
    const QRgb full = shade(1.0);
    for (int y = 0; y < size.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        // Pixels of this line that are above the column's top are empty, the one at the top partly.
        const float below = static_cast<float>(size.height() - 1 - y);
        for (int x = 0; x < size.width(); ++x) {
            const float fraction = m_columns[static_cast<std::size_t>(x)];
            const float cover = fraction * static_cast<float>(size.height()) - below;
            line[x] = cover >= 1.0F ? full : cover <= 0.0F ? 0U : shade(cover);
        }
    }
    return image;
}

void BusyPlottable::drawLegendIcon(QCPPainter* painter, const QRectF& rect) const {
    painter->fillRect(rect, m_color);
}

}  // namespace kinetoscope
