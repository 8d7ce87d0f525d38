// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/OperatorSampleModel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/models/OperatorSpeedupModel.h"
#include "widgets/models/Text.h"

namespace kinetoscope::models {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kNsPerUs = 1000.0;

// "((T([8], f16),), {})" without what is around the arguments when there are no keywords.
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

}  // namespace

OperatorSampleModel::OperatorSampleModel(QObject* parent)
    : FigureTableModel({TableColumn{}}, parent) {
    setOperator(nullptr, nullptr);
}

void OperatorSampleModel::addFigure(std::vector<TableColumn>& columns, Kind kind,
                                    const std::string& name) {
    const QString what = toText(name);
    switch (kind) {
        case Kind::Time:
            columns.push_back({what + QStringLiteral("_ns"), what + QStringLiteral(" µs"),
                               tr("Median of the repeats' medians")});
            break;
        case Kind::Speedup:
            columns.push_back({what + QStringLiteral("_speedup"), what + QStringLiteral(" ×"),
                               tr("Time of eager over its time")});
            break;
        case Kind::Cosine:
            columns.push_back({what + QStringLiteral("_cosine"), what + QStringLiteral(" cosine"),
                               tr("Smallest cosine similarity of its results with eager's"),
                               Qt::AlignRight, false});
            break;
        case Kind::MaxAbsolute:
            columns.push_back({what + QStringLiteral("_max_abs"), what + QStringLiteral(" max abs"),
                               tr("Largest absolute difference of its results from eager's")});
            break;
        case Kind::TraceTime:
            columns.push_back({QStringLiteral("trace_ns"), tr("trace µs"),
                               tr("Median over the trace's calls of the time of what each "
                                  "launched on the GPU")});
            break;
        case Kind::KernelTime:
            columns.push_back({QStringLiteral("kernels_ns"), tr("kernels µs"),
                               tr("What eager launches, by the profiler, with its inputs in the "
                                  "cache")});
            break;
        case Kind::TraceRatio:
            columns.push_back({QStringLiteral("trace_ratio"), tr("trace / eager"),
                               tr("Time in the trace over that of eager here")});
            break;
    }
    m_figures.push_back({kind, name});
}

std::vector<TableColumn> OperatorSampleModel::makeColumns() {
    m_figures.clear();
    std::vector<TableColumn> columns{
        {QStringLiteral("index"), QStringLiteral("#"), tr("Place among the operator's inputs"),
         Qt::AlignRight, false},
        {QStringLiteral("input"), tr("Input"), tr("Shapes, element types and other arguments"),
         Qt::AlignLeft, false},
        {QStringLiteral("count"), tr("Calls"), tr("How often this input was recorded")}};
    if (m_document != nullptr) {
        if (m_document->trace) {
            addFigure(columns, Kind::TraceTime, bench::results::kBaseline);
        }
        addFigure(columns, Kind::Time, bench::results::kBaseline);
        if (m_document->trace) {
            addFigure(columns, Kind::KernelTime, bench::results::kBaseline);
            addFigure(columns, Kind::TraceRatio, bench::results::kBaseline);
        }
        for (const std::string& name : candidatesOf(*m_document)) {
            addFigure(columns, Kind::Time, name);
            addFigure(columns, Kind::Speedup, name);
            if (m_document->options.accuracyChecking) {
                addFigure(columns, Kind::Cosine, name);
                addFigure(columns, Kind::MaxAbsolute, name);
            }
        }
    }
    columns.push_back({QStringLiteral("state"), tr("State"), tr("Whether it was run, or why not"),
                       Qt::AlignLeft, false});
    return columns;
}

void OperatorSampleModel::setOperator(const bench::results::ResultDocument* document,
                                      const bench::results::BenchItem* result) {
    replaceRows([&] {
        m_document = document;
        m_result = result;
        replaceColumns(makeColumns());
    });
}

void OperatorSampleModel::refresh() {
    for (std::uint32_t row = 0; row < sourceRowCount(); ++row) {
        rowChanged(row);
    }
}

int OperatorSampleModel::columnOf(const QString& key) const {
    const auto found = std::ranges::find(columns(), key, &TableColumn::key);
    return found == columns().end() ? -1 : static_cast<int>(found - columns().begin());
}

std::uint32_t OperatorSampleModel::sourceRowCount() const {
    return m_result != nullptr ? static_cast<std::uint32_t>(m_result->parts.size()) : 0;
}

double OperatorSampleModel::number(std::uint32_t row, int column) const {
    const bench::results::BenchItem& sample = m_result->parts[row];
    if (column < FirstFigure) {
        return static_cast<double>(column == Index ? static_cast<std::int64_t>(sample.index)
                                                   : sample.count);
    }
    const Figure& figure = m_figures[static_cast<std::size_t>(column - FirstFigure)];
    if (figure.kind == Kind::TraceTime) {
        return sample.traced ? sample.traced->timeNs : kNone;
    }
    const bench::results::BenchSeries* one = sample.find(figure.implementation);
    if (one == nullptr) {
        return kNone;
    }
    const bool compared = one->accuracy && one->accuracy->reason.empty();
    switch (figure.kind) {
        case Kind::Time:
            return one->measured() ? one->timeNs() : kNone;
        case Kind::Speedup:
            return sample.speedup(figure.implementation).value_or(kNone);
        case Kind::Cosine:
            return compared ? one->accuracy->cosine : kNone;
        case Kind::MaxAbsolute:
            return compared ? one->accuracy->maxAbsolute : kNone;
        case Kind::KernelTime:
            return one->kernels.empty() ? kNone : bench::results::totalNs(one->kernels);
        case Kind::TraceRatio:
            return sample.traceRatio().value_or(kNone);
        case Kind::TraceTime:
            break;
    }
    return kNone;
}

QString OperatorSampleModel::state(std::uint32_t row) const {
    const bench::results::BenchItem& sample = m_result->parts[row];
    if (!sample.reason.empty()) {
        return toText(sample.reason);
    }
    QStringList parts;
    for (const bench::results::BenchSeries& one : sample.series) {
        if (!one.reason.empty()) {
            parts << toText(one.name + ": " + one.reason);
        } else if (one.accuracy && !one.accuracy->reason.empty()) {
            parts << tr("%1 not compared: %2").arg(toText(one.name), toText(one.accuracy->reason));
        } else if (one.accuracy && !one.accuracy->same) {
            parts << tr("%1 differs from eager").arg(toText(one.name));
        }
    }
    if (const auto time = sample.traceTime()) {
        parts << tr("%1 in the trace").arg(QLatin1String(bench::results::traceTimeName(*time)));
    }
    if (const auto same = sample.sameKernels()) {
        parts << (*same ? tr("same kernels") : tr("other kernels"));
    }
    return !parts.isEmpty()        ? parts.join(QLatin1String("; "))
           : sample.series.empty() ? QString()
                                   : tr("measured");
}

QString OperatorSampleModel::cellText(std::uint32_t row, int column) const {
    if (isText(column)) {
        return column == Input ? shortInput(m_result->parts[row].name) : state(row);
    }
    const double value = number(row, column);
    if (std::isnan(value)) {
        return {};
    }
    if (column < FirstFigure) {
        return QString::number(value, 'f', 0);
    }
    switch (m_figures[static_cast<std::size_t>(column - FirstFigure)].kind) {
        case Kind::Time:
        case Kind::TraceTime:
        case Kind::KernelTime:
            return QString::number(value / kNsPerUs, 'f', 2);
        case Kind::Speedup:
        case Kind::TraceRatio:
            return QString::number(value, 'f', 2);
        case Kind::Cosine:
            return QString::number(value, 'f', 6);
        case Kind::MaxAbsolute:
            break;
    }
    return QString::number(value, 'g', 3);
}

QVariant OperatorSampleModel::cellExtra(std::uint32_t row, int column, int role) const {
    if (role == ToneRole && column == stateColumn()) {
        const QString text = state(row);
        const bool good =
            text.isEmpty() || text == tr("measured") || m_result->parts[row].sameKernels() == true;
        return static_cast<int>(good ? CellTone::Muted : CellTone::Warning);
    }
    if (role == Qt::ToolTipRole && isText(column)) {
        return column == Input ? toText(m_result->parts[row].name) : state(row);
    }
    return {};
}

QString OperatorSampleModel::exportCell(std::uint32_t row, int column) const {
    return column == Input ? toText(m_result->parts[row].name)
                           : FigureTableModel::exportCell(row, column);
}

}  // namespace kinetoscope::models
