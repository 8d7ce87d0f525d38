// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/StackedBar.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <numeric>

#include "widgets/style/Theme.h"

namespace kinetoscope::style {

namespace {

constexpr double kRadius = 4.0;
constexpr double kRoomForText = 8.0;

}  // namespace

StackedBar::StackedBar(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StackedBar::setParts(std::vector<Part> parts) {
    m_parts = std::move(parts);
    update();
}

std::vector<QRectF> StackedBar::partRects() const {
    const double sum = std::accumulate(m_parts.begin(), m_parts.end(), 0.0,
                                       [](double s, const Part& p) { return s + p.value; });
    std::vector<QRectF> rects;
    double before = 0.0;
    for (const Part& part : m_parts) {
        const double left = sum > 0 ? width() * before / sum : 0.0;
        before += part.value;
        const double right = sum > 0 ? width() * before / sum : 0.0;
        rects.emplace_back(left, 0.0, right - left, height());
    }
    return rects;
}

QSize StackedBar::sizeHint() const {
    return {160, fontMetrics().height() + 8};
}

void StackedBar::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath outline;
    outline.addRoundedRect(rect(), kRadius, kRadius);
    painter.setClipPath(outline);
    painter.fillRect(rect(), theme.idle());
    const auto rects = partRects();
    const double whole = width();
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const QRectF& area = rects[i];
        painter.fillRect(area, m_parts[i].color);
        const QString text = QStringLiteral("%1 %").arg(100.0 * area.width() / whole, 0, 'f', 1);
        if (area.width() > fontMetrics().horizontalAdvance(text) + kRoomForText) {
            painter.setPen(theme.textOn(m_parts[i].color));
            painter.drawText(area, Qt::AlignCenter, text);
        }
        if (area.left() > 0.5 && area.width() > 0.0) {
            painter.fillRect(QRectF(area.left() - 0.5, 0, 1, height()), theme.window());
        }
    }
}

bool StackedBar::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto rects = partRects();
        for (std::size_t i = 0; i < rects.size(); ++i) {
            if (rects[i].contains(help->pos())) {
                QToolTip::showText(help->globalPos(), m_parts[i].toolTip, this);
                return true;
            }
        }
        QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

}  // namespace kinetoscope::style
