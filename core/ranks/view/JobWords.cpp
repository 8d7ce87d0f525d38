// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/view/JobWords.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "core/ranks/JobText.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"

namespace kinetoscope::ranks::view {

namespace {

// Ranks that are named where many were waited for.
constexpr std::size_t kNamed = 3;
constexpr TimeNs kAlike = 500;  // part of a step that is not a difference

using text::formatDuration;

/// "rank 3 12.0 ms, rank 5 1.0 ms and 2 more", the largest first.
std::string namedRanks(const Job& job, const std::map<std::size_t, TimeNs>& times) {
    std::vector<std::pair<TimeNs, std::size_t>> sorted;
    for (const auto& [record, ns] : times) {
        if (ns > 0) {
            sorted.emplace_back(ns, record);
        }
    }
    std::ranges::stable_sort(sorted, std::ranges::greater{},
                             &std::pair<TimeNs, std::size_t>::first);
    std::string text;
    for (std::size_t i = 0; i < std::min(sorted.size(), kNamed); ++i) {
        text += fmt::format("{}rank {} {}", i == 0 ? "" : ", ", job.records[sorted[i].second].rank,
                            formatDuration(sorted[i].first));
    }
    return sorted.size() <= kNamed ? text
                                   : text + fmt::format(" and {} more", sorted.size() - kNamed);
}

/// For whom the rank waited in the step, and who for it.
struct Waits {
    std::map<std::size_t, TimeNs> suffered;
    std::map<std::size_t, TimeNs> caused;
};

Waits waitsOf(const Job& job, std::size_t record, std::int64_t step) {
    Waits found;
    for (std::size_t i = 0; i < job.waits.size(); ++i) {
        const CollectiveWait& wait = job.waits[i];
        if (wait.step != step) {
            continue;
        }
        const auto& members = job.matching.collectives[i].members;
        const std::size_t last = members[wait.last].record;
        for (std::size_t m = 0; m < members.size(); ++m) {
            if (last == record) {
                found.caused[members[m].record] += wait.exposedNs[m];
            } else if (members[m].record == record) {
                found.suffered[last] += wait.exposedNs[m];
            }
        }
    }
    return found;
}

std::string lengthLine(const Cell& cell, TimeNs medianNs) {
    const TimeNs more = cell.lengthNs - medianNs;
    if (std::abs(more) < medianNs / kAlike) {
        return fmt::format("The step took {}, about as long as on the median rank.",
                           formatDuration(cell.lengthNs));
    }
    return fmt::format("The step took {}, {} {} than the median rank ({}).",
                       formatDuration(cell.lengthNs), formatDuration(more < 0 ? -more : more),
                       more < 0 ? "less" : "more", formatDuration(medianNs));
}

/// "8 ranks"; of a message "from rank 0 to rank 1".
std::string ranksOf(const Job& job, const Collective& collective) {
    const Member first = collective.members.front();
    const CollectiveCall& call = job.records[first.record].collectives[first.call];
    if (!call.pointToPoint || collective.members.size() != 2) {
        return fmt::format("{} ranks", collective.members.size());
    }
    const std::int64_t one = job.records[first.record].rank;
    const std::int64_t other = job.records[collective.members.back().record].rank;
    const bool sends = call.kind.starts_with("send");
    return fmt::format("from rank {} to rank {}", sends ? one : other, sends ? other : one);
}

}  // namespace

std::string stepTitle(std::int64_t number) {
    return number < 0 ? "outside of steps" : fmt::format("step {}", number);
}

std::vector<std::string> describeCell(const Job& job, const JobGrid& grid, std::size_t record,
                                      std::size_t step) {
    const Cell& cell = grid.at(record, step);
    const JobStep& of = job.steps[step];
    std::vector<std::string> lines;
    if (cell.lengthNs >= 0) {
        lines.push_back(lengthLine(cell, grid.medianNs(step)));
        lines.push_back(fmt::format("{} busy for {} of it, only communicating for {}.",
                                    job.records[record].gpu == kNoGpu ? "It was" : "Its GPU was",
                                    text::formatPercent(static_cast<double>(cell.busyNs),
                                                        static_cast<double>(cell.lengthNs)),
                                    formatDuration(cell.exposedNs)));
    } else if (of.number >= 0) {
        lines.emplace_back("The rank has no such step.");
    }
    const Waits waits = waitsOf(job, record, of.number);
    if (cell.waitedNs > 0) {
        lines.push_back(fmt::format("It waited {}, for {}.", formatDuration(cell.waitedNs),
                                    namedRanks(job, waits.suffered)));
    } else {
        lines.emplace_back("It waited for nobody.");
    }
    if (cell.causedNs > 0) {
        lines.push_back(fmt::format("The others waited {} for it: {}.",
                                    formatDuration(cell.causedNs), namedRanks(job, waits.caused)));
    }
    if (of.pause.ns > 0) {
        lines.push_back(pauseText(of));
    }
    // Its own reasons first, then those of the ranks that it waited for.
    for (const bool own : {true, false}) {
        for (const Cause& cause : of.causes) {
            const auto waitedFor = waits.suffered.find(cause.record);
            const bool concerns = own ? cause.record == record
                                      : waitedFor != waits.suffered.end() && waitedFor->second > 0;
            if (concerns) {
                lines.push_back(answerText(job, cause));
            }
        }
    }
    return lines;
}

std::string collectiveTitle(const Job& job, std::size_t collective) {
    const Collective& one = job.matching.collectives[collective];
    return fmt::format(
        "{}{}{}, {}, {}", text::printable(one.kind),
        one.group.empty() ? std::string() : " of group " + text::printable(one.group),
        one.bytes == 0 ? std::string() : ", " + text::formatBytes(one.bytes), ranksOf(job, one),
        stepTitle(job.waits[collective].step));
}

std::vector<std::string> describeCollective(const Job& job, std::size_t collective) {
    const Collective& one = job.matching.collectives[collective];
    const CollectiveWait& wait = job.waits[collective];
    std::vector<std::string> lines;
    std::map<std::size_t, TimeNs> waited;
    for (std::size_t m = 0; m < one.members.size(); ++m) {
        waited[one.members[m].record] = wait.waitedNs[m];
    }
    lines.push_back(fmt::format("Rank {} arrived last. Waiting for it: {}; {} of that exposed.",
                                job.records[one.members[wait.last].record].rank,
                                namedRanks(job, waited), formatDuration(wait.exposedSum())));
    const double bandwidth = busBandwidth(one, wait.tookNs);
    lines.push_back(fmt::format(
        "After the last arrival it took {}{}.", formatDuration(wait.tookNs),
        bandwidth > 0.0 ? fmt::format(", {:.1f} GB/s on the bus", bandwidth) : std::string()));
    return lines;
}

}  // namespace kinetoscope::ranks::view
