// SPDX-License-Identifier: Apache-2.0
#include "core/flight/Messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace kinetoscope::flight {

namespace {

/// The calls of both ends on one way, in their order.
struct Ends {
    std::vector<Call> sent;
    std::vector<Call> received;
};

std::int64_t rankAt(const Group& group, std::int64_t place) {
    return place >= 0 && place < std::ssize(group.ranks)
               ? group.ranks[static_cast<std::size_t>(place)]
               : -1;
}

bool areCounted(const FlightJob& job, const std::vector<Call>& calls) {
    return calls.empty() || job.dumps[calls.front().dump].fromTheStart();
}

std::set<std::int64_t> wholeRanks(const FlightJob& job, const Group& group) {
    std::set<std::int64_t> ranks;
    for (const Member& member : group.members) {
        if (job.dumps[member.dump].fromTheStart()) {
            ranks.insert(job.dumps[member.dump].rank);
        }
    }
    return ranks;
}

TimeNs calledAt(const FlightJob& job, const Message& message) {
    const TimeNs sent = message.sent ? job.entry(*message.sent).createdNs : 0;
    const TimeNs received = message.received ? job.entry(*message.received).createdNs : 0;
    return sent > 0 && received > 0 ? std::min(sent, received) : std::max(sent, received);
}

void addPairs(const Message& way, const Ends& ends, std::vector<Message>& messages) {
    for (std::size_t i = 0; i < std::max(ends.sent.size(), ends.received.size()); ++i) {
        Message& message = messages.emplace_back(way);
        message.number = i + 1;
        message.isPaired = true;
        if (i < ends.sent.size()) {
            message.sent = ends.sent[i];
        }
        if (i < ends.received.size()) {
            message.received = ends.received[i];
        }
    }
}

void addAlone(const FlightJob& job, const Message& way, const Ends& ends,
              std::vector<Message>& messages) {
    for (const bool sends : {true, false}) {
        const std::vector<Call>& calls = sends ? ends.sent : ends.received;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            Message& message = messages.emplace_back(way);
            message.number = areCounted(job, calls) ? i + 1 : 0;
            (sends ? message.sent : message.received) = calls[i];
        }
    }
}

}  // namespace

std::vector<Message> messagesOf(const FlightJob& job, const Group& group) {
    std::map<std::pair<std::int64_t, std::int64_t>, Ends> ways;
    for (const Member& member : group.members) {
        const Dump& dump = job.dumps[member.dump];
        for (const std::size_t i : member.messages) {
            const Entry& entry = dump.entries[i];
            if (entry.source >= 0) {
                Ends& ends = ways[{entry.source, entry.target}];
                (dump.name(entry.kind) == "send" ? ends.sent : ends.received)
                    .push_back({member.dump, i});
            }
        }
    }
    const std::set<std::int64_t> whole = wholeRanks(job, group);
    std::vector<Message> messages;
    for (const auto& [way, ends] : ways) {
        Message message;
        message.source = rankAt(group, way.first);
        message.target = rankAt(group, way.second);
        if (whole.contains(message.source) && whole.contains(message.target)) {
            addPairs(message, ends, messages);
        } else {
            addAlone(job, message, ends, messages);
        }
    }
    std::ranges::stable_sort(messages, {},
                             [&](const Message& message) { return calledAt(job, message); });
    return messages;
}

std::string messageTitle(const Message& message) {
    const auto rank = [](std::int64_t number) {
        return number < 0 ? std::string("an unknown rank") : fmt::format("rank {}", number);
    };
    return fmt::format("message{} from {} to {}",
                       message.number == 0 ? std::string() : fmt::format(" {}", message.number),
                       rank(message.source), rank(message.target));
}

}  // namespace kinetoscope::flight
