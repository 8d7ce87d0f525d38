// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/results/ResultColumns.h"

namespace kinetoscope::models {

namespace {

using bench::results::BenchItem;
using bench::results::BenchSeries;
using bench::results::kBaseline;

// "((T([8], f16),), {})" without the parentheses and the empty keywords.
QString shortInput(const std::string& input) {
    QString text = toText(input);
    if (text.startsWith(QLatin1String("((")) && text.endsWith(QLatin1String("), {})"))) {
        text = text.mid(2, text.size() - 8);
        if (text.endsWith(QLatin1Char(','))) {
            text.chop(1);
        }
    }
    return text;
}

// A figure of one implementation; none where it was not run.
template <class Figure>
auto ofSeries(const std::string& name, Figure figure) {
    return [name, figure](const ResultRow& row) {
        const BenchSeries* series = row.item().find(name);
        return series == nullptr ? kNoFigure : figure(*series);
    };
}

ResultColumn timeColumn(const std::string& name) {
    const QString what = toText(name);
    return figureColumn(
        what + QStringLiteral("_ns"), what + QStringLiteral(" µs"),
        ResultModel::tr("Median over repeats of the median time"),
        ofSeries(name,
                 [](const BenchSeries& one) { return one.measured() ? one.timeNs() : kNoFigure; }),
        {kNsPerUsShown, 2});
}

void addCandidate(std::vector<ResultColumn>& columns, const std::string& name, bool accuracy) {
    const QString what = toText(name);
    columns.push_back(timeColumn(name));
    columns.push_back(figureColumn(
        what + QStringLiteral("_speedup"), what + QStringLiteral(" ×"),
        ResultModel::tr("Eager time divided by its time"),
        [name](const ResultRow& row) { return row.item().speedup(name).value_or(kNoFigure); },
        {1.0, 2}));
    if (!accuracy) {
        return;
    }
    const auto compared = [&name](auto figure) {
        return ofSeries(name, [figure](const BenchSeries& one) {
            return one.accuracy && one.accuracy->reason.empty() ? figure(*one.accuracy) : kNoFigure;
        });
    };
    columns.push_back(figureColumn(
        what + QStringLiteral("_cosine"), what + QStringLiteral(" cosine"),
        ResultModel::tr("Smallest cosine similarity with eager's results"),
        compared([](const bench::results::Accuracy& one) { return one.cosine; }), {1.0, 6}));
    columns.back().column.largestFirst = false;
    columns.push_back(
        figureColumn(what + QStringLiteral("_max_abs"), what + QStringLiteral(" max abs"),
                     ResultModel::tr("Largest absolute difference from eager's results"),
                     compared([](const bench::results::Accuracy& one) { return one.maxAbsolute; }),
                     {.digits = 3}));
}

// How the trace's time compares with the baseline's here.
void addTraced(std::vector<ResultColumn>& columns) {
    columns.push_back(figureColumn(QStringLiteral("trace_ns"), ResultModel::tr("trace µs"),
                                   ResultModel::tr("Median GPU time of the calls in the trace"),
                                   [](const ResultRow& row) {
                                       const auto& traced = row.item().traced;
                                       return traced ? traced->timeNs : kNoFigure;
                                   },
                                   {kNsPerUsShown, 2}));
    columns.push_back(timeColumn(kBaseline));
    columns.push_back(figureColumn(
        QStringLiteral("kernels_ns"), ResultModel::tr("kernels µs"),
        ResultModel::tr("Kernel time of eager by the profiler, with inputs in cache"),
        ofSeries(kBaseline,
                 [](const BenchSeries& one) {
                     return one.kernels.empty() ? kNoFigure : bench::results::totalNs(one.kernels);
                 }),
        {kNsPerUsShown, 2}));
    columns.push_back(figureColumn(
        QStringLiteral("trace_ratio"), ResultModel::tr("trace / eager"),
        ResultModel::tr("Time in the trace divided by eager's time here"),
        [](const ResultRow& row) { return row.item().traceRatio().value_or(kNoFigure); },
        {1.0, 2}));
}

RowState callState(const ResultRow& row) {
    const BenchItem& call = row.item();
    if (!call.reason.empty()) {
        return {toText(call.reason), true};
    }
    QStringList parts;
    for (const BenchSeries& one : call.series) {
        const QString name = toText(one.name);
        if (!one.reason.empty()) {
            parts << ResultModel::tr("%1: %2").arg(name, toText(one.reason));
        } else if (one.accuracy && !one.accuracy->reason.empty()) {
            parts << ResultModel::tr("%1 not compared: %2").arg(name, toText(one.accuracy->reason));
        } else if (one.accuracy && !one.accuracy->same) {
            parts << ResultModel::tr("%1 differs from eager").arg(name);
        }
    }
    if (const auto time = call.traceTime()) {
        parts << ResultModel::tr("%1 in the trace")
                     .arg(QLatin1String(bench::results::traceTimeName(*time)));
    }
    const auto same = call.sameKernels();
    if (same) {
        parts << (*same ? ResultModel::tr("same kernels") : ResultModel::tr("other kernels"));
    }
    if (!parts.isEmpty()) {
        return {parts.join(QLatin1String("; ")), same != true};
    }
    return {call.series.empty() ? QString() : ResultModel::tr("measured")};
}

ResultColumn inputColumn() {
    ResultColumn column = textColumn("input", ResultModel::tr("Input"),
                                     ResultModel::tr("Shapes, element types and other arguments"),
                                     [](const ResultRow& row) { return toText(row.item().name); });
    column.shown = [](const ResultRow& row) { return shortInput(row.item().name); };
    return column;
}

}  // namespace

ResultTable callTable(const bench::results::ResultDocument& document, const BenchItem* operation) {
    ResultTable table;
    for (std::size_t i = 0; operation != nullptr && i < operation->parts.size(); ++i) {
        table.rows.push_back({operation, i});
    }
    table.state = callState;
    table.columns = {
        figureColumn(QStringLiteral("index"), QStringLiteral("#"),
                     ResultModel::tr("Index among the operator's inputs"),
                     [](const ResultRow& row) { return static_cast<double>(row.item().index); }),
        inputColumn(),
        figureColumn(QStringLiteral("count"), ResultModel::tr("Calls"),
                     ResultModel::tr("Number of times this input was recorded"),
                     [](const ResultRow& row) { return static_cast<double>(row.item().count); })};
    table.columns.front().column.largestFirst = false;
    if (document.trace) {
        addTraced(table.columns);
    } else {
        table.columns.push_back(timeColumn(kBaseline));
    }
    for (const std::string& name : candidatesOf(document)) {
        addCandidate(table.columns, name, document.options.accuracyChecking);
    }
    table.columns.push_back(stateColumn(ResultModel::tr("Whether it ran, or why not")));
    return table;
}

}  // namespace kinetoscope::models
