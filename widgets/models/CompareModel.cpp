// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/CompareModel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/SaturatedTime.h"
#include "core/compare/CompareText.h"
#include "core/text/Units.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::models {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<TableColumn> compareColumns() {
    const auto t = [](const char* text) { return QString::fromUtf8(text); };
    return {
        {t("verdict"), t("Each launch"),
         t("Whether one launch takes longer, regardless of their number: the interval of the "
           "median time ratio lies outside the tolerance (SLOWER, FASTER), inside it (SAME), or "
           "neither (UNSURE)"),
         Qt::AlignLeft, false},
        {t("name"), t("Kernel"), t("As in the trace, or the common part of matched names"),
         Qt::AlignLeft, false},
        {t("delta_ns"), t("Total changed µs"),
         t("Candidate's total time minus the baseline's: by slower launches, by more of them, or "
           "both")},
        {t("delta_percent"), t("Total changed"), t("Change relative to the baseline's total time")},
        {t("share_of_change"), t("Of change"),
         t("Share of the change of all kernel time; contributions against the trend are negative")},
        {t("base_total_ns"), t("Baseline µs"), t("Total time in the baseline")},
        {t("candidate_total_ns"), t("Candidate µs"), t("Total time in the candidate")},
        {t("base_count"), t("Count"), t("Launches in the baseline")},
        {t("candidate_count"), t("Count"), t("Launches in the candidate")},
        {t("speedup_q20"), t("Speedup 20 %"),
         t("Of all pairs of launches; baseline time over candidate time")},
        {t("speedup_q50"), t("Median"), t("Median speedup of all pairs of launches")},
        {t("speedup_q80"), t("80 %"), t("80 % of the pairs have at most this speedup")},
        {t("interval_low"), t("From"),
         t("Interval of the median speedup, corrected for the number of kernels")},
        {t("interval_high"), t("To"), t("Upper end of that interval")},
        {t("pairs"), t("Pairs"), t("Launches that have a partner in the same step")},
        {t("match"), t("Match"), t("How the two sides were matched"), Qt::AlignLeft, false}};
}

QString joined(const std::vector<compare::KernelPart>& parts) {
    QStringList lines;
    for (const std::string& text : compare::partTexts(parts, false)) {
        lines << toText(text);
    }
    return lines.join(QStringLiteral(", "));
}

}  // namespace

CompareModel::CompareModel(QObject* parent) : ColumnTableModel(compareColumns(), parent) {}

QString CompareModel::replacement(const compare::KernelChange& kernel) {
    return kernel.match == compare::MatchKind::Exact
               ? QString()
               : tr("was %1\nis %2").arg(joined(kernel.parts.base), joined(kernel.parts.candidate));
}

void CompareModel::setComparison(const compare::Comparison* comparison) {
    replaceRows([&] {
        m_comparison = comparison;
        setHeader(Name, comparison == nullptr
                            ? tr("Kernel")
                            : toText(compare::capitalised(compare::rowNoun(comparison->results))));
        m_table.clear();
        m_labels.clear();
        if (comparison == nullptr) {
            return;
        }
        for (const compare::KernelChange& kernel : comparison->kernels) {
            m_table.push_back({&kernel, nullptr, false, static_cast<int>(m_table.size())});
        }
        for (const compare::KernelOfOneSide& kernel : comparison->onlyBase) {
            m_table.push_back({nullptr, &kernel, true, -1});
        }
        for (const compare::KernelOfOneSide& kernel : comparison->onlyCandidate) {
            m_table.push_back({nullptr, &kernel, false, -1});
        }
        orderRows();
        double mostNs = 0.0;
        for (const Row& row : m_table) {
            m_labels.push_back(compare::rowLabel(nameOf(row), false));
            for (const Column column : {BaseTime, CandidateTime}) {
                const double ns = number(row, column);
                mostNs = std::isnan(ns) ? mostNs : std::max(mostNs, ns);
            }
        }
        m_unit = text::unitFor(saturatedTime(mostNs));
        setTimeHeader(Delta, tr("Total changed"), m_unit);
        setTimeHeader(BaseTime, tr("Baseline"), m_unit);
        setTimeHeader(CandidateTime, tr("Candidate"), m_unit);
    });
}

const std::string& CompareModel::nameOf(const Row& row) const {
    return row.kernel != nullptr ? row.kernel->name : row.only->name;
}

void CompareModel::orderRows() {
    const auto certainty = [](const Row& row) {
        if (row.kernel == nullptr || row.kernel->count.base != row.kernel->count.candidate) {
            return 0;
        }
        return row.kernel->verdict == stats::Verdict::Same     ? 2
               : row.kernel->verdict == stats::Verdict::Unsure ? 1
                                                               : 0;
    };
    const auto change = [](const Row& row) {
        return row.kernel != nullptr ? std::abs(row.kernel->totalNs.delta()) : row.only->totalNs;
    };
    std::ranges::stable_sort(m_table, [&](const Row& a, const Row& b) {
        const int sureA = certainty(a);
        const int sureB = certainty(b);
        return sureA != sureB ? sureA < sureB : change(a) > change(b);
    });
}

int CompareModel::kernelOf(int row) const {
    return m_table[sourceRow(row)].index;
}

int CompareModel::rowOfKernel(int kernel) const {
    const auto found = std::ranges::find(m_table, kernel, &Row::index);
    return kernel < 0 || found == m_table.end()
               ? -1
               : shownRow(static_cast<std::uint32_t>(found - m_table.begin()));
}

std::uint32_t CompareModel::sourceRowCount() const {
    return static_cast<std::uint32_t>(m_table.size());
}

double CompareModel::number(const Row& row, int column) const {
    if (row.kernel == nullptr) {
        const double time = row.only->totalNs;
        switch (column) {
            case Delta:
                return row.isBase ? -time : time;
            case Percent:
                return row.isBase ? -100.0 : kNone;
            case Share:
                return row.only->shareOfChange;
            case BaseTime:
                return row.isBase ? time : 0.0;
            case CandidateTime:
                return row.isBase ? 0.0 : time;
            case BaseCount:
                return row.isBase ? row.only->count : 0.0;
            case CandidateCount:
                return row.isBase ? 0.0 : row.only->count;
            default:
                return kNone;
        }
    }
    const compare::KernelChange& kernel = *row.kernel;
    const compare::Speedup& speedup = kernel.speedup;
    const bool known = speedup.pairs > 0;
    switch (column) {
        case Delta:
            return kernel.totalNs.delta();
        case Percent:
            return kernel.totalNs.percent().value_or(kNone);
        case Share:
            return kernel.shareOfChange;
        case BaseTime:
            return kernel.totalNs.value.base;
        case CandidateTime:
            return kernel.totalNs.value.candidate;
        case BaseCount:
            return kernel.count.base;
        case CandidateCount:
            return kernel.count.candidate;
        case Q20:
            return known ? speedup.q20 : kNone;
        case Q50:
            return known ? speedup.q50 : kNone;
        case Q80:
            return known ? speedup.q80 : kNone;
        case Low:
            return speedup.interval ? speedup.interval->low : kNone;
        case High:
            return speedup.interval ? speedup.interval->high : kNone;
        case Pairs:
            return static_cast<double>(speedup.pairs);
        default:
            return kNone;
    }
}

QString CompareModel::verdictText(const Row& row) const {
    return row.kernel != nullptr ? toText(stats::verdictName(row.kernel->verdict))
           : row.isBase          ? tr("no match in candidate")
                                 : tr("no match in baseline");
}

QString CompareModel::cellText(std::uint32_t row, int column) const {
    const Row& cells = m_table[row];
    const double value = number(cells, column);
    switch (column) {
        case VerdictColumn:
            return verdictText(cells);
        case Name:
            return style::shownText(m_labels[row]);
        case Match:
            return cells.kernel != nullptr ? toText(compare::matchName(cells.kernel->match))
                                           : QString();
        case Delta:
            return (value > 0.0 ? QStringLiteral("+") : QString()) +
                   toText(text::inUnit(value, m_unit));
        case BaseTime:
        case CandidateTime:
            return toText(text::inUnit(value, m_unit));
        case Percent:
            return cells.kernel != nullptr ? toText(compare::percentText(cells.kernel->totalNs))
                   : cells.isBase          ? tr("gone")
                                           : tr("new");
        case Share:
            return toText(compare::shareText(value)) + QStringLiteral(" %");
        case BaseCount:
        case CandidateCount:
            return toText(compare::countText(value));
        case Pairs:
            return std::isnan(value) ? QString() : QString::number(value, 'f', 0);
        default:
            return std::isnan(value) ? QString() : QString::number(value, 'f', 3);
    }
}

query::SortKey CompareModel::sortKey(std::uint32_t row, int column) const {
    const Row& cells = m_table[row];
    switch (column) {
        case Name:
            return std::string_view(m_labels[row]);
        case VerdictColumn:
        case Match: {
            const double only = cells.isBase ? 10.0 : 11.0;
            return cells.kernel == nullptr ? only
                   : column == Match       ? static_cast<double>(cells.kernel->match)
                                           : static_cast<double>(cells.kernel->verdict);
        }
        case Delta:
        case Share:
            // By contribution: what grew and what shrank most come first together.
            return std::abs(number(cells, column));
        default:
            return number(cells, column);
    }
}

QVariant CompareModel::cellExtra(std::uint32_t row, int column, int role) const {
    const Row& cells = m_table[row];
    if (role == ToneRole && column == VerdictColumn) {
        const stats::Verdict verdict =
            cells.kernel == nullptr ? stats::Verdict::Same : cells.kernel->verdict;
        return static_cast<int>(verdict == stats::Verdict::Slower   ? CellTone::Error
                                : verdict == stats::Verdict::Faster ? CellTone::Link
                                : verdict == stats::Verdict::Unsure ? CellTone::Warning
                                                                    : CellTone::Muted);
    }
    if (role == SwatchRole && column == Name) {
        return style::shownText(nameOf(cells), style::kMaxToolTipLetters);
    }
    if (role == Qt::ToolTipRole && column == Name) {
        const QString what = cells.kernel != nullptr ? replacement(*cells.kernel) : QString();
        return style::shownText(nameOf(cells), style::kMaxToolTipLetters / 2) +
               (what.isEmpty() ? QString() : QLatin1Char('\n') + what);
    }
    return {};
}

QString CompareModel::exportCell(std::uint32_t row, int column) const {
    const Row& cells = m_table[row];
    switch (column) {
        case VerdictColumn:
            return verdictText(cells);
        case Name:
            return toText(nameOf(cells));
        case Match:
            return cellText(row, column);
        default:
            return plainNumber(number(cells, column));
    }
}

bool CompareModel::matches(std::uint32_t row, std::string_view filter) const {
    const Row& cells = m_table[row];
    if (query::containsText(nameOf(cells), filter) ||
        query::containsText(verdictText(cells).toStdString(), filter)) {
        return true;
    }
    if (cells.kernel == nullptr) {
        return false;
    }
    const auto holds = [&](const compare::KernelPart& part) {
        return query::containsText(part.name, filter) || query::containsText(part.op, filter);
    };
    return std::ranges::any_of(cells.kernel->parts.base, holds) ||
           std::ranges::any_of(cells.kernel->parts.candidate, holds);
}

}  // namespace kinetoscope::models
