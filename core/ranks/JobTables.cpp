// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/JobTables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>

#include "core/stats/Statistics.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"
#include "core/text/Units.h"

namespace kinetoscope::ranks {

namespace {

constexpr std::array kQuantiles{0.2, 0.5, 0.8};
constexpr std::size_t kMaxListed = 16;  // missing ranks that are named

std::string ms(TimeNs ns) {
    return text::inUnit(ns, text::kMilliseconds);
}

std::string us(double ns) {
    return text::inUnit(ns, text::kMicroseconds);
}

std::array<double, 3> quantilesOf(std::vector<double> values) {
    std::ranges::sort(values);
    std::array<double, 3> at{};
    std::ranges::transform(kQuantiles, at.begin(),
                           [&](double q) { return stats::quantileOfSorted(values, q); });
    return at;
}

std::string listed(const std::vector<std::int64_t>& ranks) {
    const std::span shown(ranks.data(), std::min(ranks.size(), kMaxListed));
    return fmt::format(
        "{}{}", fmt::join(shown, ", "),
        ranks.size() > kMaxListed ? fmt::format(" and {} more", ranks.size() - kMaxListed) : "");
}

// "host 76.13 %": the reason for which it was idle longest.
std::string mostIdle(const analysis::IdleTime& idle) {
    const auto* most = std::ranges::max_element(
        analysis::kIdleReasons, {}, [&](analysis::IdleReason reason) { return idle.of(reason); });
    return idle.total() <= 0 ? std::string()
                             : fmt::format("{} {}", analysis::idleReasonName(*most),
                                           text::formatPercent(static_cast<double>(idle.of(*most)),
                                                               static_cast<double>(idle.total())));
}

// The same, or what is known of neither.
Link slower(const Link& a, const Link& b) {
    return a.gbPerS < b.gbPerS ? a : b;
}

}  // namespace

// Half of an even count: of whole nanoseconds, for a table.
TimeNs medianStepNs(const RankRecord& record) {
    std::vector<TimeNs> lengths;
    lengths.reserve(record.steps.size());
    for (const RankStep& step : record.steps) {
        lengths.push_back(step.span.duration());
    }
    return static_cast<TimeNs>(stats::medianOf(lengths));
}

std::vector<CollectiveRow> collectiveRows(const Job& job) {
    struct Samples {
        std::vector<double> took;
        std::vector<double> waited;
        std::optional<Link> link;
    };
    std::map<std::tuple<std::string, std::string, std::uint64_t, std::size_t>, Samples> sizes;
    const Links links(job.records);
    for (std::size_t i = 0; i < job.waits.size(); ++i) {
        const Collective& collective = job.matching.collectives[i];
        Samples& samples =
            sizes[{collective.group, collective.kind, collective.bytes, collective.members.size()}];
        const Link link = links.slowest(collective);
        samples.link = samples.link ? slower(*samples.link, link) : link;
        samples.took.push_back(static_cast<double>(job.waits[i].tookNs));
        samples.waited.push_back(static_cast<double>(std::ranges::max(job.waits[i].waitedNs)));
    }
    std::vector<CollectiveRow> rows;
    for (const auto& [key, samples] : sizes) {
        CollectiveRow row;
        std::tie(row.group, row.kind, row.bytes, row.members) = key;
        row.count = samples.took.size();
        row.tookNs = quantilesOf(samples.took);
        row.waitedNs = quantilesOf(samples.waited);
        Collective like{row.group, row.kind, row.bytes, std::vector<Member>(row.members)};
        row.busGbPerS = busBandwidth(like, static_cast<TimeNs>(row.tookNs[1]));
        row.link = *samples.link;
        rows.push_back(std::move(row));
    }
    std::ranges::stable_sort(rows, std::ranges::greater{}, [](const CollectiveRow& row) {
        return static_cast<double>(row.count) * (row.tookNs[1] + row.waitedNs[1]);
    });
    return rows;
}

PrintedTable rankTable(const Job& job) {
    PrintedTable table{"Ranks",
                       {"rank", "host", "GPU", "step ms", "busy", "compute", "exposed comm.",
                        "idle", "most of it", "waited ms", "waited for ms"},
                       {},
                       {2, 4}};
    const std::vector<TimeNs> suffered = job.suffered();
    const std::vector<TimeNs> caused = job.caused();
    for (std::size_t r = 0; r < job.records.size(); ++r) {
        const RankRecord& record = job.records[r];
        const auto window = static_cast<double>(record.time.computeNs + record.time.exposedCommNs +
                                                record.time.exposedCopyNs + record.time.idleNs);
        const auto share = [&](TimeNs ns) {
            return text::formatPercent(static_cast<double>(ns), window);
        };
        table.rows.push_back(
            {fmt::to_string(record.rank), text::printable(record.host),
             record.gpu == kNoGpu ? "–" : fmt::to_string(record.gpu), ms(medianStepNs(record)),
             share(record.busyNs), share(record.time.computeNs), share(record.time.exposedCommNs),
             share(record.time.idleNs), mostIdle(record.idle), ms(suffered[r]), ms(caused[r])});
    }
    return table;
}

PrintedTable stepTable(const Job& job) {
    PrintedTable table{
        "Steps", {"step", "shortest ms", "longest ms", "of rank", "waited ms", "causes"}, {}};
    for (const JobStep& step : job.steps) {
        std::vector<std::pair<TimeNs, std::int64_t>> lengths;
        for (std::size_t r = 0; r < step.lengthNs.size(); ++r) {
            if (step.lengthNs[r] >= 0) {
                lengths.emplace_back(step.lengthNs[r], job.records[r].rank);
            }
        }
        std::vector<std::string> causes;
        causes.reserve(step.causes.size());
        for (const Cause& cause : step.causes) {
            causes.push_back(fmt::format("rank {} {} {}", job.records[cause.record].rank,
                                         causeKindName(cause.kind),
                                         text::formatDuration(cause.ns())));
        }
        const auto [low, high] =
            lengths.empty()
                ? std::pair(std::pair<TimeNs, std::int64_t>{}, std::pair<TimeNs, std::int64_t>{})
                : std::pair(std::ranges::min(lengths), std::ranges::max(lengths));
        table.rows.push_back({step.number < 0 ? "none" : fmt::to_string(step.number),
                              lengths.empty() ? "" : ms(low.first),
                              lengths.empty() ? "" : ms(high.first),
                              lengths.empty() ? "" : fmt::to_string(high.second), ms(step.blameNs),
                              fmt::format("{}", fmt::join(causes, "; "))});
    }
    return table;
}

PrintedTable collectiveTable(const Job& job) {
    PrintedTable table{
        "Collectives, µs taken and longest wait",
        {"group", "kind", "ranks", "size", "count", "took 20 %", "took 50 %", "took 80 %",
         "wait 20 %", "wait 50 %", "wait 80 %", "bus GB/s", "of the link"},
        {},
        {5, 8, 7, 10}};
    for (const CollectiveRow& row : collectiveRows(job)) {
        table.rows.push_back(
            {text::printable(row.group), text::printable(row.kind), fmt::to_string(row.members),
             row.bytes == 0 ? "" : text::formatBytes(row.bytes), fmt::to_string(row.count),
             us(row.tookNs[0]), us(row.tookNs[1]), us(row.tookNs[2]), us(row.waitedNs[0]),
             us(row.waitedNs[1]), us(row.waitedNs[2]),
             row.busGbPerS > 0.0 ? fmt::format("{:.1f}", row.busGbPerS) : "",
             row.busGbPerS > 0.0 && row.link.gbPerS > 0.0
                 ? text::formatPercent(row.busGbPerS, row.link.gbPerS)
                 : "unknown"});
    }
    return table;
}

PrintedTable clockTable(const Job& job) {
    PrintedTable table{
        "Clocks", {"rank", "host", "offset µs", "residual µs", "drift µs/s", "file"}, {}};
    for (std::size_t r = 0; r < job.records.size(); ++r) {
        const RankClock& clock = job.clocks[r];
        table.rows.push_back({fmt::to_string(job.records[r].rank),
                              text::printable(job.records[r].host),
                              clock.aligned ? us(static_cast<double>(clock.offsetNs)) : "unknown",
                              clock.aligned ? us(static_cast<double>(clock.residualNs)) : "",
                              clock.pieces.empty() ? "" : fmt::format("{:+.2f}", clock.driftPpm()),
                              text::printable(job.records[r].file)});
    }
    return table;
}

std::string undecidedText(const Job& job) {
    return job.missing.empty() ? std::string()
                               : fmt::format("rank {} {} missing", listed(job.missing),
                                             job.missing.size() == 1 ? "is" : "are");
}

std::string noAnswerText(const Job& job) {
    if (job.missing.empty()) {
        return "No rank stands out: none took longer by itself than the median rank by more than "
               "noise.";
    }
    return fmt::format(
        "Cannot tell whether a rank stands out: {}. None of those that were read took longer by "
        "itself than the median one by more than noise.",
        undecidedText(job));
}

std::vector<std::string> jobSummary(const Job& job) {
    std::vector<std::string> lines;
    const std::uint64_t calls = job.matching.matched + job.matching.unmatched;
    lines.push_back(
        fmt::format("{} of {} ranks; {} of {} communication kernels matched, {} collectives",
                    job.records.size(), job.worldSize,
                    text::formatCount(static_cast<std::int64_t>(job.matching.matched)),
                    text::formatCount(static_cast<std::int64_t>(calls)),
                    text::formatCount(static_cast<std::int64_t>(job.matching.collectives.size()))));
    if (std::ranges::any_of(job.records, &RankRecord::countsSteps)) {
        lines.emplace_back(
            "steps: the program marks none; counted from 1, each to the end of the optimizer's");
    }
    if (!job.missing.empty()) {
        lines.push_back(fmt::format("missing: rank {}", listed(job.missing)));
    }
    const Links known(job.records);
    std::set<std::string> links;
    for (const Collective& collective : job.matching.collectives) {
        const Link link = known.slowest(collective);
        if (link.gbPerS > 0.0) {
            links.insert(
                fmt::format("{}: {:.0f} GB/s each way ({})", link.name, link.gbPerS, link.source));
        }
    }
    for (const std::string& link : links) {
        lines.push_back("links: " + link);
    }
    for (const LostFile& file : job.lost) {
        lines.push_back("not used: " + messageOf(file));
    }
    std::vector<std::int64_t> damaged;
    for (const RankRecord& record : job.records) {
        if (!record.complete) {
            damaged.push_back(record.rank);
        }
    }
    if (!damaged.empty()) {
        lines.push_back(fmt::format(
            "rank {}: the file could be read only in part; kscope report says what is missing",
            listed(damaged)));
    }
    std::vector<std::int64_t> apart;
    for (std::size_t r = 0; r < job.records.size(); ++r) {
        if (!job.clocks[r].aligned) {
            apart.push_back(job.records[r].rank);
        }
    }
    if (!apart.empty()) {
        lines.push_back(
            fmt::format("rank {} shares no collective with the others: its clock cannot be aligned",
                        listed(apart)));
    }
    return lines;
}

}  // namespace kinetoscope::ranks
