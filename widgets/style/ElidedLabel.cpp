// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/ElidedLabel.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "widgets/style/PlainText.h"

namespace kinetoscope::style {

namespace {

constexpr int kNarrowestLabel = 48;

}  // namespace

ElidedLabel::ElidedLabel(const QString& text, Qt::Alignment alignment, QWidget* parent)
    : QWidget(parent), m_text(shownText(text)), m_alignment(alignment) {
    setForegroundRole(QPalette::WindowText);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(m_text);
}

void ElidedLabel::setText(const QString& text) {
    m_text = shownText(text);
    updateGeometry();
    update();
}

QSize ElidedLabel::sizeHint() const {
    const QSize text(fontMetrics().horizontalAdvance(m_text) + 1, fontMetrics().height());
    return text.grownBy(contentsMargins());
}

QSize ElidedLabel::minimumSizeHint() const {
    return {qMin(kNarrowestLabel, sizeHint().width()), sizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    const QRect room = contentsRect();
    painter.drawText(room, static_cast<int>(m_alignment | Qt::AlignVCenter) | Qt::TextSingleLine,
                     fontMetrics().elidedText(m_text, Qt::ElideMiddle, room.width()));
}

bool ElidedLabel::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && toolTip().isEmpty() && sizeHint().width() > width()) {
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), plainToolTip(m_text),
                           this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace kinetoscope::style
