// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/CompareChart.h"

#include <QPainter>
#include <QToolTip>

#include "core/compare/CompareText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope {

namespace {

constexpr int kMargin = 12;

}  // namespace

CompareChart::CompareChart(CompareState& state, QWidget* parent)
    : QCustomPlot(parent), m_state(state) {
    setMouseTracking(true);
    setMinimumSize(200, 120);
    setNoAntialiasingOnDrag(true);
    connect(&state, &CompareState::shownChanged, this, &CompareChart::refill);
    connect(&state, &CompareState::kernelSelected, this, &CompareChart::refill);
}

void CompareChart::refill() {
    clearPlottables();
    clearItems();
    legend->setVisible(false);
    m_hint.clear();
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setLabel({});
        axis->setTicker(QSharedPointer<QCPAxisTicker>::create());
        axis->setScaleType(QCPAxis::stLinear);
        axis->setRangeReversed(false);
    }
    if (const ComparedPair* pair = m_state.shown()) {
        fill(*pair);
    } else {
        m_hint = tr("Mark a baseline and a candidate among the runs and press Compare.");
    }
    dress();
    replot(QCustomPlot::rpQueuedReplot);
}

void CompareChart::dress() {
    const Theme& theme = Theme::current();
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

QString CompareChart::noun(const ComparedPair& pair, std::size_t count) {
    const std::string_view word = rowNoun(pair.comparison.results, count);
    return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
}

QColor CompareChart::verdictColor(Verdict verdict) {
    const Theme& theme = Theme::current();
    switch (verdict) {
        case Verdict::Slower:
            return theme.error();
        case Verdict::Faster:
            return theme.good();
        case Verdict::Same:
            return theme.mutedText();
        case Verdict::Unsure:
            break;
    }
    return theme.warning();
}

QPen CompareChart::line(const QColor& color, qreal width, Qt::PenStyle style) {
    QPen pen(color, width, style);
    pen.setCosmetic(true);
    return pen;
}

void CompareChart::addRule(double value, bool vertical) {
    auto* rule = new QCPItemStraightLine(this);
    rule->setPen(line(Theme::current().text(), 1.0, Qt::DashLine));
    rule->point1->setCoords(vertical ? value : 0.0, vertical ? 0.0 : value);
    rule->point2->setCoords(vertical ? value : 1.0, vertical ? 1.0 : value);
}

void CompareChart::addLegend() {
    legend->setVisible(true);
    axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignRight | Qt::AlignTop);
}

QString CompareChart::toolTipAt(QPointF) const {
    return {};
}

void CompareChart::clicked(QPointF) {}

void CompareChart::changeEvent(QEvent* event) {
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        refill();
    }
}

void CompareChart::mouseMoveEvent(QMouseEvent* event) {
    const QString text = m_hint.isEmpty() ? toolTipAt(event->position()) : QString();
    QToolTip::showText(event->globalPosition().toPoint(), text, this);
}

void CompareChart::mousePressEvent(QMouseEvent* event) {
    if (m_hint.isEmpty() && event->button() == Qt::LeftButton) {
        clicked(event->position());
    }
}

void CompareChart::paintEvent(QPaintEvent* event) {
    QCustomPlot::paintEvent(event);
    if (!m_hint.isEmpty()) {
        QPainter painter(this);
        painter.setPen(Theme::current().mutedText());
        painter.drawText(rect().adjusted(24, 8, -24, -8), Qt::AlignCenter | Qt::TextWordWrap,
                         m_hint);
    }
}

}  // namespace kinetoscope
