// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/JobState.h"
#include "core/base/SaturatedTime.h"
#include "widgets/session/paths/FilePath.h"

#include <algorithm>
#include <cmath>

namespace kinetoscope::job {

namespace {

constexpr TimeNs kMinViewNs = 1000;
constexpr double kRoom = 0.02;      // of the whole job, beyond its ends
constexpr double kCellRoom = 0.05;  // of a step, on both sides
constexpr double kCollectiveRoom = 0.6;

TimeNs shareOf(TimeNs length, double share) {
    return static_cast<TimeNs>(static_cast<double>(length) * share);
}

}  // namespace

JobState::JobState(Shown job, QObject* parent) : QObject(parent), m_shown(std::move(job)) {
    arrange();
    fit();
}

void JobState::arrange() {
    m_rows = ranks::view::arrangeRows(job(), m_shown->grid, m_figure, m_order, m_groups);
    m_rowOf.assign(job().records.size(), 0);
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        if (!m_rows[row].isHeading()) {
            m_rowOf[m_rows[row].record] = row;
        }
    }
    emit rowsChanged();
}

void JobState::setFigure(ranks::view::CellFigure figure) {
    if (figure != m_figure) {
        m_figure = figure;
        emit figureChanged();
        if (m_order == ranks::view::RowOrder::Figure) {
            arrange();
        }
    }
}

void JobState::setOrder(ranks::view::RowOrder order) {
    if (order != m_order) {
        m_order = order;
        arrange();
    }
}

void JobState::setGroups(ranks::view::RowGroups groups) {
    if (groups != m_groups) {
        m_groups = groups;
        arrange();
    }
}

void JobState::setCell(std::optional<CellPlace> cell) {
    m_cell = cell;
    m_collective.reset();
    if (cell) {
        const std::int64_t call = m_shown->grid.at(cell->record, cell->step).call;
        m_collective = call < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(call));
    }
    emit selectionChanged();
}

void JobState::setCollective(std::optional<std::size_t> collective) {
    m_collective = collective;
    m_cell.reset();
    emit selectionChanged();
}

// A rank may have no such step, but a collective of it.
TimeSpan JobState::cellSpan(CellPlace cell) const {
    const TimeSpan own = m_shown->stepSpan(cell.record, cell.step);
    return own.empty() && m_collective ? job().waits[*m_collective].span : own;
}

void JobState::goTo(CellPlace cell) {
    setCell(cell);
    if (const TimeSpan span = cellSpan(cell); !span.empty()) {
        zoomTo(span, kCellRoom);
    }
}

void JobState::goTo(const ranks::Cause& cause) {
    const auto& steps = job().steps;
    const auto step = std::ranges::find(steps, cause.step, &ranks::JobStep::number);
    if (step != steps.end()) {
        goTo(CellPlace{cause.record, static_cast<std::size_t>(step - steps.begin())});
    }
}

void JobState::goToCollective(std::size_t collective) {
    setCollective(collective);
    zoomTo(job().waits[collective].span, kCollectiveRoom);
}

void JobState::setVisible(TimeSpan span) {
    const TimeSpan all = m_shown->extent;
    const TimeNs room = shareOf(all.duration(), kRoom) + kMinViewNs;
    const TimeSpan bounds{all.start - room, all.end + room};
    const TimeNs length = std::clamp(span.duration(), kMinViewNs, bounds.duration());
    const TimeNs start = std::clamp(span.start, bounds.start, bounds.end - length);
    const TimeSpan next{start, start + length};
    if (next != m_visible) {
        m_visible = next;
        emit visibleChanged();
    }
}

void JobState::fit() {
    zoomTo(m_shown->extent, kRoom);
}

void JobState::zoom(double factor, TimeNs anchor) {
    const auto length = static_cast<double>(m_visible.duration());
    const auto most = static_cast<double>(m_shown->extent.duration()) * (1.0 + 2.0 * kRoom) +
                      2.0 * static_cast<double>(kMinViewNs);
    const double next = std::clamp(length * factor, static_cast<double>(kMinViewNs), most);
    const double share = static_cast<double>(anchor - m_visible.start) / length;
    const TimeNs start = addTime(anchor, -std::llround(next * share));
    setVisible({start, addTime(start, std::llround(next))});
}

void JobState::pan(TimeNs by) {
    setVisible(movedSpan(m_visible, by));
}

void JobState::zoomTo(TimeSpan span, double margin) {
    const TimeNs room = shareOf(span.duration(), margin);
    setVisible({span.start - room, span.end + room});
}

TimeSpan JobState::ownTime(std::size_t record) const {
    TimeSpan span = m_visible;
    if (m_cell && m_cell->record == record && !cellSpan(*m_cell).empty()) {
        span = cellSpan(*m_cell);
    } else if (m_collective) {
        const auto& members = job().matching.collectives[*m_collective].members;
        for (const ranks::Member member : members) {
            if (member.record == record) {
                return job().records[record].collectives[member.call].span;
            }
        }
    }
    return m_shown->onRank(record, span);
}

void JobState::askForRank(std::size_t record) {
    const TimeSpan span = ownTime(record);
    emit rankRequested(session::decodedPath(job().records[record].file), span.start, span.end);
}

}  // namespace kinetoscope::job
