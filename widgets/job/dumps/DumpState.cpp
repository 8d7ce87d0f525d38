// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/job/dumps/DumpState.h"

#include <utility>

namespace kinetoscope::job::dumps {

DumpState::DumpState(Dumps dumps, QObject* parent) : QObject(parent), m_dumps(std::move(dumps)) {
    if (!job().stuck.empty()) {
        m_grid = flight::CallGrid(job(), job().stuck.front().group);
    } else if (!job().groups.empty()) {
        m_grid = flight::CallGrid(job(), 0);
    }
}

void DumpState::setGroup(std::size_t group) {
    if (group != m_grid.group() && group < job().groups.size()) {
        m_grid = flight::CallGrid(job(), group);
        m_cell.reset();
        m_answer.reset();
        emit groupChanged();
        emit selectionChanged();
    }
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
    const std::size_t stuck = job().stuck.size();
    if (answer < stuck) {
        setGroup(job().stuck[answer].group);
        m_cell = placeOf(job().stuck[answer]);
    } else {
        setGroup(job().mismatches[answer - stuck].group);
        m_cell = placeOf(job().mismatches[answer - stuck]);
    }
    m_answer = answer;
    emit selectionChanged();
}

std::optional<CallPlace> DumpState::placeAt(std::size_t dump, std::int64_t number) const {
    const auto row = m_grid.rowOf(job().dumps[dump].rank);
    const auto column = m_grid.columnOf(number);
    return row && column ? std::optional(CallPlace{*row, *column}) : std::nullopt;
}

std::optional<CallPlace> DumpState::placeOf(const flight::Stuck& stuck) const {
    if (stuck.number < 0) {
        return std::nullopt;  // a message
    }
    return placeAt(stuck.absent.empty() ? stuck.waiting.front().dump : stuck.absent.front(),
                   stuck.number);
}

// What fewest ranks called is the likelier mistake.
std::optional<CallPlace> DumpState::placeOf(const flight::Mismatch& mismatch) const {
    return placeAt(mismatch.parts.back().dumps.front(), mismatch.number);
}

}  // namespace kinetoscope::job::dumps
