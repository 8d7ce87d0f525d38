// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/IdleModels.h"

#include <algorithm>
#include <map>

#include "core/text/Format.h"
#include "core/text/Units.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::models {

namespace {

using analysis::IdleReason;
using analysis::NamedGap;

constexpr std::int64_t kNothingRecorded = -1;
constexpr std::int64_t kNotTheHost = -2;

TableColumn column(const char* key, const char* header, const QString& tip, bool isText = false) {
    return {QString::fromUtf8(key), QString::fromUtf8(header), tip,
            isText ? Qt::AlignLeft : Qt::AlignRight, !isText};
}

QString reasonText(IdleReason reason) {
    return toText(analysis::idleReasonLabel(reason));
}

QString nameOf(const trace::Trace& trace, std::int64_t key, IdleGroup group) {
    if (group == IdleGroup::Reason) {
        return reasonText(static_cast<IdleReason>(key));
    }
    return key == kNotTheHost        ? IdleGroupModel::tr("(not the host)")
           : key == kNothingRecorded ? IdleGroupModel::tr("(nothing recorded)")
                                     : toText(trace.text(static_cast<NameId>(key)));
}

}  // namespace

std::int64_t idleKey(const trace::Trace& trace, const NamedGap& gap, IdleGroup group) {
    if (group == IdleGroup::Reason) {
        return static_cast<std::int64_t>(gap.parts.mainReason());
    }
    if (gap.parts.hostNs <= 0) {
        return kNotTheHost;
    }
    return gap.host.slice == trace::kNoSlice
               ? kNothingRecorded
               : static_cast<std::int64_t>(trace.nameId(gap.host.slice));
}

IdleGroupModel::IdleGroupModel(QObject* parent)
    : FigureTableModel(
          {column("name", "", QString(), true),
           column("time_ns", "Time ms", tr("Idle time of this kind")),
           column("percent", "Of idle", tr("Share of all idle time in the window")),
           column("gaps", "Gaps", tr("Number of gaps of at least 1 µs mostly of this kind"))},
          parent) {}

void IdleGroupModel::setList(const std::shared_ptr<const trace::Trace>& trace,
                             const std::shared_ptr<const analysis::IdleList>& list,
                             IdleGroup group) {
    std::map<std::int64_t, IdleGroupRow> rows;
    const std::vector<NamedGap> none;
    for (const NamedGap& gap : list ? list->gaps : none) {
        const std::int64_t key = idleKey(*trace, gap, group);
        IdleGroupRow& row = rows[key];
        row.key = key;
        ++row.count;
        row.timeNs += gap.parts.hostNs;
    }
    if (group == IdleGroup::HostActivity) {
        rows.erase(kNotTheHost);
    }
    for (const IdleReason reason : analysis::kIdleReasons) {
        if (list && group == IdleGroup::Reason && list->sum.of(reason) > 0) {
            IdleGroupRow& row = rows[static_cast<std::int64_t>(reason)];
            row.key = static_cast<std::int64_t>(reason);
            row.timeNs = list->sum.of(reason);
        }
    }
    replaceRows([&] {
        m_whole = list ? list->sum.total() : 0;
        m_rows.clear();
        for (auto& [key, row] : rows) {
            row.name = nameOf(*trace, key, group);
            m_rows.push_back(std::move(row));
        }
        std::ranges::stable_sort(m_rows, std::greater<>(), &IdleGroupRow::timeNs);
        m_unit = text::unitFor(m_rows.empty() ? 0 : m_rows.front().timeNs);
        setTimeHeader(Time, tr("Time"), m_unit);
    });
    setColumnHeader(Name, group == IdleGroup::Reason ? tr("Reason") : tr("Host activity"),
                    group == IdleGroup::Reason
                        ? figureTip("idle")
                        : tr("What the launching thread did most of the time"));
}

std::uint32_t IdleGroupModel::sourceRowCount() const {
    return static_cast<std::uint32_t>(m_rows.size());
}

double IdleGroupModel::number(std::uint32_t row, int column) const {
    const IdleGroupRow& one = m_rows[row];
    switch (column) {
        case Time:
            return static_cast<double>(one.timeNs);
        case Share:
            return m_whole > 0 ? static_cast<double>(one.timeNs) / static_cast<double>(m_whole)
                               : 0.0;
        default:
            return static_cast<double>(one.count);
    }
}

QString IdleGroupModel::cellText(std::uint32_t row, int column) const {
    switch (column) {
        case Name:
            return m_rows[row].name;
        case Time:
            return QString::fromStdString(text::inUnit(number(row, column), m_unit));
        case Share:
            return QString::fromStdString(text::formatPercent(number(row, column), 1.0));
        default:
            return QString::fromStdString(
                text::formatCount(static_cast<std::int64_t>(m_rows[row].count)));
    }
}

QVariant IdleGroupModel::cellExtra(std::uint32_t row, int column, int role) const {
    if (role == ShareRole && column == Share) {
        return number(row, column);
    }
    if (role == Qt::ToolTipRole && column == Name) {
        return m_rows[row].name;
    }
    return {};
}

IdleGapModel::IdleGapModel(QObject* parent)
    : FigureTableModel({column("gpu", "GPU", figureTip("gpu")),
                        column("start_ns", "Start ms", tr("Since the first event of the trace")),
                        column("length_ns", "Length µs", tr("How long nothing ran on the GPU")),
                        column("reason", "Reason", figureTip("idle"), true),
                        column("host_activity", "Host activity",
                               tr("What the launching thread mostly did before the launch"), true),
                        column("next", "Ended by", tr("The operation that ended the gap"), true),
                        column("host_activity_kind", "Kind of activity",
                               tr("What kind of event the host's was"), true)},
                       parent) {}

void IdleGapModel::setList(std::shared_ptr<const trace::Trace> trace,
                           std::shared_ptr<const analysis::IdleList> list) {
    replaceRows([&] {
        m_trace = std::move(trace);
        m_list = std::move(list);
        TimeNs longest = 0;
        for (std::uint32_t row = 0; row < sourceRowCount(); ++row) {
            longest = std::max(longest, at(row).span.duration());
        }
        m_unit = text::unitFor(longest);
        setTimeHeader(Length, tr("Length"), m_unit);
    });
}

void IdleGapModel::setGroup(IdleGroup group, std::optional<std::int64_t> key) {
    m_group = group;
    m_key = key;
    refilter();
}

int IdleGapModel::rowOf(std::int32_t gpu, TimeSpan span) const {
    if (!m_list) {
        return -1;
    }
    const auto found = std::ranges::lower_bound(
        m_list->gaps, std::pair(gpu, span.start), {},
        [](const NamedGap& gap) { return std::pair(gap.gpu, gap.span.end - 1); });
    return found != m_list->gaps.end() && found->gpu == gpu && found->span.overlaps(span)
               ? shownRow(static_cast<std::uint32_t>(found - m_list->gaps.begin()))
               : -1;
}

bool IdleGapModel::hasSeveralGpus() const {
    return m_list && !m_list->gaps.empty() && m_list->gaps.front().gpu != m_list->gaps.back().gpu;
}

std::uint32_t IdleGapModel::sourceRowCount() const {
    return m_list ? static_cast<std::uint32_t>(m_list->gaps.size()) : 0;
}

double IdleGapModel::number(std::uint32_t row, int column) const {
    const NamedGap& gap = at(row);
    switch (column) {
        case Gpu:
            return gap.gpu;
        case Start:
            return static_cast<double>(gap.span.start - m_trace->extent().start);
        default:
            return static_cast<double>(gap.span.duration());
    }
}

std::string_view IdleGapModel::textKey(std::uint32_t row, int column) const {
    const NamedGap& gap = at(row);
    switch (column) {
        case Host:
            return gap.host.slice == trace::kNoSlice ? shownKey(row, column)
                                                     : nameOf(gap.host.slice);
        case Kind:
            return gap.host.slice == trace::kNoSlice
                       ? std::string_view()
                       : analysis::activityKind(*m_trace, gap.host.slice);
        default:
            return shownKey(row, column);
    }
}

QString IdleGapModel::cellText(std::uint32_t row, int column) const {
    const NamedGap& gap = at(row);
    switch (column) {
        case Gpu:
            return toText(trace::gpuNumber(gap.gpu));
        case Start:
            return QString::fromStdString(text::inUnit(number(row, column), text::kMilliseconds));
        case Length:
            return QString::fromStdString(text::inUnit(number(row, column), m_unit));
        case Reason:
            return reasonText(gap.parts.mainReason());
        case Host:
            return gap.parts.hostNs > 0 && gap.host.slice == trace::kNoSlice
                       ? tr("nothing recorded")
                       : toText(nameOf(gap.host.slice));
        case Kind:
            return gap.host.slice == trace::kNoSlice
                       ? QString()
                       : toText(analysis::activityKind(*m_trace, gap.host.slice));
        default:
            return toText(text::shortKernelName(nameOf(gap.next)));
    }
}

QVariant IdleGapModel::cellExtra(std::uint32_t row, int column, int role) const {
    const NamedGap& gap = at(row);
    if (role == Qt::ToolTipRole && column == Reason) {
        QString parts;
        for (const IdleReason reason : analysis::kIdleReasons) {
            if (gap.parts.of(reason) > 0) {
                parts += (parts.isEmpty() ? QString() : QStringLiteral(", ")) + reasonText(reason) +
                         QLatin1Char(' ') +
                         QString::fromStdString(text::formatDuration(gap.parts.of(reason)));
            }
        }
        return parts;
    }
    if (role == Qt::ToolTipRole && (column == Host || column == Next)) {
        const std::string_view name = nameOf(column == Host ? gap.host.slice : gap.next);
        return style::shownText(name, style::kMaxToolTipLetters);
    }
    if (role == SwatchRole && column == Next && gap.next != trace::kNoSlice) {
        return style::shownText(nameOf(gap.next), style::kMaxToolTipLetters);
    }
    if (role == ToneRole &&
        (column == Kind || (column == Host && gap.host.slice == trace::kNoSlice))) {
        return static_cast<int>(CellTone::Muted);
    }
    return {};
}

bool IdleGapModel::matches(std::uint32_t row, std::string_view filter) const {
    const NamedGap& gap = at(row);
    if (m_key && idleKey(*m_trace, gap, m_group) != *m_key) {
        return false;
    }
    return query::containsText(nameOf(gap.host.slice), filter) ||
           query::containsText(nameOf(gap.next), filter);
}

}  // namespace kinetoscope::models
