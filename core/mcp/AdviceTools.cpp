// SPDX-License-Identifier: Apache-2.0
// The tool that answers what to change first.
#include <algorithm>

#include "core/advise/Advise.h"
#include "core/mcp/Tool.h"
#include "core/mcp/TraceAnswer.h"

namespace kinetoscope::mcp {

namespace {

constexpr std::size_t kEventsOfMany = 3;  // of each finding, where all are listed
constexpr std::size_t kTodoColumns = 300;

Json eventsOf(const trace::Trace& trace, const advise::Finding& finding, std::size_t most) {
    Json events = Json::array();
    for (std::size_t i = 0; i < std::min(most, finding.events.size()); ++i) {
        const advise::FindingEvent& event = finding.events[i];
        Json row{{"name", shown(event.name)},
                 {"at_ns", event.span.start - trace.extent().start},
                 {"duration_ns", event.span.duration()}};
        if (event.slice != trace::kNoSlice) {
            row["id"] = event.slice;
        }
        events.push_back(std::move(row));
    }
    return events;
}

Json findingJson(const trace::Trace& trace, const advise::Finding& finding, bool whole) {
    Json json{{"rule", finding.rule}, {"title", shown(finding.title)}};
    if (!finding.abstained.empty()) {
        json["abstained"] = shown(finding.abstained, kTodoColumns);
        return json;
    }
    json["saves_ns"] = finding.saving.ns;
    json["mean_saves_ns"] = finding.saving.meanNs();
    json["percent_of_step"] =
        percent(static_cast<double>(finding.saving.ns), static_cast<double>(finding.saving.stepNs));
    json["steps"] = finding.saving.steps;
    json["of_steps"] = finding.saving.ofSteps;
    json["try"] = shown(finding.todo, kTodoColumns);
    if (whole) {
        json["what_if"] = shown(finding.whatIf, kTodoColumns);
    }
    for (const advise::Evidence& evidence : finding.evidence) {
        Json row{{"figure", shown(evidence.label)}, {"value", shown(evidence.value)}};
        if (whole) {
            row["definition"] = shown(evidence.definition, kTodoColumns);
            row["window"] = shown(evidence.window);
        }
        json["evidence"].push_back(std::move(row));
    }
    json["events"] = eventsOf(trace, finding, whole ? advise::kMaxEvents : kEventsOfMany);
    return json;
}

Result<Json> findings(Workspace& workspace, const Call& call) {
    const auto open = workspace.trace(call.text("trace"));
    if (!open) {
        return tl::unexpected(open.error());
    }
    const auto found = (*open)->advice(call.stop);
    if (!found) {
        return tl::unexpected(found.error());
    }
    const advise::Advice& advice = **found;
    const std::string rule = call.text("rule");
    std::vector<const advise::Finding*> rows;
    for (const advise::Finding& finding : advice.findings) {
        if (rule.empty() || finding.rule == rule) {
            rows.push_back(&finding);
        }
    }
    Json answer{{"trace", (*open)->id()},
                {"steps", advice.steps},
                {"mean_step_ns", advice.stepNs},
                {"definition",
                 "Where time could be saved, largest first. saves_ns: mean saving per step when "
                 "the step is replayed without it, an upper bound; savings overlap and do not add "
                 "up. Rules that could not be checked say why in abstained"}};
    answer["looked_and_found_nothing"] = advice.nothing;
    addRows(answer, "findings", call.page, rows.size(),
            [&](std::size_t i) { return findingJson((*open)->trace(), *rows[i], !rule.empty()); });
    return answer;
}

}  // namespace

std::vector<Tool> adviceTools() {
    Parameter rule{"rule", ParameterType::Text,
                   "Only the findings of this rule, with all their events and definitions"};
    for (const advise::RuleFacts& facts : advise::rules()) {
        rule.choices.push_back(facts.id);
    }
    return {{"findings",
             "Findings",
             "What to change first: what takes time that could be saved, how much at most, the "
             "figures and events that show it, and what to try",
             {{"trace", ParameterType::Text, kTraceAbout, true}, rule},
             true,
             findings}};
}

}  // namespace kinetoscope::mcp
