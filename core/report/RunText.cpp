// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/report/ReportText.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"
#include "core/text/Units.h"
#include "core/trace/ImportIssues.h"

namespace kinetoscope::report {

namespace {

constexpr std::size_t kExampleColumns = 400;

// Keys whose content is already in the lines above the list.
bool isToldElsewhere(const std::string& key) {
    static constexpr std::array<std::string_view, 3> kKeys{"deviceProperties", "distributedInfo",
                                                           "baseTimeNanoseconds"};
    return std::ranges::find(kKeys, key) != kKeys.end();
}

std::string deviceLine(const trace::DeviceProperties& device) {
    std::string line = fmt::format(
        "GPU {}: {}", device.id, device.name.empty() ? "(no name)" : text::printable(device.name));
    if (device.computeMajor > 0) {
        line += fmt::format(", compute {}.{}", device.computeMajor, device.computeMinor);
    }
    if (device.multiprocessors > 0) {
        line += fmt::format(", {} SMs", device.multiprocessors);
    }
    if (device.totalMemoryBytes > 0) {
        line += ", " + text::formatBytes(device.totalMemoryBytes);
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
    return text::printable(line);
}

std::string sizes(const trace::RunInfo& info) {
    std::string text = text::formatBytes(info.fileBytes);
    if (info.textBytes != info.fileBytes && info.textBytes > 0) {
        text += " (" + text::formatBytes(info.textBytes) + " of text)";
    }
    return text;
}

}  // namespace

std::string skippedText(const trace::ImportLog& log) {
    const auto count = [](std::uint64_t number) {
        return text::formatCount(static_cast<std::int64_t>(number));
    };
    std::string text = (log.skipped == 0 ? "none" : count(log.skipped)) + " skipped";
    if (const trace::ImportIssue* unreadable = log.find("capture_unreadable")) {
        text += ", " + count(unreadable->count) + " captures unreadable";
    }
    return text;
}

std::string distributedText(const trace::DistributedInfo& distributed) {
    std::string line = distributed.backend;
    if (distributed.rank >= 0) {
        line += fmt::format("{}rank {}", line.empty() ? "" : ", ", distributed.rank);
    }
    if (distributed.worldSize >= 0) {
        line += distributed.rank >= 0
                    ? fmt::format(" of {}", distributed.worldSize)
                    : fmt::format("{}{} ranks", line.empty() ? "" : ", ", distributed.worldSize);
    }
    return line;
}

std::string runText(const trace::Trace& trace, const text::TextStyle& style) {
    const trace::RunInfo& info = trace.info();
    const trace::ImportLog& log = trace.log();
    const std::string name = std::filesystem::path(info.path).filename().string();
    std::string text = style.heading(text::printable(name)) + "\n";
    text += text::labelledItems("file", {text::printable(info.path)}, style);
    text += text::labelledItems("format", {text::printable(info.format)}, style);
    text += text::labelledItems("size", {sizes(info)}, style);
    text += text::labelledItems(
        "events",
        {text::formatCount(static_cast<std::int64_t>(log.events)) + ", " + skippedText(log)},
        style);
    const TimeSpan extent = trace.extent();
    text += text::labelledItems("length", {text::formatDuration(extent.duration())}, style);
    if (info.baseTimeNs) {
        text += text::labelledItems("first event",
                                    {text::formatUtc(*info.baseTimeNs, extent.start)}, style);
        text += text::labelledItems("base time", {text::formatUtc(*info.baseTimeNs)}, style);
    }
    for (const trace::DeviceProperties& device : info.devices) {
        text += text::labelledItems(&device == &info.devices.front() ? "devices" : "",
                                    {deviceLine(device)}, style);
    }
    if (info.distributed) {
        text += text::labelledItems("distributed",
                                    {text::printable(distributedText(*info.distributed))}, style);
    }
    std::vector<std::string> others;
    for (const trace::RunField& field : info.fields) {
        if (!isToldElsewhere(field.key)) {
            others.push_back(text::printable(field.key) + " " + oneLine(field.json));
        }
    }
    return others.empty() ? text : text + text::labelledItems("other keys", others, style);
}

std::string importText(const trace::ImportLog& log, const text::TextStyle& style) {
    if (log.empty()) {
        return {};
    }
    text::TextTable table({{"severity", false},
                           {"what", false},
                           {"count"},
                           {"first at byte"},
                           {.title = "example",
                            .rightAligned = false,
                            .droppable = 1,
                            .shrinkTo = 16,
                            .shorten = text::fitEnd}});
    for (const trace::ImportIssue& issue : log.sorted()) {
        table.addRow({std::string(trace::severityName(issue.severity)), text::printable(issue.name),
                      text::formatCount(static_cast<std::int64_t>(issue.count)),
                      text::formatCount(static_cast<std::int64_t>(issue.firstOffset)),
                      text::printable(issue.example)});
    }
    const std::string shown = table.text(style);
    std::string text = style.heading("Import log") + "\n" + shown;
    for (const trace::ImportIssue& issue : log.sorted()) {
        const std::string example = text::printable(issue.example);
        // A sentence whose end is missing says nothing.
        if (shown.find(example) == std::string::npos) {
            text += text::paragraph(
                fmt::format("{}: {}", issue.name, text::fitEnd(example, kExampleColumns)),
                style.width, 2);
        }
        if (const auto help = trace::importIssueHelp(issue.name); !help.empty()) {
            text += text::paragraph(fmt::format("{}: {}", issue.name, help), style.width, 2);
        }
    }
    return text;
}

}  // namespace kinetoscope::report
