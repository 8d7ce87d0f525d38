// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/StepChangeModel.h"

#include "core/compare/CompareText.h"
#include "core/text/Units.h"
#include "widgets/models/Text.h"

namespace kinetoscope::models {

namespace {

std::vector<TableColumn> stepColumns() {
    const auto t = [](const char* text) { return QString::fromUtf8(text); };
    return {{t("name"), t("Step"), t("Steps are paired in order"), Qt::AlignLeft, false},
            {t("base_ns"), t("Baseline ms"), t("Length of the step")},
            {t("candidate_ns"), t("Candidate ms"), t("Length of the step")},
            {t("delta_ns"), t("Change ms"), t("Candidate minus baseline")},
            {t("delta_percent"), t("Change"), t("Change relative to the baseline's length")},
            {t("busy_percent"), t("Busy"), t("Change of the time in which a GPU was busy")},
            {t("kernels"), t("Kernels"), t("Kernels launched inside the step")},
            {t("speedup_q50"), t("Speedup"), t("Median speedup of the step's paired kernels")},
            {t("verdict"), t("Kernels are"), t("The verdict over the step's paired kernels"),
             Qt::AlignLeft, false}};
}

QString milliseconds(double ns) {
    return toText(text::inUnit(ns, text::kMilliseconds));
}

}  // namespace

StepChangeModel::StepChangeModel(QObject* parent) : ColumnTableModel(stepColumns(), parent) {}

void StepChangeModel::setComparison(const compare::Comparison* comparison) {
    replaceRows([&] { m_comparison = comparison; });
}

std::uint32_t StepChangeModel::sourceRowCount() const {
    return m_comparison == nullptr ? 0 : static_cast<std::uint32_t>(m_comparison->steps.size());
}

double StepChangeModel::number(std::uint32_t row, int column) const {
    const compare::StepChange& step = m_comparison->steps[row];
    switch (column) {
        case Base:
            return step.durationNs.value.base;
        case Candidate:
            return step.durationNs.value.candidate;
        case Delta:
            return step.durationNs.delta();
        case Percent:
            return step.durationNs.percent().value_or(0.0);
        case BusyPercent:
            return step.busyNs.percent().value_or(0.0);
        case Kernels:
            return static_cast<double>(step.kernels.candidate);
        case Median:
            return step.speedup.q50;
        case Kind:
            return static_cast<double>(step.verdict);
        default:
            return row;
    }
}

QString StepChangeModel::cellText(std::uint32_t row, int column) const {
    const compare::StepChange& step = m_comparison->steps[row];
    switch (column) {
        case Name:
            return step.name.base == step.name.candidate
                       ? toText(step.name.base)
                       : toText(step.name.base) + QStringLiteral(" / ") +
                             toText(step.name.candidate);
        case Percent:
            return toText(compare::percentText(step.durationNs));
        case BusyPercent:
            return toText(compare::percentText(step.busyNs));
        case Kernels:
            return step.kernels.base == step.kernels.candidate ? QString::number(step.kernels.base)
                                                               : QStringLiteral("%1 → %2")
                                                                     .arg(step.kernels.base)
                                                                     .arg(step.kernels.candidate);
        case Median:
            return step.speedup.pairs > 0 ? QString::number(step.speedup.q50, 'f', 3) : QString();
        case Kind:
            return toText(stats::verdictName(step.verdict));
        default:
            return milliseconds(number(row, column));
    }
}

query::SortKey StepChangeModel::sortKey(std::uint32_t row, int column) const {
    return number(row, column);
}

QString StepChangeModel::exportCell(std::uint32_t row, int column) const {
    return column == Name || column == Kind || column == Kernels ? cellText(row, column)
                                                                 : plainNumber(number(row, column));
}

}  // namespace kinetoscope::models
