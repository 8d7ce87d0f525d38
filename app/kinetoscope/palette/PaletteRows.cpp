// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/palette/PaletteRows.h"

#include <QPainter>
#include <QTextLayout>

#include "app/kinetoscope/palette/PaletteModel.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::app {

namespace {

constexpr int kRowMargin = 10;
constexpr int kRowIcon = 16;
constexpr int kRowGap = 14;
constexpr double kUnableOpacity = 0.45;

/// Returns how wide it is.
int drawTitle(QPainter& painter, const QRect& box, const QModelIndex& index) {
    const QVariantList bold = index.data(PaletteModel::LettersRole).toList();
    const QString title = index.data(Qt::DisplayRole).toString();
    const QString shown = painter.fontMetrics().elidedText(title, Qt::ElideMiddle, box.width());
    QTextLayout layout(shown, painter.font());
    QList<QTextLayout::FormatRange> formats;
    if (shown == title) {
        for (const QVariant& at : bold) {
            QTextLayout::FormatRange range{at.toInt(), 1, {}};
            range.format.setFontWeight(QFont::Bold);
            range.format.setForeground(style::Theme::current().accent());
            formats.append(range);
        }
    }
    layout.setFormats(formats);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    layout.endLayout();
    if (!line.isValid()) {
        return 0;
    }
    layout.draw(&painter, QPointF(box.left(), box.top() + (box.height() - line.height()) / 2));
    return static_cast<int>(line.naturalTextWidth());
}

}  // namespace

QSize PaletteRows::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {0, std::max(option.fontMetrics.height(), kRowIcon) + 10};
}

void PaletteRows::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
    const style::Theme& theme = style::Theme::current();
    const bool able = index.data(PaletteModel::WhyRole).toString().isEmpty();
    painter->save();
    if (option.state.testFlag(QStyle::State_Selected)) {
        QColor ground = theme.accent();
        ground.setAlphaF(0.18F);
        painter->fillRect(option.rect, ground);
        painter->fillRect(QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()),
                          theme.accent());
    } else if (option.state.testFlag(QStyle::State_MouseOver)) {
        painter->fillRect(option.rect, theme.hover());
    }
    QRect room = option.rect.adjusted(kRowMargin, 0, -kRowMargin, 0);
    painter->setOpacity(able ? 1.0 : kUnableOpacity);
    const auto icon = index.data(Qt::DecorationRole).value<QIcon>();
    icon.paint(painter,
               QRect(room.left(), room.center().y() - kRowIcon / 2 + 1, kRowIcon, kRowIcon));
    room.setLeft(room.left() + kRowIcon + kRowGap / 2);
    painter->setFont(option.font);
    painter->setPen(theme.mutedText());
    const QString keys = index.data(PaletteModel::KeysRole).toString();
    painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, keys);
    if (!keys.isEmpty()) {
        room.setRight(room.right() - option.fontMetrics.horizontalAdvance(keys) - kRowGap);
    }
    painter->setPen(theme.text());
    room.setLeft(room.left() + drawTitle(*painter, room, index) + kRowGap);
    painter->setOpacity(1.0);
    painter->setPen(able ? theme.mutedText() : theme.warning());
    const QString beside =
        index.data(able ? PaletteModel::DetailRole : PaletteModel::WhyRole).toString();
    painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                      option.fontMetrics.elidedText(beside, Qt::ElideMiddle, room.width()));
    painter->restore();
}

}  // namespace kinetoscope::app
