// SPDX-License-Identifier: Apache-2.0
#include "core/flight/CallGrid.h"

#include <fmt/format.h>

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
    static constexpr std::array<const char*, kFates.size() + 1> kNames{
        "completed",  "started",     "in the queue", "given up",
        "never came", "overwritten", "no dump",      "has no part in it"};
    return kNames[static_cast<std::size_t>(fate)];
}

CallGrid::CallGrid(const FlightJob& job, std::size_t group, CallKind kind)
    : m_job(&job), m_group(group), m_kind(kind) {
    const Group& of = job.groups[group];
    m_ranks = of.ranks;
    m_members.resize(m_ranks.size(), nullptr);
    for (const Member& member : of.members) {
        if (const auto row = placeIn(m_ranks, job.dumps[member.dump].rank)) {
            m_members[*row] = &member;
        }
        if (kind == CallKind::Collectives) {
            addNumbers(member, job.dumps[member.dump], m_numbers);
        }
    }
    if (kind == CallKind::Messages) {
        m_messages = messagesOf(job, of);
    }
    takeStuck();
}

void CallGrid::takeStuck() {
    for (std::size_t i = 0; i < m_job->stuck.size(); ++i) {
        const Stuck& stuck = m_job->stuck[i];
        const bool isOfKind = (stuck.number < 0) == (m_kind == CallKind::Messages);
        const auto column =
            stuck.group == m_group && isOfKind ? columnOf(stuck.waiting.front()) : std::nullopt;
        if (column) {
            m_stuck.push_back({*column, i});
        }
        if (column && m_kind == CallKind::Messages && stuck.why == Why::Mismatch) {
            m_differing.push_back(*column);
        }
    }
    for (const Mismatch& mismatch : m_job->mismatches) {
        const auto column = mismatch.group == m_group && m_kind == CallKind::Collectives
                                ? columnOf(mismatch.number)
                                : std::nullopt;
        if (column) {
            m_differing.push_back(*column);
        }
    }
    std::ranges::sort(m_differing);
}

std::string CallGrid::columnLabel(std::size_t column) const {
    if (m_kind == CallKind::Collectives) {
        return fmt::format("{}", m_numbers[column]);
    }
    const auto rank = [](std::int64_t number) {
        return number < 0 ? std::string("?") : fmt::format("{}", number);
    };
    const Message& message = m_messages[column];
    return rank(message.source) + "→" + rank(message.target);
}

std::string CallGrid::columnTitle(std::size_t column) const {
    return m_kind == CallKind::Messages ? messageTitle(m_messages[column])
                                        : fmt::format("number {}", m_numbers[column]);
}

std::optional<std::size_t> CallGrid::rowOf(std::int64_t rank) const {
    return placeIn(m_ranks, rank);
}

std::optional<std::size_t> CallGrid::columnOf(std::int64_t number) const {
    return placeIn(m_numbers, number);
}

std::optional<std::size_t> CallGrid::columnOf(Call call) const {
    if (m_kind == CallKind::Collectives) {
        return columnOf(m_job->entry(call).number);
    }
    const auto found = std::ranges::find_if(m_messages, [&](const Message& message) {
        return message.sent == call || message.received == call;
    });
    return found == m_messages.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - m_messages.begin()));
}

std::optional<Call> CallGrid::call(std::size_t row, std::size_t column) const {
    const Member* const member = m_members[row];
    if (member == nullptr) {
        return std::nullopt;
    }
    if (m_kind == CallKind::Messages) {
        const Message& message = m_messages[column];
        for (const auto& end : {message.sent, message.received}) {
            if (end && end->dump == member->dump) {
                return end;
            }
        }
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
    if (const auto one = call(row, column)) {
        return fateOf(m_job->entry(*one).state);
    }
    const bool isMessage = m_kind == CallKind::Messages;
    if (isMessage && m_messages[column].source != m_ranks[row] &&
        m_messages[column].target != m_ranks[row]) {
        return Fate::Apart;
    }
    const Member* const member = m_members[row];
    if (member == nullptr) {
        return Fate::NoDump;
    }
    const bool neverCame =
        isMessage ? m_messages[column].isPaired : member->last < m_numbers[column];
    return neverCame ? Fate::NeverCame : Fate::Overwritten;
}

bool CallGrid::differs(std::size_t column) const {
    return std::ranges::binary_search(m_differing, column);
}

}  // namespace kinetoscope::flight
