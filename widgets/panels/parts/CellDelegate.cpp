// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/parts/CellDelegate.h"

#include <QApplication>
#include <QPainter>
#include <QStyleOptionButton>

#include "core/text/KernelLabel.h"
#include "widgets/models/ColumnTableModel.h"
#include "widgets/style/Breakable.h"
#include "widgets/style/Icons.h"
#include "widgets/style/Oklch.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::panels {

namespace {

constexpr int kPadding = 7;
constexpr int kIcon = 16;
constexpr int kSwatch = 10;
constexpr int kCheck = 15;
constexpr int kIndent = 14;
constexpr int kBarRoom = 64;    // beside the text
constexpr int kShareText = 62;  // "100.00 %"
constexpr std::size_t kLeastLabel = 8;

void paintBackground(QPainter* painter, const QStyleOptionViewItem& option, models::CellTone tone) {
    const style::Theme& theme = style::Theme::current();
    if (option.state.testFlag(QStyle::State_Selected)) {
        painter->fillRect(option.rect, style::mixColors(theme.base(), theme.accent(), 0.24));
    } else if (tone == models::CellTone::Heading) {
        painter->fillRect(option.rect, theme.raised());
    } else if (option.state.testFlag(QStyle::State_MouseOver)) {
        painter->fillRect(option.rect, theme.hover());
    }
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                      theme.grid());
}

QColor textColor(models::CellTone tone) {
    const style::Theme& theme = style::Theme::current();
    switch (tone) {
        case models::CellTone::Muted:
            return theme.mutedText();
        case models::CellTone::Warning:
            return theme.warning();
        case models::CellTone::Error:
            return theme.error();
        case models::CellTone::Link:
            return theme.accent();
        case models::CellTone::Heading:
        case models::CellTone::Normal:
            break;
    }
    return theme.text();
}

void paintBar(QPainter* painter, const QRect& cell, double share) {
    const style::Theme& theme = style::Theme::current();
    QRectF bar = QRectF(cell).adjusted(0, 0, -kShareText, 0);
    const double height = qMin(8.0, bar.height() / 2);
    bar = QRectF(bar.left(), bar.center().y() - height / 2, bar.width(), height);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme.grid());
    painter->drawRoundedRect(bar, 2, 2);
    bar.setWidth(bar.width() * qBound(0.0, share, 1.0));
    painter->setBrush(style::mixColors(theme.base(), theme.accent(), 0.75));
    painter->drawRoundedRect(bar, 2, 2);
    painter->restore();
}

/// Draws the box of a row that can be ticked and gives the room that is left.
QRect paintCheck(QPainter* painter, const QStyleOptionViewItem& option, QRect cell,
                 const QModelIndex& index) {
    const QVariant check = index.data(Qt::CheckStateRole);
    if (!check.isValid()) {
        return cell;
    }
    QStyleOptionButton box;
    box.palette = option.palette;
    box.rect = {cell.left(), cell.center().y() - kCheck / 2, kCheck, kCheck};
    box.state = QStyle::State_Enabled |
                (check.toInt() == Qt::Checked ? QStyle::State_On : QStyle::State_Off);
    QApplication::style()->drawPrimitive(QStyle::PE_IndicatorCheckBox, &box, painter,
                                         option.widget);
    cell.setLeft(cell.left() + kCheck + 6);
    return cell;
}

/// Draws what stands before the text and gives the room that is left.
QRect paintLead(QPainter* painter, QRect cell, const QModelIndex& index, models::CellTone tone) {
    if (const QVariant icon = index.data(models::IconNameRole); icon.isValid()) {
        const QPixmap drawing = style::tintedPixmap(icon.toString(), textColor(tone), kIcon,
                                                    painter->device()->devicePixelRatioF());
        painter->drawPixmap(cell.left(), cell.center().y() - kIcon / 2, drawing);
        cell.setLeft(cell.left() + kIcon + 6);
    }
    if (const QVariant name = index.data(models::SwatchRole); name.isValid()) {
        const QRectF square(cell.left(), cell.center().y() - kSwatch / 2.0 + 0.5, kSwatch, kSwatch);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(style::Theme::current().nameColor(name.toString().toStdString()));
        painter->drawRoundedRect(square, 2.5, 2.5);
        painter->restore();
        cell.setLeft(cell.left() + kSwatch + 7);
    }
    return cell;
}

// "nvjet…96x128_64…_NTT": the letters that other names share give way first.
QString elidedBehind(const QString& text, int stem, const QFontMetrics& metrics, int width) {
    const QString head = text.left(text.indexOf(QLatin1Char('_'))) + QChar(0x2026);
    if (stem <= head.size() + 2 || stem >= text.size()) {
        return metrics.elidedText(text, Qt::ElideMiddle, width);
    }
    return head + metrics.elidedText(text.mid(stem), Qt::ElideMiddle,
                                     qMax(0, width - metrics.horizontalAdvance(head)));
}

// Name and template arguments each lose their end: kernels of one name differ in the arguments.
QString elidedLabel(const QString& text, const QFontMetrics& metrics, int width) {
    const std::string label = text.toStdString();
    auto columns =
        static_cast<std::size_t>(2 * qMax(0, width) / qMax(1, metrics.averageCharWidth()));
    for (; columns > kLeastLabel; --columns) {
        QString fitted = QString::fromStdString(text::fitKernelLabel(label, columns));
        if (metrics.horizontalAdvance(fitted) <= width) {
            return fitted;
        }
    }
    return metrics.elidedText(text, Qt::ElideRight, width);
}

QString elided(const QString& text, int stem, const QFontMetrics& metrics, int width) {
    if (text.indexOf(QLatin1Char('<')) > 0) {
        return elidedLabel(text, metrics, width);
    }
    // Names differ at both ends; arguments of calls and sentences at the beginning.
    const bool beginsUnlike =
        text.contains(QLatin1String(" (")) || text.contains(QLatin1String(", "));
    return beginsUnlike ? metrics.elidedText(text, Qt::ElideRight, width)
                        : elidedBehind(text, stem, metrics, width);
}

// The text, or as much of it as the lines of the cell hold.
QString shortenedTo(const QRect& cell, int flags, const QFontMetrics& metrics, QString text) {
    constexpr qsizetype kLettersAtOnce = 4;
    const auto fits = [&](const QString& some) {
        return metrics.boundingRect(cell, flags, some).height() <= cell.height();
    };
    if (fits(text)) {
        return text;
    }
    text.truncate(cell.width() / qMax(1, metrics.averageCharWidth() / 2) *
                  qMax(1, cell.height() / metrics.height()));
    while (text.size() > kLettersAtOnce && !fits(text + QChar(0x2026))) {
        text.chop(kLettersAtOnce);
    }
    return text.trimmed() + QChar(0x2026);
}

int leadWidth(const QModelIndex& index) {
    const int icon = index.data(models::IconNameRole).isValid() ? kIcon + 6 : 0;
    const int swatch = index.data(models::SwatchRole).isValid() ? kSwatch + 7 : 0;
    const int check = index.data(Qt::CheckStateRole).isValid() ? kCheck + 6 : 0;
    return check + icon + swatch + kIndent * index.data(models::IndentRole).toInt();
}

}  // namespace

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
    const auto tone = static_cast<models::CellTone>(index.data(models::ToneRole).toInt());
    paintBackground(painter, option, tone);
    QRect cell = option.rect.adjusted(kPadding, 0, -kPadding, 0);
    cell.setLeft(cell.left() + kIndent * index.data(models::IndentRole).toInt());
    if (const QVariant share = index.data(models::ShareRole); share.isValid()) {
        paintBar(painter, cell, share.toDouble());
    }
    cell = paintLead(painter, paintCheck(painter, option, cell, index), index, tone);
    QFont font = option.font;
    if (tone == models::CellTone::Heading) {
        font.setWeight(QFont::DemiBold);
    }
    painter->setFont(font);
    painter->setPen(textColor(tone));
    const auto alignment = static_cast<Qt::Alignment>(index.data(Qt::TextAlignmentRole).toInt());
    QString text = index.data(Qt::DisplayRole).toString();
    // A part of a number would be another number.
    const bool fits = QFontMetrics(font).horizontalAdvance(text) <= cell.width();
    if (!fits && cell.height() > 2 * QFontMetrics(font).height()) {
        const int flags = static_cast<int>(alignment) | Qt::TextWordWrap;
        painter->drawText(cell, flags,
                          shortenedTo(cell, flags, QFontMetrics(font), style::breakable(text)));
        return;
    }
    if (!fits && alignment.testFlag(Qt::AlignRight)) {
        text = QChar(0x2026);
    } else if (!fits) {
        text = elided(text, index.data(models::StemRole).toInt(), QFontMetrics(font), cell.width());
    }
    painter->drawText(cell, static_cast<int>(alignment) | Qt::TextSingleLine, text);
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const int text = option.fontMetrics.horizontalAdvance(index.data(Qt::DisplayRole).toString());
    const int bar = index.data(models::ShareRole).isValid() ? kBarRoom + kShareText - text : 0;
    return {text + bar + leadWidth(index) + 2 * kPadding + 2, option.fontMetrics.height() + 7};
}

}  // namespace kinetoscope::panels
