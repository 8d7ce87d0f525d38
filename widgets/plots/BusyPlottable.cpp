// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/BusyPlottable.h"

#include <algorithm>
#include <cmath>

namespace kinetoscope::plots {

BusyPlottable::BusyPlottable(QCPAxis* keyAxis, QCPAxis* valueAxis, const query::BusyColumns& busy)
    : QCPAbstractPlottable(keyAxis, valueAxis), m_busy(&busy) {}

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
    m_columns = m_busy->fractions(m_visible, size.width());
    if (m_columns.empty() || size.height() <= 0) {
        return;
    }
    // The library shifts antialiased painting by half a pixel, which would shift the columns by
    // one.
    painter->setAntialiasing(false);
    fillImage(size);
    m_image.setDevicePixelRatio(scale);
    painter->drawImage(QPointF(left / scale, area.top()), m_image);
}

void BusyPlottable::fillImage(QSize size) {
    if (m_image.size() != size) {
        m_image = QImage(size, QImage::Format_ARGB32_Premultiplied);
    }
    const QRgb full = m_color.rgb();
    const auto shade = [full](float share) {
        const auto part = [share](int value) {
            return static_cast<int>(share * static_cast<float>(value));
        };
        return qRgba(part(qRed(full)), part(qGreen(full)), part(qBlue(full)), part(255));
    };
    const auto height = static_cast<float>(size.height());
    for (int y = 0; y < size.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(m_image.scanLine(y));
        // Pixels above a column's top are empty, the one at the top is partly covered.
        const float below = height - 1.0F - static_cast<float>(y);
        for (std::size_t x = 0; x < m_columns.size(); ++x) {
            const float cover = m_columns[x] * height - below;
            line[x] = cover >= 1.0F ? full : cover <= 0.0F ? 0U : shade(cover);
        }
    }
}

void BusyPlottable::drawLegendIcon(QCPPainter* painter, const QRectF& rect) const {
    painter->fillRect(rect, m_color);
}

}  // namespace kinetoscope::plots
