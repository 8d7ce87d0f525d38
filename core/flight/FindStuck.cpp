// SPDX-License-Identifier: Apache-2.0
#include "core/flight/FindStuck.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "core/flight/Messages.h"
#include "core/flight/WaitCycles.h"

namespace kinetoscope::flight {

namespace {

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kMaxCauses = 8;  // that are named

bool isOpen(const Entry& entry) {
    return entry.state != State::Completed;
}

std::int64_t firstOpen(const Dump& dump, const Member& member) {
    const auto at = std::ranges::find_if(member.collectives,
                                         [&](std::size_t i) { return isOpen(dump.entries[i]); });
    return at == member.collectives.end() ? kNone : dump.entries[*at].number;
}

class GroupStuck {
public:
    GroupStuck(const FlightJob& job, std::size_t index)
        : m_job(job), m_index(index), m_group(job.groups[index]) {}

    std::optional<Stuck> find() {
        std::int64_t number = kNone;
        for (const Member& member : m_group.members) {
            number = std::min(number, firstOpen(m_job.dumps[member.dump], member));
        }
        if (number == kNone) {
            return std::nullopt;
        }
        Stuck stuck;
        stuck.group = m_index;
        stuck.number = number;
        stuck.noDump = m_group.missing;
        for (const Member& member : m_group.members) {
            place(member, stuck);
        }
        stuck.why = why(stuck);
        return stuck;
    }

private:
    void place(const Member& member, Stuck& stuck) const {
        const Dump& dump = m_job.dumps[member.dump];
        const auto calls = callsAt(member, dump, stuck.number);
        if (calls.empty()) {
            (member.last < stuck.number ? stuck.absent : stuck.passed).push_back(member.dump);
            return;
        }
        const auto open =
            std::ranges::find_if(calls, [&](std::size_t i) { return isOpen(dump.entries[i]); });
        if (open == calls.end()) {
            stuck.finished.push_back({member.dump, calls.back()});
            return;
        }
        stuck.waiting.push_back({member.dump, *open});
        const auto behind = std::ranges::count_if(member.collectives, [&](std::size_t i) {
            return dump.entries[i].number > stuck.number && isOpen(dump.entries[i]);
        });
        stuck.queued = std::max(stuck.queued, static_cast<std::size_t>(behind));
    }

    [[nodiscard]] Why why(const Stuck& stuck) const {
        if (!stuck.absent.empty()) {
            return Why::Absent;
        }
        const bool differs = std::ranges::any_of(m_job.mismatches, [&](const Mismatch& mismatch) {
            return mismatch.group == m_index && mismatch.number == stuck.number;
        });
        if (differs) {
            return Why::Mismatch;
        }
        if (!stuck.noDump.empty()) {
            return Why::NoDump;
        }
        const auto started = std::ranges::count_if(
            stuck.waiting, [&](Call call) { return m_job.entry(call).state == State::Started; });
        const bool some = started > 0 || !stuck.finished.empty();
        return some && started < std::ssize(stuck.waiting) ? Why::NotStarted : Why::Running;
    }

    const FlightJob& m_job;
    std::size_t m_index;
    const Group& m_group;
};

std::int64_t elementsOf(const FlightJob& job, Call call) {
    const Dump& dump = job.dumps[call.dump];
    const Entry& entry = job.entry(call);
    return std::max(dump.tensors[entry.inputs].elements(), dump.tensors[entry.outputs].elements());
}

// `open`: the end that waits.
Stuck stuckIn(const FlightJob& job, std::size_t group, const Message& message, Call open) {
    Stuck stuck;
    stuck.group = group;
    stuck.waiting.push_back(open);
    const bool sends = message.sent == open;
    const auto& other = sends ? message.received : message.sent;
    const std::int64_t rank = sends ? message.target : message.source;
    const auto& members = job.groups[group].members;
    const auto partner = std::ranges::find_if(
        members, [&](const Member& member) { return job.dumps[member.dump].rank == rank; });
    if (rank >= 0 && partner == members.end()) {
        stuck.noDump.push_back(rank);
        stuck.why = Why::NoDump;
    } else if (message.isPaired && !other) {
        stuck.absent.push_back(partner->dump);
        stuck.why = Why::Absent;
    } else if (message.isPaired) {
        (isOpen(job.entry(*other)) ? stuck.waiting : stuck.finished).push_back(*other);
        stuck.why = elementsOf(job, open) == elementsOf(job, *other) ? Why::Running : Why::Mismatch;
    }
    return stuck;
}

// The first message that each rank waits in.
void addStuckMessages(const FlightJob& job, std::size_t group, std::vector<Stuck>& found) {
    std::map<std::size_t, std::size_t> first;  // entries by their dump
    for (const Member& member : job.groups[group].members) {
        const Dump& dump = job.dumps[member.dump];
        const auto open = std::ranges::find_if(member.messages, [&](std::size_t i) {
            return isOpen(dump.entries[i]) && dump.entries[i].source >= 0;
        });
        if (open != member.messages.end()) {
            first[member.dump] = *open;
        }
    }
    if (first.empty()) {
        return;
    }
    const auto isFirst = [&](const std::optional<Call>& end) {
        const auto at = end ? first.find(end->dump) : first.end();
        return at != first.end() && at->second == end->entry;
    };
    for (const Message& message : messagesOf(job, job.groups[group])) {
        // Both ends of one report the same.
        if (isFirst(message.sent)) {
            found.push_back(stuckIn(job, group, message, *message.sent));
        } else if (isFirst(message.received)) {
            found.push_back(stuckIn(job, group, message, *message.received));
        }
    }
}

// The lowest of those in which the absent ranks wait.
void addCauses(const std::vector<std::vector<std::size_t>>& waitingIn, std::size_t self,
               Stuck& stuck) {
    std::set<std::size_t> causes;
    for (const std::size_t dump : stuck.absent) {
        // Those of one dump come in order.
        for (const std::size_t other : waitingIn[dump]) {
            if (other != self) {
                causes.insert(other);
            }
            if (causes.size() > kMaxCauses) {
                const auto highest = std::prev(causes.end());
                const bool isOver = *highest <= other;
                causes.erase(highest);
                stuck.hasMoreCauses = true;
                if (isOver) {
                    break;
                }
            }
        }
    }
    stuck.because.assign(causes.begin(), causes.end());
}

void sayWhatIsBehind(std::size_t dumps, std::vector<Stuck>& stuck) {
    std::vector<std::vector<std::size_t>> waitingIn(dumps);
    for (std::size_t i = 0; i < stuck.size(); ++i) {
        for (const Call& call : stuck[i].waiting) {
            if (waitingIn[call.dump].empty() || waitingIn[call.dump].back() != i) {
                waitingIn[call.dump].push_back(i);
            }
        }
    }
    for (std::size_t i = 0; i < stuck.size(); ++i) {
        addCauses(waitingIn, i, stuck[i]);
    }
    findWaitCycles(waitingIn, stuck);
}

// Causes before consequences; calls with missing ranks before those that merely run.
int order(const Stuck& stuck) {
    const int consequence = stuck.because.empty() ? 0 : stuck.inCycle ? 1 : 2;
    return consequence * 8 + static_cast<int>(stuck.why);
}

void sortByCause(std::vector<Stuck>& stuck) {
    std::vector<std::size_t> places(stuck.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        places[i] = i;
    }
    std::ranges::stable_sort(places, {}, [&](std::size_t i) { return order(stuck[i]); });
    std::vector<std::size_t> placeOf(stuck.size());
    std::vector<Stuck> sorted;
    for (std::size_t i = 0; i < places.size(); ++i) {
        placeOf[places[i]] = i;
        sorted.push_back(std::move(stuck[places[i]]));
    }
    for (Stuck& one : sorted) {
        for (std::size_t& other : one.because) {
            other = placeOf[other];
        }
        std::ranges::sort(one.because);
    }
    stuck = std::move(sorted);
}

}  // namespace

std::vector<Stuck> findStuck(const FlightJob& job) {
    std::vector<Stuck> stuck;
    std::vector<Stuck> messages;
    for (std::size_t g = 0; g < job.groups.size(); ++g) {
        if (auto found = GroupStuck(job, g).find()) {
            stuck.push_back(std::move(*found));
        }
        addStuckMessages(job, g, messages);
    }
    std::ranges::move(messages, std::back_inserter(stuck));
    sayWhatIsBehind(job.dumps.size(), stuck);
    sortByCause(stuck);
    return stuck;
}

}  // namespace kinetoscope::flight
