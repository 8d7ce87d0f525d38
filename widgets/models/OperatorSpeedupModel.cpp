// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/OperatorSpeedupModel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/models/Text.h"

namespace kinetoscope::models {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kNsPerUs = 1000.0;
constexpr int kQuantiles = static_cast<int>(bench::results::kSpeedupQuantiles.size());

std::vector<TableColumn> operatorColumns(const bench::results::ResultDocument* document) {
    const auto t = [](const char* text) { return QString::fromUtf8(text); };
    std::vector<TableColumn> columns{
        {t("operator"), t("Operator"), t("Its overload in ATen"), Qt::AlignLeft, false},
        {t("measured"), t("Samples"), t("Recorded inputs that were measured, of those chosen")},
        {t("calls"), t("Calls"), t("How often the chosen inputs were recorded")},
        {t("eager_ns"), t("eager µs"), t("Median over the samples")}};
    for (const std::string& name :
         document != nullptr ? candidatesOf(*document) : std::vector<std::string>()) {
        for (const double quantile : bench::results::kSpeedupQuantiles) {
            const int percent = static_cast<int>(std::lround(quantile * 100.0));
            columns.push_back(
                {QStringLiteral("%1_q%2").arg(toText(name), QString::number(percent)),
                 QStringLiteral("%1 %2 %").arg(toText(name), QString::number(percent)),
                 OperatorSpeedupModel::tr("Speedup over eager: quantile of the samples")});
        }
    }
    columns.push_back(
        {t("state"), t("State"), t("Whether it was run, or why not"), Qt::AlignLeft, false});
    return columns;
}

double medianBaseline(const bench::results::BenchItem& result) {
    std::vector<double> times;
    for (const bench::results::BenchItem& call : result.parts) {
        const bench::results::BenchSeries* one = call.find(bench::results::kBaseline);
        if (one != nullptr && one->measured()) {
            times.push_back(one->timeNs());
        }
    }
    return times.empty() ? kNone : stats::medianOf(times);
}

// Why samples were not run: the first reason, and whether there are more.
QString reasonOf(const bench::results::BenchItem& result) {
    if (!result.reason.empty()) {
        return toText(result.reason);
    }
    const auto lost = std::ranges::count_if(
        result.parts,
        [](const bench::results::BenchItem& sample) { return !sample.reason.empty(); });
    const auto first = std::ranges::find_if(
        result.parts,
        [](const bench::results::BenchItem& sample) { return !sample.reason.empty(); });
    return lost == 0 ? QString()
                     : OperatorSpeedupModel::tr("%1 not run: %2")
                           .arg(QString::number(lost), toText(first->reason));
}

}  // namespace

std::vector<std::string> candidatesOf(const bench::results::ResultDocument& document) {
    std::vector<std::string> names = document.options.implementations;
    std::erase(names, bench::results::kBaseline);
    return names;
}

OperatorSpeedupModel::OperatorSpeedupModel(QObject* parent)
    : FigureTableModel(operatorColumns(nullptr), parent) {}

void OperatorSpeedupModel::setDocument(const bench::results::ResultDocument* document) {
    replaceRows([&] {
        m_document = document;
        m_running.reset();
        replaceColumns(operatorColumns(document));
    });
}

void OperatorSpeedupModel::setRunning(std::optional<std::size_t> index) {
    const auto before = std::exchange(m_running, index);
    for (const auto& one : {before, index}) {
        if (one && before != index) {
            operatorChanged(*one);
        }
    }
}

std::uint32_t OperatorSpeedupModel::sourceRowCount() const {
    return m_document != nullptr ? static_cast<std::uint32_t>(m_document->items.size()) : 0;
}

double OperatorSpeedupModel::number(std::uint32_t row, int column) const {
    const bench::results::BenchItem& result = m_document->items[row];
    switch (column) {
        case Samples:
            return static_cast<double>(result.partsRun());
        case Calls:
            return static_cast<double>(result.calls());
        case Baseline:
            return medianBaseline(result);
        default:
            break;
    }
    const int place = column - FirstQuantile;
    const auto names = candidatesOf(*m_document);
    const auto speedups = result.speedups(names[static_cast<std::size_t>(place / kQuantiles)]);
    return speedups ? (*speedups)[static_cast<std::size_t>(place % kQuantiles)] : kNone;
}

QString OperatorSpeedupModel::state(std::uint32_t row) const {
    const bench::results::BenchItem& result = m_document->items[row];
    if (m_running == row) {
        return tr("running");
    }
    const QString reason = reasonOf(result);
    return !reason.isEmpty() ? reason : result.done ? tr("measured") : QString();
}

QString OperatorSpeedupModel::cellText(std::uint32_t row, int column) const {
    const bench::results::BenchItem& result = m_document->items[row];
    if (isText(column)) {
        return column == Name ? toText(result.name) : state(row);
    }
    const double value = number(row, column);
    if (std::isnan(value)) {
        return {};
    }
    if (column == Samples) {
        return result.partsRun() == result.parts.size()
                   ? QString::number(result.partsRun())
                   : tr("%1 of %2").arg(result.partsRun()).arg(result.parts.size());
    }
    return column == Calls      ? QString::number(value, 'f', 0)
           : column == Baseline ? QString::number(value / kNsPerUs, 'f', 2)
                                : QString::number(value, 'f', 2);
}

QVariant OperatorSpeedupModel::cellExtra(std::uint32_t row, int column, int role) const {
    if (role == ToneRole && column == stateColumn()) {
        const bool lost = m_running != row && !reasonOf(m_document->items[row]).isEmpty();
        return static_cast<int>(lost ? CellTone::Warning : CellTone::Muted);
    }
    if (role == Qt::ToolTipRole && isText(column)) {
        return cellText(row, column);
    }
    return {};
}

bool OperatorSpeedupModel::matches(std::uint32_t row, std::string_view filter) const {
    return query::containsText(m_document->items[row].name, filter);
}

}  // namespace kinetoscope::models
