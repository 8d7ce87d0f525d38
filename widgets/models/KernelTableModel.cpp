// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/KernelTableModel.h"

#include <algorithm>
#include <limits>

#include "core/text/Format.h"
#include "core/text/KernelLabel.h"
#include "core/text/Units.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::models {

namespace {

constexpr std::size_t kMaxLabelled = 4'000;  // letters of a name that are looked at

TableColumn textOfKernel(const char* key, const QString& header, const QString& tip) {
    return {QString::fromLatin1(key), header, tip, Qt::AlignLeft, false};
}

TableColumn figure(const char* key, const QString& header) {
    return {QString::fromLatin1(key), header, figureTip(key)};
}

std::vector<TableColumn> kernelColumns() {
    using S = QString;
    std::vector<TableColumn> columns = {
        textOfKernel("name", S::fromLatin1("Kernel"),
                     S::fromLatin1("Short name, with template arguments where only these differ; "
                                   "hover a cell for the full name")),
        {S::fromLatin1("gpu"), S::fromLatin1("GPU"), figureTip("gpu")},
        textOfKernel("category", S::fromLatin1("Category"), figureTip("category")),
        {S::fromLatin1("percent_of_sum"), S::fromLatin1("Of kernels"),
         S::fromLatin1("Share of the time of all kernels, without copies and memsets")},
        figure("total_ns", S::fromUtf8("Total µs")),
        {S::fromLatin1("count"), S::fromLatin1("Launches"),
         S::fromLatin1("Number of launches of this kernel")},
        figure("mean_ns", S::fromUtf8("Mean µs")),
        figure("median_ns", S::fromUtf8("Median µs")),
        figure("min_ns", S::fromUtf8("Min µs")),
        figure("max_ns", S::fromUtf8("Max µs")),
        figure("std_ns", S::fromUtf8("Std µs")),
        figure("grid", S::fromLatin1("Grid")),
        figure("block", S::fromLatin1("Block")),
        figure("registers", S::fromLatin1("Registers")),
        figure("shared_bytes", S::fromLatin1("Shared")),
        figure("occupancy", S::fromLatin1("Occupancy")),
        figure("shapes", S::fromLatin1("Shapes")),
        figure("mm_conv", S::fromLatin1("mm/conv"))};
    const std::vector<TableColumn> achieved = achievedColumns();
    columns.insert(columns.begin() + KernelTableModel::Achieved, achieved.begin(), achieved.end());
    return columns;
}

bool isAchieved(int column) {
    return column >= KernelTableModel::Achieved &&
           column < KernelTableModel::Achieved + kAchievedColumns;
}

AchievedColumn achievedColumn(int column) {
    return static_cast<AchievedColumn>(column - KernelTableModel::Achieved);
}

template <class Extent>
QString dims(const Extent& extent) {
    return QStringLiteral("%1 × %2 × %3").arg(extent[0]).arg(extent[1]).arg(extent[2]);
}

// "nvjet_" of "nvjet_sm90_tst_96x128".
std::string firstWord(const std::string& name) {
    const std::size_t end = name.find('_');
    return end == std::string::npos ? name : name.substr(0, end + 1);
}

// The words at the beginning of both.
std::string sharedWords(const std::string& a, const std::string& b) {
    const auto differ = std::ranges::mismatch(a, b);
    const std::string shared(a.begin(), differ.in1);
    return shared.substr(0, shared.rfind('_') + 1);
}

QString micros(double ns) {
    return QString::fromStdString(text::inUnit(ns, text::kMicroseconds));
}

double volume(const auto& extent) {
    return static_cast<double>(extent[0]) * extent[1] * extent[2];
}

}  // namespace

KernelTableModel::KernelTableModel(QObject* parent) : ColumnTableModel(kernelColumns(), parent) {}

void KernelTableModel::setReport(std::shared_ptr<const trace::Trace> trace,
                                 std::shared_ptr<const report::Report> report) {
    replaceRows([&] {
        m_trace = std::move(trace);
        m_report = m_trace ? std::move(report) : nullptr;
        m_launches = nullptr;
        m_sumNs = 0;
        m_shortNames.clear();
        m_stems.clear();
        TimeNs mostNs = 0;
        for (std::uint32_t row = 0; row < sourceRowCount(); ++row) {
            m_sumNs += at(row).totalNs;
            mostNs = std::max(mostNs, at(row).totalNs);
            const auto [known, isNew] = m_shortNames.emplace(at(row).shortName, at(row).name);
            if (!isNew && known->second != at(row).name) {
                known->second = kEmptyName;
            }
            const auto [stem, isFirst] =
                m_stems.emplace(firstWord(at(row).shortName), at(row).shortName);
            if (!isFirst && stem->second != at(row).shortName) {
                stem->second = sharedWords(stem->second, at(row).shortName);
            }
        }
        m_totalUnit = text::unitFor(mostNs);
        setTimeHeader(Total, QStringLiteral("Total"), m_totalUnit);
        setTimeHeader(Achieved + static_cast<int>(AchievedColumn::Recoverable),
                      QStringLiteral("Recoverable"), m_totalUnit);
        const bool byFamily = m_report && m_report->group != analysis::GroupBy::Inductor;
        setColumnHeader(Group, byFamily ? QStringLiteral("Family") : QStringLiteral("Category"),
                        figureTip(byFamily ? "family" : "category"));
    });
}

void KernelTableModel::setCategory(const QString& category) {
    m_category = category.toStdString();
    refilter();
}

void KernelTableModel::setLaunches(std::shared_ptr<const std::vector<analysis::KernelRow>> rows) {
    if (m_report && rows != m_launches) {
        replaceRows([&] { m_launches = std::move(rows); });
    }
}

void KernelTableModel::setAchieved(std::shared_ptr<const model::AchievedTable> achieved,
                                   const QString& whyNone) {
    m_whyNotAchieved = whyNone;
    if (achieved != m_achieved) {
        replaceRows([&] { m_achieved = std::move(achieved); });
    }
}

void KernelTableModel::setMeasured(std::shared_ptr<const ncu::Table> measured) {
    if (measured == m_measured) {
        return;
    }
    replaceRows([&] {
        m_measured = std::move(measured);
        m_metrics = m_measured ? ncu::shownColumns(*m_measured) : std::vector<ncu::ShownColumn>();
        m_ofKernel.clear();
        for (std::size_t i = 0; m_measured && i < m_measured->kernels.size(); ++i) {
            m_ofKernel[m_measured->kernels[i].name] = &m_measured->kernels[i];
        }
        std::vector<TableColumn> columns(this->columns().begin(),
                                         this->columns().begin() + KernelTableModel::Measured);
        for (const ncu::ShownColumn& column : m_metrics) {
            const ncu::Metric& metric = m_measured->metrics[column.metric];
            const QString name = style::shownText(metric.name);
            columns.push_back(
                {toText("ncu " + metric.name), style::shownText(column.title),
                 style::plainToolTip(
                     QStringLiteral("Nsight Compute: %1, mean of the launches that it "
                                    "measured of the kernel")
                         .arg(name))});
        }
        replaceColumns(std::move(columns));
    });
}

const ncu::Value* KernelTableModel::measured(const analysis::KernelRow& kernel, int column) const {
    const auto found = m_ofKernel.find(kernel.name);
    if (found == m_ofKernel.end()) {
        return nullptr;
    }
    const ncu::ShownColumn& shown = m_metrics[static_cast<std::size_t>(column - Measured)];
    const ncu::Value& value = found->second->values[shown.metric];
    return value.count > 0 ? &value : nullptr;
}

QString KernelTableModel::measuredTip(const analysis::KernelRow& kernel, int column) const {
    const ncu::Value* value = measured(kernel, column);
    if (value == nullptr) {
        return QStringLiteral("Nsight Compute has not measured this of this kernel");
    }
    const double factor = m_metrics[static_cast<std::size_t>(column - Measured)].factor;
    return QStringLiteral("Mean of %1 measured launches, %2 to %3")
        .arg(value->count)
        .arg(value->min * factor, 0, 'g', 6)
        .arg(value->max * factor, 0, 'g', 6);
}

// The work is that of all launches, not of some of them.
const model::Achieved* KernelTableModel::achieved(const analysis::KernelRow& kernel) const {
    return m_achieved && !m_launches ? m_achieved->ofKernel(m_trace->text(kernel.name), kernel.gpu)
                                     : nullptr;
}

const analysis::KernelRow& KernelTableModel::kernel(int row) const {
    return at(sourceRow(row));
}

int KernelTableModel::rowOf(NameId name, std::int32_t gpu) const {
    for (int row = 0; row < rowCount(); ++row) {
        if (kernel(row).name == name && (gpu < 0 || kernel(row).gpu == gpu)) {
            return row;
        }
    }
    return -1;
}

bool KernelTableModel::hasSeveralGpus() const {
    return m_report && m_report->gpus.size() > 1;
}

std::uint32_t KernelTableModel::sourceRowCount() const {
    return m_report ? static_cast<std::uint32_t>(rows().size()) : 0;
}

const std::string& KernelTableModel::groupOf(const analysis::KernelRow& kernel) const {
    return m_report->group == analysis::GroupBy::Inductor ? kernel.category : kernel.family;
}

/// The short name, or with its template arguments if kernels differ only in these.
QString KernelTableModel::shownName(const analysis::KernelRow& kernel) const {
    const std::string_view whole = m_trace->text(kernel.name);
    return style::shownText(m_shortNames.at(kernel.shortName) == kEmptyName
                                ? text::kernelLabel(whole.substr(0, kMaxLabelled))
                                : kernel.shortName);
}

double KernelTableModel::shareOf(const analysis::KernelRow& kernel) const {
    return m_sumNs > 0 ? static_cast<double>(kernel.totalNs) / static_cast<double>(m_sumNs) : 0.0;
}

double KernelTableModel::number(const analysis::KernelRow& kernel, int column) const {
    if (isAchieved(column)) {
        return achievedNumber(achieved(kernel), achievedColumn(column));
    }
    if (column >= Measured) {
        const ncu::Value* value = measured(kernel, column);
        return value == nullptr
                   ? std::numeric_limits<double>::quiet_NaN()
                   : value->mean * m_metrics[static_cast<std::size_t>(column - Measured)].factor;
    }
    switch (column) {
        case Gpu:
            return kernel.gpu;
        case Share:
        case Total:
            return static_cast<double>(kernel.totalNs);
        case Count:
            return static_cast<double>(kernel.count);
        case Mean:
            return kernel.meanNs;
        case Median:
            return kernel.medianNs;
        case Min:
            return static_cast<double>(kernel.minNs);
        case Max:
            return static_cast<double>(kernel.maxNs);
        case Std:
            return kernel.stdNs;
        case Grid:
            return volume(kernel.grid);
        case Block:
            return volume(kernel.block);
        case Registers:
            return kernel.registers;
        case Shared:
            return kernel.sharedBytes;
        case Occupancy:
            return kernel.occupancyPercent;
        case Shapes:
            return static_cast<double>(kernel.shapes);
        default:
            return kernel.mmConv ? 1.0 : 0.0;
    }
}

QString KernelTableModel::cellText(std::uint32_t row, int column) const {
    const analysis::KernelRow& kernel = at(row);
    if (isAchieved(column)) {
        return achievedText(achieved(kernel), achievedColumn(column), m_totalUnit);
    }
    if (column >= Measured) {
        return measured(kernel, column) == nullptr
                   ? QStringLiteral("–")
                   : QString::number(number(kernel, column), 'f', 2);
    }
    switch (column) {
        case Name:
            return shownName(kernel);
        case Group:
            return toText(groupOf(kernel));
        case Share:
            return QString::fromStdString(text::formatPercent(shareOf(kernel), 1.0));
        case Total:
            return QString::fromStdString(text::inUnit(kernel.totalNs, m_totalUnit));
        case Mean:
        case Median:
        case Min:
        case Max:
        case Std:
            return micros(number(kernel, column));
        case Gpu:
            return toText(trace::gpuNumber(kernel.gpu));
        case Count:
            return QString::fromStdString(text::formatCount(static_cast<qint64>(kernel.count)));
        case Grid:
            return dims(kernel.grid);
        case Block:
            return dims(kernel.block);
        case Shared:
            return QString::fromStdString(text::formatBytes(kernel.sharedBytes));
        case Occupancy:
            return kernel.occupancyPercent < 0
                       ? QStringLiteral("–")
                       : QStringLiteral("%1 %").arg(kernel.occupancyPercent);
        case MmConv:
            return kernel.mmConv ? QStringLiteral("yes") : QString();
        default:
            return QString::number(number(kernel, column), 'f', 0);
    }
}

query::SortKey KernelTableModel::sortKey(std::uint32_t row, int column) const {
    const analysis::KernelRow& kernel = at(row);
    switch (column) {
        case Name:
            return std::string_view(kernel.shortName);
        case Group:
            return std::string_view(groupOf(kernel));
        default:
            return number(kernel, column);
    }
}

QVariant KernelTableModel::cellExtra(std::uint32_t row, int column, int role) const {
    const analysis::KernelRow& kernel = at(row);
    if (isAchieved(column)) {
        const QString whyNone =
            m_launches ? QStringLiteral("Known only for all launches of a kernel together")
                       : m_whyNotAchieved;
        return achievedExtra(achieved(kernel), achievedColumn(column), role, whyNone);
    }
    if (column >= Measured) {
        return role == Qt::ToolTipRole ? QVariant(measuredTip(kernel, column)) : QVariant();
    }
    if (role == ShareRole && column == Share) {
        return shareOf(kernel);
    }
    if (role == StemRole && column == Name) {
        const std::string& stem = m_stems.at(firstWord(kernel.shortName));
        return stem == kernel.shortName ? 0 : static_cast<int>(stem.size());
    }
    if (role == SwatchRole && column == Name) {
        return style::shownText(m_trace->text(kernel.name), style::kMaxToolTipLetters);
    }
    if (role == Qt::ToolTipRole && column == Name) {
        return style::shownText(m_trace->text(kernel.name), style::kMaxToolTipLetters);
    }
    if (role == ToneRole && (column >= Grid || column == Group)) {
        return static_cast<int>(CellTone::Muted);
    }
    return {};
}

QString KernelTableModel::exportCell(std::uint32_t row, int column) const {
    const analysis::KernelRow& kernel = at(row);
    if (isAchieved(column) || column >= Measured) {
        return plainNumber(number(kernel, column));
    }
    switch (column) {
        case Name:
            return toText(m_trace->text(kernel.name));
        case Group:
            return toText(groupOf(kernel));
        case Share:
            return QString::number(100.0 * shareOf(kernel), 'f', 4);
        case Grid:
            return QStringLiteral("%1x%2x%3")
                .arg(kernel.grid[0])
                .arg(kernel.grid[1])
                .arg(kernel.grid[2]);
        case Block:
            return QStringLiteral("%1x%2x%3")
                .arg(kernel.block[0])
                .arg(kernel.block[1])
                .arg(kernel.block[2]);
        case Occupancy:
            return kernel.occupancyPercent < 0 ? QString()
                                               : QString::number(kernel.occupancyPercent);
        case Mean:
        case Median:
        case Std:
            return QString::number(number(kernel, column), 'f', 1);
        case MmConv:
            return kernel.mmConv ? QStringLiteral("1") : QStringLiteral("0");
        default:
            return QString::number(number(kernel, column), 'f', 0);
    }
}

bool KernelTableModel::matches(std::uint32_t row, std::string_view filter) const {
    const analysis::KernelRow& kernel = at(row);
    const bool grouped = m_report->group == analysis::GroupBy::Inductor ||
                         m_report->group == analysis::GroupBy::Family;
    if (grouped && !m_category.empty() && groupOf(kernel) != m_category) {
        return false;
    }
    return query::containsText(m_trace->text(kernel.name), filter);
}

}  // namespace kinetoscope::models
