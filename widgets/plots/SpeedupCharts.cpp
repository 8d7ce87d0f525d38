// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/SpeedupCharts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/compare/CompareText.h"
#include "widgets/plots/RatioAxis.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::plots {

namespace {

constexpr double kBoxWidth = 0.6;

QString text(const std::string& utf8) {
    return style::shownText(std::string_view(utf8));
}

std::vector<int> measuredKernels(const compare::Comparison& comparison) {
    std::vector<int> rows;
    for (std::size_t i = 0; i < comparison.kernels.size(); ++i) {
        if (comparison.kernels[i].speedup.pairs > 0) {
            rows.push_back(static_cast<int>(i));
        }
    }
    std::ranges::stable_sort(rows, {}, [&](int row) {
        return comparison.kernels[static_cast<std::size_t>(row)].speedup.q50;
    });
    return rows;
}

}  // namespace

SpeedupRangeChart::SpeedupRangeChart(session::CompareState& state, QWidget* parent)
    : CompareChart(state, parent) {
    setWhatsThis(
        tr("Speedup of each kernel: the baseline's time over the candidate's, pair by pair. A line "
           "from the smallest to the largest, a bar from the 0.2 to the 0.8 quantile, a mark at "
           "the median."));
    refill();
}

void SpeedupRangeChart::fill(const session::ComparedPair& pair) {
    const compare::Comparison& comparison = pair.comparison;
    m_order = measuredKernels(comparison);
    if (m_order.empty()) {
        setHint(tr("No %1 has pairs to compare.").arg(noun(pair)));
        return;
    }
    std::array<QCPStatisticalBox*, 4> boxes{};
    for (std::size_t verdict = 0; verdict < boxes.size(); ++verdict) {
        auto* box = new QCPStatisticalBox(xAxis, yAxis);
        const QColor color = verdictColor(static_cast<stats::Verdict>(verdict));
        QColor faint = color;
        faint.setAlphaF(0.35F);
        box->setPen(line(color));
        box->setBrush(faint);
        box->setMedianPen(line(color, 2.5));
        box->setWhiskerPen(line(color));
        box->setWhiskerBarPen(line(color));
        box->setWidth(kBoxWidth);
        box->setWhiskerWidth(0.25);
        boxes[verdict] = box;
    }
    double least = 1.0;
    double most = 1.0;
    for (std::size_t at = 0; at < m_order.size(); ++at) {
        const compare::KernelChange& kernel =
            comparison.kernels[static_cast<std::size_t>(m_order[at])];
        const compare::Speedup& speedup = kernel.speedup;
        boxes[static_cast<std::size_t>(kernel.verdict)]->addData(
            static_cast<double>(at), speedup.min, speedup.q20, speedup.q50, speedup.q80,
            speedup.max);
        least = std::min(least, speedup.min);
        most = std::max(most, speedup.max);
        if (m_order[at] == state().selectedKernel()) {
            addRule(static_cast<double>(at), true);
        }
    }
    addRule(1.0);
    setRatioAxis(yAxis, least, most);
    yAxis->setLabel(tr("speedup"));
    xAxis->setRange(-0.8, static_cast<double>(m_order.size()) - 0.2);
    xAxis->setTicker(QSharedPointer<QCPAxisTickerText>::create());
    xAxis->setLabel(
        tr("%1 %2, slowest to fastest").arg(m_order.size()).arg(noun(pair, m_order.size())));
}

int SpeedupRangeChart::kernelAt(QPointF at) const {
    const auto place = std::lround(xAxis->pixelToCoord(at.x()));
    return place < 0 || place >= static_cast<long>(m_order.size())
               ? -1
               : m_order[static_cast<std::size_t>(place)];
}

QString SpeedupRangeChart::toolTipAt(QPointF at) const {
    const int row = kernelAt(at);
    if (row < 0 || !axisRect()->rect().contains(at.toPoint())) {
        return {};
    }
    const compare::KernelChange& kernel =
        state().shown()->comparison.kernels[static_cast<std::size_t>(row)];
    const compare::Speedup& speedup = kernel.speedup;
    // At once: a name may hold a "%3" of its own.
    const auto number = [](double value) { return QString::number(value, 'f', 3); };
    return tr("%1\n%2, median %3, 20 to 80 %: %4 to %5, all: %6 to %7")
        .arg(text(compare::rowLabel(kernel.name, false)),
             QString::fromUtf8(stats::verdictName(kernel.verdict).data()), number(speedup.q50),
             number(speedup.q20), number(speedup.q80), number(speedup.min), number(speedup.max));
}

void SpeedupRangeChart::clicked(QPointF at) {
    if (const int row = kernelAt(at); row >= 0) {
        state().selectKernel(row);
    }
}

SpeedupDistributionChart::SpeedupDistributionChart(session::CompareState& state, QWidget* parent)
    : CompareChart(state, parent) {
    setWhatsThis(tr("Cumulative share of kernels, and of their baseline time, by median speedup."));
    refill();
}

void SpeedupDistributionChart::fill(const session::ComparedPair& pair) {
    const compare::Comparison& comparison = pair.comparison;
    const std::vector<int> order = measuredKernels(comparison);
    if (order.empty()) {
        setHint(tr("No %1 has pairs to compare.").arg(noun(pair)));
        return;
    }
    double allTime = 0.0;
    for (const int row : order) {
        allTime += comparison.kernels[static_cast<std::size_t>(row)].totalNs.value.base;
    }
    QVector<double> speedups;
    QVector<double> kernels;
    QVector<double> times;
    double time = 0.0;
    const auto add = [&](double speedup, double count) {
        speedups << speedup;
        kernels << 100.0 * count / static_cast<double>(order.size());
        times << (allTime > 0.0 ? 100.0 * time / allTime : 0.0);
    };
    const auto speedupAt = [&](std::size_t at) {
        return comparison.kernels[static_cast<std::size_t>(order[at])].speedup.q50;
    };
    add(speedupAt(0) / 10.0, 0.0);
    for (std::size_t at = 0; at < order.size(); ++at) {
        time += comparison.kernels[static_cast<std::size_t>(order[at])].totalNs.value.base;
        add(speedupAt(at), static_cast<double>(at + 1));
    }
    add(speedups.last() * 10.0, static_cast<double>(order.size()));
    const style::Theme& theme = style::Theme::current();
    const auto addGraphOf = [&](const QVector<double>& values, const QColor& color,
                                const QString& name) {
        QCPGraph* graph = addGraph();
        graph->setData(speedups, values, true);
        graph->setLineStyle(QCPGraph::lsStepLeft);
        graph->setPen(line(color, 2.0));
        graph->setName(name);
    };
    addGraphOf(kernels, theme.mutedText(), tr("of %1").arg(noun(pair, 2)));
    addGraphOf(times, theme.accent(), tr("of %1 time").arg(noun(pair)));
    addRule(1.0, true);
    setRatioAxis(xAxis, speedupAt(0), speedupAt(order.size() - 1));
    xAxis->setLabel(tr("median speedup of a %1").arg(noun(pair)));
    yAxis->setRange(0.0, 104.0);
    yAxis->setLabel(tr("cumulative %"));
    addLegend();
}

QString SpeedupDistributionChart::toolTipAt(QPointF at) const {
    if (graphCount() < 2 || !axisRect()->rect().contains(at.toPoint())) {
        return {};
    }
    const double speedup = xAxis->pixelToCoord(at.x());
    const auto valueAt = [&](int index) {
        const auto points = graph(index)->data();
        const auto found = points->findEnd(speedup, false);
        return found == points->constBegin() ? 0.0 : (found - 1)->value;
    };
    const session::ComparedPair& pair = *state().shown();
    return tr("%1 % of the %2 and %3 % of %4 time have a speedup of at most %5")
        .arg(valueAt(0), 0, 'f', 1)
        .arg(noun(pair, 2))
        .arg(valueAt(1), 0, 'f', 1)
        .arg(noun(pair))
        .arg(speedup, 0, 'f', 3);
}

}  // namespace kinetoscope::plots
