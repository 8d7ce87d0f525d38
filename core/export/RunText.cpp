// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/base/Format.h"
#include "core/export/Printable.h"
#include "core/export/ReportText.h"
#include "core/export/Units.h"

namespace kinetoscope {

namespace {

constexpr std::size_t kLabelWidth = 14;

// Keys whose content the lines above the list already tell.
bool isToldElsewhere(const std::string& key) {
    static constexpr std::array<std::string_view, 3> kKeys{"deviceProperties", "distributedInfo",
                                                           "baseTimeNanoseconds"};
    return std::ranges::find(kKeys, key) != kKeys.end();
}

// "label         words words,
//                words" within the width of the terminal.
std::string labelled(const std::string& label, const std::vector<std::string>& items,
                     const TextStyle& style) {
    const std::size_t room =
        style.width == 0 ? 0 : std::max<std::size_t>(style.width, kLabelWidth + 26);
    std::string text = "  " + style.faint(padRight(label, kLabelWidth));
    std::size_t at = kLabelWidth + 2;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::string item = i + 1 < items.size() ? items[i] + "," : items[i];
        const std::size_t columns = displayWidth(item);
        if (i > 0 && room > 0 && at + 1 + columns > room) {
            text += "\n" + std::string(kLabelWidth + 2, ' ');
            at = kLabelWidth + 2;
        } else if (i > 0) {
            text += " ";
            ++at;
        }
        const std::size_t left = room > at ? room - at : 0;
        text += room > 0 && columns > left ? fitWidth(item, left) : item;
        at += columns;
    }
    return text + "\n";
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

std::string runText(const Trace& trace, const TextStyle& style) {
    const RunInfo& info = trace.info();
    const ImportLog& log = trace.log();
    const std::string name = std::filesystem::path(info.path).filename().string();
    std::string text = style.heading(printable(name)) + "\n";
    text += labelled("file", {printable(info.path)}, style);
    text += labelled("format", {printable(info.format)}, style);
    text += labelled("size", {sizes(info)}, style);
    text += labelled(
        "events",
        {fmt::format(
            "{}, {} skipped", formatCount(static_cast<std::int64_t>(log.events)),
            log.skipped == 0 ? "none" : formatCount(static_cast<std::int64_t>(log.skipped)))},
        style);
    const TimeSpan extent = trace.extent();
    text += labelled("length", {formatDuration(extent.duration())}, style);
    if (info.baseTimeNs) {
        text += labelled("first event", {formatUtc(*info.baseTimeNs + extent.start)}, style);
        text += labelled("base time", {formatUtc(*info.baseTimeNs)}, style);
    }
    for (const DeviceProperties& device : info.devices) {
        text += labelled(&device == &info.devices.front() ? "devices" : "", {deviceLine(device)},
                         style);
    }
    if (info.distributed) {
        const DistributedInfo& distributed = *info.distributed;
        text += labelled("distributed",
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
    return others.empty() ? text : text + labelled("other keys", others, style);
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
