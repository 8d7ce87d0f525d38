// SPDX-License-Identifier: Apache-2.0
// Tools that answer what a step's length is made of, and how long it would be.
#include <algorithm>

#include "core/mcp/Tool.h"
#include "core/mcp/TraceAnswer.h"
#include "core/path/Paths.h"

namespace kinetoscope::mcp {

namespace {

constexpr std::size_t kNameColumns = 100;
constexpr std::size_t kMaxThen = 3;

Json partJson(const path::Part& part) {
    Json json{{"kind", path::partKindName(part.kind)},
              {"name", shown(part.name, kNameColumns)},
              {"ns", part.ns},
              {"stretches", part.count}};
    if (part.slice != trace::kNoSlice) {
        json["longest_id"] = part.slice;
    }
    return json;
}

/// A step of a trace: by its number; without one the longest.
struct AskedStep {
    OpenTrace* open = nullptr;
    std::size_t row = 0;
    const path::StepPath* path = nullptr;
};

Result<AskedStep> askedStep(Workspace& workspace, const Call& call) {
    const auto open = workspace.trace(call.text("trace"));
    if (!open) {
        return tl::unexpected(open.error());
    }
    const auto graph = (*open)->graph(call.stop);
    if (!graph) {
        return tl::unexpected(graph.error());
    }
    const std::vector<path::GraphStep>& steps = (*graph)->steps;
    std::size_t row = (*graph)->longestStep();
    if (const auto step = call.arguments.find("step"); step != call.arguments.end()) {
        const auto found =
            std::ranges::find(steps, step->get<std::int64_t>(), &path::GraphStep::number);
        row = static_cast<std::size_t>(found - steps.begin());
    }
    if (row >= steps.size()) {
        return fail(steps.empty() ? "the trace has no step with a path"
                                  : "the trace has no such step; the tool steps lists them");
    }
    return (*open)->path(row, call.stop).map([&](const path::StepPath* path) {
        return AskedStep{*open, row, path};
    });
}

Json headOf(const Call& call, const path::StepPath& step) {
    return {{"trace", call.text("trace")},
            {"step", step.number},
            {"length_ns", step.span.duration()},
            {"inferred_percent", percent(step.inferred(), 1.0)}};
}

Result<Json> pathTool(Workspace& workspace, const Call& call) {
    const auto asked = askedStep(workspace, call);
    if (!asked) {
        return tl::unexpected(asked.error());
    }
    const path::StepPath& step = *asked->path;
    Json answer = headOf(call, step);
    answer["definition"] =
        "Traced back from the step's end along the dependency that finished last; the parts sum to "
        "its length. Shortening anything off the path does not shorten the step. inferred_percent: "
        "share of the path whose dependencies are inferred, not recorded";
    addRows(answer, "parts", call.page, step.parts.size(),
            [&](std::size_t i) { return partJson(step.parts[i]); });
    return answer;
}

Result<Json> whatIfTool(Workspace& workspace, const Call& call) {
    std::vector<path::Change> changes;
    for (const Json& text : call.arguments.at("changes")) {
        auto change = path::parseChange(text.get_ref<const std::string&>());
        if (!change) {
            return tl::unexpected(change.error());
        }
        changes.push_back(std::move(*change));
    }
    const auto asked = askedStep(workspace, call);
    if (!asked) {
        return tl::unexpected(asked.error());
    }
    const auto changed = asked->open->whatIf(asked->row, changes, call.stop);
    if (!changed) {
        return tl::unexpected(changed.error());
    }
    const path::StepPath& step = *asked->path;
    Json answer = headOf(call, step);
    answer["replayed_ns"] = step.replayedNs;
    answer["definition"] =
        "Scales durations and replays the step: an upper bound of what a change can gain. Each "
        "change alone, then all together";
    addRows(answer, "what_if", call.page, (*changed)->size(), [&](std::size_t i) {
        const path::ChangedStep& after = (**changed)[i];
        Json row{{"change", shown(after.change)},
                 {"length_ns", after.lengthNs},
                 {"saves_ns", step.replayedNs - after.lengthNs},
                 {"critical_then", Json::array()}};
        if (!after.matches) {
            row["note"] = "nothing in this step matches the change";
        }
        for (std::size_t part = 0; part < std::min(kMaxThen, after.parts.size()); ++part) {
            row["critical_then"].push_back(partJson(after.parts[part]));
        }
        return row;
    });
    return answer;
}

}  // namespace

std::vector<Tool> pathTools() {
    const Parameter trace{"trace", ParameterType::Text, kTraceAbout, true};
    const Parameter step{"step", ParameterType::Number, "Its number (default: the longest step)"};
    return {
        {"path",
         "Critical path",
         "Critical path of a step: kernels by family, communication, copies, CPU by operator, "
         "launches, synchronisation, gaps",
         {trace, step},
         true,
         pathTool},
        {"what_if",
         "What if",
         "How long a step would be if durations were scaled by a factor F",
         {trace,
          step,
          {"changes", ParameterType::Texts,
           "kernel:/REGEX/=F, family:NAME=F, operator:/REGEX/=F, host=F, launch=F, comm=F, copy=F, "
           "wait=F or roof (kernels as fast as their work allows)",
           true}},
         true,
         whatIfTool},
    };
}

}  // namespace kinetoscope::mcp
