// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/GpuSection.h"

#include <QVBoxLayout>
#include <vector>

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

struct PartOfTime {
    const char* key;
    QString name;
    TimeNs ns;
    QColor color;
};

/// Exact to the nanosecond, so that parts visibly sum to their whole.
QString exact(TimeNs ns) {
    return QString::fromStdString(text::inUnit(ns, text::kMicroseconds)) + QString::fromUtf8(" µs");
}

QString share(TimeNs part, TimeNs whole) {
    return QString::fromStdString(
        text::formatPercent(static_cast<double>(part), static_cast<double>(whole)));
}

double ratio(TimeNs part, TimeNs whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

QString count(std::uint64_t value) {
    return QString::fromStdString(text::formatCount(static_cast<std::int64_t>(value)));
}

QString shortTime(double ns) {
    return QString::fromStdString(text::formatDuration(static_cast<TimeNs>(ns)));
}

void addBar(QVBoxLayout* layout, FigureGrid* grid, const std::vector<PartOfTime>& parts,
            TimeNs whole) {
    auto* bar = new style::StackedBar;
    std::vector<style::StackedBar::Part> drawn;
    for (const PartOfTime& part : parts) {
        const QString value = exact(part.ns);
        const QString percent = share(part.ns, whole);
        drawn.push_back(
            {part.color, static_cast<double>(part.ns),
             style::plainToolTip(QStringLiteral("%1 (%2)").arg(value, percent), part.name)});
        grid->addLine({.name = part.name,
                       .value = value,
                       .share = percent,
                       .toolTip = models::figureTip(part.key),
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
    const QString title = gpu.name.empty()
                              ? tr("GPU %1").arg(gpu.gpu)
                              : tr("GPU %1 · %2").arg(gpu.gpu).arg(models::toText(gpu.name));
    const TimeSpan since{gpu.window.start - traceStart, gpu.window.end - traceStart};
    layout->addWidget(
        makeHeading(title,
                    QStringLiteral("%1 … %2").arg(shortTime(static_cast<double>(since.start)),
                                                  shortTime(static_cast<double>(since.end))),
                    models::figureTip("window_ns")));
    addTiles(gpu);
    addBreakdown(gpu);
    addIdleReasons(gpu.idle);
    addWork(gpu);
}

void GpuSection::addTiles(const report::GpuReport& gpu) {
    const style::Theme& theme = style::Theme::current();
    const TimeNs window = gpu.window.duration();
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    const auto add = [&](const QString& caption, const QColor& color, TimeNs ns, const char* key) {
        auto* tile = new style::FigureTile(caption, color);
        tile->setFigure(share(ns, window), ratio(ns, window));
        tile->setToolTip(models::figureTip(key));
        tile->setObjectName(QString::fromLatin1(key));
        row->addWidget(tile);
    };
    add(tr("GPU busy"), theme.compute(), gpu.busyNs, "busy_ns");
    add(tr("Kernel busy"), theme.accent(), gpu.kernelBusyNs, "kernel_busy_ns");
    add(tr("mm/conv"), theme.mmConv(), gpu.mmConv.unionNs, "mm_conv_ns");
    columnOf(this)->addLayout(row);
}

void GpuSection::addBreakdown(const report::GpuReport& gpu) {
    const style::Theme& theme = style::Theme::current();
    const analysis::Breakdown& parts = gpu.breakdown;
    const TimeNs window = gpu.window.duration();
    columnOf(this)->addSpacing(4);
    columnOf(this)->addWidget(makeHeading(tr("Where the time went"), tr("share of the window"),
                                          models::figureTip("breakdown")));
    auto* grid = new FigureGrid;
    addBar(columnOf(this), grid,
           {{"compute_ns", tr("Compute"), parts.computeNs, theme.compute()},
            {"exposed_comm_ns", tr("Exposed communication"), parts.exposedCommNs,
             theme.communication()},
            {"exposed_copy_ns", tr("Exposed copies"), parts.exposedCopyNs, theme.copies()},
            {"idle_ns", tr("Idle"), parts.idleNs, theme.idle()}},
           window);
    grid->addLine({.name = tr("Window"),
                   .value = exact(window),
                   .share = share(window, window),
                   .toolTip = models::figureTip("window_ns"),
                   .total = true});
}

void GpuSection::addIdleReasons(const analysis::IdleReasons& idle) {
    const style::Theme& theme = style::Theme::current();
    const TimeNs sum =
        idle.hostWaitNs + idle.kernelWaitNs + idle.otherNs + idle.overheadNs + idle.insideGraphNs;
    if (sum <= 0) {
        return;
    }
    const auto shade = [&](double part) {
        return style::mixColors(theme.idle(), theme.warning(), part);
    };
    columnOf(this)->addSpacing(4);
    columnOf(this)->addWidget(makeHeading(tr("Why streams waited"), tr("share of all gaps"),
                                          models::figureTip("idle_gaps")));
    auto* grid = new FigureGrid;
    addBar(columnOf(this), grid,
           {{"host_wait_ns", tr("Host wait"), idle.hostWaitNs, shade(0.9)},
            {"kernel_wait_ns", tr("Kernel wait"), idle.kernelWaitNs, shade(0.5)},
            {"other_ns", tr("Other"), idle.otherNs, shade(0.2)},
            {"overhead_ns", tr("Profiler overhead"), idle.overheadNs, theme.communication()},
            {"inside_graph_ns", tr("Inside graph launches"), idle.insideGraphNs, theme.idle()}},
           sum);
}

void GpuSection::addWork(const report::GpuReport& gpu) {
    const analysis::LaunchStats& launches = gpu.launches;
    columnOf(this)->addSpacing(4);
    columnOf(this)->addWidget(makeHeading(tr("Work"), QString(), models::figureTip("operations")));
    auto* grid = new FigureGrid;
    const auto add = [&](const QString& name, const QString& value, const char* key) {
        grid->addLine({.name = name, .value = value, .toolTip = models::figureTip(key)});
    };
    add(tr("Kernels, copies, memsets"),
        QStringLiteral("%1, %2, %3")
            .arg(count(gpu.operations.kernel), count(gpu.operations.memcpy),
                 count(gpu.operations.memset)),
        "operations");
    add(tr("Sum of kernel times"), exact(gpu.kernelTimeSumNs), "kernel_time_sum_ns");
    add(tr("mm/conv by operator"), exact(gpu.mmConv.operatorNs), "operator_ns");
    add(tr("mm/conv by name"), exact(gpu.mmConv.nameNs), "name_ns");
    add(tr("Layout conversions"), exact(gpu.mmConv.layoutNs), "layout_ns");
    add(tr("Launches found"),
        tr("%1 of %2").arg(count(launches.linked), count(launches.linked + launches.unlinked)),
        "linked");
    add(tr("In CUDA graphs"), count(launches.graphOperations), "graph_operations");
    add(tr("Launch delay, median"), shortTime(launches.medianDelayNs), "median_delay_ns");
    add(tr("Launch delay, longest"), shortTime(static_cast<double>(launches.maxDelayNs)),
        "max_delay_ns");
    if (launches.beforeApiStart > 0) {
        add(tr("Started before their launch"), count(launches.beforeApiStart), "before_api_start");
    }
    columnOf(this)->addWidget(grid);
}

}  // namespace kinetoscope::panels
