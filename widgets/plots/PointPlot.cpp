// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/PointPlot.h"

#include <algorithm>
#include <cmath>

#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::plots {

namespace {

constexpr double kPointSize = 5.0;
constexpr double kReach = 8.0;  // pixels from a point to what still means it
constexpr double kPointRoom = 1.05;

}  // namespace

PointPlot::PointPlot(QWidget* parent) : Chart(parent) {
    setWhatsThis(
        tr("One point per table row: the second column chosen above against the first. Click to "
           "select the row."));
    refill();
}

void PointPlot::setPoints(std::vector<PlottedPoint> points, const QString& across,
                          const QString& up) {
    m_points = std::move(points);
    std::erase_if(m_points, [](const PlottedPoint& point) {
        return !std::isfinite(point.x) || !std::isfinite(point.y);
    });
    m_across = across;
    m_up = up;
    refill();
}

void PointPlot::drawContents() {
    if (m_points.empty()) {
        setHint(tr("No row has numbers in both columns."));
        return;
    }
    const QColor color = style::Theme::current().accent();
    QCPGraph* const graph = addGraph();
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, color, color, kPointSize));
    QVector<double> xs, ys;
    for (const PlottedPoint& point : m_points) {
        xs << point.x;
        ys << point.y;
    }
    graph->setData(xs, ys);
    xAxis->setLabel(style::shownText(m_across));
    yAxis->setLabel(style::shownText(m_up));
    rescaleAxes();
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->scaleRange(kPointRoom);
    }
}

QPointF PointPlot::placeOf(std::size_t point) const {
    return {xAxis->coordToPixel(m_points[point].x), yAxis->coordToPixel(m_points[point].y)};
}

const PlottedPoint* PointPlot::pointAt(QPointF at) const {
    const PlottedPoint* nearest = nullptr;
    double least = kReach;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const QPointF away = placeOf(i) - at;
        const double distance = std::hypot(away.x(), away.y());
        if (distance < least) {
            least = distance;
            nearest = &m_points[i];
        }
    }
    return nearest;
}

QString PointPlot::toolTipAt(QPointF at) const {
    const PlottedPoint* const point = pointAt(at);
    return point == nullptr ? QString()
                            : tr("row %1: %2, %3")
                                  .arg(point->row + 1)
                                  .arg(point->x, 0, 'g', 9)
                                  .arg(point->y, 0, 'g', 9);
}

void PointPlot::clicked(QPointF at) {
    if (const PlottedPoint* const point = pointAt(at)) {
        emit pointClicked(point->row);
    }
}

}  // namespace kinetoscope::plots
