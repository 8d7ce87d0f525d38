// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/ElidedLabel.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "widgets/style/PlainText.h"

namespace kinetoscope::style {

namespace {

constexpr int kNarrowest = 48;

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
    return {fontMetrics().horizontalAdvance(m_text) + 1, fontMetrics().height()};
}

QSize ElidedLabel::minimumSizeHint() const {
    return {qMin(kNarrowest, sizeHint().width()), fontMetrics().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(rect(), static_cast<int>(m_alignment | Qt::AlignVCenter) | Qt::TextSingleLine,
                     fontMetrics().elidedText(m_text, Qt::ElideMiddle, width()));
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
