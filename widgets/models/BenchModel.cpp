// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/BenchModel.h"

#include <cmath>
#include <limits>

#include "widgets/models/Text.h"

namespace kinetoscope::models {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kNsPerUs = 1000.0;

std::vector<TableColumn> benchColumns() {
    using S = QString;
    const auto left = [](const char* key, const char* header, const char* tip) {
        return TableColumn{S::fromLatin1(key), S::fromLatin1(header), S::fromUtf8(tip),
                           Qt::AlignLeft, false};
    };
    const auto right = [](const char* key, const char* header, const char* tip) {
        return TableColumn{S::fromLatin1(key), S::fromUtf8(header), S::fromUtf8(tip)};
    };
    return {
        left("name", "Kernel", "Name of the function; the tool tip of a cell shows it whole"),
        left("state", "State", "Whether it was run, or why it cannot be"),
        right("median_ns", "Best µs", "Median of the fastest configuration"),
        right("interval_ns", "± µs", "Half the 95 % interval of this median"),
        right("gb_per_s", "GB/s", "Bytes read and written by the fastest configuration"),
        right("of_copy", "Of copy", "GB/s relative to a copy measured on the same GPU"),
        right("worst", "Worst", "Slowest configuration relative to the fastest"),
        right("configs", "Configs", "Distinct binaries and launch parameters in the cache"),
        left("category", "Category", "By the decorator of its source"),
        right("registers", "Regs", "Registers per thread of the fastest configuration"),
        right("spills", "Spills", "32-bit words of local memory per thread"),
        right("shared_bytes", "Shared", "Bytes of shared memory per block"),
        right("occupancy", "Occup.", "Resident threads of the most that a multiprocessor holds"),
        right("clock_mhz", "MHz", "SM clock while it was measured")};
}

QString fixed(double value, int decimals) {
    return QString::number(value, 'f', decimals);
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

BenchModel::BenchModel(QObject* parent) : FigureTableModel(benchColumns(), parent) {}

void BenchModel::setPlan(std::shared_ptr<const bench::plan::CachePlan> plan) {
    replaceRows([&] {
        m_plan = std::move(plan);
        m_measured.assign(m_plan ? m_plan->kernels.size() : 0, {});
        m_copyGbPerS = 0.0;
    });
}

const bench::results::BenchItem* BenchModel::result(int row) const {
    const Row& measured = m_measured[sourceRow(row)];
    return measured.result ? &*measured.result : nullptr;
}

int BenchModel::rowOf(const std::string& key, const std::string& name) const {
    for (std::uint32_t row = 0; row < sourceRowCount(); ++row) {
        const bench::plan::KernelPlan& kernel = m_plan->kernels[row];
        if (kernel.name == name && (key.empty() || kernel.key == key)) {
            return shownRow(row);
        }
    }
    return -1;
}

void BenchModel::setProgress(Progress progress) {
    for (std::uint32_t row = 0; row < sourceRowCount(); ++row) {
        m_measured[row].progress = progress;
        rowChanged(row);
    }
}

void BenchModel::setProgress(int row, Progress progress) {
    m_measured[sourceRow(row)].progress = progress;
    rowChanged(sourceRow(row));
}

void BenchModel::setResult(const bench::results::BenchItem& result) {
    for (std::uint32_t row = 0; row < sourceRowCount(); ++row) {
        const bench::plan::KernelPlan& kernel = m_plan->kernels[row];
        if (kernel.key == result.key && kernel.name == result.name) {
            m_measured[row] = {result, Progress::None};
            rowChanged(row);
            return;
        }
    }
}

std::uint32_t BenchModel::sourceRowCount() const {
    return m_plan ? static_cast<std::uint32_t>(m_plan->kernels.size()) : 0;
}

double BenchModel::number(std::uint32_t row, int column) const {
    if (column == Configs) {
        return static_cast<double>(m_plan->kernels[row].configs.size());
    }
    const auto& result = m_measured[row].result;
    if (!result || result->series.empty()) {
        return kNone;
    }
    const bench::results::BenchSeries& best = result->series[result->best()];
    const stats::SampleSummary summary = best.summary();
    const double time = best.timeNs();
    switch (column) {
        case Time:
            return time;
        case Interval:
            return (summary.high - summary.low) / 2.0;
        case Rate:
            return result->gbPerS(time).value_or(kNone);
        case OfCopy:
            return m_copyGbPerS > 0.0 ? result->gbPerS(time).value_or(kNone) / m_copyGbPerS : kNone;
        case Worst:
            return result->series.size() > 1 && time > 0.0
                       ? result->series[result->worst()].timeNs() / time
                       : kNone;
        case Registers:
            return best.registers;
        case Spills:
            return best.spills;
        case Shared:
            return static_cast<double>(best.sharedBytes);
        case Occupancy:
            return best.occupancy;
        case Clock:
            return best.clockMhz() > 0.0 ? best.clockMhz() : kNone;
        default:
            return kNone;
    }
}

QString BenchModel::state(std::uint32_t row) const {
    const Row& measured = m_measured[row];
    if (measured.progress == Progress::Running) {
        return tr("running");
    }
    if (measured.progress == Progress::Waiting) {
        return tr("waiting");
    }
    const std::string& reason =
        measured.result ? measured.result->reason : m_plan->kernels[row].reason;
    return !reason.empty() ? toText(reason) : measured.result ? tr("measured") : QString();
}

double BenchModel::stateOrder(std::uint32_t row) const {
    const Row& measured = m_measured[row];
    if (measured.progress != Progress::None) {
        return measured.progress == Progress::Running ? 3.0 : 2.0;
    }
    return hasReason(row) ? 4.0 : measured.result ? 1.0 : 0.0;
}

bool BenchModel::hasReason(std::uint32_t row) const {
    const Row& measured = m_measured[row];
    return !(measured.result ? measured.result->reason : m_plan->kernels[row].reason).empty();
}

QString BenchModel::cellText(std::uint32_t row, int column) const {
    const bench::plan::KernelPlan& kernel = m_plan->kernels[row];
    if (column == Name || column == Category || column == State) {
        return column == Name       ? toText(kernel.name)
               : column == Category ? toText(kernel.category)
                                    : state(row);
    }
    const double value = number(row, column);
    if (std::isnan(value)) {
        return {};
    }
    switch (column) {
        case Time:
        case Interval:
            return fixed(value / kNsPerUs, 2);
        case Rate:
            return fixed(value, 1);
        case OfCopy:
        case Occupancy:
            return fixed(value * 100.0, column == OfCopy ? 1 : 0) + QStringLiteral(" %");
        case Worst:
            return fixed(value, 2) + QStringLiteral(" ×");
        default:
            return fixed(value, 0);
    }
}

query::SortKey BenchModel::sortKey(std::uint32_t row, int column) const {
    return column == State ? stateOrder(row) : FigureTableModel::sortKey(row, column);
}

QVariant BenchModel::cellExtra(std::uint32_t row, int column, int role) const {
    const bool lost = m_measured[row].progress == Progress::None && hasReason(row);
    if (role == ToneRole && column == State) {
        return static_cast<int>(lost ? CellTone::Warning : CellTone::Muted);
    }
    if (role == ShareRole && column == OfCopy) {
        const double share = number(row, OfCopy);
        return std::isnan(share) ? QVariant() : QVariant(std::min(share, 1.0));
    }
    if (role == Qt::ToolTipRole && (column == Name || column == State)) {
        return cellText(row, column);
    }
    return {};
}

bool BenchModel::matches(std::uint32_t row, std::string_view filter) const {
    return query::containsText(m_plan->kernels[row].name, filter);
}

}  // namespace kinetoscope::models
