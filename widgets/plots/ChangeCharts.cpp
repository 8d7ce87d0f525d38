// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/ChangeCharts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/SaturatedTime.h"
#include "core/compare/CompareText.h"
#include "core/compare/MatchRules.h"
#include "core/report/Figures.h"
#include "core/text/Units.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::plots {

namespace {

constexpr int kMaxParts = 10;
constexpr int kMinParts = 3;
constexpr int kBesideParts = 64;  // pixels above and below them: the axis, its label, margins
constexpr int kOtherRows = 3;     // baseline, candidate and what is left
constexpr std::size_t kLabelLength = 30;
constexpr double kChangeBarWidth = 0.7;
constexpr int kMaxBins = 60;

/// Fused kernels are distinguished by what they fused.
QString shortLabel(const std::string& name) {
    const std::string_view part = compare::fusedPart(name);
    return QString::fromStdString(compare::fitRowLabel(
        compare::rowLabel(part.empty() ? name : std::string(part), false), kLabelLength));
}

QString timeLabel(double ns) {
    const text::TimeUnit unit = text::unitFor(saturatedTime(std::abs(ns)));
    return QString::fromStdString(text::inUnit(ns, unit)) + QLatin1Char(' ') +
           QString::fromUtf8(unit.name);
}

/// Launches of a trace, or samples of a benchmark, in nanoseconds.
compare::Both<std::vector<double>> durationsOf(const compare::Comparison& comparison,
                                               const compare::KernelChange& kernel) {
    if (kernel.row == compare::kNoRow) {
        return kernel.samplesNs;
    }
    const auto timesOf = [](const std::vector<compare::MatchedUnit>& units) {
        std::vector<double> times;
        times.reserve(units.size());
        for (const compare::MatchedUnit& unit : units) {
            times.push_back(unit.ns);
        }
        return times;
    };
    const auto& units = comparison.matches.rows[kernel.row].units;
    return {timesOf(units.base), timesOf(units.candidate)};
}

}  // namespace

WaterfallChart::WaterfallChart(session::CompareState& state, QWidget* parent)
    : CompareChart(state, parent) {
    setWhatsThis(
        tr("Breakdown of the change in kernel time: from the baseline's total at the top, through "
           "what each kernel adds or saves, largest first and the rest as one bar, to the "
           "candidate's total at the bottom."));
    refill();
}

void WaterfallChart::addBar(double row, double from, double to, const QColor& color) {
    auto* bar = new QCPItemRect(this);
    bar->topLeft->setCoords(std::min(from, to) / m_unit.ns, row - kChangeBarWidth / 2.0);
    bar->bottomRight->setCoords(std::max(from, to) / m_unit.ns, row + kChangeBarWidth / 2.0);
    bar->setPen(line(color));
    bar->setBrush(color);
}

void WaterfallChart::fill(const session::ComparedPair& pair) {
    const compare::Comparison& comparison = pair.comparison;
    m_parts.clear();
    m_total = comparison.kernelTimeNs.value;
    m_unit = text::unitFor(saturatedTime(std::max(m_total.base, m_total.candidate)));
    for (std::size_t i = 0; i < comparison.kernels.size(); ++i) {
        const compare::KernelChange& kernel = comparison.kernels[i];
        m_parts.push_back({shortLabel(kernel.name), kernel.totalNs.delta(), static_cast<int>(i)});
    }
    for (const compare::KernelOfOneSide& kernel : comparison.onlyBase) {
        m_parts.push_back({tr("gone: %1").arg(shortLabel(kernel.name)), -kernel.totalNs, -1});
    }
    for (const compare::KernelOfOneSide& kernel : comparison.onlyCandidate) {
        m_parts.push_back({tr("new: %1").arg(shortLabel(kernel.name)), kernel.totalNs, -1});
    }
    std::erase_if(m_parts, [](const Part& part) { return part.deltaNs == 0.0; });
    std::ranges::stable_sort(m_parts, {}, [](const Part& part) { return -std::abs(part.deltaNs); });
    m_room = partsWithRoom();
    if (const auto most = static_cast<std::size_t>(m_room); m_parts.size() > most) {
        Part rest;
        for (std::size_t i = most; i < m_parts.size(); ++i) {
            rest.deltaNs += m_parts[i].deltaNs;
        }
        rest.name = tr("%1 others").arg(m_parts.size() - most);
        m_parts.resize(most);
        m_parts.push_back(rest);
    }
    const style::Theme& theme = style::Theme::current();
    auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    double level = m_total.base;
    double least = std::min(m_total.base, m_total.candidate);
    double most = std::max(m_total.base, m_total.candidate);
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const double next = level + m_parts[i].deltaNs;
        const auto row = static_cast<double>(i + 1);
        addBar(row, level, next, m_parts[i].deltaNs > 0.0 ? theme.error() : theme.good());
        ticker->addTick(row, m_parts[i].name);
        level = next;
        least = std::min(least, level);
        most = std::max(most, level);
    }
    const auto end = static_cast<double>(m_parts.size() + 1);
    // Small changes of a large total are to be seen: only for them the axis does not begin at 0.
    const double room = std::max((most - least) * 0.15, most * 0.001);
    const double left = most - least > most / 4 ? 0.0 : std::max(0.0, least - room);
    addBar(0.0, left, m_total.base, theme.mutedText());
    addBar(end, left, m_total.candidate, theme.mutedText());
    ticker->addTick(0.0, tr("baseline"));
    ticker->addTick(end, tr("candidate"));
    yAxis->setTicker(ticker);
    yAxis->setRangeReversed(true);
    yAxis->setRange(-0.6, end + 0.6);
    xAxis->setRange(left / m_unit.ns, (most + room) / m_unit.ns);
    xAxis->setLabel(tr("%1 time %2").arg(noun(pair), QString::fromUtf8(m_unit.name)));
}

// Each has a line of its own for its name.
int WaterfallChart::partsWithRoom() const {
    const int rows = (height() - kBesideParts) / qMax(1, fontMetrics().height());
    return qBound(kMinParts, rows - kOtherRows, kMaxParts);
}

void WaterfallChart::resizeEvent(QResizeEvent* event) {
    CompareChart::resizeEvent(event);
    if (partsWithRoom() != m_room) {
        refill();
    }
}

const WaterfallChart::Part* WaterfallChart::partAt(QPointF at) const {
    const auto place = std::lround(yAxis->pixelToCoord(at.y()));
    return place < 1 || place > static_cast<long>(m_parts.size())
               ? nullptr
               : &m_parts[static_cast<std::size_t>(place - 1)];
}

QString WaterfallChart::toolTipAt(QPointF at) const {
    if (const Part* part = partAt(at)) {
        return tr("%1\n%2%3")
            .arg(part->name, part->deltaNs > 0.0 ? QStringLiteral("+") : QString(),
                 timeLabel(part->deltaNs));
    }
    const bool isBase = yAxis->pixelToCoord(at.y()) < 0.5;
    return tr("%1: %2").arg(isBase ? tr("baseline") : tr("candidate"),
                            timeLabel(isBase ? m_total.base : m_total.candidate));
}

void WaterfallChart::clicked(QPointF at) {
    if (const Part* part = partAt(at); part != nullptr && part->kernel >= 0) {
        state().selectKernel(part->kernel);
    }
}

DurationChangeChart::DurationChangeChart(session::CompareState& state, QWidget* parent)
    : CompareChart(state, parent) {
    setWhatsThis(
        tr("Distribution of the selected kernel's launch durations in baseline and candidate, on "
           "one axis."));
    refill();
}

void DurationChangeChart::fill(const session::ComparedPair& pair) {
    const int selected = state().selectedKernel();
    if (selected < 0) {
        setHint(tr("Select a %1 to see its durations.").arg(noun(pair)));
        return;
    }
    const compare::KernelChange& kernel =
        pair.comparison.kernels[static_cast<std::size_t>(selected)];
    const compare::Both<std::vector<double>> durations = durationsOf(pair.comparison, kernel);
    if (durations.base.empty() || durations.candidate.empty()) {
        setHint(tr("One side has no durations for this %1.").arg(noun(pair)));
        return;
    }
    const auto [baseLeast, baseMost] = std::ranges::minmax(durations.base);
    const auto [candidateLeast, candidateMost] = std::ranges::minmax(durations.candidate);
    const double least = std::min(baseLeast, candidateLeast);
    const double most = std::max(baseMost, candidateMost);
    const std::size_t largest = std::max(durations.base.size(), durations.candidate.size());
    const int bins =
        std::clamp(static_cast<int>(std::sqrt(static_cast<double>(largest))) * 2, 8, kMaxBins);
    const double width = std::max(1.0, (most - least + 1.0) / bins);
    double tallest = 0.0;
    const style::Theme& theme = style::Theme::current();
    const auto addOutline = [&](const std::vector<double>& values, const QColor& color,
                                const QString& name) {
        QVector<double> counts(bins + 2, 0.0);
        QVector<double> keys(bins + 2);
        for (const double ns : values) {
            ++counts[std::min(static_cast<int>((ns - least) / width), bins - 1) + 1];
        }
        for (int bin = 0; bin < bins + 2; ++bin) {
            keys[bin] = (least + (bin - 1) * width) / 1e3;
            tallest = std::max(tallest, counts[bin]);
        }
        QCPGraph* graph = addGraph();
        graph->setData(keys, counts, true);
        graph->setLineStyle(QCPGraph::lsStepLeft);
        graph->setPen(line(color, 2.0));
        graph->setName(name);
    };
    addOutline(durations.base, theme.mutedText(), tr("baseline"));
    addOutline(durations.candidate, theme.accent(), tr("candidate"));
    xAxis->setRange((least - 1.5 * width) / 1e3, (most + 1.5 * width) / 1e3);
    xAxis->setLabel(tr("duration µs of %1").arg(shortLabel(kernel.name)));
    yAxis->setTicker(QSharedPointer<CountTicker>::create());
    yAxis->setRange(0.0, tallest * 1.1 + 0.5);
    yAxis->setLabel(pair.comparison.results ? tr("samples") : tr("launches"));
    addLegend();
}

namespace {

QString labelOf(std::string_view figure) {
    const report::Figure* found = report::findFigure(figure);
    return found == nullptr ? QString() : QString::fromStdString(report::midSentence(found->label));
}

}  // namespace

BreakdownChart::BreakdownChart(session::CompareState& state, QWidget* parent)
    : CompareChart(state, parent) {
    setWhatsThis(
        tr("Breakdown of the window on both sides: compute, exposed communication, exposed copies "
           "and idle, which add up to it, and matrix multiplications and convolutions."));
    refill();
}

void BreakdownChart::fill(const session::ComparedPair& pair) {
    const compare::TimeChange& times = pair.comparison.breakdown;
    if (times.of("window_ns").value.base <= 0.0 && times.of("window_ns").value.candidate <= 0.0) {
        setHint(tr("Only traces have a breakdown of GPU time."));
        return;
    }
    const style::Theme& theme = style::Theme::current();
    struct Stack {
        const char* figure;
        QColor color;
    };
    const std::array<Stack, 4> stacks{{{"compute_ns", theme.compute()},
                                       {"exposed_comm_ns", theme.communication()},
                                       {"exposed_copy_ns", theme.copies()},
                                       {"idle_ns", theme.idle()}}};
    QCPBars* below = nullptr;
    const auto addBars = [&](const QString& name, const QColor& color) {
        auto* bars = new QCPBars(xAxis, yAxis);
        bars->setPen(Qt::NoPen);
        bars->setBrush(color);
        bars->setWidth(kChangeBarWidth);
        bars->setName(name);
        return bars;
    };
    for (const Stack& stack : stacks) {
        QCPBars* bars = addBars(labelOf(stack.figure), stack.color);
        bars->addData(0.0, times.of(stack.figure).value.base / 1e6);
        bars->addData(1.0, times.of(stack.figure).value.candidate / 1e6);
        if (below != nullptr) {
            bars->moveAbove(below);
        }
        below = bars;
    }
    QCPBars* mmConv = addBars(labelOf("mm_conv_ns"), theme.mmConv());
    mmConv->addData(2.5, times.of("mm_conv_ns").value.base / 1e6);
    mmConv->addData(3.5, times.of("mm_conv_ns").value.candidate / 1e6);
    const auto share = [&](double part, double whole) {
        return whole > 0.0 ? QString::number(100.0 * part / whole, 'f', 1) : QStringLiteral("–");
    };
    auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    ticker->addTick(0.0, tr("baseline"));
    ticker->addTick(1.0, tr("candidate"));
    ticker->addTick(
        2.5, tr("baseline\n%1 %")
                 .arg(share(times.of("mm_conv_ns").value.base, times.of("window_ns").value.base)));
    ticker->addTick(3.5, tr("candidate\n%1 %")
                             .arg(share(times.of("mm_conv_ns").value.candidate,
                                        times.of("window_ns").value.candidate)));
    xAxis->setTicker(ticker);
    xAxis->setRange(-0.7, 4.2);
    yAxis->setRange(0.0, 1.05e-6 * std::max(times.of("window_ns").value.base,
                                            times.of("window_ns").value.candidate));
    yAxis->setLabel(tr("ms"));
    addLegend();
}

QString BreakdownChart::toolTipAt(QPointF at) const {
    const session::ComparedPair* pair = state().shown();
    const double place = xAxis->pixelToCoord(at.x());
    if (pair == nullptr || place > 4.0) {
        return {};
    }
    const compare::TimeChange& times = pair->comparison.breakdown;
    const bool candidate = (place > 0.5 && place < 1.75) || place > 3.0;
    QStringList lines;
    for (const report::Figure& figure : report::gpuFigures()) {
        if (figure.isCompared) {
            const compare::Change& change = times.of(figure.name());
            lines.append(QStringLiteral("%1 %2").arg(
                labelOf(figure.name()),
                timeLabel(candidate ? change.value.candidate : change.value.base)));
        }
    }
    return QStringLiteral("%1: %2").arg(candidate ? tr("candidate") : tr("baseline"),
                                        lines.join(QStringLiteral(", ")));
}

}  // namespace kinetoscope::plots
