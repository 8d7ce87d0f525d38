// SPDX-License-Identifier: Apache-2.0
#include "core/report/ReportMarkdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "core/report/AchievedColumns.h"
#include "core/report/Figures.h"
#include "core/report/ReportText.h"
#include "core/text/Format.h"
#include "core/text/Markdown.h"
#include "core/text/Printable.h"
#include "core/text/Units.h"
#include "core/trace/ImportIssues.h"

namespace kinetoscope::report {

namespace {

std::string count(std::uint64_t number) {
    return text::formatCount(static_cast<std::int64_t>(number));
}

std::string row(std::initializer_list<std::string> cells) {
    return text::markdownRow(std::vector<std::string>(cells));
}

std::string runPart(const trace::Trace& trace) {
    const trace::RunInfo& info = trace.info();
    const std::string name = std::filesystem::path(info.path).filename().string();
    std::string text = "## " + text::markdownText(name) + "\n\n";
    text += fmt::format("- {}, {}, {} events, {}\n", text::markdownText(info.format),
                        text::formatBytes(info.fileBytes), count(trace.log().events),
                        skippedText(trace.log()));
    if (info.baseTimeNs) {
        text += "- first event " + text::formatUtc(*info.baseTimeNs, trace.extent().start) + "\n";
    }
    for (const trace::DeviceProperties& device : info.devices) {
        text += fmt::format("- GPU {}: {}\n", device.id, text::markdownText(device.name));
    }
    if (info.distributed) {
        text += fmt::format("- {}\n", text::markdownText(distributedText(*info.distributed)));
    }
    return text;
}

std::string importPart(const trace::ImportLog& log) {
    if (log.empty()) {
        return {};
    }
    std::string text = "\n### Import log\n\n" +
                       row({"severity", "what", "count", "first at byte", "example", "meaning"}) +
                       "| --- | --- | ---: | ---: | --- | --- |\n";
    for (const trace::ImportIssue& issue : log.sorted()) {
        text += row({std::string(trace::severityName(issue.severity)),
                     text::markdownText(issue.name), count(issue.count),
                     fmt::to_string(issue.firstOffset), text::markdownCode(issue.example),
                     text::markdownText(trace::importIssueHelp(issue.name))});
    }
    return text;
}

std::string figureRow(const Figure& figure, const GpuReport& gpu, TimeNs origin,
                      text::TimeUnit unit) {
    const std::int64_t number = figure.number(gpu);
    const std::string place = placeText(figure, gpu, origin);
    return row({text::markdownText(std::string(figure.label) + (place.empty() ? "" : ", " + place)),
                !figure.isTime() ? text::formatCount(number)
                : figure.isShare ? text::inUnit(number, unit) + " " + unit.name
                                 : text::formatDuration(number),
                figure.isShare ? text::formatPercent(static_cast<double>(number),
                                                     static_cast<double>(gpu.window.duration()))
                               : ""});
}

std::string gpuPart(const GpuReport& gpu, const ReportDocument& document) {
    const text::TimeUnit unit = text::unitFor(gpu.window.duration());
    std::string text = "\n### " + trace::gpuName(gpu.gpu);
    text += gpu.name.empty() ? "" : ", " + text::markdownText(gpu.name);
    text += fmt::format("\n\nWindow: {}.\n\n",
                        text::markdownText(analysis::describeWindow(document.options.window)));
    text += row({"", "value", "of window"}) + "| --- | ---: | ---: |\n";
    const TimeNs origin = document.trace->extent().start;
    for (const FigureGroup group :
         {FigureGroup::Busy, FigureGroup::Breakdown, FigureGroup::Idle, FigureGroup::StreamGaps,
          FigureGroup::Operations, FigureGroup::Launches}) {
        for (const Figure* figure : shownFigures(group, gpu)) {
            text += figureRow(*figure, gpu, origin, unit);
        }
    }
    if (document.wallNs) {
        text += row({"GPU busy of the wall time", "",
                     text::formatPercent(static_cast<double>(gpu.busyNs),
                                         static_cast<double>(*document.wallNs))});
    }
    return text;
}

std::string categoryPart(const Report& report) {
    if (report.categories.empty()) {
        return {};
    }
    std::string text = fmt::format("\n### GPU time by {}\n\n", groupTitle(report.group));
    text += row({groupTitle(report.group), "total ms", "count", "% of sum"}) +
            "| --- | ---: | ---: | ---: |\n";
    for (const analysis::CategoryRow& category : report.categories) {
        text += row({text::markdownText(category.name),
                     text::inUnit(category.totalNs, text::kMilliseconds), count(category.count),
                     fmt::format("{:.2f}", category.percentOfSum)});
    }
    return text;
}

std::string kernelPart(const ReportDocument& document, bool fullNames) {
    const auto kernels = shownKernels(document);
    if (kernels.empty()) {
        return {};
    }
    std::string text =
        fmt::format("\n### Kernels ({} of {})\n\n", kernels.size(), document.report.kernels.size());
    std::vector<std::string> titles{"GPU",     "kernel",    "family", "total ms", "count",
                                    "mean µs", "median µs", "min µs", "max µs"};
    std::string rule = "| ---: | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |";
    if (document.achieved) {
        for (const std::string& line : achievedLines(*document.achieved)) {
            text += "- " + text::markdownText(line) + "\n";
        }
        text += "\n";
        for (const std::string& title : achievedTitles(text::kMilliseconds)) {
            titles.push_back(text::markdownText(title));
            rule += " ---: |";
        }
    }
    text += text::markdownRow(titles) + rule + "\n";
    const std::vector<std::string> names = kernelNames(document, fullNames);
    for (std::size_t at = 0; at < kernels.size(); ++at) {
        const analysis::KernelRow& kernel = kernels[at];
        std::vector<std::string> cells{trace::gpuNumber(kernel.gpu),
                                       text::markdownCode(names[at]),
                                       text::markdownText(kernel.family),
                                       text::inUnit(kernel.totalNs, text::kMilliseconds),
                                       count(kernel.count),
                                       text::inUnit(kernel.meanNs, text::kMicroseconds),
                                       text::inUnit(kernel.medianNs, text::kMicroseconds),
                                       text::inUnit(kernel.minNs, text::kMicroseconds),
                                       text::inUnit(kernel.maxNs, text::kMicroseconds)};
        if (document.achieved) {
            std::ranges::move(achievedCells(achievedBy(document, kernel), text::kMilliseconds),
                              std::back_inserter(cells));
        }
        text += text::markdownRow(cells);
    }
    return text;
}

std::string stepPart(const ReportDocument& document) {
    if (document.report.steps.empty()) {
        return {};
    }
    const TimeNs origin = document.trace->extent().start;
    std::string text = "\n### Steps\n\n" +
                       row({"step", "start ms", "length ms", "GPU busy ms", "busy"}) +
                       "| --- | ---: | ---: | ---: | ---: |\n";
    for (const analysis::Step& step : document.report.steps) {
        text += row({text::markdownText(step.name),
                     text::inUnit(step.span.start - origin, text::kMilliseconds),
                     text::inUnit(step.span.duration(), text::kMilliseconds),
                     text::inUnit(step.busyNs, text::kMilliseconds),
                     text::formatPercent(static_cast<double>(step.busyNs),
                                         static_cast<double>(step.span.duration()))});
    }
    return text;
}

}  // namespace

std::string reportMarkdown(const ReportDocument& document, bool fullNames) {
    std::string text = runPart(*document.trace) + importPart(document.trace->log());
    for (const GpuReport& gpu : document.report.gpus) {
        text += gpuPart(gpu, document);
    }
    if (document.report.gpus.empty()) {
        text += "\nNo GPU work: the file has no kernel, copy or memset.\n";
    }
    return text + categoryPart(document.report) + kernelPart(document, fullNames) +
           stepPart(document);
}

}  // namespace kinetoscope::report
