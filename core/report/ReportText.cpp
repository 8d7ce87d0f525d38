// SPDX-License-Identifier: Apache-2.0
#include "core/report/ReportText.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "core/report/AchievedColumns.h"
#include "core/text/Format.h"
#include "core/text/KernelLabel.h"
#include "core/text/Printable.h"
#include "core/text/Units.h"

namespace kinetoscope::report {

namespace {

constexpr std::size_t kMaxSteps = 24;
constexpr std::ptrdiff_t kAchievedAt = 2;  // behind the share of the sum

std::string counted(std::uint64_t number) {
    return text::formatCount(static_cast<std::int64_t>(number));
}

template <class T>
std::string dimensionsText(const std::array<T, 3>& size) {
    return size[0] == 0 ? "" : fmt::format("{}×{}×{}", size[0], size[1], size[2]);
}

TimeNs sumOf(std::span<const analysis::KernelRow> kernels) {
    TimeNs sum = 0;
    for (const analysis::KernelRow& kernel : kernels) {
        sum = addTime(sum, kernel.totalNs);
    }
    return sum;
}

std::vector<text::TextTable::Column> kernelColumns(const ReportDocument& document,
                                                   text::TimeUnit total,
                                                   const text::TextStyle& style) {
    const std::size_t nameColumns = std::clamp<std::size_t>(style.width * 2 / 5, 24, 64);
    std::vector<text::TextTable::Column> columns{
        {.title = fmt::format("total {}", total.name)},
        {.title = "% of sum"},
        {.title = "count", .droppable = 1},
        {.title = "mean µs", .droppable = 2},
        {.title = "median µs", .droppable = 4},
        {.title = "min µs", .droppable = 5},
        {.title = "max µs", .droppable = 3},
        {.title = "std µs", .droppable = 8},
        {.title = "grid", .droppable = 6},
        {.title = "block", .droppable = 7},
        {.title = "regs", .droppable = 9},
        {.title = "shared B", .droppable = 11},
        {.title = "occ. %", .droppable = 10},
        {.title = "shapes", .droppable = 12},
        {.title = "family", .rightAligned = false, .droppable = 13},
        {.title = "kernel",
         .rightAligned = false,
         .shrinkTo = nameColumns,
         .overflows = style.fullNames,
         .shorten = text::fitKernelLabel}};
    if (document.achieved) {
        std::vector<text::TextTable::Column> achieved;
        for (std::string& title : achievedTitles(total)) {
            achieved.push_back({.title = std::move(title)});
        }
        columns.insert(columns.begin() + kAchievedAt, achieved.begin(), achieved.end());
    }
    if (document.report.gpus.size() > 1) {
        columns.insert(columns.begin(), {.title = "GPU"});
    }
    return columns;
}

}  // namespace

const char* groupTitle(analysis::GroupBy group) {
    switch (group) {
        case analysis::GroupBy::Inductor:
            return "Inductor category";
        case analysis::GroupBy::Family:
            return "family";
        case analysis::GroupBy::Operator:
            return "operator";
        case analysis::GroupBy::Stream:
            return "stream";
    }
    return "";
}

std::string categoryText(const Report& report, const text::TextStyle& style) {
    if (report.categories.empty()) {
        return {};
    }
    TimeNs largest = 0;
    for (const analysis::CategoryRow& row : report.categories) {
        largest = std::max(largest, row.totalNs);
    }
    const text::TimeUnit unit = text::unitFor(largest);
    text::TextTable table(
        {{.title = groupTitle(report.group), .rightAligned = false, .shrinkTo = 20},
         {.title = fmt::format("total {}", unit.name)},
         {.title = "count"},
         {.title = "% of sum"},
         {.title = "", .rightAligned = false, .droppable = 2}});
    for (const analysis::CategoryRow& row : report.categories) {
        table.addRow({text::printable(row.name), text::inUnit(row.totalNs, unit),
                      counted(row.count), fmt::format("{:.2f}", row.percentOfSum),
                      text::shareBar(row.percentOfSum / 100.0, 20)});
    }
    return style.heading("GPU time by " + std::string(groupTitle(report.group))) + "\n" +
           table.text(style);
}

std::string kernelText(const ReportDocument& document, const text::TextStyle& style) {
    const auto kernels = shownKernels(document);
    if (kernels.empty()) {
        return {};
    }
    const auto sum = static_cast<double>(sumOf(document.report.kernels));
    const text::TimeUnit total = text::unitFor(kernels.front().totalNs);
    const std::vector<std::string> names = kernelNames(document, style.fullNames);
    const auto micro = [](auto ns) { return text::inUnit(ns, text::kMicroseconds); };
    text::TextTable table(kernelColumns(document, total, style));
    for (std::size_t at = 0; at < kernels.size(); ++at) {
        const analysis::KernelRow& row = kernels[at];
        const double percent = sum > 0 ? 100.0 * static_cast<double>(row.totalNs) / sum : 0.0;
        std::vector<std::string> cells{
            text::inUnit(row.totalNs, total),
            fmt::format("{:.2f}", percent),
            counted(row.count),
            micro(row.meanNs),
            micro(row.medianNs),
            micro(row.minNs),
            micro(row.maxNs),
            micro(row.stdNs),
            dimensionsText(row.grid),
            dimensionsText(row.block),
            row.registers > 0 ? fmt::format("{}", row.registers) : "",
            counted(row.sharedBytes),
            row.occupancyPercent >= 0 ? fmt::format("{}", row.occupancyPercent) : "",
            counted(row.shapes),
            row.family,
            text::printable(names[at])};
        if (document.achieved) {
            const auto achieved = achievedCells(achievedBy(document, row), total);
            cells.insert(cells.begin() + kAchievedAt, achieved.begin(), achieved.end());
        }
        if (document.report.gpus.size() > 1) {
            cells.insert(cells.begin(), trace::gpuNumber(row.gpu));
        }
        table.addRow(std::move(cells));
    }
    const std::size_t all = document.report.kernels.size();
    const std::string title =
        kernels.size() < all ? fmt::format("Top {} of {} kernels", kernels.size(), counted(all))
                             : fmt::format("{} {}", counted(all), all == 1 ? "kernel" : "kernels");
    std::string text = style.heading(title) + "\n" + table.text(style);
    if (document.achieved) {
        text += "\n";
        for (const std::string& line : achievedLines(*document.achieved)) {
            text += text::paragraph(line, style.width, 2);
        }
    }
    return text;
}

std::string stepText(const ReportDocument& document, const text::TextStyle& style) {
    const std::vector<analysis::Step>& steps = document.report.steps;
    if (steps.empty()) {
        return {};
    }
    TimeNs longest = 0;
    for (const analysis::Step& step : steps) {
        longest = std::max(longest, step.span.duration());
    }
    const text::TimeUnit unit = text::unitFor(longest);
    const TimeNs origin = document.trace->extent().start;
    text::TextTable table({{.title = "step", .rightAligned = false, .shrinkTo = 16},
                           {.title = fmt::format("start {}", unit.name), .droppable = 4},
                           {.title = fmt::format("length {}", unit.name)},
                           {.title = fmt::format("CPU {}", unit.name), .droppable = 2},
                           {.title = fmt::format("GPU busy {}", unit.name)},
                           {.title = "busy %"},
                           {.title = "kernels", .droppable = 3}});
    const std::size_t shown = document.top == 0 ? steps.size() : std::min(kMaxSteps, steps.size());
    for (const analysis::Step& step : std::span(steps).first(shown)) {
        const auto length = static_cast<double>(step.span.duration());
        const double busy = length > 0 ? 100.0 * static_cast<double>(step.busyNs) / length : 0.0;
        table.addRow({text::printable(step.name), text::inUnit(step.span.start - origin, unit),
                      text::inUnit(step.span.duration(), unit),
                      text::inUnit(step.cpuEndNs - step.span.start, unit),
                      text::inUnit(step.busyNs, unit), fmt::format("{:.2f}", busy),
                      counted(step.kernels)});
    }
    std::string text = style.heading(
        fmt::format("{} {}", counted(steps.size()), steps.size() == 1 ? "step" : "steps"));
    text += "\n" + table.text(style);
    if (shown < steps.size()) {
        text += style.faint(
            fmt::format("  … {} more; --top 0 shows all", counted(steps.size() - shown)));
        text += "\n";
    }
    return text;
}

std::string compatText(const analysis::CompatReport& compat) {
    std::string shares = "utilization: " + compat.reason;
    if (compat.utilization && compat.mmConvUtilization) {
        shares = fmt::format("utilization {:.2f} %, mm/conv utilization {:.2f} %",
                             100.0 * *compat.utilization, 100.0 * *compat.mmConvUtilization);
    }
    return compat.text + shares + "\n";
}

std::string timingText(const Timing& timing) {
    std::string text;
    for (const PhaseTime& phase : timing.phases) {
        text += fmt::format("{:<12} {:>9.3f} ms", phase.name, phase.seconds * 1e3);
        if (phase.bytes > 0 && phase.seconds > 0) {
            const double rate = static_cast<double>(phase.bytes) / phase.seconds;
            text += fmt::format("  {}/s", text::formatBytes(static_cast<std::uint64_t>(rate)));
        }
        text += "\n";
    }
    return text +
           fmt::format("{:<12} {:>12}\n", "peak memory", text::formatBytes(timing.peakMemoryBytes));
}

std::string reportText(const ReportDocument& document, const text::TextStyle& style) {
    std::vector<std::string> blocks{runText(*document.trace, style),
                                    importText(document.trace->log(), style)};
    for (const GpuReport& gpu : document.report.gpus) {
        blocks.push_back(gpuText(document, gpu, style));
    }
    if (document.report.gpus.empty()) {
        blocks.emplace_back("No GPU work: the file has no kernel, copy or memset.\n");
    }
    blocks.push_back(gapText(document, style));
    blocks.push_back(categoryText(document.report, style));
    blocks.push_back(kernelText(document, style));
    blocks.push_back(counterText(document, style));
    blocks.push_back(stepText(document, style));
    std::string text;
    for (const std::string& block : blocks) {
        text += text.empty() || block.empty() ? block : "\n" + block;
    }
    return text;
}

}  // namespace kinetoscope::report
