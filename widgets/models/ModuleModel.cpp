// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/ModuleModel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/models/Text.h"

namespace kinetoscope::models {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<TableColumn> moduleColumns() {
    const auto left = [](const char* key, const char* header, const char* tip) {
        return TableColumn{QString::fromUtf8(key), QString::fromUtf8(header),
                           QString::fromUtf8(tip), Qt::AlignLeft, false};
    };
    const auto right = [](const char* key, const char* header, const char* tip) {
        return TableColumn{QString::fromUtf8(key), QString::fromUtf8(header),
                           QString::fromUtf8(tip)};
    };
    return {left("group", "Group", "What is compared with each other"),
            left("runner", "Runner", "The implementation, or the file"),
            right("forward_ms", "Forward ms", "Median of the loops"),
            right("forward_interval_ms", "± ms", "Half the 95 % interval of this median"),
            left("forward_verdict", "Verdict", "Against the first of its group, within 1 %"),
            right("backward_ms", "Backward ms", "Median of the loops"),
            right("backward_interval_ms", "± ms", "Half the 95 % interval of this median"),
            left("backward_verdict", "Verdict", "Against the first of its group, within 1 %"),
            right("difference", "Differs by",
                  "Largest difference of outputs and gradients from its reference"),
            left("trace", "Trace", "What was recorded of it; a click opens it"),
            left("state", "State", "Whether it was run, or why not")};
}

QString reasonOf(const bench::results::BenchItem& result) {
    if (!result.reason.empty()) {
        return toText(result.reason);
    }
    return result.accuracy && !result.accuracy->same
               ? ModuleModel::tr("differs from %1").arg(toText(result.accuracy->with))
               : QString();
}

}  // namespace

ModuleModel::ModuleModel(QObject* parent) : FigureTableModel(moduleColumns(), parent) {}

void ModuleModel::setDocument(const bench::results::ResultDocument* document) {
    replaceRows([&] {
        m_runners.clear();
        m_running.reset();
        if (document == nullptr) {
            return;
        }
        for (const bench::results::BenchItem& group : document->items) {
            for (const bench::results::BenchItem& result : group.parts) {
                m_runners.push_back({&group, &result});
            }
        }
    });
}

void ModuleModel::refresh(std::optional<std::size_t> running) {
    m_running = running;
    for (std::uint32_t row = 0; row < sourceRowCount(); ++row) {
        rowChanged(row);
    }
}

const bench::results::BenchItem& ModuleModel::group(int row) const {
    return *m_runners[sourceRow(row)].group;
}

const bench::results::BenchItem& ModuleModel::runner(int row) const {
    return *m_runners[sourceRow(row)].result;
}

int ModuleModel::rowOf(const bench::results::BenchItem& group, std::size_t runner) const {
    const auto found = std::ranges::find(m_runners, &group.parts[runner], &Row::result);
    return found == m_runners.end()
               ? -1
               : shownRow(static_cast<std::uint32_t>(found - m_runners.begin()));
}

std::uint32_t ModuleModel::sourceRowCount() const {
    return static_cast<std::uint32_t>(m_runners.size());
}

bool ModuleModel::isText(int column) const {
    return column == Group || column == Runner || column == ForwardVerdict ||
           column == BackwardVerdict || column == TraceFile || column == State;
}

double ModuleModel::number(std::uint32_t row, int column) const {
    const bench::results::BenchItem& result = *m_runners[row].result;
    if (column == Difference) {
        return result.accuracy ? result.accuracy->maxRelative : kNone;
    }
    const bool forward = column == Forward || column == ForwardInterval;
    const bench::results::BenchSeries* series =
        result.find(bench::results::kDirections[forward ? 0 : 1]);
    if (series == nullptr) {
        return kNone;
    }
    constexpr double kNsPerMs = 1e6;
    const stats::SampleSummary summary = series->summary();
    return (column == Forward || column == Backward ? summary.median
                                                    : (summary.high - summary.low) / 2.0) /
           kNsPerMs;
}

QString ModuleModel::state(const Row& row) const {
    if (m_running && row.result == m_runners[*m_running].result) {
        return tr("running");
    }
    QString reason = reasonOf(*row.result);
    if (!reason.isEmpty() || row.result->series.empty()) {
        return reason;
    }
    return row.result->note.empty() ? tr("measured") : toText(row.result->note);
}

QString ModuleModel::cellText(std::uint32_t row, int column) const {
    const Row& one = m_runners[row];
    switch (column) {
        case Group:
            return toText(one.group->name);
        case Runner:
            return toText(one.result->name);
        case ForwardVerdict:
        case BackwardVerdict:
            return toText(bench::results::runnerVerdict(
                *one.group, *one.result,
                bench::results::kDirections[column == ForwardVerdict ? 0 : 1]));
        case TraceFile:
            return one.result->profile ? tr("open") : QString();
        case State:
            return state(one);
        default:
            break;
    }
    const double value = number(row, column);
    if (std::isnan(value)) {
        return {};
    }
    return column == Difference ? QString::number(value, 'g', 2) : QString::number(value, 'f', 3);
}

QVariant ModuleModel::cellExtra(std::uint32_t row, int column, int role) const {
    const Row& one = m_runners[row];
    if (role == ToneRole && column == TraceFile) {
        return static_cast<int>(CellTone::Link);
    }
    if (role == ToneRole && column == State) {
        return static_cast<int>(reasonOf(*one.result).isEmpty() ? CellTone::Muted
                                                                : CellTone::Warning);
    }
    if (role == Qt::ToolTipRole && column == TraceFile && one.result->profile) {
        return toText(one.result->profile->trace);
    }
    if (role == Qt::ToolTipRole && (column == Runner || column == State)) {
        return cellText(row, column);
    }
    return {};
}

QString ModuleModel::exportCell(std::uint32_t row, int column) const {
    if (column == TraceFile) {
        const auto& profile = m_runners[row].result->profile;
        return profile ? toText(profile->trace) : QString();
    }
    return FigureTableModel::exportCell(row, column);
}

}  // namespace kinetoscope::models
