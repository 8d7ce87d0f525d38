// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/OperatorTableModel.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "core/base/SaturatedTime.h"
#include "core/report/AchievedColumns.h"
#include "core/text/Format.h"
#include "core/text/Units.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::models {

namespace {

constexpr double kNoShare = std::numeric_limits<double>::quiet_NaN();
constexpr double kNsPerUs = 1000.0;

std::vector<TableColumn> operatorTableColumns() {
    const auto t = [](const char* text) { return QString::fromUtf8(text); };
    const auto text = [&](const char* key, const char* header, const char* tip) {
        return TableColumn{t(key), t(header), t(tip), Qt::AlignLeft, false};
    };
    std::vector<TableColumn> columns = {
        text("name", "Operator", "Operators, annotations and calls of the CPU, work of the GPU"),
        text("input_shapes", "Input shapes",
             "Sizes of the input tensors; [] for other inputs and where none were recorded"),
        text("side", "Side", "Device"),
        {t("calls"), t("Calls"), t("Number of calls")},
        {t("self_cpu_ns"), t("Self CPU µs"), t("Self time, without children")},
        {t("self_cpu_percent"), t("Self CPU %"), t("Share of the self CPU time of all rows")},
        {t("cpu_ns"), t("CPU µs"), t("Total time, including children")},
        {t("cpu_percent"), t("CPU %"),
         t("Share of the self CPU time of all rows; children also count in their parents' rows")},
        {t("cpu_mean_ns"), t("CPU mean µs"), t("Mean time of a call, including children")},
        {t("self_gpu_ns"), t("Self GPU µs"), t("Time of GPU work it launched directly")},
        {t("self_gpu_percent"), t("Self GPU %"),
         t("Share of all GPU time; counts for an operator and for its kernels")},
        {t("gpu_ns"), t("GPU µs"), t("Time of GPU work launched by it or its children")},
        {t("gpu_mean_ns"), t("GPU mean µs"), t("Mean GPU time of a call")}};
    std::ranges::copy(achievedColumns(), std::back_inserter(columns));
    return columns;
}

AchievedColumn operatorColumn(int column) {
    return static_cast<AchievedColumn>(column - OperatorTableModel::Achieved);
}

bool isShare(int column) {
    return column == OperatorTableModel::SelfCpuShare || column == OperatorTableModel::CpuShare ||
           column == OperatorTableModel::SelfGpuShare;
}

bool isMean(int column) {
    return column == OperatorTableModel::CpuMean || column == OperatorTableModel::GpuMean;
}

double shareOf(double part, double whole) {
    return whole > 0.0 ? part / whole : kNoShare;
}

}  // namespace

OperatorTableModel::OperatorTableModel(QObject* parent)
    : FigureTableModel(operatorTableColumns(), parent) {}

void OperatorTableModel::setTable(std::shared_ptr<const analysis::OperatorTable> table) {
    if (table != m_table) {
        replaceRows([&] {
            m_table = std::move(table);
            double mostUs = 0.0;
            for (std::uint32_t row = 0; row < sourceRowCount(); ++row) {
                mostUs = std::max({mostUs, at(row).cpuUs, at(row).gpuUs});
            }
            m_unit = text::unitFor(saturatedTime(mostUs * kNsPerUs));
            setTimeHeader(SelfCpu, QStringLiteral("Self CPU"), m_unit);
            setTimeHeader(Cpu, QStringLiteral("CPU"), m_unit);
            setTimeHeader(SelfGpu, QStringLiteral("Self GPU"), m_unit);
            setTimeHeader(Gpu, QStringLiteral("GPU"), m_unit);
            setTimeHeader(Achieved + static_cast<int>(AchievedColumn::Recoverable),
                          QStringLiteral("Recoverable"), m_unit);
        });
    }
}

void OperatorTableModel::setAchieved(std::shared_ptr<const model::AchievedTable> achieved,
                                     const QString& whyNone) {
    m_whyNotAchieved = whyNone;
    if (achieved != m_achieved) {
        replaceRows([&] { m_achieved = std::move(achieved); });
    }
}

const model::Achieved* OperatorTableModel::achieved(const analysis::OperatorRow& row) const {
    return m_achieved ? report::achievedBy(*m_achieved, *m_table, row) : nullptr;
}

void OperatorTableModel::setSides(Sides sides) {
    m_sides = sides;
    refilter();
}

int OperatorTableModel::rowOf(const analysis::OperatorRow& wanted) const {
    int found = -1;
    for (int row = 0; row < rowCount(); ++row) {
        const analysis::OperatorRow& one = operatorRow(row);
        if (one.name != wanted.name || one.onGpu != wanted.onGpu) {
            continue;
        }
        if (one.shapes == wanted.shapes) {
            return row;
        }
        found = found < 0 ? row : found;
    }
    return found;
}

std::uint32_t OperatorTableModel::sourceRowCount() const {
    return m_table ? static_cast<std::uint32_t>(m_table->rows.size()) : 0;
}

// Times in nanoseconds, shares of one.
double OperatorTableModel::number(std::uint32_t row, int column) const {
    const analysis::OperatorRow& one = at(row);
    const auto calls = static_cast<double>(one.count);
    if (column >= Achieved) {
        return achievedNumber(achieved(one), operatorColumn(column));
    }
    switch (column) {
        case Calls:
            return calls;
        case SelfCpu:
            return one.selfCpuUs * kNsPerUs;
        case SelfCpuShare:
            return shareOf(one.selfCpuUs, m_table->selfCpuUs);
        case Cpu:
            return one.cpuUs * kNsPerUs;
        case CpuShare:
            return shareOf(one.cpuUs, m_table->selfCpuUs);
        case CpuMean:
            return one.cpuUs * kNsPerUs / calls;
        case SelfGpu:
            return one.selfGpuUs * kNsPerUs;
        case SelfGpuShare:
            return shareOf(one.selfGpuUs, m_table->selfGpuUs);
        case Gpu:
            return one.gpuUs * kNsPerUs;
        default:
            return one.gpuUs * kNsPerUs / calls;
    }
}

std::string_view OperatorTableModel::textKey(std::uint32_t row, int column) const {
    const analysis::OperatorRow& one = at(row);
    switch (column) {
        case Name:
            return one.name;
        case Shapes:
            return one.shapes;
        default:
            return one.onGpu ? "GPU" : "CPU";
    }
}

QString OperatorTableModel::cellText(std::uint32_t row, int column) const {
    const analysis::OperatorRow& one = at(row);
    switch (column) {
        case Name:
            return toText(one.name);
        case Shapes:
            return toText(one.shapes);
        case Side:
            return one.onGpu ? QStringLiteral("GPU") : QStringLiteral("CPU");
        case Calls:
            return QString::fromStdString(text::formatCount(static_cast<qint64>(one.count)));
        default:
            break;
    }
    if (column >= Achieved) {
        return achievedText(achieved(one), operatorColumn(column), m_unit);
    }
    const double value = number(row, column);
    if (!isShare(column)) {
        return QString::fromStdString(
            text::inUnit(value, isMean(column) ? text::kMicroseconds : m_unit));
    }
    return value >= 0.0 ? QString::fromStdString(text::formatPercent(value, 1.0))
                        : QStringLiteral("–");
}

QVariant OperatorTableModel::cellExtra(std::uint32_t row, int column, int role) const {
    if (column >= Achieved) {
        const QString whyNone =
            m_achieved ? QStringLiteral("It launched no GPU work directly") : m_whyNotAchieved;
        return achievedExtra(achieved(at(row)), operatorColumn(column), role, whyNone);
    }
    if (role == Qt::ToolTipRole && (column == Name || column == Shapes)) {
        return style::shownText(column == Name ? at(row).name : at(row).shapes,
                                style::kMaxToolTipLetters);
    }
    if (role == SwatchRole && column == Name) {
        return style::shownText(at(row).name, style::kMaxToolTipLetters);
    }
    if (role == ToneRole && (column == Side || column == Shapes)) {
        return static_cast<int>(CellTone::Muted);
    }
    return {};
}

QString OperatorTableModel::exportCell(std::uint32_t row, int column) const {
    if (isText(column)) {
        return cellText(row, column);
    }
    const double value = number(row, column);
    if (column >= Achieved) {
        return plainNumber(value);
    }
    if (isShare(column)) {
        return value >= 0.0 ? QString::number(100.0 * value, 'f', 4) : QString();
    }
    return QString::number(value, 'f', isMean(column) ? 1 : 0);
}

bool OperatorTableModel::matches(std::uint32_t row, std::string_view filter) const {
    const analysis::OperatorRow& one = at(row);
    if (m_sides != Sides::Both && one.onGpu != (m_sides == Sides::Gpu)) {
        return false;
    }
    return query::containsText(one.name, filter) || query::containsText(one.shapes, filter);
}

}  // namespace kinetoscope::models
