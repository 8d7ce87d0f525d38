// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/results/ResultModel.h"

#include <algorithm>
#include <cmath>

namespace kinetoscope::models {

namespace {

std::vector<TableColumn> shownColumns(const ResultTable& table) {
    std::vector<TableColumn> columns;
    std::ranges::transform(table.columns, std::back_inserter(columns), &ResultColumn::column);
    return columns;
}

}  // namespace

ResultModel::ResultModel(ResultTable table, QObject* parent)
    : FigureTableModel(shownColumns(table), parent) {
    setTable(std::move(table));
}

void ResultModel::setTable(ResultTable table) {
    replaceRows([&] {
        m_waiting.clear();
        m_running.reset();
        m_table = std::move(table);
        replaceColumns(shownColumns(m_table));
    });
}

void ResultModel::refresh() {
    if (rowCount() > 0) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
}

void ResultModel::setWaiting(std::set<std::size_t> rows) {
    m_waiting = std::move(rows);
    refresh();
}

void ResultModel::setRunning(std::optional<std::size_t> row) {
    const auto before = std::exchange(m_running, row);
    if (row) {
        m_waiting.erase(*row);
        refresh(*row);
    }
    if (before && before != row) {
        refresh(*before);
    }
}

void ResultModel::endRun() {
    m_running.reset();
    setWaiting({});
}

int ResultModel::rowOf(const ResultRow& row) const {
    const auto found = std::ranges::find(m_table.rows, row);
    return found == m_table.rows.end()
               ? -1
               : shownRow(static_cast<std::uint32_t>(found - m_table.rows.begin()));
}

int ResultModel::columnOf(const char* key) const {
    const auto found = std::ranges::find(columns(), QLatin1String(key), &TableColumn::key);
    return found == columns().end() ? -1 : static_cast<int>(found - columns().begin());
}

std::uint32_t ResultModel::sourceRowCount() const {
    return static_cast<std::uint32_t>(m_table.rows.size());
}

double ResultModel::number(std::uint32_t row, int column) const {
    return at(column).figure(m_table.rows[row]);
}

QString ResultModel::stateText(std::uint32_t row) const {
    return m_running == row          ? tr("running")
           : m_waiting.contains(row) ? tr("waiting")
                                     : m_table.state(m_table.rows[row]).text;
}

// What went wrong together, then what runs, what waits, what was measured.
double ResultModel::stateOrder(std::uint32_t row) const {
    if (isPending(row)) {
        return m_running == row ? 3.0 : 2.0;
    }
    const RowState state = m_table.state(m_table.rows[row]);
    return state.isProblem ? 4.0 : state.text.isEmpty() ? 0.0 : 1.0;
}

QString ResultModel::cellText(std::uint32_t row, int column) const {
    const ResultColumn& one = at(column);
    return isState(one) ? stateText(row)
           : one.shown  ? one.shown(m_table.rows[row])
                        : one.text(m_table.rows[row]);
}

query::SortKey ResultModel::sortKey(std::uint32_t row, int column) const {
    return isState(at(column)) ? stateOrder(row) : FigureTableModel::sortKey(row, column);
}

QVariant ResultModel::cellExtra(std::uint32_t row, int column, int role) const {
    const ResultColumn& one = at(column);
    if (role == ToneRole && isState(one)) {
        const bool isProblem = !isPending(row) && m_table.state(m_table.rows[row]).isProblem;
        return static_cast<int>(isProblem ? CellTone::Warning : CellTone::Muted);
    }
    if (role == ToneRole && one.isLink) {
        return static_cast<int>(CellTone::Link);
    }
    if (role == ShareRole && one.hasBar) {
        const double share = number(row, column);
        return std::isnan(share) ? QVariant() : QVariant(std::min(share, 1.0));
    }
    if (role == Qt::ToolTipRole && isText(column)) {
        return exportCell(row, column);
    }
    return {};
}

QString ResultModel::exportCell(std::uint32_t row, int column) const {
    const ResultColumn& one = at(column);
    return one.text ? one.text(m_table.rows[row]) : FigureTableModel::exportCell(row, column);
}

bool ResultModel::matches(std::uint32_t row, std::string_view filter) const {
    return query::containsText(m_table.rows[row].item().name, filter);
}

}  // namespace kinetoscope::models
