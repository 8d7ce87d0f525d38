// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/Chart.h"

#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::plots {

namespace {

constexpr int kMargin = 12;
constexpr int kTickRoom = 64;  // pixels of an axis for a number below it
constexpr int kMaxTicks = 5;
constexpr int kLegendRoom = 200;  // pixels of an entry

}  // namespace

Chart::Chart(QWidget* parent) : Plot(parent) {
    setMouseTracking(true);
    setMinimumSize(200, 120);
    setNoAntialiasingOnDrag(true);
    connect(this, &QCustomPlot::afterReplot, this, &Chart::fitTicks);
}

// How long an axis is depends on the labels of the other one, so it is known only now.
void Chart::fitTicks() {
    if (legend->visible()) {
        wrapLegend();
    }
    const int count = std::clamp(axisRect()->width() / kTickRoom, 2, kMaxTicks);
    if (xAxis->ticker()->tickCount() != count || m_fitted != axisRect()->size()) {
        xAxis->ticker()->setTickCount(count);
        m_fitted = axisRect()->size();
        replot(QCustomPlot::rpQueuedReplot);
    }
}

void Chart::refill() {
    clearPlottables();
    clearItems();
    removeLegend();
    m_hint.clear();
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setLabel({});
        axis->setTicker(QSharedPointer<QCPAxisTicker>::create());
        axis->setScaleType(QCPAxis::stLinear);
        axis->setRangeReversed(false);
    }
    drawContents();
    dress();
    replot(QCustomPlot::rpQueuedReplot);
}

void Chart::dress() {
    const style::Theme& theme = style::Theme::current();
    setBackground(theme.base());
    const bool hasAxes = m_hint.isEmpty();
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setVisible(hasAxes);
        axis->setBasePen(line(theme.border()));
        axis->setTickPen(line(theme.border()));
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLabelColor(theme.mutedText());
        axis->setLabelColor(theme.mutedText());
        axis->setTickLabelFont(font());
        axis->setLabelFont(font());
        axis->grid()->setVisible(hasAxes);
        axis->grid()->setPen(line(theme.grid()));
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    legend->setBrush(theme.raised());
    legend->setBorderPen(line(theme.border()));
    legend->setTextColor(theme.text());
    legend->setFont(font());
    axisRect()->setMinimumMargins(QMargins(kMargin, kMargin, kMargin, kMargin));
}

QPen Chart::line(const QColor& color, qreal width, Qt::PenStyle style) {
    QPen pen(color, width, style);
    pen.setCosmetic(true);
    return pen;
}

void Chart::addRule(double value, bool vertical) {
    auto* rule = new QCPItemStraightLine(this);
    rule->setPen(line(style::Theme::current().text(), 1.0, Qt::DashLine));
    rule->point1->setCoords(vertical ? value : 0.0, vertical ? 0.0 : value);
    rule->point2->setCoords(vertical ? value : 1.0, vertical ? 1.0 : value);
}

// Below the axes, where it hides nothing.
void Chart::addLegend() {
    legend->setVisible(true);
    axisRect()->insetLayout()->take(legend);
    plotLayout()->addElement(1, 0, legend);
    plotLayout()->setRowStretchFactor(1, 0.001);
    wrapLegend();
}

/// Back to where the legend takes no room.
void Chart::removeLegend() {
    legend->setVisible(false);
    if (legend->layout() == plotLayout()) {
        plotLayout()->take(legend);
        plotLayout()->simplify();
        axisRect()->insetLayout()->addElement(legend, Qt::AlignRight | Qt::AlignTop);
    }
}

void Chart::wrapLegend() {
    const int columns = std::max(1, (width() - 2 * kMargin) / kLegendRoom);
    if (legend->wrap() != columns || legend->fillOrder() != QCPLayoutGrid::foColumnsFirst) {
        legend->setWrap(columns);
        legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
    }
}

QString Chart::toolTipAt(QPointF) const {
    return {};
}

void Chart::clicked(QPointF) {}

void Chart::changeEvent(QEvent* event) {
    Plot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        refill();
    }
}

void Chart::mouseMoveEvent(QMouseEvent* event) {
    const QString text = m_hint.isEmpty() ? toolTipAt(event->position()) : QString();
    QToolTip::showText(event->globalPosition().toPoint(), style::plainToolTip(text), this);
}

void Chart::mousePressEvent(QMouseEvent* event) {
    if (m_hint.isEmpty() && event->button() == Qt::LeftButton) {
        clicked(event->position());
    }
}

void Chart::paintEvent(QPaintEvent* event) {
    Plot::paintEvent(event);
    if (!m_hint.isEmpty()) {
        QPainter painter(this);
        painter.setPen(style::Theme::current().mutedText());
        painter.drawText(rect().adjusted(24, 8, -24, -8), Qt::AlignCenter | Qt::TextWordWrap,
                         m_hint);
    }
}

}  // namespace kinetoscope::plots
