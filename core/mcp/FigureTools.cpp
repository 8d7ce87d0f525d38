// SPDX-License-Identifier: Apache-2.0
// Tools that answer with the figures and tables of one trace.
#include <fmt/format.h>

#include <algorithm>

#include "core/mcp/Tool.h"
#include "core/mcp/TraceAnswer.h"
#include "core/query/find/NameFilter.h"
#include "core/report/Explain.h"
#include "core/report/Figures.h"
#include "core/report/RooflineTable.h"

namespace kinetoscope::mcp {

namespace {

constexpr std::size_t kShapeColumns = 120;

const Parameter kTrace{"trace", ParameterType::Text, kTraceAbout, true};
const Parameter kWindow{"window", ParameterType::Text, kWindowAbout};
const Parameter kName{"name", ParameterType::Text,
                      "Only names that hold this text, or match this /regular expression/"};

Result<Json> summary(Workspace& workspace, const Call& call) {
    const auto requested = reportOf(workspace, call);
    if (!requested) {
        return tl::unexpected(requested.error());
    }
    const report::Report& report = *requested->report;
    struct Row {
        const report::GpuReport* gpu;
        const report::Figure* figure;
    };
    std::vector<Row> rows;
    for (const report::GpuReport& gpu : report.gpus) {
        for (const report::Figure& figure : report::gpuFigures()) {
            rows.push_back({&gpu, &figure});
        }
    }
    Json answer = headOf(*requested);
    addRows(answer, "figures", call.page, rows.size(), [&](std::size_t i) {
        const auto [gpu, figure] = rows[i];
        Json row{{"gpu", gpu->gpu}, {"figure", figure->key}};
        std::visit([&](auto value) { row["value"] = value; }, figure->value(*gpu));
        if (!figure->unit.empty()) {
            row["unit"] = figure->unit;
        }
        if (figure->isShare && !gpu->window.empty()) {
            row["percent_of_window"] = percent(static_cast<double>(figure->number(*gpu)),
                                               static_cast<double>(gpu->window.duration()));
        }
        if (gpu == &report.gpus.front()) {
            row["definition"] = figure->definition;
        }
        return row;
    });
    return answer;
}

Result<Json> kernels(Workspace& workspace, const Call& call) {
    const auto requested = reportOf(workspace, call);
    const auto filter = query::NameFilter::make(call.text("name"));
    if (!requested || !filter) {
        return tl::unexpected(requested ? filter.error() : requested.error());
    }
    const trace::Trace& trace = requested->open->trace();
    std::vector<const analysis::KernelRow*> rows;
    TimeNs all = 0;
    TimeNs chosen = 0;
    std::uint64_t launches = 0;
    for (const analysis::KernelRow& row : requested->report->kernels) {
        all = addTime(all, row.totalNs);
        if (filter->matches(trace.text(row.name))) {
            rows.push_back(&row);
            chosen = addTime(chosen, row.totalNs);
            launches += row.count;
        }
    }
    Json answer = headOf(*requested);
    answer["definition"] = "Kernels that start in the window, with full durations, most time first";
    answer["launches"] = launches;
    answer["total_ns"] = chosen;
    answer["percent_of_kernel_time"] =
        percent(static_cast<double>(chosen), static_cast<double>(all));
    addRows(answer, "kernels", call.page, rows.size(), [&](std::size_t i) {
        const analysis::KernelRow& row = *rows[i];
        Json json{{"name", shown(trace.text(row.name))},
                  {"gpu", row.gpu},
                  {"family", row.family},
                  {"launches", row.count},
                  {"total_ns", row.totalNs},
                  {"percent_of_kernel_time",
                   percent(static_cast<double>(row.totalNs), static_cast<double>(all))},
                  {"median_ns", row.medianNs},
                  {"min_ns", row.minNs},
                  {"max_ns", row.maxNs},
                  {"grid", row.grid},
                  {"block", row.block},
                  {"registers", row.registers}};
        if (row.occupancyPercent >= 0) {
            json["occupancy_percent"] = row.occupancyPercent;
        }
        return json;
    });
    return answer;
}

Result<Json> operators(Workspace& workspace, const Call& call) {
    const auto open = workspace.trace(call.text("trace"));
    const auto window = windowOf(call);
    const auto filter = query::NameFilter::make(call.text("name"));
    if (!open || !window || !filter) {
        return tl::unexpected(!open ? open.error() : !window ? window.error() : filter.error());
    }
    const auto found = (*open)->operators(*window, call.flag("by_shape"), call.stop);
    if (!found) {
        return tl::unexpected(found.error());
    }
    const analysis::OperatorTable& table = **found;
    std::vector<const analysis::OperatorRow*> rows;
    for (const analysis::OperatorRow& row : table.rows) {
        if (!row.onGpu && filter->matches(row.name)) {
            rows.push_back(&row);
        }
    }
    Json answer = headOf(**open, *window);
    answer["definition"] =
        "As key_averages() of torch.profiler, microseconds: self GPU time is of the work that the "
        "operator launched itself, GPU time with that of operators inside; most self GPU time "
        "first";
    answer["self_gpu_us_of_all"] = rounded(table.selfGpuUs);
    answer["self_cpu_us_of_all"] = rounded(table.selfCpuUs);
    addRows(answer, "operators", call.page, rows.size(), [&](std::size_t i) {
        const analysis::OperatorRow& row = *rows[i];
        Json json{{"name", shown(row.name)},
                  {"calls", row.count},
                  {"self_gpu_us", rounded(row.selfGpuUs)},
                  {"gpu_us", rounded(row.gpuUs)},
                  {"self_cpu_us", rounded(row.selfCpuUs)},
                  {"cpu_us", rounded(row.cpuUs)},
                  {"longest_id", row.longest}};
        if (call.flag("by_shape")) {
            json["shapes"] = shown(row.shapes, kShapeColumns);
        }
        return json;
    });
    return answer;
}

Result<Json> steps(Workspace& workspace, const Call& call) {
    const auto open = workspace.trace(call.text("trace"));
    if (!open) {
        return tl::unexpected(open.error());
    }
    const trace::Trace& trace = (*open)->trace();
    const auto report = (*open)->report({}, call.stop);  // that of any window has all
    if (!report) {
        return tl::unexpected(report.error());
    }
    const std::vector<analysis::Step>& all = (*report)->steps;
    Json answer{
        {"trace", (*open)->id()},
        {"definition",
         "From the start of ProfilerStep#N, or of a numbered annotation, to its end or the end of "
         "the GPU work it launched, whichever is later; busy: time in which any GPU was busy"}};
    addRows(answer, "steps", call.page, all.size(), [&](std::size_t i) {
        const analysis::Step& step = all[i];
        return Json{{"step", step.number},
                    {"name", shown(step.name, 60)},
                    {"at_ns", step.span.start - trace.extent().start},
                    {"length_ns", step.span.duration()},
                    {"busy_ns", step.busyNs},
                    {"kernels", step.kernels}};
    });
    return answer;
}

Result<Json> idle(Workspace& workspace, const Call& call) {
    const auto open = workspace.trace(call.text("trace"));
    const auto window = windowOf(call);
    if (!open || !window) {
        return tl::unexpected(open ? window.error() : open.error());
    }
    const trace::Trace& trace = (*open)->trace();
    const auto found = (*open)->idle(*window, call.stop);
    if (!found) {
        return tl::unexpected(found.error());
    }
    const analysis::IdleList& list = **found;
    Json answer = headOf(**open, *window);
    answer["definition"] =
        "Time without any operation of a GPU. host: the next operation was not launched yet; "
        "launch: the first 30 us after the start of its launch or of the gap, whichever is later; "
        "dependency: beyond them; the parts of all GPUs "
        "sum to their idle time";
    for (const analysis::IdleReason reason : analysis::kIdleReasons) {
        answer["idle_ns"][analysis::idleReasonName(reason)] = list.sum.of(reason);
    }
    answer["gaps_of_1_us_and_more"] = list.count;
    addRows(answer, "gaps", call.page, list.gaps.size(), [&](std::size_t i) {
        const analysis::NamedGap& gap = list.gaps[i];
        Json row{{"gpu", gap.gpu},
                 {"at_ns", gap.span.start - trace.extent().start},
                 {"length_ns", gap.span.duration()},
                 {"reason", analysis::idleReasonName(gap.parts.mainReason())}};
        if (gap.host.slice != trace::kNoSlice) {
            row["host_did"] = shown(trace.name(gap.host.slice));
            row["host_did_id"] = gap.host.slice;
        }
        if (gap.next != trace::kNoSlice) {
            row["next"] = shown(trace.name(gap.next));
            row["next_id"] = gap.next;
        }
        return row;
    });
    return answer;
}

Result<Json> roofline(Workspace& workspace, const Call& call) {
    const auto open = workspace.trace(call.text("trace"));
    const auto window = windowOf(call);
    if (!open || !window) {
        return tl::unexpected(open ? window.error() : open.error());
    }
    const std::string by = call.text("by");
    auto rowsBy = model::RooflineBy::Operator;
    for (const model::RooflineBy each :
         {model::RooflineBy::Shape, model::RooflineBy::Kernel, model::RooflineBy::Module}) {
        rowsBy = by == report::rooflineByName(each) ? each : rowsBy;
    }
    const auto found = (*open)->roofline(*window, rowsBy, call.stop);
    if (!found) {
        return tl::unexpected(found.error());
    }
    const model::Roofline& roofline = **found;
    Json answer = headOf(**open, *window);
    answer["definition"] =
        "FLOPs and bytes by shapes and types of the calls; efficiency: time at the roof of the GPU "
        "by that of the calls; recoverable: time of calls beyond that at the roof; most "
        "recoverable first";
    answer["coverage"] = report::coverageLine(roofline);
    for (const model::DeviceRoof& roof : roofline.roofs) {
        answer["roofs"].push_back(shown(report::roofLine(roof)));
    }
    answer["not_modelled"] = shown(report::uncoveredLine(roofline, 5), 400);
    addRows(answer, "rows", call.page, roofline.rows.size(), [&](std::size_t i) {
        const model::RooflineRow& row = roofline.rows[i];
        Json json{{"name", shown(row.name)}};
        if (!row.shapes.empty()) {
            json["shapes"] = shown(row.shapes, kShapeColumns);
        }
        json["count"] = row.count;
        json["time_ns"] = row.timeNs;
        json["tflop_per_s"] = row.hasFlops() ? Json(rounded(row.teraflopsPerSecond())) : Json();
        json["gb_per_s"] = rounded(row.gigabytesPerSecond());
        json["bound"] = model::boundName(row.bound);
        json["efficiency"] = row.efficiency ? Json(rounded(*row.efficiency)) : Json();
        json["recoverable_ns"] = row.recoverableNs ? Json(*row.recoverableNs) : Json();
        if (!row.note.empty()) {
            json["note"] = shown(row.note);
        }
        return json;
    });
    return answer;
}

Result<Json> explain(Workspace& /*workspace*/, const Call& call) {
    const std::string key = call.text("figure");
    std::vector<const report::FigureText*> rows;
    for (const report::FigureText& text : report::figureTexts()) {
        if (key.empty() || text.key == key) {
            rows.push_back(&text);
        }
    }
    if (rows.empty()) {
        return fail(
            fmt::format("'{}': no such figure; explain without one lists all", shown(key, 60)));
    }
    Json answer;
    addRows(answer, "figures", call.page, rows.size(), [&](std::size_t i) {
        return Json{{"figure", rows[i]->key},
                    {"title", rows[i]->title},
                    {"unit", rows[i]->unit},
                    {"definition", rows[i]->definition}};
    });
    return answer;
}

}  // namespace

std::vector<Tool> figureTools() {
    return {
        {"summary",
         "Summary",
         "How busy each GPU was, with what, and why it was idle: every figure with its definition",
         {kTrace, kWindow},
         true,
         summary},
        {"kernels",
         "Kernels",
         "The kernels of the window, most time first; with a name their count and sum too",
         {kTrace, kWindow, kName},
         true,
         kernels},
        {"operators",
         "Operators",
         "PyTorch operators with self and total CPU and GPU time",
         {kTrace,
          kWindow,
          kName,
          {"by_shape", ParameterType::Flag, "A row for each input shape (default: false)"}},
         true,
         operators},
        {"steps",
         "Steps",
         "The steps of the run, their lengths and busy time",
         {kTrace},
         true,
         steps},
        {"idle",
         "Idle gaps",
         "Why the GPUs were idle: sums by reason, then gaps, longest first, with the host's "
         "activity",
         {kTrace, kWindow},
         true,
         idle},
        {"roofline",
         "Roofline",
         "TFLOP/s and GB/s that were reached, what the GPU could do, and the time that is left",
         {kTrace,
          kWindow,
          {"by",
           ParameterType::Text,
           "Rows by operator (the default), shape, kernel or module",
           false,
           {"operator", "shape", "kernel", "module"}}},
         true,
         roofline},
        {"explain",
         "Define a figure",
         "Definition and unit of a figure, or of all",
         {{"figure", ParameterType::Text, "Its name, e.g. busy_ns"}},
         true,
         explain},
    };
}

}  // namespace kinetoscope::mcp
