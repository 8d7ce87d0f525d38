// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/StripCanvas.h"

#include <QPainter>
#include <cmath>

#include "widgets/style/Theme.h"

namespace kinetoscope::plots {

namespace {

constexpr int kFontPixels = 11;
constexpr int kTopMargin = 4;
constexpr int kBottomMargin = 1;

}  // namespace

StripCanvas::StripCanvas(const query::BusyColumns& busy, QWidget* parent)
    : Plot(parent), m_busy(new BusyPlottable(xAxis, yAxis, busy)), m_spans(&busy) {
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    axisRect()->setAutoMargins(QCP::msNone);
    axisRect()->setupFullAxesBox(false);
    for (QCPAxis* axis : axisRect()->axes()) {
        axis->setTicks(false);
        axis->setTickLabels(false);
        axis->setBasePen(Qt::NoPen);
        axis->grid()->setVisible(false);
    }
    yAxis->setRange(0.0, 1.0);
}

void StripCanvas::setMargins(int left, int right) {
    axisRect()->setMargins({left, kTopMargin, right, kBottomMargin});
    replot(rpQueuedReplot);
}

void StripCanvas::setBusy(const query::BusyColumns& busy) {
    m_spans = &busy;
    m_busy->setBusy(busy);
}

void StripCanvas::setView(TimeSpan visible, TimeSpan inView, TimeNs origin) {
    m_inView = inView;
    m_busy->setView(visible);
    // Doubles are exact enough only near zero, so the axis counts from the trace's start.
    xAxis->setRange(static_cast<double>(visible.start - origin),
                    static_cast<double>(visible.end - origin));
    replot(rpQueuedReplot);
}

void StripCanvas::setTheme(const QColor& color) {
    m_color = color;
    m_busy->setColor(color);
    setBackground(QBrush(style::Theme::current().base()));
    replot(rpQueuedReplot);
}

void StripCanvas::setCursor(std::optional<double> x) {
    m_cursor = x;
    update();
}

void StripCanvas::paintEvent(QPaintEvent* event) {
    Plot::paintEvent(event);
    const style::Theme& theme = style::Theme::current();
    QPainter painter(this);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.border());
    painter.fillRect(QRect(0, 0, area().left(), height() - 1), theme.raised());
    painter.fillRect(QRect(area().right() + 1, 0, width(), height() - 1), theme.raised());
    painter.fillRect(QRect(area().left() - 1, 0, 1, height()), theme.border());
    paintTitle(painter);
    painter.setClipRect(QRect(area().left(), 0, area().width(), height() - 1));
    paintScale(painter);
    if (m_range) {
        painter.fillRect(QRectF(QPointF(m_range->first, 0), QPointF(m_range->second, height())),
                         theme.rangeFill());
    }
    if (m_cursor) {
        QColor line = theme.text();
        line.setAlphaF(0.35F);
        painter.fillRect(QRectF(std::floor(*m_cursor), 0, 1, height()), line);
    }
}

// It names its window: the Summary's figures are of another one.
QString StripCanvas::figure() const {
    const double share = m_inView.empty()
                             ? 0.0
                             : m_spans->busyIn(m_inView) / static_cast<double>(m_inView.duration());
    return tr("%1 % in view").arg(100.0 * share, 0, 'f', 1);
}

void StripCanvas::paintTitle(QPainter& painter) const {
    const style::Theme& theme = style::Theme::current();
    QFont small = font();
    small.setPixelSize(kFontPixels);
    painter.setFont(small);
    const QRect box(24, 0, area().left() - 32, height() - 1);
    painter.setPen(theme.text());
    painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, figure());
    const int room = box.width() - painter.fontMetrics().horizontalAdvance(figure()) - 8;
    painter.setPen(theme.mutedText());
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(m_title, Qt::ElideRight, room));
    painter.fillRect(QRect(11, (height() - 9) / 2, 8, 8), m_color);
}

/// A line at half of the height.
void StripCanvas::paintScale(QPainter& painter) const {
    QColor line = style::Theme::current().text();
    line.setAlphaF(0.12F);
    painter.fillRect(QRect(area().left(), area().center().y(), area().width(), 1), line);
}

}  // namespace kinetoscope::plots
