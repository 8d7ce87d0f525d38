// SPDX-License-Identifier: Apache-2.0
#include "core/flight/CallGrid.h"

#include <algorithm>

namespace kinetoscope::flight {

namespace {

std::optional<std::size_t> placeIn(const std::vector<std::int64_t>& sorted, std::int64_t wanted) {
    const auto at = std::ranges::lower_bound(sorted, wanted);
    return at == sorted.end() || *at != wanted
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(at - sorted.begin()));
}

Fate fateOf(State state) {
    switch (state) {
        case State::Scheduled:
            return Fate::Scheduled;
        case State::Started:
            return Fate::Started;
        case State::TimedOut:
            return Fate::TimedOut;
        case State::Completed:
            break;
    }
    return Fate::Completed;
}

// Most ranks have the numbers that the ones before had.
void addNumbers(const Member& member, const Dump& dump, std::vector<std::int64_t>& sorted) {
    std::vector<std::int64_t> fresh;
    for (const std::size_t i : member.collectives) {
        const std::int64_t number = dump.entries[i].number;
        const bool isTwice = !fresh.empty() && fresh.back() == number;
        if (number >= 0 && !isTwice && !std::ranges::binary_search(sorted, number)) {
            fresh.push_back(number);
        }
    }
    const auto before = static_cast<std::ptrdiff_t>(sorted.size());
    sorted.insert(sorted.end(), fresh.begin(), fresh.end());
    std::ranges::inplace_merge(sorted, sorted.begin() + before);
}

}  // namespace

const char* fateName(Fate fate) {
    static constexpr std::array<const char*, kFates.size()> kNames{
        "completed", "started", "in the queue", "given up", "never came", "overwritten", "no dump"};
    return kNames[static_cast<std::size_t>(fate)];
}

CallGrid::CallGrid(const FlightJob& job, std::size_t group) : m_job(&job), m_group(group) {
    const Group& of = job.groups[group];
    m_ranks = of.ranks;
    for (const Member& member : of.members) {
        addNumbers(member, job.dumps[member.dump], m_numbers);
    }
    m_members.resize(m_ranks.size(), nullptr);
    for (const Member& member : of.members) {
        if (const auto row = placeIn(m_ranks, job.dumps[member.dump].rank)) {
            m_members[*row] = &member;
        }
    }
    for (const Mismatch& mismatch : job.mismatches) {
        const auto column = mismatch.group == group ? columnOf(mismatch.number) : std::nullopt;
        if (column) {
            m_differing.push_back(*column);
        }
    }
    std::ranges::sort(m_differing);
    for (const Stuck& stuck : job.stuck) {
        if (stuck.group == group && stuck.number >= 0) {
            m_stuck = columnOf(stuck.number);
        }
    }
}

std::optional<std::size_t> CallGrid::rowOf(std::int64_t rank) const {
    return placeIn(m_ranks, rank);
}

std::optional<std::size_t> CallGrid::columnOf(std::int64_t number) const {
    return placeIn(m_numbers, number);
}

std::optional<Call> CallGrid::call(std::size_t row, std::size_t column) const {
    const Member* const member = m_members[row];
    if (member == nullptr) {
        return std::nullopt;
    }
    const Dump& dump = m_job->dumps[member->dump];
    const auto calls = callsAt(*member, dump, m_numbers[column]);
    if (calls.empty()) {
        return std::nullopt;
    }
    const auto open = std::ranges::find_if(
        calls, [&](std::size_t i) { return dump.entries[i].state != State::Completed; });
    return Call{member->dump, open == calls.end() ? calls.back() : *open};
}

Fate CallGrid::fate(std::size_t row, std::size_t column) const {
    const Member* const member = m_members[row];
    if (member == nullptr) {
        return Fate::NoDump;
    }
    if (const auto one = call(row, column)) {
        return fateOf(m_job->entry(*one).state);
    }
    return member->last < m_numbers[column] ? Fate::NeverCame : Fate::Overwritten;
}

bool CallGrid::differs(std::size_t column) const {
    return std::ranges::binary_search(m_differing, column);
}

}  // namespace kinetoscope::flight
