// SPDX-License-Identifier: Apache-2.0
#include "core/flight/FlightText.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/flight/CallWords.h"
#include "core/flight/FlightTables.h"
#include "core/text/Csv.h"
#include "core/text/Markdown.h"
#include "core/text/Printable.h"

namespace kinetoscope::flight {

namespace {

constexpr std::size_t kMaxDetailed = 4;     // stuck calls with tables
constexpr std::size_t kMaxMismatches = 20;  // on a terminal

std::string stackText(const FlightJob& job, const Stuck& stuck) {
    std::string text;
    for (const Place& place : placesWithStack(job, stuck)) {
        text += "\n  " + stackTitle(job, place) + "\n";
        for (const std::string& line :
             stackLines(job.dumps[place.call->dump], job.entry(*place.call))) {
            text += "    " + line + "\n";
        }
    }
    return text;
}

std::size_t detailed(const FlightJob& job) {
    return std::min(job.stuck.size(), kMaxDetailed);
}

// Whether the ranks' last calls are not in the table of one stuck call already.
bool tellsMore(const FlightJob& job) {
    return job.groups.size() > 1 || job.stuck.empty();
}

std::vector<std::string> mismatchLines(const FlightJob& job) {
    std::vector<std::string> lines;
    for (const Mismatch& mismatch : job.mismatches) {
        if (lines.size() == kMaxMismatches) {
            lines.push_back(
                fmt::format("{} more: --json has all", job.mismatches.size() - kMaxMismatches));
            break;
        }
        lines.push_back(text::printable(mismatchText(job, mismatch)));
    }
    return lines;
}

}  // namespace

std::string flightText(const FlightJob& job, const text::TextStyle& style) {
    std::string text = style.heading("NCCL flight recorder") + "\n";
    for (const std::string& line : flightSummary(job)) {
        text += text::paragraph(text::printable(line), style.width, 2);
    }
    text += "\n" + style.heading("What is stuck") + "\n";
    if (job.stuck.empty()) {
        text += text::paragraph(nothingText(job), style.width, 2);
    }
    for (const Stuck& stuck : job.stuck) {
        text += text::paragraph(text::printable(stuckText(job, stuck)), style.width, 2);
    }
    if (const auto lines = mismatchLines(job); !lines.empty()) {
        text += "\n" + style.heading("Mismatched calls") + "\n";
        for (const std::string& line : lines) {
            text += text::paragraph(line, style.width, 2);
        }
    }
    for (std::size_t i = 0; i < detailed(job); ++i) {
        text += text::shownTable(stuckTable(job, job.stuck[i]), style);
        text += stackText(job, job.stuck[i]);
    }
    return text + text::shownTable(groupTable(job), style) +
           (tellsMore(job) ? text::shownTable(lastCallTable(job), style) : "");
}

std::string flightMarkdown(const FlightJob& job) {
    std::string text = "# NCCL flight recorder\n\n";
    for (const std::string& line : flightSummary(job)) {
        text += "- " + text::markdownText(text::printable(line)) + "\n";
    }
    text += "\n## What is stuck\n\n";
    if (job.stuck.empty()) {
        text += text::markdownText(nothingText(job)) + "\n";
    }
    for (const Stuck& stuck : job.stuck) {
        text += "1. " + text::markdownText(text::printable(stuckText(job, stuck))) + "\n";
    }
    if (const auto lines = mismatchLines(job); !lines.empty()) {
        text += "\n## Mismatched calls\n\n";
        for (const std::string& line : lines) {
            text += "- " + text::markdownText(line) + "\n";
        }
    }
    for (std::size_t i = 0; i < detailed(job); ++i) {
        text += text::markdownTable(stuckTable(job, job.stuck[i]));
        for (const Place& place : placesWithStack(job, job.stuck[i])) {
            text += "\n" + text::markdownText(stackTitle(job, place)) + "\n\n";
            for (const std::string& line :
                 stackLines(job.dumps[place.call->dump], job.entry(*place.call))) {
                text += "- " + text::markdownText(line) + "\n";
            }
        }
    }
    return text + text::markdownTable(groupTable(job)) +
           (tellsMore(job) ? text::markdownTable(lastCallTable(job)) : "");
}

std::string flightCsv(const FlightJob& job) {
    std::string csv =
        "rank,group,description,file,first_number,last_number,open,last_operation,last_state,"
        "last_created_ns,where\n";
    for (const Group& group : job.groups) {
        for (const Member& member : group.members) {
            const Dump& dump = job.dumps[member.dump];
            const auto last = lastCall(job, member);
            std::ptrdiff_t open = 0;
            for (const auto* const calls : {&member.collectives, &member.messages}) {
                open += std::ranges::count_if(*calls, [&](std::size_t i) {
                    return dump.entries[i].state != State::Completed;
                });
            }
            const Entry* const entry = last ? &job.entry(*last) : nullptr;
            const std::vector<std::string> fields{
                fmt::to_string(dump.rank),
                text::csvName(group.name),
                text::csvName(group.description),
                text::csvName(dump.file),
                member.first < 0 ? "" : fmt::to_string(member.first),
                member.last < 0 ? "" : fmt::to_string(member.last),
                fmt::to_string(open),
                entry == nullptr ? "" : text::csvName(dump.name(entry->kind)),
                entry == nullptr ? "" : std::string(stateName(entry->state)),
                entry == nullptr ? "" : fmt::to_string(entry->createdNs),
                entry == nullptr ? "" : text::csvName(whereWords(dump, *entry))};
            csv += text::csvLine(fields);
        }
    }
    return csv;
}

}  // namespace kinetoscope::flight
