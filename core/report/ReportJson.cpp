// SPDX-License-Identifier: Apache-2.0
#include "core/report/ReportJson.h"

#include <array>
#include <cmath>

#include "core/json/Json.h"
#include "core/report/AchievedColumns.h"
#include "core/report/Figures.h"
#include "core/report/OperatorText.h"
#include "core/report/RooflineOutput.h"
#include "core/text/Units.h"
#include "core/trace/ImportIssues.h"

namespace kinetoscope::report {

namespace {

using Json = nlohmann::ordered_json;

std::string written(const Json& json) {
    return json::jsonText(json, 2);
}

// Values of a file as they are; what is not JSON stays readable as text.
Json parsed(const std::string& text) {
    return json::parseOrderedJson(text).value_or(Json(text));
}

Json deviceJson(const trace::DeviceProperties& device) {
    return {{"id", device.id},
            {"name", device.name},
            {"total_memory_bytes", device.totalMemoryBytes},
            {"compute_major", device.computeMajor},
            {"compute_minor", device.computeMinor},
            {"multiprocessors", device.multiprocessors},
            {"warp_size", device.warpSize},
            {"max_threads_per_multiprocessor", device.maxThreadsPerMultiprocessor}};
}

Json runJson(const trace::Trace& trace) {
    const trace::RunInfo& info = trace.info();
    Json run{{"format", info.format},        {"file_bytes", info.fileBytes},
             {"text_bytes", info.textBytes}, {"start_ns", trace.extent().start},
             {"end_ns", trace.extent().end}, {"base_time_ns", nullptr},
             {"base_time", nullptr},         {"devices", Json::array()},
             {"distributed", nullptr},       {"fields", Json::object()}};
    if (info.baseTimeNs) {
        run["base_time_ns"] = *info.baseTimeNs;
        run["base_time"] = text::formatUtc(*info.baseTimeNs);
    }
    for (const trace::DeviceProperties& device : info.devices) {
        run["devices"].push_back(deviceJson(device));
    }
    if (info.distributed) {
        run["distributed"] = {{"backend", info.distributed->backend},
                              {"rank", info.distributed->rank},
                              {"world_size", info.distributed->worldSize}};
    }
    // No two fields have one key: none has to be looked for among all others.
    auto& fields = run["fields"].get_ref<Json::object_t&>();
    for (const trace::RunField& field : info.fields) {
        fields.push_back({field.key, parsed(field.json)});
    }
    return run;
}

const char* windowName(analysis::WindowKind kind) {
    static constexpr std::array<const char*, 4> kNames{"gpu", "trace", "step", "range"};
    return kNames[static_cast<std::size_t>(kind)];
}

const char* groupName(analysis::GroupBy group) {
    static constexpr std::array<const char*, 4> kNames{"inductor", "family", "operator", "stream"};
    return kNames[static_cast<std::size_t>(group)];
}

Json windowJson(const analysis::WindowChoice& choice) {
    Json window{{"kind", windowName(choice.kind)},
                {"description", analysis::describeWindow(choice)}};
    if (choice.kind == analysis::WindowKind::Step) {
        window["step"] = choice.step;
    } else if (choice.kind == analysis::WindowKind::Range) {
        window["range_start_ns"] = choice.range.start;
        window["range_end_ns"] = choice.range.end;
    }
    return window;
}

// The object that holds the last part of a figure's key.
Json& parentOf(std::string_view key, Json& gpu) {
    const std::size_t dot = key.find('.');
    return dot == std::string_view::npos ? gpu : gpu[std::string(key.substr(0, dot))];
}

void addFigure(const Figure& figure, const GpuReport& gpu, Json& json) {
    Json& parent = parentOf(figure.key, json);
    const std::string name(figure.name());
    std::visit([&](auto number) { parent[name] = number; }, figure.value(gpu));
    if (figure.place != nullptr) {
        const auto place = figure.place(gpu);
        const std::string stem = name.substr(0, name.rfind("_ns"));
        parent[stem + "_start_ns"] = place ? Json(place->start) : Json();
        parent[stem + "_end_ns"] = place ? Json(place->end) : Json();
    }
}

Json streamsJson(const std::vector<analysis::StreamReport>& streams) {
    Json rows = Json::array();
    for (const analysis::StreamReport& row : streams) {
        Json json{{"stream", row.stream}, {"operations", row.operations}, {"busy_ns", row.busyNs}};
        GpuReport alone;
        alone.streamGaps = row.gaps;
        for (const Figure& figure : gpuFigures()) {
            if (figure.group == FigureGroup::StreamGaps) {
                addFigure(figure, alone, json);
            }
        }
        rows.push_back(std::move(json));
    }
    return rows;
}

Json gapJson(const trace::Trace& trace, const analysis::NamedGap& gap) {
    Json json{{"start_ns", gap.span.start},
              {"end_ns", gap.span.end},
              {"reason", analysis::idleReasonName(gap.parts.mainReason())}};
    for (const analysis::IdleReason reason : analysis::kIdleReasons) {
        json[std::string(analysis::idleReasonName(reason)) + "_ns"] = gap.parts.of(reason);
    }
    const auto name = [&](trace::SliceId slice) {
        return slice == trace::kNoSlice ? Json() : Json(trace.name(slice));
    };
    json["host_activity"] = name(gap.host.slice);
    json["host_activity_kind"] = gap.host.slice == trace::kNoSlice
                                     ? Json()
                                     : Json(analysis::activityKind(trace, gap.host.slice));
    json["next"] = name(gap.next);
    return json;
}

Json gpuJson(const trace::Trace& trace, const GpuReport& gpu) {
    Json json{{"gpu", gpu.gpu},
              {"name", gpu.name},
              {"window_start_ns", gpu.window.start},
              {"window_end_ns", gpu.window.end}};
    for (const Figure& figure : gpuFigures()) {
        addFigure(figure, gpu, json);
    }
    if (!gpu.gaps.empty()) {
        json["gaps"] = Json::array();
        for (const analysis::NamedGap& gap : gpu.gaps) {
            json["gaps"].push_back(gapJson(trace, gap));
        }
    }
    json["streams"] = streamsJson(gpu.streams);
    return json;
}

Json kernelJson(const trace::Trace& trace, const analysis::KernelRow& row) {
    Json kernel{{"gpu", row.gpu},
                {"name", trace.text(row.name)},
                {"short_name", row.shortName},
                {"category", row.category},
                {"family", row.family},
                {"mm_conv", row.mmConv},
                {"count", row.count},
                {"total_ns", row.totalNs},
                {"mean_ns", row.meanNs},
                {"median_ns", row.medianNs},
                {"min_ns", row.minNs},
                {"max_ns", row.maxNs},
                {"std_ns", row.stdNs},
                {"grid", row.grid},
                {"block", row.block},
                {"registers", row.registers},
                {"shared_bytes", row.sharedBytes},
                {"occupancy", nullptr},
                {"shapes", row.shapes}};
    if (row.occupancyPercent >= 0) {
        kernel["occupancy"] = row.occupancyPercent;
    }
    return kernel;
}

Json stepJson(const analysis::Step& step) {
    Json gpus = Json::array();
    for (const analysis::StepGpu& gpu : step.gpus) {
        gpus.push_back({{"gpu", gpu.gpu}, {"busy_ns", gpu.busyNs}});
    }
    return {{"name", step.name},       {"number", step.number},       {"start_ns", step.span.start},
            {"end_ns", step.span.end}, {"cpu_end_ns", step.cpuEndNs}, {"busy_ns", step.busyNs},
            {"kernels", step.kernels}, {"gpus", std::move(gpus)}};
}

Json compatValue(const analysis::CompatReport& compat) {
    Json categories = Json::array();
    for (const analysis::CompatCategory& category : compat.categories) {
        Json kernels = Json::array();
        for (const analysis::CompatKernel& kernel : category.kernels) {
            kernels.push_back({{"key", kernel.key}, {"ms", kernel.ms}, {"count", kernel.count}});
        }
        categories.push_back({{"name", category.name},
                              {"total_ms", category.totalMs},
                              {"percent", 100.0 * category.totalMs / compat.wallMs},
                              {"kernels", std::move(kernels)}});
    }
    Json json{{"utilization", nullptr}, {"mm_conv_utilization", nullptr}};
    if (compat.utilization) {
        json["utilization"] = *compat.utilization;
    }
    if (compat.mmConvUtilization) {
        json["mm_conv_utilization"] = *compat.mmConvUtilization;
    }
    if (!compat.reason.empty()) {
        json["reason"] = compat.reason;
    }
    json["gpu_busy"] = compat.gpuBusy;
    json["wall_ms"] = compat.wallMs;
    json["wall_measured"] = compat.wallMeasured;
    json["runs"] = compat.runs;
    json["categories"] = std::move(categories);
    json["tabulate_line"] = compat.tabulateLine;
    return json;
}

Json importJson(const trace::ImportLog& log) {
    Json warnings = Json::array();
    for (const trace::ImportIssue& issue : log.sorted()) {
        warnings.push_back({{"name", issue.name},
                            {"severity", trace::severityName(issue.severity)},
                            {"count", issue.count},
                            {"first_offset", issue.firstOffset},
                            {"example", issue.example},
                            {"help", trace::importIssueHelp(issue.name)}});
    }
    return {{"events", log.events}, {"skipped", log.skipped}, {"warnings", std::move(warnings)}};
}

Json timingJson(const Timing& timing) {
    Json phases = Json::array();
    for (const PhaseTime& phase : timing.phases) {
        Json entry{{"name", phase.name}, {"seconds", phase.seconds}};
        if (phase.bytes > 0) {
            entry["bytes"] = phase.bytes;
            entry["bytes_per_second"] = static_cast<double>(phase.bytes) / phase.seconds;
        }
        phases.push_back(std::move(entry));
    }
    return {{"phases", std::move(phases)}, {"peak_memory_bytes", timing.peakMemoryBytes}};
}

Json countersJson(const trace::Trace& trace, const model::GpuCounters& counters) {
    Json kernels = Json::array();
    for (const model::MeasuredKernel& kernel : counters.kernels) {
        Json means = Json::array();
        for (std::size_t i = 0; i < counters.names.size(); ++i) {
            means.push_back(
                {{"counter", counters.names[i].counter},
                 {"series", counters.names[i].series},
                 {"mean", std::isnan(kernel.means[i]) ? Json() : Json(kernel.means[i])}});
        }
        kernels.push_back({{"name", trace.text(kernel.name)},
                           {"count", kernel.count},
                           {"time_ns", kernel.timeNs},
                           {"means", std::move(means)}});
    }
    return {{"gpu", counters.gpu}, {"kernels", std::move(kernels)}};
}

}  // namespace

std::string reportJson(const ReportDocument& document) {
    const trace::Trace& trace = *document.trace;
    const Report& report = document.report;
    Json json{{"schema", kReportSchema},
              {"file", trace.info().path},
              {"run", runJson(trace)},
              {"window", windowJson(document.options.window)},
              {"gpus", Json::array()},
              {"group", groupName(report.group)},
              {"categories", Json::array()},
              {"kernels", Json::array()},
              {"steps", Json::array()},
              {"compat", nullptr},
              {"import", importJson(trace.log())}};
    for (const GpuReport& gpu : report.gpus) {
        json["gpus"].push_back(gpuJson(trace, gpu));
        if (document.wallNs) {
            json["gpus"].back()["wall_ns"] = *document.wallNs;
        }
    }
    for (const analysis::CategoryRow& row : report.categories) {
        json["categories"].push_back({{"group", groupName(report.group)},
                                      {"name", row.name},
                                      {"total_ns", row.totalNs},
                                      {"count", row.count},
                                      {"percent_of_sum", row.percentOfSum}});
    }
    for (const analysis::KernelRow& row : shownKernels(document)) {
        json["kernels"].push_back(kernelJson(trace, row));
        if (document.achieved) {
            addAchieved(achievedBy(document, row), json["kernels"].back());
        }
    }
    for (const model::GpuCounters& counters : report.counters) {
        json["kernel_counters"].push_back(countersJson(trace, counters));
    }
    for (const analysis::Step& step : report.steps) {
        json["steps"].push_back(stepJson(step));
    }
    if (document.compat) {
        json["compat"] = compatValue(*document.compat);
    }
    if (document.roofline) {
        json["roofline"] = rooflineJson(*document.roofline, document.top);
    }
    if (document.operators) {
        json["operators"] = operatorsJson(document);
    }
    if (document.achieved) {
        json["achieved"] = achievedJson(*document.achieved);
    }
    if (document.ncu) {
        json["ncu"] = ncu::tableJson(trace, *document.ncu);
    }
    if (document.timing) {
        json["timing"] = timingJson(*document.timing);
    }
    return written(json);
}

std::string compatJson(const analysis::CompatReport& compat, const std::string& file) {
    Json json{{"schema", kCompatSchema}, {"file", file}};
    json.update(compatValue(compat));
    return written(json);
}

std::string jsonArray(std::span<const std::string> objects) {
    std::string text = "[";
    for (const std::string& object : objects) {
        text += text.size() > 1 ? ",\n" : "\n";
        text += object;
    }
    return text + "\n]\n";
}

}  // namespace kinetoscope::report
