// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/results/ResultColumns.h"

namespace kinetoscope::models {

namespace {

using bench::results::BenchItem;

RowState runnerState(const ResultRow& row) {
    const BenchItem& runner = row.item();
    if (!runner.reason.empty()) {
        return {toText(runner.reason), true};
    }
    if (runner.accuracy && !runner.accuracy->same) {
        return {ResultModel::tr("differs from %1").arg(toText(runner.accuracy->with)), true};
    }
    return {runner.series.empty() ? QString()
            : runner.note.empty() ? ResultModel::tr("measured")
                                  : toText(runner.note)};
}

// Median, half its interval, and the verdict of one direction.
void addDirection(std::vector<ResultColumn>& columns, const char* direction,
                  const QString& header) {
    const auto figure = [direction](auto value) {
        return [direction, value](const ResultRow& row) {
            const bench::results::BenchSeries* series = row.item().find(direction);
            return series == nullptr ? kNoFigure : value(series->summary()) / kNsPerMsShown;
        };
    };
    const QString key = QLatin1String(direction);
    columns.push_back(
        figureColumn(key + QStringLiteral("_ms"), header, ResultModel::tr("Median of the loops"),
                     figure([](const stats::SampleSummary& s) { return s.median; }), {1.0, 3}));
    columns.push_back(figureColumn(
        key + QStringLiteral("_interval_ms"), QStringLiteral("± ms"),
        ResultModel::tr("Half the width of the median's 95 % interval"),
        figure([](const stats::SampleSummary& s) { return (s.high - s.low) / 2.0; }), {1.0, 3}));
    columns.push_back(textColumn("", ResultModel::tr("Verdict"),
                                 ResultModel::tr("Relative to the first of its group, within 1 %"),
                                 [direction](const ResultRow& row) {
                                     return toText(bench::results::runnerVerdict(
                                         *row.group, row.item(), direction));
                                 }));
    columns.back().column.key = key + QStringLiteral("_verdict");
}

ResultColumn traceColumn() {
    const auto path = [](const ResultRow& row) {
        const auto& profile = row.item().profile;
        return profile ? toText(profile->trace) : QString();
    };
    ResultColumn column = textColumn("trace", ResultModel::tr("Trace"),
                                     ResultModel::tr("Its recorded trace; click to open"), path);
    column.shown = [](const ResultRow& row) {
        return row.item().profile ? ResultModel::tr("open") : QString();
    };
    column.isLink = true;
    return column;
}

}  // namespace

ResultTable moduleTable(const bench::results::ResultDocument& document) {
    ResultTable table;
    for (const BenchItem& group : document.items) {
        for (std::size_t part = 0; part < group.parts.size(); ++part) {
            table.rows.push_back({&group, part});
        }
    }
    table.state = runnerState;
    table.columns = {textColumn("group", ResultModel::tr("Group"),
                                ResultModel::tr("Runners compared with each other"),
                                [](const ResultRow& row) { return toText(row.group->name); }),
                     textColumn("runner", ResultModel::tr("Runner"),
                                ResultModel::tr("The implementation, or the file"),
                                [](const ResultRow& row) { return toText(row.item().name); })};
    addDirection(table.columns, bench::results::kDirections[0], ResultModel::tr("Forward ms"));
    addDirection(table.columns, bench::results::kDirections[1], ResultModel::tr("Backward ms"));
    table.columns.push_back(figureColumn(
        QStringLiteral("difference"), ResultModel::tr("Differs by"),
        ResultModel::tr("Largest difference of outputs and gradients from the reference"),
        [](const ResultRow& row) {
            const auto& accuracy = row.item().accuracy;
            return accuracy ? accuracy->maxRelative : kNoFigure;
        },
        {.digits = 2}));
    table.columns.push_back(traceColumn());
    table.columns.push_back(stateColumn(ResultModel::tr("Whether it ran, or why not")));
    return table;
}

}  // namespace kinetoscope::models
