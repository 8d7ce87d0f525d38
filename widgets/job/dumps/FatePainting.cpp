// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/dumps/FatePainting.h"

#include <algorithm>

#include "widgets/style/Theme.h"

namespace kinetoscope::job::dumps {

using flight::Fate;

namespace {

constexpr int kSmallest = 7;  // in which a cross can be seen

QColor quiet(const QColor& color, const QColor& ground) {
    constexpr int kPart = 45;  // percent
    const auto mix = [](int a, int b) { return (a * kPart + b * (100 - kPart)) / 100; };
    return {mix(color.red(), ground.red()), mix(color.green(), ground.green()),
            mix(color.blue(), ground.blue())};
}

}  // namespace

void paintFate(QPainter& painter, const QRect& box, Fate fate) {
    const style::Theme& theme = style::Theme::current();
    switch (fate) {
        case Fate::Completed:
            return painter.fillRect(box, quiet(theme.good(), theme.base()));
        case Fate::Started:
            return painter.fillRect(box, theme.warning());
        case Fate::Scheduled:
            painter.fillRect(box, quiet(theme.warning(), theme.base()));
            return painter.fillRect(box, QBrush(theme.warning(), Qt::Dense6Pattern));
        case Fate::TimedOut:
            painter.fillRect(box, theme.warning());
            return painter.fillRect(box, QBrush(theme.error(), Qt::BDiagPattern));
        case Fate::Overwritten:
            return painter.fillRect(box, QBrush(theme.border(), Qt::BDiagPattern));
        case Fate::NoDump:
            return painter.fillRect(box, theme.grid());
        case Fate::Apart:
            return;
        case Fate::NeverCame:
            break;
    }
    if (std::min(box.width(), box.height()) < kSmallest) {
        return painter.fillRect(box, theme.error());
    }
    painter.setPen(QPen(theme.error(), 2));
    painter.setBrush(Qt::NoBrush);
    const QRect inside = box.adjusted(2, 2, -2, -2);
    const int side = std::min(inside.width(), inside.height());
    const QRect cross(inside.center().x() - side / 2, inside.center().y() - side / 2, side, side);
    painter.drawLine(cross.topLeft(), cross.bottomRight());
    painter.drawLine(cross.topRight(), cross.bottomLeft());
}

void paintDifference(QPainter& painter, const QRect& box) {
    const int side = std::max(3, std::min({box.width(), box.height(), 9}));
    painter.setPen(Qt::NoPen);
    painter.setBrush(style::Theme::current().error());
    const QPoint corner = box.topRight() + QPoint(1, 0);
    painter.drawPolygon(QPolygon({corner, corner - QPoint(side, 0), corner + QPoint(0, side)}));
}

std::vector<SwatchLegend::Item> fateItems() {
    std::vector<SwatchLegend::Item> items;
    items.reserve(flight::kFates.size());
    for (const Fate fate : flight::kFates) {
        items.push_back(
            {QObject::tr(flight::fateName(fate)),
             [fate](QPainter& painter, const QRect& box) { paintFate(painter, box, fate); }});
    }
    items.push_back({QObject::tr("differs"), paintDifference});
    return items;
}

}  // namespace kinetoscope::job::dumps
