// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/dumps/DumpState.h"

#include <algorithm>
#include <utility>

namespace kinetoscope::job::dumps {

using flight::CallKind;

namespace {

bool hasCollectives(const flight::Group& group) {
    return std::ranges::any_of(
        group.members, [](const flight::Member& member) { return !member.collectives.empty(); });
}

bool hasMessages(const flight::Group& group) {
    return std::ranges::any_of(
        group.members, [](const flight::Member& member) { return !member.messages.empty(); });
}

CallKind kindOf(const flight::Stuck& stuck) {
    return stuck.number < 0 ? CallKind::Messages : CallKind::Collectives;
}

}  // namespace

DumpState::DumpState(Dumps dumps, QObject* parent) : QObject(parent), m_dumps(std::move(dumps)) {
    for (std::size_t g = 0; g < job().groups.size(); ++g) {
        const bool isOfMessages = hasMessages(job().groups[g]);
        if (hasCollectives(job().groups[g]) || !isOfMessages) {
            m_views.push_back({g, CallKind::Collectives});
        }
        if (isOfMessages) {
            m_views.push_back({g, CallKind::Messages});
        }
    }
    if (!m_views.empty()) {
        m_grid = flight::CallGrid(job(), m_views.front().group, m_views.front().kind);
    }
    if (!job().stuck.empty()) {
        show(job().stuck.front().group, kindOf(job().stuck.front()));
    }
}

void DumpState::setView(std::size_t view) {
    if (view != m_view && view < m_views.size()) {
        m_view = view;
        m_grid = flight::CallGrid(job(), m_views[view].group, m_views[view].kind);
        m_cell.reset();
        m_answer.reset();
        emit viewChanged();
        emit selectionChanged();
    }
}

void DumpState::setGroup(std::size_t group) {
    setView(static_cast<std::size_t>(std::ranges::find(m_views, group, &View::group) -
                                     m_views.begin()));
}

void DumpState::show(std::size_t group, CallKind kind) {
    const auto found = std::ranges::find_if(
        m_views, [&](const View& view) { return view.group == group && view.kind == kind; });
    setView(static_cast<std::size_t>(found - m_views.begin()));
}

void DumpState::setCell(std::optional<CallPlace> cell) {
    m_cell = cell;
    m_answer.reset();
    emit selectionChanged();
}

std::size_t DumpState::answers() const {
    return job().stuck.size() + job().mismatches.size();
}

void DumpState::goToAnswer(std::size_t answer) {
    if (const std::size_t stuck = job().stuck.size(); answer < stuck) {
        show(job().stuck[answer].group, kindOf(job().stuck[answer]));
        m_cell = placeOf(job().stuck[answer]);
    } else {
        show(job().mismatches[answer - stuck].group, CallKind::Collectives);
        m_cell = placeOf(job().mismatches[answer - stuck]);
    }
    m_answer = answer;
    emit selectionChanged();
}

std::optional<CallPlace> DumpState::placeAt(std::size_t dump,
                                            std::optional<std::size_t> column) const {
    const auto row = m_grid.rowOf(job().dumps[dump].rank);
    return row && column ? std::optional(CallPlace{*row, *column}) : std::nullopt;
}

std::optional<CallPlace> DumpState::placeOf(const flight::Stuck& stuck) const {
    return placeAt(stuck.absent.empty() ? stuck.waiting.front().dump : stuck.absent.front(),
                   m_grid.columnOf(stuck.waiting.front()));
}

// What fewest ranks called is the likelier mistake.
std::optional<CallPlace> DumpState::placeOf(const flight::Mismatch& mismatch) const {
    return placeAt(mismatch.parts.back().dumps.front(), m_grid.columnOf(mismatch.number));
}

}  // namespace kinetoscope::job::dumps
