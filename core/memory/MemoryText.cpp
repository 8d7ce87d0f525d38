// SPDX-License-Identifier: Apache-2.0
#include "core/memory/MemoryText.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/memory/MemoryTables.h"
#include "core/text/Csv.h"
#include "core/text/Markdown.h"
#include "core/text/Printable.h"
#include "core/text/Units.h"

namespace kinetoscope::memory {

namespace {

std::vector<text::PrintedTable> tablesOf(const MemoryReport& report, const DeviceReport& device) {
    return {outOfMemoryTable(report, device), purposeTable(report, device),
            peakTable(report, device),        neverFreedTable(report, device),
            olderTable(report, device),       segmentTable(report, device)};
}

std::string fileWords(const MemoryReport& report) {
    const History& history = report.history;
    return history.source == Source::Trace
               ? fmt::format("[memory] events of '{}'", history.file)
               : fmt::format("snapshot '{}'{}", history.file,
                             history.startNs > 0
                                 ? ", recorded from " + text::formatUtc(history.startNs)
                                 : "");
}

text::PrintedTable first(text::PrintedTable table, std::size_t most) {
    table.rows.resize(std::min(table.rows.size(), most));
    return table;
}

void addBlock(const MemoryReport& report, const DeviceReport& device, const Block& block,
              std::string& csv) {
    const Device& shown = report.device(device);
    const Place& place = report.history.places[block.place];
    const bool atPeak =
        device.peakEvent == kBefore ? block.from == kBefore : block.isAliveAfter(device.peakEvent);
    if (!atPeak && block.to != kNever) {
        return;
    }
    const auto time = [&](std::uint32_t event) {
        return event >= kBefore ? "" : fmt::to_string(shown.allocated[event].time);
    };
    const std::vector<std::string> fields{shown.name,
                                          fmt::to_string(block.address),
                                          fmt::to_string(block.bytes),
                                          time(block.from),
                                          time(block.to),
                                          atPeak ? "1" : "0",
                                          block.to == kNever ? "0" : "1",
                                          std::string(purposeName(place.purpose)),
                                          text::csvName(report.history.name(place.operation)),
                                          text::csvName(report.history.name(place.line))};
    csv += text::csvLine(fields);
}

}  // namespace

std::string memoryText(const MemoryReport& report, const text::TextStyle& style, std::size_t most) {
    std::string text = style.heading("Memory") + "\n";
    text += text::paragraph(text::printable(fileWords(report)), style.width, 2);
    if (report.devices.empty()) {
        text +=
            text::paragraph("Nothing was allocated, and no event was recorded.", style.width, 2);
    }
    for (const DeviceReport& device : report.devices) {
        text += "\n" + style.heading(report.device(device).name) + "\n";
        for (const std::string& line : deviceSummary(report, device)) {
            text += text::paragraph(line, style.width, 2);
        }
        for (const text::PrintedTable& table : tablesOf(report, device)) {
            text += text::shownTable(table, style, most);
        }
    }
    return text;
}

std::string memoryMarkdown(const MemoryReport& report, std::size_t most) {
    std::string text =
        "# Memory\n\n" + text::markdownText(text::printable(fileWords(report))) + "\n";
    for (const DeviceReport& device : report.devices) {
        text += "\n## " + text::markdownText(report.device(device).name) + "\n\n";
        for (const std::string& line : deviceSummary(report, device)) {
            text += "- " + text::markdownText(line) + "\n";
        }
        for (const text::PrintedTable& table : tablesOf(report, device)) {
            text += text::markdownTable(first(table, most));
        }
    }
    return text;
}

std::string memoryCsv(const MemoryReport& report) {
    std::string csv =
        "device,address,bytes,allocated_ns,freed_ns,alive_at_peak,freed,purpose,operator,where\n";
    for (const DeviceReport& device : report.devices) {
        for (const Block& block : report.device(device).blocks) {
            addBlock(report, device, block, csv);
        }
    }
    return csv;
}

std::string comparisonText(const MemoryComparison& comparison, const text::TextStyle& style,
                           std::size_t most) {
    std::string text = style.heading("Memory, two files") + "\n";
    for (const auto& [word, file] : {std::pair("baseline ", &comparison.baselineFile),
                                     std::pair("candidate ", &comparison.candidateFile)}) {
        text += text::paragraph(word + text::printable(*file), style.width, 2);
    }
    if (comparison.changes.empty()) {
        text += "\n  Every allocation site holds the same.\n";
    }
    return text + text::shownTable(totalsTable(comparison), style) +
           text::shownTable(changesTable(comparison), style, most);
}

std::string comparisonMarkdown(const MemoryComparison& comparison, std::size_t most) {
    return "# Memory, two files\n\n- baseline " +
           text::markdownText(text::printable(comparison.baselineFile)) + "\n- candidate " +
           text::markdownText(text::printable(comparison.candidateFile)) + "\n" +
           text::markdownTable(totalsTable(comparison)) +
           text::markdownTable(first(changesTable(comparison), most));
}

std::string comparisonCsv(const MemoryComparison& comparison) {
    std::string csv =
        "device,operator,where,baseline_bytes,candidate_bytes,change_bytes,baseline_blocks,"
        "candidate_blocks\n";
    for (const PlaceChange& change : comparison.changes) {
        const std::vector<std::string> fields{
            text::csvName(change.device),         text::csvName(change.operation),
            text::csvName(change.line),           fmt::to_string(change.baseline),
            fmt::to_string(change.candidate),     fmt::to_string(change.change()),
            fmt::to_string(change.baselineCount), fmt::to_string(change.candidateCount)};
        csv += text::csvLine(fields);
    }
    return csv;
}

}  // namespace kinetoscope::memory
