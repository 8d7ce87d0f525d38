// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/report/ReportText.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"
#include "core/text/Units.h"

namespace kinetoscope {

namespace {

// Keys whose content the lines above the list already tell.
bool isToldElsewhere(const std::string& key) {
    static constexpr std::array<std::string_view, 3> kKeys{"deviceProperties", "distributedInfo",
                                                           "baseTimeNanoseconds"};
    return std::ranges::find(kKeys, key) != kKeys.end();
}

std::string deviceLine(const DeviceProperties& device) {
    std::string line = fmt::format("GPU {}: {}", device.id,
                                   device.name.empty() ? "(no name)" : printable(device.name));
    if (device.computeMajor > 0) {
        line += fmt::format(", compute {}.{}", device.computeMajor, device.computeMinor);
    }
    if (device.multiprocessors > 0) {
        line += fmt::format(", {} SMs", device.multiprocessors);
    }
    if (device.totalMemoryBytes > 0) {
        line += ", " + formatBytes(device.totalMemoryBytes);
    }
    return line;
}

// Values are JSON over several lines at times.
std::string oneLine(const std::string& json) {
    std::string line;
    for (const char c : json) {
        const bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
        if (!blank) {
            line += c;
        } else if (!line.empty() && line.back() != ' ') {
            line += ' ';
        }
    }
    return printable(line);
}

std::string sizes(const RunInfo& info) {
    std::string text = formatBytes(info.fileBytes);
    if (info.textBytes != info.fileBytes && info.textBytes > 0) {
        text += " (" + formatBytes(info.textBytes) + " of text)";
    }
    return text;
}

}  // namespace

std::string skippedText(const ImportLog& log) {
    const auto count = [](std::uint64_t number) {
        return formatCount(static_cast<std::int64_t>(number));
    };
    std::string text = (log.skipped == 0 ? "none" : count(log.skipped)) + " skipped";
    if (const ImportIssue* unreadable = log.find("capture_unreadable")) {
        text += ", " + count(unreadable->count) + " captures unreadable";
    }
    return text;
}

std::string runText(const Trace& trace, const TextStyle& style) {
    const RunInfo& info = trace.info();
    const ImportLog& log = trace.log();
    const std::string name = std::filesystem::path(info.path).filename().string();
    std::string text = style.heading(printable(name)) + "\n";
    text += labelledItems("file", {printable(info.path)}, style);
    text += labelledItems("format", {printable(info.format)}, style);
    text += labelledItems("size", {sizes(info)}, style);
    text += labelledItems(
        "events", {formatCount(static_cast<std::int64_t>(log.events)) + ", " + skippedText(log)},
        style);
    const TimeSpan extent = trace.extent();
    text += labelledItems("length", {formatDuration(extent.duration())}, style);
    if (info.baseTimeNs) {
        text += labelledItems("first event", {formatUtc(*info.baseTimeNs, extent.start)}, style);
        text += labelledItems("base time", {formatUtc(*info.baseTimeNs)}, style);
    }
    for (const DeviceProperties& device : info.devices) {
        text += labelledItems(&device == &info.devices.front() ? "devices" : "",
                              {deviceLine(device)}, style);
    }
    if (info.distributed) {
        const DistributedInfo& distributed = *info.distributed;
        text += labelledItems("distributed",
                              {fmt::format("{}, rank {} of {}", printable(distributed.backend),
                                           distributed.rank, distributed.worldSize)},
                              style);
    }
    std::vector<std::string> others;
    for (const RunField& field : info.fields) {
        if (!isToldElsewhere(field.key)) {
            others.push_back(printable(field.key) + " " + oneLine(field.json));
        }
    }
    return others.empty() ? text : text + labelledItems("other keys", others, style);
}

std::string importText(const ImportLog& log, const TextStyle& style) {
    if (log.empty()) {
        return {};
    }
    TextTable table({{"severity", false},
                     {"what", false},
                     {"count"},
                     {"first at byte"},
                     {.title = "example", .rightAligned = false, .droppable = 1, .shrinkTo = 16}});
    for (const ImportIssue& issue : log.sorted()) {
        table.addRow({std::string(severityName(issue.severity)), printable(issue.name),
                      formatCount(static_cast<std::int64_t>(issue.count)),
                      formatCount(static_cast<std::int64_t>(issue.firstOffset)),
                      printable(issue.example)});
    }
    return style.heading("Import log") + "\n" + table.text(style);
}

}  // namespace kinetoscope
