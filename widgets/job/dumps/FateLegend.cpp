// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/dumps/FateLegend.h"

#include <algorithm>

#include "widgets/style/Theme.h"

namespace kinetoscope::job::dumps {

using flight::Fate;

namespace {

constexpr int kSwatch = 13;
constexpr int kRoom = 5;
constexpr int kBetween = 10;
constexpr int kSmallest = 7;  // in which a cross can be seen
constexpr std::size_t kItems = flight::kFates.size() + 1;

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

FateLegend::FateLegend(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("legend"));
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    setToolTip(
        tr("Never came: the rank made no call of this number. In the queue: called, and not seen "
           "to begin. Overwritten: the recorder keeps the latest calls only. Differs: operation, "
           "type or size are not those of the other ranks."));
}

QString FateLegend::text(std::size_t item) {
    return item < flight::kFates.size() ? tr(flight::fateName(flight::kFates[item]))
                                        : tr("differs");
}

int FateLegend::widthOf(std::size_t item) const {
    return kSwatch + kRoom + fontMetrics().horizontalAdvance(text(item)) + kBetween;
}

QSize FateLegend::sizeHint() const {
    int width = kRoom;
    for (std::size_t item = 0; item < kItems; ++item) {
        width += widthOf(item);
    }
    return {width, fontMetrics().height() + 4};
}

void FateLegend::paintEvent(QPaintEvent* /*event*/) {
    const style::Theme& theme = style::Theme::current();
    QPainter painter(this);
    int x = kRoom;
    for (std::size_t item = 0; item < kItems; ++item) {
        const QRect swatch(x, (height() - kSwatch) / 2, kSwatch, kSwatch);
        if (item < flight::kFates.size()) {
            paintFate(painter, swatch, flight::kFates[item]);
        } else {
            paintDifference(painter, swatch);
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(theme.border());
        painter.drawRect(swatch.adjusted(0, 0, -1, -1));
        painter.setPen(theme.mutedText());
        painter.drawText(QRect(swatch.right() + kRoom, 0, widthOf(item), height()),
                         Qt::AlignVCenter, text(item));
        x += widthOf(item);
    }
}

}  // namespace kinetoscope::job::dumps
