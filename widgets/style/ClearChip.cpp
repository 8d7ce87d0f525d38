// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/ClearChip.h"

#include <QPainter>

#include "widgets/style/Oklch.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::style {

namespace {

constexpr int kFontPixels = 11;
constexpr int kHeight = 20;
constexpr int kPadding = 8;
constexpr int kCross = 7;    // pixels of the cross, both ways
constexpr int kBetween = 7;  // text and cross
constexpr int kWidestText = 320;
constexpr int kNarrowest = 60;

}  // namespace

ClearChip::ClearChip(const QString& ends, QWidget* parent) : QAbstractButton(parent), m_ends(ends) {
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    hide();
}

void ClearChip::setWhat(const QString& what) {
    if (what == m_what) {
        return;
    }
    m_what = what;
    setAccessibleName(shownText(what));
    setToolTip(plainToolTip(shownText(what, kMaxToolTipLetters) + QLatin1Char('\n') + m_ends));
    setVisible(!what.isEmpty());
    updateGeometry();
    update();
}

QFont ClearChip::smallFont() const {
    QFont small = font();
    small.setPixelSize(kFontPixels);
    return small;
}

QSize ClearChip::sizeHint() const {
    const int text = QFontMetrics(smallFont()).horizontalAdvance(shownText(m_what)) + 1;
    return {qMin(text, kWidestText) + 2 * kPadding + kBetween + kCross, kHeight};
}

QSize ClearChip::minimumSizeHint() const {
    return {qMin(kNarrowest, sizeHint().width()), kHeight};
}

void ClearChip::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.accent(), hasFocus() ? 2.0 : 1.0));
    painter.setBrush(mixColors(theme.base(), theme.accent(), underMouse() ? 0.34 : 0.18));
    const QRectF box = QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
    painter.setPen(QPen(theme.text(), 1.4));
    const QPointF middle(width() - kPadding - kCross / 2.0, height() / 2.0);
    const QPointF arm(kCross / 2.0, kCross / 2.0);
    const QPointF other(kCross / 2.0, -kCross / 2.0);
    painter.drawLine(middle - arm, middle + arm);
    painter.drawLine(middle - other, middle + other);
    painter.setFont(smallFont());
    const QRect room = rect().adjusted(kPadding, 0, -kPadding - kCross - kBetween, 0);
    painter.drawText(
        room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        painter.fontMetrics().elidedText(shownText(m_what), Qt::ElideMiddle, room.width()));
}

void ClearChip::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    update();
}

void ClearChip::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    update();
}

}  // namespace kinetoscope::style
