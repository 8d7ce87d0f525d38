// SPDX-License-Identifier: Apache-2.0
#include "core/flight/CallWords.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "core/text/Format.h"
#include "core/text/Printable.h"

namespace kinetoscope::flight {

namespace {

constexpr std::size_t kMaxStacks = 6;        // of one stuck call
constexpr std::size_t kMaxShownFrames = 16;  // of one stack

/// "2026-11-22 10:22:33.123456 UTC", by the clock of the rank's host.
std::string momentText(TimeNs sinceEpoch) {
    using namespace std::chrono;
    const auto whole = floor<seconds>(nanoseconds(sinceEpoch));
    const auto rest = duration_cast<microseconds>(nanoseconds(sinceEpoch) - whole);
    return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:06} UTC", fmt::gmtime(whole.count()), rest.count());
}

std::string spanText(TimeNs from, TimeNs to) {
    return from > 0 && to > from ? text::formatDuration(to - from) : std::string();
}

std::string fateSentence(const FlightJob& job, const CallGrid& grid, std::size_t row,
                         std::size_t column) {
    const auto call = grid.call(row, column);
    const std::string took =
        call ? spanText(job.entry(*call).startedNs, job.entry(*call).completedNs) : "";
    switch (grid.fate(row, column)) {
        case Fate::Completed:
            return took.empty() ? "It completed." : "It completed, " + took + " after it began.";
        case Fate::Started:
            return "It has started on the GPU and has not finished.";
        case Fate::Scheduled:
            return "The rank waits in it: it is in the GPU's queue and has not completed; the "
                   "recorder did not see it start.";
        case Fate::TimedOut:
            return "It timed out before it completed.";
        case Fate::Overwritten:
            return "Not in the dump any more: the recorder overwrites its oldest entries.";
        case Fate::NoDump:
            return "There is no dump of this rank.";
        case Fate::Apart:
            return "The rank does not take part in this message.";
        case Fate::NeverCame:
            break;
    }
    const auto last = lastCall(job, *grid.member(row));
    if (!last) {
        return "The rank never came: it made no call in this group.";
    }
    const Dump& dump = job.dumps[last->dump];
    return fmt::format("The rank never came. Its last call in this group was {}, {}.",
                       callWords(dump, job.entry(*last)), stateName(job.entry(*last).state));
}

void addDetails(const Dump& dump, const Entry& entry, std::vector<std::string>& lines) {
    const std::string in = tensorWords(dump, dump.tensors[entry.inputs]);
    const std::string out = tensorWords(dump, dump.tensors[entry.outputs]);
    std::vector<std::string> parts;
    if (!in.empty()) {
        parts.push_back("Input " + in);
    }
    if (!out.empty() && out != in) {
        parts.push_back((parts.empty() ? "Output " : "output ") + out);
    }
    if (!parts.empty()) {
        lines.push_back(fmt::format("{}.", fmt::join(parts, ", ")));
    }
    if (entry.createdNs > 0) {
        lines.push_back("Called at " + momentText(entry.createdNs) + ".");
    }
    if (entry.timeoutMs > 0 && entry.state != State::Completed && entry.timeoutMs < 1'000'000'000) {
        lines.push_back(fmt::format("It is given up after {}.",
                                    text::formatDuration(entry.timeoutMs * 1'000'000)));
    }
}

void addStack(const std::string& title, const Dump& dump, const Entry& entry,
              std::vector<std::string>& lines) {
    const std::vector<std::string> stack = stackLines(dump, entry);
    if (!stack.empty()) {
        lines.push_back(fmt::format("{}\n{}", title, fmt::join(stack, "\n")));
    }
}

}  // namespace

std::vector<std::string> stackLines(const Dump& dump, const Entry& entry) {
    const std::vector<Frame>& stack = dump.stacks[entry.stack];
    std::vector<std::string> lines;
    for (const Frame& frame : stack) {
        if (lines.size() == kMaxShownFrames) {
            lines.push_back(fmt::format("{} more", stack.size() - kMaxShownFrames));
            break;
        }
        lines.push_back(text::printable(
            fmt::format("{}:{} {}", dump.name(frame.file), frame.line, dump.name(frame.function))));
    }
    return lines;
}

std::string stackTitle(const FlightJob& job, const Place& place) {
    return text::printable(fmt::format(
        "{} {} {}:", rankWords(place.ranks), place.role == "never came" ? "last in" : "in",
        callWords(job.dumps[place.call->dump], job.entry(*place.call))));
}

std::vector<Place> placesWithStack(const FlightJob& job, const Stuck& stuck) {
    std::vector<Place> places = placesOf(job, stuck);
    std::erase_if(places, [&](const Place& place) {
        return !place.call || job.entry(*place.call).stack == 0 || place.role == "completed";
    });
    places.resize(std::min(places.size(), kMaxStacks));
    return places;
}

std::vector<std::string> describeCall(const FlightJob& job, const CallGrid& grid, std::size_t row,
                                      std::size_t column) {
    std::vector<std::string> lines{fateSentence(job, grid, row, column)};
    for (const Mismatch& mismatch : job.mismatches) {
        if (grid.kind() == CallKind::Collectives && mismatch.group == grid.group() &&
            mismatch.number == grid.numbers()[column]) {
            lines.push_back("The ranks' calls do not match: " + mismatchText(job, mismatch) + ".");
        }
    }
    for (const CallGrid::StuckColumn& stuck : grid.stuck()) {
        if (stuck.column == column) {
            lines.push_back(stuckText(job, job.stuck[stuck.stuck]) + ".");
        }
    }
    if (const auto call = grid.call(row, column)) {
        const Dump& dump = job.dumps[call->dump];
        addDetails(dump, job.entry(*call), lines);
        addStack("Called from", dump, job.entry(*call), lines);
    } else if (const Member* const member = grid.member(row);
               member != nullptr && grid.fate(row, column) == Fate::NeverCame) {
        if (const auto last = lastCall(job, *member)) {
            addStack("Its last call came from", job.dumps[last->dump], job.entry(*last), lines);
        }
    }
    for (std::string& line : lines) {
        line = text::printableLines(line);
    }
    return lines;
}

std::vector<std::string> describeStuck(const FlightJob& job, const Stuck& stuck) {
    std::vector<std::string> lines{text::printable(stuckText(job, stuck)) + "."};
    if (stuck.queued > 0) {
        lines.push_back(fmt::format("{} more {} of the group {} after it.", stuck.queued,
                                    stuck.queued == 1 ? "call" : "calls",
                                    stuck.queued == 1 ? "waits" : "wait"));
    }
    for (const Place& place : placesWithStack(job, stuck)) {
        std::string title = stackTitle(job, place);
        title.pop_back();
        addStack(title, job.dumps[place.call->dump], job.entry(*place.call), lines);
    }
    return lines;
}

}  // namespace kinetoscope::flight
