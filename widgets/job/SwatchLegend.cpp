// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/SwatchLegend.h"

#include "widgets/style/Theme.h"

namespace kinetoscope::job {

namespace {

constexpr int kSwatch = 13;
constexpr int kSpace = 5;
constexpr int kBetween = 10;

}  // namespace

SwatchLegend::SwatchLegend(std::vector<Item> items, QWidget* parent)
    : QWidget(parent), m_items(std::move(items)) {
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
}

int SwatchLegend::widthOf(const Item& item) const {
    return kSwatch + kSpace + fontMetrics().horizontalAdvance(item.text) + kBetween;
}

QSize SwatchLegend::sizeHint() const {
    int width = kSpace;
    for (const Item& item : m_items) {
        width += widthOf(item);
    }
    return {width, fontMetrics().height() + 4};
}

void SwatchLegend::paintEvent(QPaintEvent* /*event*/) {
    const style::Theme& theme = style::Theme::current();
    QPainter painter(this);
    int x = kSpace;
    for (const Item& item : m_items) {
        if (x + widthOf(item) > width() + kBetween) {
            return;
        }
        const QRect swatch(x, (height() - kSwatch) / 2, kSwatch, kSwatch);
        item.paint(painter, swatch);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(theme.border());
        painter.drawRect(swatch.adjusted(0, 0, -1, -1));
        painter.setPen(theme.mutedText());
        painter.drawText(QRect(swatch.right() + kSpace, 0, widthOf(item), height()),
                         Qt::AlignVCenter, item.text);
        x += widthOf(item);
    }
}

}  // namespace kinetoscope::job
