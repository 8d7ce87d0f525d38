// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/GpuSection.h"

#include <QVBoxLayout>
#include <map>
#include <vector>

#include "core/report/Figures.h"
#include "core/text/Format.h"
#include "core/text/Units.h"
#include "widgets/models/Text.h"
#include "widgets/panels/parts/FigureGrid.h"
#include "widgets/style/FigureTile.h"
#include "widgets/style/Oklch.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/StackedBar.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::panels {

namespace {

/// A figure and the colour of its part of a bar.
struct PartOfTime {
    const report::Figure* figure;
    TimeNs ns;
    QColor color;
};

/// All times of a section have the unit that fits its window.
QString timeIn(TimeNs ns, text::TimeUnit unit) {
    return models::toText(text::inUnit(ns, unit) + " " + unit.name);
}

/// For tool tips: "1.250 ms (1,250,000 ns)".
QString exact(TimeNs ns) {
    return models::toText(text::formatDuration(ns) + " (" + text::formatCount(ns) + " ns)");
}

QString labelOf(const report::Figure& figure) {
    return models::toText(figure.label);
}

QString tipOf(const report::Figure& figure) {
    return models::figureTip(figure.name());
}

/// Where the share alone is shown.
QString shareTipOf(const report::Figure& figure) {
    return style::plainToolTip(GpuSection::tr("Shown as its share of the window. %1")
                                   .arg(models::toText(figure.definition)),
                               labelOf(figure));
}

QColor colorOf(const report::Figure& figure) {
    const style::Theme& theme = style::Theme::current();
    const auto shade = [&](double part) {
        return style::mixColors(theme.idle(), theme.warning(), part);
    };
    const std::map<std::string_view, QColor> colors{{"busy_ns", theme.compute()},
                                                    {"kernel_busy_ns", theme.accent()},
                                                    {"mm_conv_ns", theme.mmConv()},
                                                    {"compute_ns", theme.compute()},
                                                    {"exposed_comm_ns", theme.communication()},
                                                    {"exposed_copy_ns", theme.copies()},
                                                    {"idle_ns", theme.idle()},
                                                    {"host_ns", shade(0.9)},
                                                    {"launch_ns", shade(0.5)},
                                                    {"dependency_ns", shade(0.2)},
                                                    {"graph_ns", theme.idle()},
                                                    {"profiler_ns", theme.communication()},
                                                    {"unknown_ns", theme.idle()},
                                                    {"host_wait_ns", shade(0.9)},
                                                    {"kernel_wait_ns", shade(0.5)},
                                                    {"other_ns", shade(0.2)},
                                                    {"overhead_ns", theme.communication()},
                                                    {"inside_graph_ns", theme.idle()}};
    const auto found = colors.find(figure.name());
    return found == colors.end() ? QColor() : found->second;
}

QString share(TimeNs part, TimeNs whole) {
    return QString::fromStdString(
        text::formatPercent(static_cast<double>(part), static_cast<double>(whole)));
}

double ratio(TimeNs part, TimeNs whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

QString shortTime(double ns) {
    return QString::fromStdString(text::formatDuration(static_cast<TimeNs>(ns)));
}

QString between(TimeNs from, TimeNs to) {
    return QStringLiteral("%1 … %2").arg(shortTime(static_cast<double>(from)),
                                         shortTime(static_cast<double>(to)));
}

void addBar(QVBoxLayout* layout, FigureGrid* grid, const std::vector<PartOfTime>& parts,
            TimeNs whole, text::TimeUnit unit) {
    auto* bar = new style::StackedBar;
    std::vector<style::StackedBar::Part> drawn;
    for (const PartOfTime& part : parts) {
        const QString value = exact(part.ns);
        const QString percent = share(part.ns, whole);
        drawn.push_back({part.color, static_cast<double>(part.ns),
                         style::plainToolTip(QStringLiteral("%1 (%2)").arg(value, percent),
                                             labelOf(*part.figure))});
        grid->addLine({.name = labelOf(*part.figure),
                       .value = timeIn(part.ns, unit),
                       .share = percent,
                       .toolTip = tipOf(*part.figure),
                       .swatch = part.color});
    }
    bar->setParts(std::move(drawn));
    layout->addWidget(bar);
    layout->addWidget(grid);
}

QVBoxLayout* columnOf(QWidget* widget) {
    return static_cast<QVBoxLayout*>(widget->layout());
}

}  // namespace

GpuSection::GpuSection(const report::GpuReport& gpu, TimeNs traceStart, QWidget* parent)
    : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(7);
    const QString number = models::toText(trace::gpuName(gpu.gpu));
    const QString title =
        gpu.name.empty() ? number : tr("%1 · %2").arg(number, models::toText(gpu.name));
    layout->addWidget(
        makeHeading(title, between(gpu.window.start - traceStart, gpu.window.end - traceStart),
                    models::figureTip("window_ns")));
    addTiles(gpu);
    addBreakdown(gpu, traceStart);
    addReasons(gpu, report::FigureGroup::Idle, tr("Why the GPU was idle"), tr("share of idle"),
               "idle");
    addReasons(gpu, report::FigureGroup::StreamGaps, tr("Why streams waited"),
               tr("share of all gaps"), "idle_gaps");
    addWork(gpu);
}

void GpuSection::addTiles(const report::GpuReport& gpu) {
    const TimeNs window = gpu.window.duration();
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    for (const report::Figure* figure : report::shownFigures(report::FigureGroup::Busy, gpu)) {
        if (!figure->isShare || figure->name() == "window_ns") {
            continue;
        }
        const TimeNs ns = figure->number(gpu);
        auto* tile = new style::FigureTile(labelOf(*figure), colorOf(*figure));
        tile->setFigure(share(ns, window), ratio(ns, window));
        tile->setToolTip(shareTipOf(*figure));
        tile->setObjectName(models::toText(figure->name()));
        row->addWidget(tile);
    }
    columnOf(this)->addLayout(row);
}

void GpuSection::addBreakdown(const report::GpuReport& gpu, TimeNs traceStart) {
    const TimeNs window = gpu.window.duration();
    columnOf(this)->addSpacing(4);
    columnOf(this)->addWidget(makeHeading(tr("Where the time went"), tr("share of the window"),
                                          models::figureTip("breakdown")));
    std::vector<PartOfTime> parts;
    std::vector<const report::Figure*> others;
    for (const report::Figure* figure : report::shownFigures(report::FigureGroup::Breakdown, gpu)) {
        if (figure->isCompared) {
            parts.push_back({figure, figure->number(gpu), colorOf(*figure)});
        } else {
            others.push_back(figure);
        }
    }
    auto* grid = new FigureGrid;
    const text::TimeUnit unit = text::unitFor(window);
    addBar(columnOf(this), grid, parts, window, unit);
    const report::Figure& whole = *report::findFigure("window_ns");
    grid->addLine({.name = labelOf(whole),
                   .value = timeIn(window, unit),
                   .share = share(window, window),
                   .toolTip = tipOf(whole),
                   .total = true});
    for (const report::Figure* figure : others) {
        const TimeNs ns = figure->number(gpu);
        grid->addLine({.name = labelOf(*figure),
                       .value = timeIn(ns, unit),
                       .share = share(ns, window),
                       .toolTip = tipOf(*figure)});
        if (const auto place = figure->place == nullptr ? std::nullopt : figure->place(gpu)) {
            grid->addLine({.name = QString(),
                           .value = tr("at %1").arg(
                               between(place->start - traceStart, place->end - traceStart)),
                           .toolTip = style::plainToolTip(tr("Since the trace's first event"))});
        }
    }
}

void GpuSection::addReasons(const report::GpuReport& gpu, report::FigureGroup group,
                            const QString& title, const QString& whole, const char* explained) {
    std::vector<PartOfTime> parts;
    TimeNs sum = 0;
    for (const report::Figure* figure : report::shownFigures(group, gpu)) {
        parts.push_back({figure, figure->number(gpu), colorOf(*figure)});
        sum += parts.back().ns;
    }
    if (sum <= 0) {
        return;
    }
    columnOf(this)->addSpacing(4);
    columnOf(this)->addWidget(makeHeading(title, whole, models::figureTip(explained)));
    addBar(columnOf(this), new FigureGrid, parts, sum, text::unitFor(gpu.window.duration()));
}

void GpuSection::addWork(const report::GpuReport& gpu) {
    columnOf(this)->addSpacing(4);
    columnOf(this)->addWidget(makeHeading(tr("Work"), QString(), models::figureTip("operations")));
    auto* grid = new FigureGrid;
    for (const report::FigureGroup group :
         {report::FigureGroup::Operations, report::FigureGroup::Busy,
          report::FigureGroup::Launches}) {
        for (const report::Figure* figure : report::shownFigures(group, gpu)) {
            if (figure->isShare) {
                continue;  // above
            }
            const std::int64_t number = figure->number(gpu);
            grid->addLine({.name = labelOf(*figure),
                           .value = !figure->isTime() ? models::toText(text::formatCount(number))
                                    : group == report::FigureGroup::Busy
                                        ? timeIn(number, text::unitFor(gpu.window.duration()))
                                        : shortTime(static_cast<double>(number)),
                           .toolTip = tipOf(*figure)});
        }
    }
    columnOf(this)->addWidget(grid);
}

}  // namespace kinetoscope::panels
