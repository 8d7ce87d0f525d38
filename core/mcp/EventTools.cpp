// SPDX-License-Identifier: Apache-2.0
// Tools that answer with single events of a trace.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/base/Threads.h"
#include "core/mcp/Tool.h"
#include "core/mcp/TraceAnswer.h"
#include "core/query/CallContext.h"
#include "core/query/EventDetails.h"
#include "core/query/LaunchFlow.h"
#include "core/query/find/FilterSlices.h"
#include "core/query/find/Search.h"

namespace kinetoscope::mcp {

namespace {

constexpr std::size_t kMaxParents = 12;
constexpr std::size_t kMaxWork = 8;
constexpr std::size_t kValueColumns = 300;

Json sliceJson(OpenTrace& open, trace::SliceId slice) {
    const trace::Trace& trace = open.trace();
    return {{"id", slice},
            {"name", shown(trace.name(slice))},
            {"category", shown(trace.categoryText(trace.categoryId(slice)), 40)},
            {"row", shown(open.rows().whole(open.lanes().trackOf(slice)), 60)},
            {"at_ns", trace.start(slice) - trace.extent().start},
            {"duration_ns", trace.duration(slice)}};
}

// Slices that run in the window, of all GPUs together, by start.
Result<std::vector<trace::SliceId>> slicesOf(const trace::Trace& trace, const Call& call) {
    const auto window = windowOf(call);
    if (!window) {
        return tl::unexpected(window.error());
    }
    const auto span = analysis::windowSpan(trace, *window);
    if (!span) {
        return tl::unexpected(span.error());
    }
    std::vector<trace::SliceId> slices;
    if (const std::string name = call.text("name"); !name.empty()) {
        auto found = query::findSlices(trace, name, call.stop);
        if (!found) {
            return tl::unexpected(found.error());
        }
        slices = std::move(*found);
    } else {
        slices.resize(trace.sliceCount());
        std::iota(slices.begin(), slices.end(), trace::SliceId{0});
    }
    query::SliceFilter filter;
    filter.overlaps = *span;
    slices = query::filterSlices(trace, slices, filter, call.stop);
    if (const std::string category = call.text("category"); !category.empty()) {
        std::erase_if(slices, [&](trace::SliceId slice) {
            return trace.categoryText(trace.categoryId(slice)) != category;
        });
    }
    throwIfStopped(call.stop);
    return slices;
}

Result<Json> events(Workspace& workspace, const Call& call) {
    const auto open = workspace.trace(call.text("trace"));
    if (!open) {
        return tl::unexpected(open.error());
    }
    const trace::Trace& trace = (*open)->trace();
    auto slices = slicesOf(trace, call);
    if (!slices) {
        return tl::unexpected(slices.error());
    }
    TimeNs sum = 0;
    for (const trace::SliceId slice : *slices) {
        sum = addTime(sum, trace.duration(slice));
    }
    const bool byStart = call.text("sort") == "start";
    // Rows behind the page are of no interest: only as many are put in order.
    constexpr std::size_t kRowBytes = 40;
    const std::size_t wanted =
        std::min(slices->size(), call.page.first + bytesOf(call.page.tokens) / kRowBytes);
    std::ranges::partial_sort(*slices, slices->begin() + static_cast<std::ptrdiff_t>(wanted), {},
                              [&](trace::SliceId slice) {
                                  return std::pair(
                                      byStart ? trace.start(slice) : -trace.duration(slice), slice);
                              });
    Json answer = headOf(**open, *windowOf(call));
    answer["definition"] =
        "Slices that run in the window, with full durations; nested slices count in their parents "
        "too";
    answer["sum_ns"] = sum;
    if (!slices->empty()) {
        answer["mean_ns"] = rounded(static_cast<double>(sum) / static_cast<double>(slices->size()));
    }
    addRows(answer, "events", call.page, slices->size(),
            [&](std::size_t i) { return sliceJson(**open, (*slices)[i]); });
    return answer;
}

Json nameAndId(const trace::Trace& trace, trace::SliceId slice) {
    return {{"id", slice}, {"name", shown(trace.name(slice))}};
}

void addContext(OpenTrace& open, trace::SliceId slice, Json& answer) {
    const trace::Trace& trace = open.trace();
    const auto context =
        query::callContext(open.lanes(), slice, query::arrowsOf(open.lanes(), slice));
    const auto add = [&](const char* key, trace::SliceId of) {
        if (of != trace::kNoSlice) {
            answer[key] = nameAndId(trace, of);
        }
    };
    add("launched_by", context.call);
    add("operator", context.launcher);
    add("forward_operator", context.forward);
    add("module", context.module);
    add("python", context.python);
}

void addParents(OpenTrace& open, trace::SliceId slice, Json& answer) {
    for (const trace::SliceId parent : query::enclosingSlices(open.lanes(), slice, kMaxParents)) {
        answer["parents"].push_back(nameAndId(open.trace(), parent));
    }
}

void addGpuWork(OpenTrace& open, trace::SliceId slice, Json& answer) {
    const query::GpuWork work = query::gpuWorkInside(open.lanes(), slice, kMaxWork);
    if (work.count == 0) {
        return;
    }
    Json longest = Json::array();
    for (const trace::SliceId each : work.longest) {
        longest.push_back(nameAndId(open.trace(), each));
    }
    answer["gpu_work"] = {
        {"operations", work.count}, {"sum_ns", work.total}, {"longest", std::move(longest)}};
}

Result<Json> event(Workspace& workspace, const Call& call) {
    const auto open = workspace.trace(call.text("trace"));
    if (!open) {
        return tl::unexpected(open.error());
    }
    const trace::Trace& trace = (*open)->trace();
    const auto id = call.arguments.at("id").get<std::uint64_t>();
    if (id >= trace.sliceCount()) {
        return fail(
            fmt::format("no event {}: ids are below {}; the tools events and idle list them", id,
                        trace.sliceCount()));
    }
    const auto slice = static_cast<trace::SliceId>(id);
    Json answer = sliceJson(**open, slice);
    if (trace::isGpuOperation(trace.category(slice))) {
        addContext(**open, slice, answer);
    } else {
        addParents(**open, slice, answer);
        addGpuWork(**open, slice, answer);
    }
    const auto details = query::eventDetails(trace, slice);
    if (!details) {
        return tl::unexpected(details.error());
    }
    addRows(answer, "fields", call.page, details->size(), [&](std::size_t i) {
        const query::DetailRow& row = (*details)[i];
        return Json{{"key", shown(row.key, 80)},
                    {"value", shown(row.value, kValueColumns)},
                    {"level", row.level}};
    });
    return answer;
}

}  // namespace

std::vector<Tool> eventTools() {
    const Parameter trace{"trace", ParameterType::Text, kTraceAbout, true};
    return {
        {"events",
         "Events",
         "Slices of any row that run in the window, by name or category, with their count and sum",
         {trace,
          {"window", ParameterType::Text, kWindowAbout},
          {"name", ParameterType::Text,
           "Only names that hold this text, or match this /regular expression/"},
          {"category", ParameterType::Text,
           "Only of this category: kernel, gpu_memcpy, cpu_op, cuda_runtime, user_annotation, "
           "python_function…"},
          {"sort",
           ParameterType::Text,
           "duration, the longest first (the default), or start",
           false,
           {"duration", "start"}}},
         true,
         events},
        {"event",
         "One event",
         "All that the file says of an event; of GPU work what launched it, of the host's slices "
         "their parents and the GPU work inside",
         {trace, {"id", ParameterType::Number, "Its id, from another answer", true}},
         true,
         event},
    };
}

}  // namespace kinetoscope::mcp
