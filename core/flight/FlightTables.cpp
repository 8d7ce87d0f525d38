// SPDX-License-Identifier: Apache-2.0
#include "core/flight/FlightTables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/text/Format.h"
#include "core/text/Printable.h"
#include "core/text/Units.h"

namespace kinetoscope::flight {

namespace {

constexpr std::size_t kMaxRanges = 12;       // of ranks that are named
constexpr std::size_t kMaxShownTensors = 3;  // whose sizes are shown

std::string ranges(std::vector<std::int64_t> ranks) {
    std::ranges::sort(ranks);
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t end = i + 1;
        while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) {
            ++end;
        }
        if (parts.size() == kMaxRanges) {
            parts.push_back(fmt::format("{} more", ranks.size() - i));
            break;
        }
        parts.push_back(end - i < 3
                            ? fmt::format("{}", fmt::join(&ranks[i], &ranks[i] + (end - i), ", "))
                            : fmt::format("{}-{}", ranks[i], ranks[end - 1]));
        i = end;
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<std::int64_t> ranksOf(const FlightJob& job, const std::vector<std::size_t>& dumps) {
    std::vector<std::int64_t> ranks;
    ranks.reserve(dumps.size());
    for (const std::size_t dump : dumps) {
        ranks.push_back(job.dumps[dump].rank);
    }
    return ranks;
}

std::vector<std::int64_t> ranksOf(const FlightJob& job, const std::vector<Call>& calls) {
    std::vector<std::int64_t> ranks;
    ranks.reserve(calls.size());
    for (const Call call : calls) {
        ranks.push_back(job.dumps[call.dump].rank);
    }
    return ranks;
}

const Member* memberOf(const FlightJob& job, std::size_t group, std::size_t dump) {
    const auto& members = job.groups[group].members;
    const auto at = std::ranges::find(members, dump, &Member::dump);
    return at == members.end() ? nullptr : &*at;
}

// Its last call in the group, or nothing.
std::optional<Call> lastIn(const FlightJob& job, std::size_t group, std::size_t dump) {
    const Member* const member = memberOf(job, group, dump);
    return member == nullptr ? std::nullopt : lastCall(job, *member);
}

std::string baseName(std::string_view path) {
    return std::string(path.substr(path.find_last_of('/') + 1));
}

bool isPyTorchs(std::string_view file) {
    const auto has = [&](std::string_view part) {
        return file.find(part) != std::string_view::npos;
    };
    return has("-packages/torch/") || has("/torch/distributed/") || has("/torch/nn/") ||
           has("??") || file.empty();
}

// What ranks at one place have in common.
std::string placeKey(const FlightJob& job, Call call) {
    const Dump& dump = job.dumps[call.dump];
    const Entry& entry = job.entry(call);
    return fmt::format("{}|{}|{}|{}", callWords(dump, entry), static_cast<int>(entry.state),
                       tensorWords(dump, dump.tensors[entry.inputs]), whereWords(dump, entry));
}

class Places {
public:
    explicit Places(const FlightJob& job) : m_job(job) {}

    void add(std::string role, std::int64_t rank, std::optional<Call> call) {
        const std::string key = role + "|" + (call ? placeKey(m_job, *call) : "");
        const auto [at, isNew] = m_known.emplace(key, m_places.size());
        if (isNew) {
            m_places.push_back({std::move(role), {}, call});
        }
        m_places[at->second].ranks.push_back(rank);
    }
    std::vector<Place> take() { return std::move(m_places); }

private:
    const FlightJob& m_job;
    std::map<std::string, std::size_t> m_known;
    std::vector<Place> m_places;
};

std::vector<std::string> callCells(const FlightJob& job, std::optional<Call> call) {
    if (!call) {
        return {"", "", "", "", ""};
    }
    const Dump& dump = job.dumps[call->dump];
    const Entry& entry = job.entry(*call);
    return {entry.pointToPoint || entry.number < 0 ? "" : fmt::to_string(entry.number),
            text::printable(dump.name(entry.kind)), std::string(stateName(entry.state)),
            text::printable(tensorWords(dump, dump.tensors[entry.inputs])),
            text::printable(whereWords(dump, entry))};
}

std::string describe(const FlightJob& job, const Stuck& stuck) {
    const Call first = stuck.waiting.front();
    return callWords(job.dumps[first.dump], job.entry(first)) + " of " +
           job.groups[stuck.group].title();
}

// The last call of the absent ranks, if it is the same.
std::string lastWords(const FlightJob& job, const Stuck& stuck) {
    const bool several = stuck.absent.size() > 1;
    std::set<std::string> known;
    std::optional<Call> last;
    for (const std::size_t dump : stuck.absent) {
        last = lastIn(job, stuck.group, dump);
        known.insert(last ? callWords(job.dumps[dump], job.entry(*last)) + ", " +
                                std::string(stateName(job.entry(*last).state))
                          : "");
    }
    if (known.size() != 1) {
        return "";
    }
    if (known.begin()->empty()) {
        return fmt::format("; {} no call there", several ? "they made" : "it made");
    }
    const std::string where = whereWords(job.dumps[last->dump], job.entry(*last));
    return fmt::format("; {} last call there was {}{}", several ? "their" : "its", *known.begin(),
                       where.empty() ? "" : ", at " + where);
}

// "rank 3 has", of the ranks on which the call has not started.
std::string notBegun(const FlightJob& job, const Stuck& stuck) {
    std::vector<Call> calls = stuck.waiting;
    std::erase_if(calls, [&](Call call) { return job.entry(call).state == State::Started; });
    return rankWords(job, calls) + (calls.size() == 1 ? " has" : " have");
}

std::string becauseWords(const FlightJob& job, const Stuck& stuck) {
    std::string words;
    for (const std::size_t i : stuck.because) {
        const Stuck& other = job.stuck[i];
        std::vector<std::int64_t> ranks;
        for (const Call call : other.waiting) {
            if (std::ranges::find(stuck.absent, call.dump) != stuck.absent.end()) {
                ranks.push_back(job.dumps[call.dump].rank);
            }
        }
        words += fmt::format("; {} {} meanwhile in {}", rankWords(ranks),
                             ranks.size() == 1 ? "waits" : "wait", describe(job, other));
    }
    words += stuck.hasMoreCauses ? "; others wait elsewhere" : "";
    return words + (stuck.inCycle ? ": the ranks wait for each other" : "");
}

}  // namespace

std::string rankWords(std::vector<std::int64_t> ranks) {
    const bool one = ranks.size() == 1;
    return (one ? "rank " : "ranks ") + ranges(std::move(ranks));
}

std::string rankWords(const FlightJob& job, const std::vector<Call>& calls) {
    return rankWords(ranksOf(job, calls));
}

std::string rankWords(const FlightJob& job, const std::vector<std::size_t>& dumps) {
    return rankWords(ranksOf(job, dumps));
}

std::string callWords(const Dump& dump, const Entry& entry) {
    const std::string_view kind = dump.name(entry.kind);
    if (entry.source >= 0 || entry.target >= 0) {
        return fmt::format("{} {}->{}", kind, entry.source, entry.target);
    }
    return entry.number < 0 || entry.pointToPoint ? std::string(kind)
                                                  : fmt::format("{} number {}", kind, entry.number);
}

std::string tensorWords(const Dump& dump, const Tensors& tensors) {
    std::string words;
    for (std::size_t i = 0; i < tensors.sizes.size(); ++i) {
        if (i == kMaxShownTensors) {
            return words + fmt::format("; {} more", tensors.sizes.size() - i);
        }
        words += fmt::format("{}[{}]", i == 0 ? "" : "; ", fmt::join(tensors.sizes[i], ", "));
        if (i < tensors.types.size()) {
            words += fmt::format(" {}", dump.name(tensors.types[i]));
        }
    }
    return words;
}

std::string whereWords(const Dump& dump, const Entry& entry) {
    const std::vector<Frame>& stack = dump.stacks[entry.stack];
    if (stack.empty()) {
        return "";
    }
    const auto own = std::ranges::find_if(
        stack, [&](const Frame& frame) { return !isPyTorchs(dump.name(frame.file)); });
    const Frame& frame = own == stack.end() ? stack.front() : *own;
    return fmt::format("{}:{} {}", baseName(dump.name(frame.file)), frame.line,
                       dump.name(frame.function));
}

std::string stuckText(const FlightJob& job, const Stuck& stuck) {
    const std::string what = describe(job, stuck);
    const bool one = stuck.waiting.size() == 1;
    const std::string waiting =
        fmt::format("{} {} in it", rankWords(job, stuck.waiting), one ? "waits" : "wait");
    switch (stuck.why) {
        case Why::Absent:
            return fmt::format("{} is stuck: {}, {} never came{}{}", what, waiting,
                               rankWords(job, stuck.absent), lastWords(job, stuck),
                               becauseWords(job, stuck));
        case Why::Mismatch:
            return fmt::format("{} is stuck: {}, and the ranks' calls do not match", what, waiting);
        case Why::NoDump:
            return fmt::format("{} is stuck: {}; of {} there is no dump", what, waiting,
                               rankWords(stuck.noDump));
        case Why::NotStarted:
            return fmt::format(
                "{} has started on some ranks and not on others: {}; {} it only in the queue, "
                "behind other GPU work",
                what, waiting, notBegun(job, stuck));
        case Why::Running:
            break;
    }
    if (stuck.number < 0) {
        return fmt::format("{} has not ended: {}", what, waiting);
    }
    return fmt::format("{} has not finished although every rank called it: {}", what, waiting);
}

std::string mismatchText(const FlightJob& job, const Mismatch& mismatch) {
    std::vector<std::string> parts;
    parts.reserve(mismatch.parts.size());
    for (const Mismatch::Part& part : mismatch.parts) {
        parts.push_back(fmt::format("{}: {}", rankWords(job, part.dumps),
                                    part.value.empty() ? "none" : part.value));
    }
    return fmt::format("{}number {} of {} differs in {}: {}",
                       mismatch.difference == Difference::Kind ? "" : mismatch.kind + " ",
                       mismatch.number, job.groups[mismatch.group].title(),
                       differenceName(mismatch.difference), fmt::join(parts, "; "));
}

std::string undecidedText(const FlightJob& job) {
    if (!job.missing.empty()) {
        return fmt::format("there is no dump of {}", rankWords(job.missing));
    }
    return job.unread.empty() ? std::string() : "a dump cannot be read";
}

std::string nothingText(const FlightJob& job) {
    const std::string why = undecidedText(job);
    return why.empty() ? "Nothing is stuck: every call in the dumps has completed."
                       : fmt::format(
                             "Cannot tell whether anything is stuck: {}. Every call in the "
                             "other dumps has completed.",
                             why);
}

std::vector<std::string> flightSummary(const FlightJob& job) {
    std::size_t calls = 0;
    std::set<std::string> versions;
    for (const Dump& dump : job.dumps) {
        calls += dump.entries.size();
        versions.insert(dump.version.empty() ? "unknown" : dump.version);
    }
    std::vector<std::string> lines{fmt::format(
        "{} of {} ranks; {} calls in {} {}; version {}", job.dumps.size(),
        job.dumps.size() + job.missing.size(), text::formatCount(static_cast<std::int64_t>(calls)),
        job.groups.size(), job.groups.size() == 1 ? "group" : "groups", fmt::join(versions, ", "))};
    if (!job.missing.empty()) {
        lines.push_back(fmt::format("no dump of {}", rankWords(job.missing)));
    }
    for (const UnreadDump& dump : job.unread) {
        lines.push_back("not read: " + dump.reason);
    }
    return lines;
}

std::vector<Place> placesOf(const FlightJob& job, const Stuck& stuck) {
    Places places(job);
    for (const std::size_t dump : stuck.absent) {
        places.add("never came", job.dumps[dump].rank, lastIn(job, stuck.group, dump));
    }
    for (const Call call : stuck.waiting) {
        places.add("waits", job.dumps[call.dump].rank, call);
    }
    for (const Call call : stuck.finished) {
        places.add("completed", job.dumps[call.dump].rank, call);
    }
    for (const std::size_t dump : stuck.passed) {
        places.add("overwritten", job.dumps[dump].rank, std::nullopt);
    }
    for (const std::int64_t rank : stuck.noDump) {
        places.add("no dump", rank, std::nullopt);
    }
    return places.take();
}

text::PrintedTable stuckTable(const FlightJob& job, const Stuck& stuck) {
    text::PrintedTable table{"Ranks of " + text::printable(describe(job, stuck)),
                             {{"ranks", true},
                              {"", true},
                              {"number"},
                              {"operation", true},
                              {"state", true},
                              {"input", true},
                              {"where", true}},
                             {}};
    for (const Place& place : placesOf(job, stuck)) {
        std::vector<std::string> row{ranges(place.ranks), place.role};
        std::ranges::move(callCells(job, place.call), std::back_inserter(row));
        table.rows.push_back(std::move(row));
    }
    return table;
}

text::PrintedTable groupTable(const FlightJob& job) {
    text::PrintedTable table{"Groups",
                             {{"group", true},
                              {"description", true},
                              {"ranks", true},
                              {"no dump", true},
                              {"last number"},
                              {"open"}},
                             {}};
    for (const Group& group : job.groups) {
        std::int64_t least = -1;
        std::int64_t most = -1;
        std::size_t open = 0;
        for (const Member& member : group.members) {
            least = least < 0 ? member.last : std::min(least, member.last);
            most = std::max(most, member.last);
            for (const auto* const calls : {&member.collectives, &member.messages}) {
                open += static_cast<std::size_t>(std::ranges::count_if(*calls, [&](std::size_t i) {
                    return job.dumps[member.dump].entries[i].state != State::Completed;
                }));
            }
        }
        table.rows.push_back({text::printable(group.name), text::printable(group.description),
                              ranges(group.ranks), ranges(group.missing),
                              most < 0        ? ""
                              : least == most ? fmt::to_string(most)
                                              : fmt::format("{}-{}", least, most),
                              fmt::to_string(open)});
    }
    return table;
}

text::PrintedTable lastCallTable(const FlightJob& job) {
    text::PrintedTable table{"Last call of each rank",
                             {{"ranks", true},
                              {"group", true},
                              {"number"},
                              {"operation", true},
                              {"state", true},
                              {"input", true},
                              {"where", true}},
                             {}};
    Places places(job);
    for (std::size_t d = 0; d < job.dumps.size(); ++d) {
        const Dump& dump = job.dumps[d];
        if (dump.entries.empty()) {
            places.add("", dump.rank, std::nullopt);
        } else {
            const std::size_t last = dump.entries.size() - 1;
            places.add(dump.groups[dump.entries[last].group].name, dump.rank, Call{d, last});
        }
    }
    for (const Place& place : places.take()) {
        std::vector<std::string> row{ranges(place.ranks), text::printable(place.role)};
        std::ranges::move(callCells(job, place.call), std::back_inserter(row));
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace kinetoscope::flight
