// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/FlatScrollBar.h"

#include <algorithm>

#include "widgets/style/Oklch.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::style {

namespace {

constexpr int kShortestSlider = 28;
constexpr int kSliderMargin = 3;

bool isLying(const QStyleOptionSlider& bar) {
    return bar.orientation == Qt::Horizontal;
}

}  // namespace

QRect partOfScrollBar(const QStyleOptionSlider& bar, QStyle::SubControl part) {
    const int length = isLying(bar) ? bar.rect.width() : bar.rect.height();
    const qint64 range = qint64{bar.maximum} - bar.minimum;
    int slider = length;
    if (range > 0) {
        const auto share =
            qint64{length} * bar.pageStep / std::max<qint64>(1, range + bar.pageStep);
        slider = std::clamp(static_cast<int>(share), std::min(kShortestSlider, length), length);
    }
    const int from = QStyle::sliderPositionFromValue(bar.minimum, bar.maximum, bar.sliderPosition,
                                                     length - slider, bar.upsideDown);
    const auto stretch = [&](int start, int end) {
        return isLying(bar)
                   ? QRect(bar.rect.x() + start, bar.rect.y(), end - start, bar.rect.height())
                   : QRect(bar.rect.x(), bar.rect.y() + start, bar.rect.width(), end - start);
    };
    switch (part) {
        case QStyle::SC_ScrollBarGroove:
            return stretch(0, length);
        case QStyle::SC_ScrollBarSlider:
            return stretch(from, from + slider);
        case QStyle::SC_ScrollBarSubPage:
            return bar.upsideDown ? stretch(from + slider, length) : stretch(0, from);
        case QStyle::SC_ScrollBarAddPage:
            return bar.upsideDown ? stretch(0, from) : stretch(from + slider, length);
        default:
            return {};
    }
}

void drawScrollBar(const QStyleOptionSlider& bar, QPainter* painter) {
    const Theme& theme = Theme::current();
    painter->fillRect(bar.rect, theme.raised());
    if (bar.maximum <= bar.minimum) {
        return;
    }
    const bool held = bar.activeSubControls.testFlag(QStyle::SC_ScrollBarSlider);
    const bool pressed = held && bar.state.testFlag(QStyle::State_Sunken);
    const bool hovered = held && bar.state.testFlag(QStyle::State_MouseOver);
    const double strength = pressed ? 0.55 : hovered ? 0.42 : 0.28;
    const QRectF slider =
        QRectF(partOfScrollBar(bar, QStyle::SC_ScrollBarSlider))
            .adjusted(kSliderMargin, kSliderMargin, -kSliderMargin, -kSliderMargin);
    const double radius = std::min(slider.width(), slider.height()) / 2;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(mixColors(theme.raised(), theme.text(), strength));
    painter->drawRoundedRect(slider, radius, radius);
    painter->restore();
}

}  // namespace kinetoscope::style
