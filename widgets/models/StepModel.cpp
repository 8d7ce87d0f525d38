// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/StepModel.h"

#include "core/text/Format.h"
#include "core/text/Units.h"
#include "widgets/models/Text.h"

namespace kinetoscope::models {

namespace {

std::vector<TableColumn> columnsOfSteps() {
    using S = QString;
    return {
        {S::fromLatin1("name"), S::fromLatin1("Step"), figureTip("steps"), Qt::AlignLeft, false},
        {S::fromLatin1("start_ns"), S::fromLatin1("Start ms"),
         S::fromLatin1("Since the first event of the trace"), Qt::AlignRight, false},
        {S::fromLatin1("length_ns"), S::fromLatin1("Length ms"),
         S::fromLatin1(
             "Until the annotation's end or the end of its GPU work, whichever is later")},
        {S::fromLatin1("cpu_length_ns"), S::fromLatin1("CPU span ms"),
         S::fromLatin1("The annotation only, without GPU work that outlasts it")},
        {S::fromLatin1("busy_ns"), S::fromLatin1("Busy ms"), figureTip("steps.busy_ns")},
        {S::fromLatin1("busy_percent"), S::fromLatin1("Busy"),
         S::fromLatin1("Busy time as a share of the step's length")},
        {S::fromLatin1("kernels"), S::fromLatin1("Kernels"),
         S::fromLatin1("Kernels launched inside the step")}};
}

double share(const analysis::Step& step) {
    const TimeNs length = step.span.duration();
    return length > 0 ? static_cast<double>(step.busyNs) / static_cast<double>(length) : 0.0;
}

}  // namespace

StepModel::StepModel(QObject* parent) : ColumnTableModel(columnsOfSteps(), parent) {}

void StepModel::setReport(const std::shared_ptr<const trace::Trace>& trace,
                          std::shared_ptr<const report::Report> report) {
    replaceRows([&] {
        m_report = std::move(report);
        m_traceStart = trace ? trace->extent().start : 0;
    });
}

const analysis::Step& StepModel::step(int row) const {
    return m_report->steps[sourceRow(row)];
}

std::uint32_t StepModel::sourceRowCount() const {
    return m_report ? static_cast<std::uint32_t>(m_report->steps.size()) : 0;
}

double StepModel::number(const analysis::Step& step, int column) const {
    switch (column) {
        case Start:
            return static_cast<double>(step.span.start - m_traceStart);
        case Length:
            return static_cast<double>(step.span.duration());
        case CpuLength:
            return static_cast<double>(step.cpuEndNs - step.span.start);
        case Busy:
            return static_cast<double>(step.busyNs);
        case BusyShare:
            return share(step);
        case Kernels:
            return static_cast<double>(step.kernels);
        default:
            return static_cast<double>(step.number);
    }
}

QString StepModel::cellText(std::uint32_t row, int column) const {
    const analysis::Step& step = m_report->steps[row];
    switch (column) {
        case Name:
            return toText(step.name);
        case BusyShare:
            return QString::fromStdString(text::formatPercent(share(step), 1.0));
        case Kernels:
            return QString::fromStdString(text::formatCount(static_cast<qint64>(step.kernels)));
        default:
            return QString::fromStdString(text::inUnit(number(step, column), text::kMilliseconds));
    }
}

query::SortKey StepModel::sortKey(std::uint32_t row, int column) const {
    return number(m_report->steps[row], column);
}

QVariant StepModel::cellExtra(std::uint32_t row, int column, int role) const {
    if (role == ShareRole && column == BusyShare) {
        return share(m_report->steps[row]);
    }
    return {};
}

QString StepModel::exportCell(std::uint32_t row, int column) const {
    const analysis::Step& step = m_report->steps[row];
    if (column == Name) {
        return toText(step.name);
    }
    return column == BusyShare ? QString::number(100.0 * share(step), 'f', 4)
                               : QString::number(number(step, column), 'f', 0);
}

}  // namespace kinetoscope::models
