// SPDX-License-Identifier: Apache-2.0
#include "core/memory/MemoryTables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "core/text/Format.h"
#include "core/text/Printable.h"

namespace kinetoscope::memory {

namespace {

std::string bytesWords(std::int64_t bytes) {
    return bytes < 0 ? "-" + text::formatBytes(static_cast<std::uint64_t>(-bytes))
                     : text::formatBytes(static_cast<std::uint64_t>(bytes));
}

std::string changeWords(std::int64_t bytes) {
    return (bytes > 0 ? "+" : "") + bytesWords(bytes);
}

std::string count(std::uint64_t number) {
    return text::formatCount(static_cast<std::int64_t>(number));
}

std::string share(std::int64_t part, std::int64_t whole) {
    return text::formatPercent(static_cast<double>(part), static_cast<double>(whole));
}

std::string title(const char* words, const MemoryReport& report, const DeviceReport& device) {
    return fmt::format("{}: {}", report.device(device).name, words);
}

text::PrintedTable blockTable(const char* words, const MemoryReport& report,
                              const DeviceReport& device, const std::vector<std::size_t>& blocks,
                              bool since) {
    text::PrintedTable table{title(words, report, device), {{"bytes"}, {"size"}}, {}};
    if (since) {
        table.columns.push_back({"since"});
    }
    table.columns.push_back({.title = "purpose", .isWord = true});
    table.columns.push_back({"operator", true});
    table.columns.push_back({"where", true});
    const Device& shown = report.device(device);
    for (const std::size_t i : blocks) {
        const Block& block = shown.blocks[i];
        std::vector<std::string> row{text::formatCount(block.bytes), bytesWords(block.bytes)};
        if (since) {
            row.push_back(momentWords(shown.allocated[block.from].time));
        }
        row.emplace_back(purposeName(report.history.places[block.place].purpose));
        row.push_back(operationWords(report.history, block.place));
        row.push_back(lineWords(report.history, block.place));
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace

std::string operationWords(const History& history, PlaceId place) {
    const std::string_view name = history.name(history.places[place].operation);
    return name.empty() ? (place == 0 ? "unknown: older, or no stack" : "unknown")
                        : text::printable(name);
}

std::string lineWords(const History& history, PlaceId place) {
    return text::printable(history.name(history.places[place].line));
}

std::string momentWords(TimeNs time) {
    return "+" + text::formatDuration(time);
}

std::vector<std::string> deviceSummary(const MemoryReport& report, const DeviceReport& device) {
    const Device& shown = report.device(device);
    const std::string when = device.peakEvent == kBefore ? "before the first event"
                                                         : "at " + momentWords(device.peakTime);
    std::vector<std::string> lines{
        fmt::format("allocated at most {} ({} bytes), {}; at the end {} ({} bytes)",
                    bytesWords(device.peakAllocated), text::formatCount(device.peakAllocated), when,
                    bytesWords(device.allocated), text::formatCount(device.allocated))};
    if (device.peakReserved > 0) {
        lines.push_back(
            fmt::format("reserved at most {}; at the end {} ({} bytes), {} of it unused",
                        bytesWords(device.peakReserved), bytesWords(device.reserved),
                        text::formatCount(device.reserved),
                        share(device.reserved - device.allocated, device.reserved)));
    }
    lines.push_back(fmt::format(
        "{} {}; {} were there before the first one; never freed: {} in {} {}",
        count(shown.allocated.size()), shown.allocated.size() == 1 ? "event" : "events",
        bytesWords(shown.allocatedBefore), bytesWords(device.neverFreedBytes),
        count(device.neverFreed.size()), device.neverFreed.size() == 1 ? "block" : "blocks"));
    return lines;
}

text::PrintedTable peakTable(const MemoryReport& report, const DeviceReport& device) {
    text::PrintedTable table{title("alive at the peak", report, device),
                             {{"size"},
                              {"share"},
                              {"blocks"},
                              {.title = "purpose", .isWord = true},
                              {"operator", true},
                              {"where", true}},
                             {}};
    // Stacks that differ outside of the program's own line only, as those of the layers of a model,
    // are one row.
    for (const PlaceSum& sum : grouped(report.history, device.atPeak, GroupBy::Place)) {
        table.rows.push_back({bytesWords(sum.bytes), share(sum.bytes, device.peakAllocated),
                              sum.count == 0 ? "" : count(sum.count),
                              std::string(purposeName(report.history.places[sum.place].purpose)),
                              operationWords(report.history, sum.place),
                              lineWords(report.history, sum.place)});
    }
    return table;
}

text::PrintedTable purposeTable(const MemoryReport& report, const DeviceReport& device) {
    text::PrintedTable table{
        title("alive at the peak, by purpose", report, device),
        {{.title = "purpose", .isWord = true}, {"size"}, {"share"}, {"blocks"}},
        {}};
    std::array<std::size_t, kPurposes> largestFirst{};
    std::iota(largestFirst.begin(), largestFirst.end(), std::size_t{0});
    std::ranges::stable_sort(largestFirst, std::ranges::greater(),
                             [&device](std::size_t i) { return device.atPeakByPurpose[i].bytes; });
    for (const std::size_t i : largestFirst) {
        const PlaceSum& sum = device.atPeakByPurpose[i];
        if (sum.bytes > 0) {
            table.rows.push_back({std::string(purposeName(static_cast<Purpose>(i))),
                                  bytesWords(sum.bytes), share(sum.bytes, device.peakAllocated),
                                  count(sum.count)});
        }
    }
    return table;
}

text::PrintedTable neverFreedTable(const MemoryReport& report, const DeviceReport& device) {
    return blockTable("never freed", report, device, device.neverFreed, true);
}

text::PrintedTable olderTable(const MemoryReport& report, const DeviceReport& device) {
    return blockTable("older than the first event, and still there", report, device, device.older,
                      false);
}

text::PrintedTable segmentTable(const MemoryReport& report, const DeviceReport& device) {
    text::PrintedTable table{title("segments", report, device),
                             {{"kind", true},
                              {"count"},
                              {"size"},
                              {"allocated"},
                              {"requested"},
                              {"free between blocks"},
                              {"free segments"},
                              {"largest free"}},
                             {}};
    for (const SegmentSums& sums : report.device(device).segments) {
        table.rows.push_back({text::printable(sums.kind), count(sums.count), bytesWords(sums.bytes),
                              bytesWords(sums.allocated), bytesWords(sums.requested),
                              bytesWords(sums.freeInUsed), count(sums.wholeFree),
                              bytesWords(sums.largestFree)});
    }
    return table;
}

text::PrintedTable outOfMemoryTable(const MemoryReport& report, const DeviceReport& device) {
    text::PrintedTable table{
        title("out of memory", report, device),
        {{"when"}, {"requested"}, {"free on the device"}, {"operator", true}, {"where", true}},
        {}};
    for (const OutOfMemory& event : report.device(device).outOfMemory) {
        table.rows.push_back({momentWords(event.time), bytesWords(event.requested),
                              event.deviceFree < 0 ? "" : bytesWords(event.deviceFree),
                              operationWords(report.history, event.place),
                              lineWords(report.history, event.place)});
    }
    return table;
}

text::PrintedTable totalsTable(const MemoryComparison& comparison) {
    text::PrintedTable table{
        "Totals", {{"device", true}, {"", true}, {"baseline"}, {"candidate"}, {"change"}}, {}};
    for (const TotalsChange& totals : comparison.devices) {
        const auto row = [&](const char* what, std::int64_t DeviceTotals::*member) {
            const std::int64_t before = totals.baseline.*member;
            const std::int64_t after = totals.candidate.*member;
            table.rows.push_back({text::printable(totals.baseline.device), what, bytesWords(before),
                                  bytesWords(after), changeWords(after - before)});
        };
        row("peak allocated", &DeviceTotals::peakAllocated);
        row("peak reserved", &DeviceTotals::peakReserved);
        row("allocated at the end", &DeviceTotals::allocated);
        row("reserved at the end", &DeviceTotals::reserved);
    }
    return table;
}

text::PrintedTable changesTable(const MemoryComparison& comparison) {
    text::PrintedTable table{"Held at the end, by place",
                             {{"change"},
                              {"baseline"},
                              {"candidate"},
                              {"blocks"},
                              {"device", true},
                              {"operator", true},
                              {"where", true}},
                             {}};
    for (const PlaceChange& change : comparison.changes) {
        table.rows.push_back(
            {changeWords(change.change()), bytesWords(change.baseline),
             bytesWords(change.candidate),
             fmt::format("{} -> {}", change.baselineCount, change.candidateCount),
             text::printable(change.device),
             change.operation.empty() ? "unknown" : text::printable(change.operation),
             text::printable(change.line)});
    }
    return table;
}

}  // namespace kinetoscope::memory
