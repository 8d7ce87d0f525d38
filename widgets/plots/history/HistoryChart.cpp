// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/history/HistoryChart.h"

#include <algorithm>
#include <cmath>

#include "core/stats/Statistics.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::plots {

namespace {

constexpr double kDotSize = 7.0;
constexpr double kDotReach = 10.0;  // pixels from a dot to what still means it
constexpr double kValueRoom = 1.15;
constexpr double kMinSpread = 0.01;  // of the values, so that noise does not fill the picture

}  // namespace

HistoryChart::HistoryChart(QWidget* parent) : Chart(parent) {
    setWhatsThis(
        tr("One dot per entry of the baseline, oldest first, with the 95 % interval of its median. "
           "Dashed lines are change points: red where it became slower, green where faster. Click "
           "a dot to open its entry."));
    refill();
}

void HistoryChart::setDots(std::vector<HistoryDot> dots, const QString& title,
                           const QString& hint) {
    m_dots = std::move(dots);
    m_title = title;
    m_emptyText = hint;
    refill();
}

void HistoryChart::drawContents() {
    if (m_dots.empty()) {
        setHint(m_emptyText);
        return;
    }
    const style::Theme& theme = style::Theme::current();
    QVector<double> places, values, below, above;
    double least = m_dots.front().value;
    double most = least;
    for (const HistoryDot& dot : m_dots) {
        places << static_cast<double>(places.size());
        values << dot.value;
        below << dot.below;
        above << dot.above;
        least = std::min(least, dot.value - dot.below);
        most = std::max(most, dot.value + dot.above);
    }
    drawLevels();
    drawChanges();
    QCPGraph* const graph = addGraph();
    graph->setPen(line(theme.border()));
    graph->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssDisc, theme.accent(), theme.accent(), kDotSize));
    graph->setData(places, values, true);
    auto* const errors = new QCPErrorBars(xAxis, yAxis);
    errors->setDataPlottable(graph);
    errors->setErrorType(QCPErrorBars::etValueError);
    errors->setPen(line(theme.text()));
    errors->setData(below, above);
    xAxis->setLabel(tr("entries, oldest first"));
    xAxis->setTickLabels(false);
    xAxis->setRange(-0.5, static_cast<double>(m_dots.size()) - 0.5);
    yAxis->setLabel(style::shownText(m_title));
    const double middle = (least + most) / 2.0;
    const double spread = std::max(most - least, std::abs(middle) * kMinSpread);
    yAxis->setRange(middle - spread / 2.0, middle + spread / 2.0);
    yAxis->scaleRange(kValueRoom);
}

void HistoryChart::drawChanges() {
    const style::Theme& theme = style::Theme::current();
    for (std::size_t i = 0; i < m_dots.size(); ++i) {
        if (!m_dots[i].change.isEmpty()) {
            auto* const rule = new QCPItemStraightLine(this);
            rule->setPen(line(m_dots[i].slower ? theme.error() : theme.good(), 1.5, Qt::DashLine));
            const double place = static_cast<double>(i) - 0.5;
            rule->point1->setCoords(place, 0.0);
            rule->point2->setCoords(place, 1.0);
        }
    }
}

void HistoryChart::drawLevels() {
    std::size_t first = 0;
    for (std::size_t i = 1; i <= m_dots.size(); ++i) {
        if (i < m_dots.size() && m_dots[i].change.isEmpty()) {
            continue;
        }
        std::vector<double> values;
        for (std::size_t dot = first; dot < i; ++dot) {
            values.push_back(m_dots[dot].value);
        }
        const double level = stats::medianOf(values);
        auto* const part = new QCPItemLine(this);
        part->setPen(line(style::Theme::current().mutedText(), 1.0, Qt::DotLine));
        part->start->setCoords(static_cast<double>(first) - 0.5, level);
        part->end->setCoords(static_cast<double>(i) - 0.5, level);
        first = i;
    }
}

QPointF HistoryChart::placeOf(std::size_t dot) const {
    return {xAxis->coordToPixel(static_cast<double>(dot)), yAxis->coordToPixel(m_dots[dot].value)};
}

std::pair<double, double> HistoryChart::intervalOf(std::size_t dot) const {
    const HistoryDot& shown = m_dots[dot];
    return {yAxis->coordToPixel(shown.value - shown.below),
            yAxis->coordToPixel(shown.value + shown.above)};
}

int HistoryChart::dotAt(QPointF at) const {
    int nearest = -1;
    double least = kDotReach;
    for (std::size_t i = 0; i < m_dots.size(); ++i) {
        const QPointF away = placeOf(i) - at;
        const double distance = std::hypot(away.x(), away.y());
        if (distance < least) {
            least = distance;
            nearest = static_cast<int>(i);
        }
    }
    return nearest;
}

QString HistoryChart::toolTipAt(QPointF at) const {
    const int dot = dotAt(at);
    if (dot < 0) {
        return {};
    }
    const HistoryDot& shown = m_dots[static_cast<std::size_t>(dot)];
    return shown.change.isEmpty() ? shown.toolTip : shown.toolTip + u'\n' + shown.change;
}

void HistoryChart::clicked(QPointF at) {
    if (const int dot = dotAt(at); dot >= 0) {
        emit dotClicked(dot);
    }
}

}  // namespace kinetoscope::plots
