// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "widgets/models/results/ResultColumns.h"

namespace kinetoscope::models {

namespace {

using bench::results::BenchItem;
using bench::results::kBaseline;

double medianBaseline(const ResultRow& row) {
    std::vector<double> times;
    for (const BenchItem& call : row.item().parts) {
        const bench::results::BenchSeries* one = call.find(kBaseline);
        if (one != nullptr && one->measured()) {
            times.push_back(one->timeNs());
        }
    }
    return times.empty() ? kNoFigure : stats::medianOf(times);
}

// Why samples were not run: the first reason, and whether there are more.
RowState operatorState(const ResultRow& row) {
    const BenchItem& result = row.item();
    if (!result.reason.empty()) {
        return {toText(result.reason), true};
    }
    const auto isLost = [](const BenchItem& call) { return !call.reason.empty(); };
    const auto lost = std::ranges::count_if(result.parts, isLost);
    if (lost > 0) {
        const BenchItem& first = *std::ranges::find_if(result.parts, isLost);
        return {ResultModel::tr("%1 not run: %2").arg(QString::number(lost), toText(first.reason)),
                true};
    }
    return {result.done ? ResultModel::tr("measured") : QString()};
}

void addQuantiles(std::vector<ResultColumn>& columns, const std::string& name) {
    for (std::size_t i = 0; i < bench::results::kSpeedupQuantiles.size(); ++i) {
        const QString percent =
            QString::number(std::lround(bench::results::kSpeedupQuantiles[i] * 100.0));
        columns.push_back(
            figureColumn(QStringLiteral("%1_q%2").arg(toText(name), percent),
                         QStringLiteral("%1 %2 %").arg(toText(name), percent),
                         ResultModel::tr("Quantile of the samples' speedups over eager"),
                         [name, i](const ResultRow& row) {
                             const auto speedups = row.item().speedups(name);
                             return speedups ? (*speedups)[i] : kNoFigure;
                         },
                         {1.0, 2}));
    }
}

ResultColumn samplesColumn() {
    ResultColumn column = figureColumn(
        QStringLiteral("measured"), ResultModel::tr("Samples"),
        ResultModel::tr("Inputs measured, of those chosen"),
        [](const ResultRow& row) { return static_cast<double>(row.item().partsRun()); });
    column.shown = [](const ResultRow& row) {
        const BenchItem& result = row.item();
        return result.partsRun() == result.parts.size()
                   ? QString::number(result.partsRun())
                   : ResultModel::tr("%1 of %2").arg(result.partsRun()).arg(result.parts.size());
    };
    return column;
}

}  // namespace

std::vector<std::string> candidatesOf(const bench::results::ResultDocument& document) {
    std::vector<std::string> names = document.options.implementations;
    std::erase(names, kBaseline);
    return names;
}

ResultTable operatorTable(const bench::results::ResultDocument& document) {
    ResultTable table;
    for (const BenchItem& one : document.items) {
        table.rows.push_back({&one});
    }
    table.state = operatorState;
    table.columns = {
        textColumn("operator", ResultModel::tr("Operator"), ResultModel::tr("Its overload in ATen"),
                   [](const ResultRow& row) { return toText(row.item().name); }),
        samplesColumn(),
        figureColumn(QStringLiteral("calls"), ResultModel::tr("Calls"),
                     ResultModel::tr("Number of times the chosen inputs were recorded"),
                     [](const ResultRow& row) { return static_cast<double>(row.item().calls()); }),
        figureColumn(QStringLiteral("eager_ns"), QStringLiteral("eager µs"),
                     ResultModel::tr("Median over the samples"), medianBaseline,
                     {kNsPerUsShown, 2})};
    for (const std::string& name : candidatesOf(document)) {
        addQuantiles(table.columns, name);
    }
    table.columns.push_back(stateColumn(ResultModel::tr("Whether it ran, or why not")));
    return table;
}

}  // namespace kinetoscope::models
