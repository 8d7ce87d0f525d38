// SPDX-License-Identifier: Apache-2.0
#include "core/advise/Stragglers.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/advise/Rule.h"
#include "core/base/SaturatedTime.h"
#include "core/ranks/JobText.h"
#include "core/text/Format.h"

namespace kinetoscope::advise {

namespace {

constexpr std::string_view kStragglers = "stragglers";

Found findStragglers(const Material& material) {
    const auto& distributed = material.trace().info().distributed;
    return distributed && distributed->worldSize > 1
               ? Found{{}, "it needs the traces of all ranks: kscope advise FOLDER"}
               : Found{};
}

/// Mean length of the cause's steps, of the rank that took longest in each.
TimeNs stepLength(const ranks::Job& job, const ranks::Cause& cause) {
    if (cause.step < 0) {  // outside of steps: all of the trace is one
        return job.records[cause.record].extent.duration();
    }
    double sum = 0.0;
    double count = 0.0;
    for (const ranks::JobStep& step : job.steps) {
        if (step.number >= cause.step && step.number <= cause.lastStep && !step.lengthNs.empty()) {
            sum +=
                static_cast<double>(std::max<TimeNs>(0, *std::ranges::max_element(step.lengthNs)));
            count += 1.0;
        }
    }
    return count > 0.0 ? saturatedTime(sum / count) : 0;
}

// Neither more than the rank was late by, nor more than others waited for it.
Saving savingOf(const ranks::Job& job, const ranks::Cause& cause) {
    const auto steps = static_cast<TimeNs>(std::max<std::size_t>(1, cause.steps));
    const TimeNs waited = cause.blameNs / static_cast<TimeNs>(cause.waiting);
    const TimeNs length = stepLength(job, cause);
    return {.ns = std::min({cause.ns() / steps, waited / steps, length}),
            .stepNs = length,
            .steps = cause.steps,
            .ofSteps = std::max(job.steps.size(), cause.steps)};
}

/// The cause's steps on the rank itself, by time.
std::vector<FindingEvent> stepsOf(const ranks::RankRecord& record, const ranks::Cause& cause) {
    std::vector<FindingEvent> events;
    for (const ranks::RankStep& step : record.steps) {
        if (step.number >= cause.step && step.number <= cause.lastStep &&
            events.size() < kMaxEvents) {
            events.push_back({trace::kNoSlice, step.span, fmt::format("step {}", step.number)});
        }
    }
    return events;
}

Finding findingOf(const ranks::Job& job, const ranks::Cause& cause, std::int64_t rank) {
    const ranks::RankRecord& record = job.records[cause.record];
    Finding finding;
    finding.rule = kStragglers;
    finding.title = ranks::answerText(job, cause);
    finding.todo = fmt::format("Look at the trace of rank {} there: {}", record.rank, record.file);
    finding.whatIf =
        "the rank takes as long as the median rank, but saves no more than it was late or the "
        "others waited for it";
    finding.saving = savingOf(job, cause);
    finding.rank = record.rank;
    if (record.rank == rank) {
        finding.events = stepsOf(record, cause);
    }
    const std::string window = cause.step < 0 ? "whole trace"
                               : cause.steps > 1
                                   ? fmt::format("steps {} to {}", cause.step, cause.lastStep)
                                   : fmt::format("step {}", cause.step);
    finding.evidence = {
        {"longer than the median rank", text::formatDuration(cause.ns()),
         "Time the rank spent between its collectives beyond the median rank", window},
        {"most of it", ranks::causeKindName(cause.kind), "", window},
        {"others waited", text::formatDuration(cause.blameNs),
         "Exposed time that other ranks spent waiting for this one in collectives, summed over "
         "ranks",
         window},
        {"ranks that waited", countOf(cause.waiting), "", window}};
    return finding;
}

}  // namespace

void addStragglers(Advice& advice, const ranks::Job& job, std::int64_t rank) {
    std::erase_if(advice.findings,
                  [](const Finding& finding) { return finding.rule == kStragglers; });
    for (Finding& finding : advice.findings) {
        finding.rank = rank;
    }
    const std::size_t before = advice.findings.size();
    for (const ranks::Cause& cause : job.answers) {
        if (cause.isFelt()) {
            advice.findings.push_back(findingOf(job, cause, rank));
        }
    }
    std::erase(advice.nothing, kStragglers);
    if (advice.findings.size() == before) {
        advice.nothing.push_back(kStragglers);
    }
    sortFindings(advice.findings);
}

Rule stragglersRule() {
    return {{kStragglers, "Stragglers",
             "A rank takes longer than the median rank before a collective, and the others wait "
             "for it there."},
            findStragglers,
            false};
}

}  // namespace kinetoscope::advise
