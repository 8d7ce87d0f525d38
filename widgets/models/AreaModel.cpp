// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/AreaModel.h"

#include <algorithm>
#include <functional>

#include "core/text/Format.h"
#include "core/text/Units.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::models {

namespace {

std::vector<TableColumn> areaColumns() {
    const auto t = [](const char* text) { return QString::fromUtf8(text); };
    return {
        {t("name"), t("Name"), t("What the row is"), Qt::AlignLeft, false},
        {t("count"), t("Count"), t("Slices inside the selection, entirely or partly")},
        {t("time_ns"), t("Time µs"),
         t("Sum of their time inside the selection; nested slices also count in their parents")},
        {t("percent"), t("Share"), t("Share of the sum of all rows")},
        {t("mean_ns"), t("Mean µs"), t("Mean time of a slice inside the selection")},
        {t("longest_ns"), t("Longest µs"),
         t("The longest of them; double-click the row to go there")}};
}

const std::vector<query::AreaRow>& rowsOf(const query::AreaSummary& summary, AreaGroup group) {
    return group == AreaGroup::Name       ? summary.byName
           : group == AreaGroup::Category ? summary.byCategory
                                          : summary.byTrack;
}

QString headerOf(AreaGroup group) {
    return group == AreaGroup::Name       ? AreaModel::tr("Name")
           : group == AreaGroup::Category ? AreaModel::tr("Category")
                                          : AreaModel::tr("Row");
}

}  // namespace

AreaModel::AreaModel(QObject* parent) : FigureTableModel(areaColumns(), parent) {}

void AreaModel::setSummary(std::shared_ptr<const trace::Trace> trace,
                           std::shared_ptr<const query::AreaSummary> summary, AreaGroup group,
                           QStringList tracks) {
    replaceRows([&] {
        m_trace = std::move(trace);
        m_group = group;
        m_whole = summary ? summary->timeNs : 0;
        m_rows = summary ? rowsOf(*summary, group) : std::vector<query::AreaRow>();
        std::ranges::stable_sort(m_rows, std::greater<>(), &query::AreaRow::timeNs);
        m_tracks.clear();
        for (const QString& label : tracks) {
            m_tracks.push_back(label.toStdString());
        }
        setHeader(Name, headerOf(group));
        m_unit = text::unitFor(m_rows.empty() ? 0 : m_rows.front().timeNs);
        setTimeHeader(Time, QStringLiteral("Time"), m_unit);
    });
}

int AreaModel::rowOf(std::uint32_t key) const {
    const auto found = std::ranges::find(m_rows, key, &query::AreaRow::key);
    return found == m_rows.end() ? -1
                                 : shownRow(static_cast<std::uint32_t>(found - m_rows.begin()));
}

std::string_view AreaModel::nameOf(std::uint32_t key) const {
    switch (m_group) {
        case AreaGroup::Name:
            return m_trace->text(key);
        case AreaGroup::Category:
            return m_trace->categoryText(static_cast<trace::CategoryId>(key));
        case AreaGroup::Row:
            break;
    }
    return key < m_tracks.size() ? std::string_view(m_tracks[key]) : std::string_view();
}

std::uint32_t AreaModel::sourceRowCount() const {
    return static_cast<std::uint32_t>(m_rows.size());
}

// Times in nanoseconds, shares of one.
double AreaModel::number(std::uint32_t row, int column) const {
    const query::AreaRow& one = at(row);
    const auto time = static_cast<double>(one.timeNs);
    switch (column) {
        case Count:
            return static_cast<double>(one.count);
        case Time:
            return time;
        case Share:
            return m_whole > 0 ? time / static_cast<double>(m_whole) : 0.0;
        case Mean:
            return time / static_cast<double>(one.count);
        default:
            return static_cast<double>(one.longestNs);
    }
}

std::string_view AreaModel::textKey(std::uint32_t row, int /*column*/) const {
    return nameOf(at(row).key);
}

QString AreaModel::cellText(std::uint32_t row, int column) const {
    switch (column) {
        case Name:
            return toText(nameOf(at(row).key));
        case Count:
            return QString::fromStdString(
                text::formatCount(static_cast<std::int64_t>(at(row).count)));
        case Share:
            return QString::fromStdString(text::formatPercent(number(row, column), 1.0));
        default:
            return QString::fromStdString(
                text::inUnit(number(row, column), column == Time ? m_unit : text::kMicroseconds));
    }
}

QVariant AreaModel::cellExtra(std::uint32_t row, int column, int role) const {
    if (role == ShareRole && column == Share) {
        return number(row, column);
    }
    if (column == Name &&
        (role == Qt::ToolTipRole || (role == SwatchRole && m_group == AreaGroup::Name))) {
        return style::shownText(nameOf(at(row).key), style::kMaxToolTipLetters);
    }
    return {};
}

QString AreaModel::exportCell(std::uint32_t row, int column) const {
    return isText(column)    ? cellText(row, column)
           : column == Share ? QString::number(100.0 * number(row, column), 'f', 4)
                             : QString::number(number(row, column), 'f', column == Mean ? 1 : 0);
}

bool AreaModel::matches(std::uint32_t row, std::string_view filter) const {
    return query::containsText(nameOf(at(row).key), filter);
}

}  // namespace kinetoscope::models
