// SPDX-License-Identifier: Apache-2.0
// Tools about several traces: two runs, the ranks of a job.
#include <fmt/format.h>

#include <algorithm>

#include "core/compare/CompareText.h"
#include "core/compare/Comparison.h"
#include "core/mcp/Tool.h"
#include "core/mcp/TraceAnswer.h"
#include "core/ranks/JobTables.h"
#include "core/ranks/JobText.h"

namespace kinetoscope::mcp {

namespace {

constexpr std::size_t kCellColumns = 60;
constexpr std::size_t kMaxNotes = 6;

struct ChangeRow {
    const compare::KernelChange* both = nullptr;
    const compare::KernelOfOneSide* one = nullptr;
    bool isNew = false;

    [[nodiscard]] double delta() const {
        return both != nullptr ? both->totalNs.delta() : (isNew ? 1.0 : -1.0) * one->totalNs;
    }
};

std::vector<ChangeRow> rowsOf(const compare::Comparison& comparison) {
    std::vector<ChangeRow> rows;
    rows.reserve(comparison.kernels.size());
    for (const compare::KernelChange& kernel : comparison.kernels) {
        rows.push_back({.both = &kernel});
    }
    for (const compare::KernelOfOneSide& kernel : comparison.onlyBase) {
        rows.push_back({.one = &kernel});
    }
    for (const compare::KernelOfOneSide& kernel : comparison.onlyCandidate) {
        rows.push_back({.one = &kernel, .isNew = true});
    }
    std::ranges::stable_sort(rows, std::greater<>(),
                             [](const ChangeRow& row) { return std::abs(row.delta()); });
    return rows;
}

Json changeJson(const ChangeRow& row) {
    if (row.one != nullptr) {
        return {{"name", shown(row.one->name)},
                {"verdict", row.isNew ? "NO MATCH IN BASELINE" : "NO MATCH IN CANDIDATE"},
                {"delta_ns", rounded(row.delta())},
                {"launches", row.one->count}};
    }
    const compare::KernelChange& kernel = *row.both;
    Json json{
        {"name", shown(kernel.name)},
        {"verdict", stats::verdictName(kernel.verdict)},
        {"delta_ns", rounded(row.delta())},
        {"total_ns", {rounded(kernel.totalNs.value.base), rounded(kernel.totalNs.value.candidate)}},
        {"launches", {kernel.count.base, kernel.count.candidate}},
        {"pairs", kernel.speedup.pairs}};
    if (kernel.speedup.pairs > 0) {
        json["speedup"] = rounded(kernel.speedup.q50);
    }
    if (kernel.speedup.interval) {
        json["speedup_95_percent"] = {rounded(kernel.speedup.interval->low),
                                      rounded(kernel.speedup.interval->high)};
    }
    return json;
}

Result<compare::Comparison> compareTraces(Workspace& workspace, const Call& call) {
    const auto base = workspace.trace(call.text("baseline"));
    const auto candidate = workspace.trace(call.text("candidate"));
    if (!base || !candidate) {
        return tl::unexpected(base ? candidate.error() : base.error());
    }
    const auto baseRun = (*base)->compared(call.stop);
    const auto candidateRun = (*candidate)->compared(call.stop);
    if (!baseRun || !candidateRun) {
        return tl::unexpected(baseRun ? candidateRun.error() : baseRun.error());
    }
    compare::CompareOptions options;
    options.stop = call.stop;
    return compare::compareRuns(compare::Baseline(*baseRun), compare::Candidate(*candidateRun),
                                options);
}

Result<Json> compareTool(Workspace& workspace, const Call& call) {
    const auto comparison = compareTraces(workspace, call);
    if (!comparison) {
        return tl::unexpected(comparison.error());
    }
    Json answer{{"baseline", call.text("baseline")},
                {"candidate", call.text("candidate")},
                {"verdicts", compare::verdictSummary(*comparison)},
                {"times", shown(compare::normalisationText(*comparison))},
                {"kernel_time_ns",
                 {rounded(comparison->kernelTimeNs.value.base),
                  rounded(comparison->kernelTimeNs.value.candidate)}},
                {"definition",
                 "Launches are paired: same kernel, same step, same ordinal. SLOWER or FASTER: the "
                 "95 % interval of the median change lies beyond 3 %; UNSURE: the evidence is not "
                 "enough. Lists are [baseline, candidate]; largest change first"}};
    if (comparison->stepTimeNs) {
        answer["step_time_ns"] = {rounded(comparison->stepTimeNs->value.base),
                                  rounded(comparison->stepTimeNs->value.candidate)};
    }
    for (const std::string& note : comparison->notes) {
        if (answer["notes"].size() < kMaxNotes) {
            answer["notes"].push_back(shown(note));
        }
    }
    const std::vector<ChangeRow> rows = rowsOf(*comparison);
    addRows(answer, "kernels", call.page, rows.size(),
            [&](std::size_t i) { return changeJson(rows[i]); });
    return answer;
}

Json rowOf(const ranks::PrintedTable& table, std::size_t row) {
    Json json;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        json[table.columns[i]] = shown(table.rows[row][i], kCellColumns);
    }
    return json;
}

Result<Json> ranksTool(Workspace& workspace, const Call& call) {
    const auto open = workspace.job(call.text("job"));
    if (!open) {
        return tl::unexpected(open.error());
    }
    const ranks::Job& job = (*open)->job;
    Json answer{{"job", (*open)->id}};
    const std::string table = call.text("table");
    if (table.empty() || table == "answers") {
        answer["definition"] =
            "Who was late, how long the others waited, and why: most waiting first";
        if (job.answers.empty()) {
            answer["nothing"] = shown(ranks::noAnswerText(job), 400);
        }
        addRows(answer, "answers", call.page, job.answers.size(), [&](std::size_t i) {
            const ranks::Cause& cause = job.answers[i];
            return Json{{"text", shown(ranks::answerText(job, cause), 400)},
                        {"rank", job.records[cause.record].rank},
                        {"step", cause.step},
                        {"kind", ranks::causeKindName(cause.kind)},
                        {"late_ns", cause.ns()},
                        {"others_waited_ns", cause.blameNs}};
        });
        return answer;
    }
    const ranks::PrintedTable rows = table == "ranks"         ? ranks::rankTable(job)
                                     : table == "steps"       ? ranks::stepTable(job)
                                     : table == "collectives" ? ranks::collectiveTable(job)
                                                              : ranks::clockTable(job);
    answer["title"] = shown(rows.title);
    addRows(answer, table, call.page, rows.rows.size(),
            [&](std::size_t i) { return rowOf(rows, i); });
    return answer;
}

}  // namespace

std::vector<Tool> comparisonTools() {
    return {
        {"compare",
         "Compare two runs",
         "What changed between two open traces, kernel by kernel, with a verdict for each",
         {{"baseline", ParameterType::Text, "Id of the trace before, e.g. t1", true},
          {"candidate", ParameterType::Text, "Id of the trace after, e.g. t2", true}},
         true,
         compareTool},
        {"ranks",
         "Ranks of a job",
         "Which rank was late in which step, and why; tables of ranks, steps, collectives, clocks",
         {{"job", ParameterType::Text, "Id of an open job, e.g. j1", true},
          {"table",
           ParameterType::Text,
           "answers (the default), ranks, steps, collectives or clocks",
           false,
           {"answers", "ranks", "steps", "collectives", "clocks"}}},
         true,
         ranksTool},
    };
}

}  // namespace kinetoscope::mcp
