// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/BarPlot.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>
#include <cmath>

#include "widgets/plots/Plot.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::plots {

namespace {

constexpr double kBarWidth = 0.7;
constexpr double kRoom = 1.05;  // of the longest bar
constexpr int kMaxLabels = 40;
constexpr int kMaxLabelLetters = 44;

QString cut(const QString& label) {
    return label.size() <= kMaxLabelLetters ? label
                                            : label.left(kMaxLabelLetters - 1) + QChar(0x2026);
}

}  // namespace

BarPlot::BarPlot(Form form, QWidget* parent)
    : QWidget(parent), m_form(form), m_plot(new Plot(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    m_plot->setWhatsThis(
        form == Form::Lying
            ? tr("One bar per row: the median of its measured times with its 95 % interval. The "
                 "best is green.")
            : tr("One bar per table row, in table order: the column chosen above."));
    QCPAxis* places = form == Form::Lying ? m_plot->yAxis : m_plot->xAxis;
    QCPAxis* values = form == Form::Lying ? m_plot->xAxis : m_plot->yAxis;
    m_plain = new QCPBars(places, values);
    m_good = new QCPBars(places, values);
    m_errors = new QCPErrorBars(places, values);
    // The interval is centred at the value of whichever series holds the bar.
    auto* centres = m_plot->addGraph(places, values);
    centres->setLineStyle(QCPGraph::lsNone);
    m_errors->setDataPlottable(centres);
    m_errors->setErrorType(QCPErrorBars::etValueError);
    m_errors->setSymbolGap(0);
    for (QCPBars* bars : {m_plain, m_good}) {
        bars->setWidth(kBarWidth);
    }
    places->setRangeReversed(form == Form::Lying);
    places->grid()->setVisible(false);
    places->setTickLength(0, 0);
    m_plot->installEventFilter(this);
    recolour();
    fill();
}

void BarPlot::setBars(std::vector<Bar> bars, const QString& title) {
    m_bars = std::move(bars);
    m_title = title;
    fill();
}

void BarPlot::setEmptyText(const QString& text) {
    m_emptyText = text;
    update();
}

void BarPlot::fill() {
    QVector<double> plainKeys, plainValues, goodKeys, goodValues, keys, values, below, above;
    double most = 0.0;
    double least = 0.0;
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        const Bar& bar = m_bars[i];
        const auto place = static_cast<double>(i);
        ticker->addTick(place, cut(bar.label));
        if (!bar.value || !std::isfinite(*bar.value)) {
            continue;
        }
        (bar.marked ? goodKeys : plainKeys) << place;
        (bar.marked ? goodValues : plainValues) << *bar.value;
        keys << place;
        values << *bar.value;
        // Exact values have no whisker.
        const bool isExact = bar.below <= 0.0 && bar.above <= 0.0;
        below << (isExact ? qQNaN() : bar.below);
        above << (isExact ? qQNaN() : bar.above);
        most = std::max(most, *bar.value + bar.above);
        least = std::min(least, *bar.value - bar.below);
    }
    m_plain->setData(plainKeys, plainValues, true);
    m_good->setData(goodKeys, goodValues, true);
    m_plot->graph(0)->setData(keys, values, true);
    m_errors->setData(below, above);
    QCPAxis* places = m_plain->keyAxis();
    QCPAxis* scale = m_plain->valueAxis();
    places->setRange(-0.6, std::max(static_cast<double>(m_bars.size()) - 0.4, 0.6));
    const bool labels = m_form == Form::Lying && m_bars.size() <= kMaxLabels;
    places->setTickLabels(labels);
    places->setTicker(ticker);
    scale->setRange(std::min(least, 0.0) * kRoom, most > 0.0    ? most * kRoom
                                                  : least < 0.0 ? 0.0
                                                                : 1.0);
    scale->setLabel(style::shownText(m_title));
    m_plot->setVisible(!keys.isEmpty());
    m_plot->replot();
    update();
}

void BarPlot::recolour() {
    const style::Theme& theme = style::Theme::current();
    m_plot->setBackground(QBrush(theme.base()));
    m_plain->setPen(Qt::NoPen);
    m_plain->setBrush(theme.accent());
    m_good->setPen(Qt::NoPen);
    m_good->setBrush(theme.good());
    m_errors->setPen(QPen(theme.text()));
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setBasePen(QPen(theme.border()));
        axis->setTickPen(QPen(theme.border()));
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLabelColor(theme.text());
        axis->setLabelColor(theme.mutedText());
        axis->setTickLabelFont(font());
        axis->setLabelFont(font());
        axis->grid()->setPen(QPen(theme.grid()));
        axis->grid()->setZeroLinePen(QPen(theme.border()));
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QRectF BarPlot::barRect(std::size_t index) const {
    const Bar& bar = m_bars[index];
    if (!bar.value) {
        return {};
    }
    const auto place = static_cast<double>(index);
    const QCPAxis* places = m_plain->keyAxis();
    const QCPAxis* scale = m_plain->valueAxis();
    const QPointF along(places->coordToPixel(place - kBarWidth / 2),
                        places->coordToPixel(place + kBarWidth / 2));
    const QPointF across(scale->coordToPixel(0.0), scale->coordToPixel(*bar.value));
    const QRectF rect =
        m_form == Form::Lying
            ? QRectF(QPointF(across.x(), along.x()), QPointF(across.y(), along.y()))
            : QRectF(QPointF(along.x(), across.x()), QPointF(along.y(), across.y()));
    return rect.normalized().translated(m_plot->pos());
}

std::pair<double, double> BarPlot::whiskerEnds(std::size_t index) const {
    const Bar& bar = m_bars[index];
    const double value = bar.value.value_or(0.0);
    const QCPAxis* scale = m_plain->valueAxis();
    const QPoint corner = m_plot->pos();
    const double origin = m_form == Form::Lying ? corner.x() : corner.y();
    return {origin + scale->coordToPixel(value - bar.below),
            origin + scale->coordToPixel(value + bar.above)};
}

int BarPlot::barAt(QPointF at) const {
    const double place = m_form == Form::Lying ? m_plot->yAxis->pixelToCoord(at.y())
                                               : m_plot->xAxis->pixelToCoord(at.x());
    const int index = static_cast<int>(std::lround(place));
    return index >= 0 && index < static_cast<int>(m_bars.size()) ? index : -1;
}

bool BarPlot::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int index = barAt(help->pos());
        QToolTip::showText(
            help->globalPos(),
            index < 0 ? QString()
                      : style::plainToolTip(m_bars[static_cast<std::size_t>(index)].toolTip),
            m_plot);
        return true;
    }
    if (event->type() == QEvent::MouseButtonPress) {
        if (const int index = barAt(static_cast<QMouseEvent*>(event)->position()); index >= 0) {
            emit barClicked(index);
        }
    }
    return QWidget::eventFilter(watched, event);
}

void BarPlot::paintEvent(QPaintEvent* event) {
    QWidget::paintEvent(event);
    QPainter painter(this);
    painter.fillRect(rect(), style::Theme::current().base());
    if (!m_plot->isVisible()) {
        painter.setPen(style::Theme::current().mutedText());
        painter.drawText(rect().adjusted(24, 8, -24, -8), Qt::AlignCenter | Qt::TextWordWrap,
                         m_emptyText);
    }
}

void BarPlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        recolour();
    }
    QWidget::changeEvent(event);
}

}  // namespace kinetoscope::plots
