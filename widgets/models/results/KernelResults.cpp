// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/results/ResultColumns.h"

namespace kinetoscope::models {

namespace {

using bench::results::BenchItem;
using bench::results::BenchSeries;

// A figure of the fastest configuration.
template <class Figure>
auto ofFastest(Figure figure) {
    return [figure](const ResultRow& row) {
        const BenchItem& kernel = row.item();
        return kernel.series.empty() ? kNoFigure
                                     : double(figure(kernel, kernel.series[kernel.best()]));
    };
}

double halfInterval(const BenchSeries& series) {
    const stats::SampleSummary summary = series.summary();
    return (summary.high - summary.low) / 2.0;
}

double slowestOverFastest(const BenchItem& kernel, const BenchSeries& fastest) {
    const double time = fastest.timeNs();
    return kernel.series.size() > 1 && time > 0.0 ? kernel.series[kernel.worst()].timeNs() / time
                                                  : kNoFigure;
}

}  // namespace

QString shortConfig(const std::string& label) {
    QStringList parts;
    for (QString part : toText(label).split(QLatin1String(", "))) {
        if (part == QLatin1String("num_ctas: 1") || part == QLatin1String("maxnreg: None")) {
            continue;
        }
        const QString number = part.section(QLatin1String(": "), 1);
        const QString plural = number == QLatin1String("1") ? QString() : QStringLiteral("s");
        if (part.startsWith(QLatin1String("num_warps: "))) {
            part = number + QStringLiteral(" warp") + plural;
        } else if (part.startsWith(QLatin1String("num_stages: "))) {
            part = number + QStringLiteral(" stage") + plural;
        } else if (part.startsWith(QLatin1String("num_ctas: "))) {
            part = number + QStringLiteral(" CTAs");
        } else {
            part.replace(QLatin1String(": "), QLatin1String(" "));
        }
        parts << part;
    }
    return parts.join(QLatin1String(", "));
}

ResultTable kernelTable(const bench::results::ResultDocument& document,
                        std::vector<std::size_t> configs) {
    const auto t = [](const char* text) { return QString::fromUtf8(text); };
    const auto figure = [&](const char* key, const char* header, const char* toolTip, auto value,
                            FigureForm form = {}) {
        return figureColumn(t(key), t(header), t(toolTip), ofFastest(value), form);
    };
    ResultTable table;
    for (const BenchItem& kernel : document.items) {
        table.rows.push_back({&kernel});
    }
    table.state = [](const ResultRow& row) {
        const BenchItem& kernel = row.item();
        return !kernel.reason.empty()  ? RowState{toText(kernel.reason), true}
               : kernel.series.empty() ? RowState{}
                                       : RowState{ResultModel::tr("measured")};
    };
    const auto count = [&document, configs = std::move(configs)](const ResultRow& row) {
        const auto at = static_cast<std::size_t>(row.group - document.items.data());
        return double(at < configs.size() ? configs[at] : row.item().series.size());
    };
    table.columns = {
        textColumn("name", t("Kernel"), t("Function name; hover a cell for the full name"),
                   [](const ResultRow& row) { return toText(row.item().name); }),
        stateColumn(t("Whether it ran, or why it cannot")),
        figure("median_ns", "Best µs", "Median of the fastest configuration",
               [](const BenchItem&, const BenchSeries& best) { return best.timeNs(); },
               {kNsPerUsShown, 2}),
        figure("interval_ns", "± µs", "Half the width of the median's 95 % interval",
               [](const BenchItem&, const BenchSeries& best) { return halfInterval(best); },
               {kNsPerUsShown, 2}),
        figure("gb_per_s", "GB/s", "Bytes read and written by the fastest configuration",
               [](const BenchItem& kernel, const BenchSeries& best) {
                   return kernel.gbPerS(best.timeNs()).value_or(kNoFigure);
               },
               {1.0, 1}),
        figure("of_copy", "Of copy", "GB/s relative to a copy measured on the same GPU",
               [&gpu = document.gpu](const BenchItem& kernel, const BenchSeries& best) {
                   return gpu.copyGbPerS > 0.0
                              ? kernel.gbPerS(best.timeNs()).value_or(kNoFigure) / gpu.copyGbPerS
                              : kNoFigure;
               },
               {0.01, 1, " %"}),
        figure("worst", "Worst", "Slowest configuration relative to the fastest",
               slowestOverFastest, {1.0, 2, " ×"}),
        figureColumn(t("configs"), t("Configs"),
                     t("Distinct binaries and launch parameters in the cache"), count),
        textColumn("category", t("Category"), t("From the decorator in its source"),
                   [](const ResultRow& row) { return toText(row.item().category); }),
        figure("registers", "Regs", "Registers per thread of the fastest configuration",
               [](const BenchItem&, const BenchSeries& best) { return best.registers; }),
        figure("spills", "Spills", "32-bit words of local memory per thread",
               [](const BenchItem&, const BenchSeries& best) { return best.spills; }),
        figure("shared_bytes", "Shared", "Bytes of shared memory per block",
               [](const BenchItem&, const BenchSeries& best) { return best.sharedBytes; }),
        figure("occupancy", "Occup.", "Resident threads relative to an SM's maximum",
               [](const BenchItem&, const BenchSeries& best) { return best.occupancy; },
               {0.01, 0, " %"}),
        figure("clock_mhz", "MHz", "SM clock during the measurement",
               [](const BenchItem&, const BenchSeries& best) {
                   return best.clockMhz() > 0.0 ? best.clockMhz() : kNoFigure;
               })};
    const auto ofCopy = std::ranges::find(table.columns, QStringLiteral("of_copy"),
                                          [](const ResultColumn& one) { return one.column.key; });
    ofCopy->hasBar = true;
    return table;
}

}  // namespace kinetoscope::models
