// SPDX-License-Identifier: Apache-2.0
#include "core/advise/Advise.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <future>
#include <iterator>
#include <ranges>
#include <thread>

#include "core/advise/Replays.h"
#include "core/advise/Rule.h"
#include "core/base/Threads.h"
#include "core/path/MakeGraph.h"
#include "core/text/Format.h"

namespace kinetoscope::advise {

namespace {

// What saves less of a step is not worth a line.
constexpr double kMinPart = 0.005;
// A finding in fewer of the steps counts accordingly less beside one of all steps.
constexpr double kRareSteps = 0.1;
constexpr std::string_view kNoGpuWork = "the trace has no kernels, copies or memsets";

const std::array kRules{hostBoundRule(),      syncCallsRule(),     slowProductsRule(),
                        belowRoofRule(),      communicationRule(), tinyKernelsRule(),
                        pageableCopiesRule(), allocatorRule(),     exposedCopiesRule(),
                        dataLoaderRule(),     unevenStepsRule(),   unfilledGpuRule(),
                        layoutRule(),         recomputationRule(), clockDropsRule(),
                        profilerGapsRule(),   stragglersRule()};

double weightOf(const Finding& finding) {
    const Saving& saving = finding.saving;
    const double part = static_cast<double>(saving.steps) /
                        static_cast<double>(std::max<std::size_t>(1, saving.ofSteps));
    return static_cast<double>(saving.ns) * std::min(1.0, part / kRareSteps);
}

template <class Findings>
std::vector<NodeChange> changesOf(const Findings& findings) {
    std::vector<NodeChange> changes;
    for (const Finding& finding : findings) {
        changes.insert(changes.end(), finding.changes.begin(), finding.changes.end());
    }
    std::ranges::stable_sort(changes, {}, &NodeChange::node);
    return changes;
}

/// What all rules found, before it is replayed.
std::vector<Finding> look(const Material& material, const AdviceOptions& options) {
    std::array<Found, kRules.size()> found;
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> done = 0;
    runOnThreads(std::max(1U, std::thread::hardware_concurrency()), [&] {
        for (std::size_t i = next++; i < kRules.size(); i = next++) {
            throwIfStopped(options.stop);
            found[i] = kRules[i].ofGpuWork && material.trace().gpuOperations().empty()
                           ? Found{{}, std::string(kNoGpuWork)}
                           : kRules[i].look(material);
            for (Finding& finding : found[i].findings) {
                sortChanges(finding.changes);
            }
            ++done;
            if (options.progress != nullptr) {
                options.progress->set(done);
            }
        }
    });
    std::vector<Finding> findings;
    for (std::size_t i = 0; i < kRules.size(); ++i) {
        const RuleFacts& facts = kRules[i].facts;
        for (Finding& finding : found[i].findings) {
            finding.rule = facts.id;
            findings.push_back(std::move(finding));
        }
        if (!found[i].abstained.empty()) {
            Finding& finding = findings.emplace_back();
            finding.rule = facts.id;
            finding.title = facts.title;
            finding.abstained = std::move(found[i].abstained);
        }
    }
    return findings;
}

void replay(const Replays& replays, const std::stop_token& stop, std::vector<Finding>& findings) {
    std::vector<Changes> each;
    std::ranges::transform(findings, std::back_inserter(each), &Finding::changes);
    const std::vector<Saving> savings = replays.saved(each, stop);
    for (std::size_t i = 0; i < findings.size(); ++i) {
        findings[i].saving = savings[i];
    }
}

bool isWorthALine(const Finding& finding) {
    return !finding.abstained.empty() || static_cast<double>(finding.saving.ns) >
                                             kMinPart * static_cast<double>(finding.saving.stepNs);
}

Result<Advice> findIn(const path::Graph& graph, const path::Tables& tables,
                      const Result<model::LaunchedCalls>& calls, const AdviceOptions& options) {
    if (graph.steps.empty()) {
        return fail("has no steps and no GPU work with a recorded launch: nothing to analyse");
    }
    auto replays = Replays::of(graph);
    if (!replays) {
        return tl::unexpected(replays.error());
    }
    const Material material(graph, tables, calls, options.stop);
    Advice advice{.findings = look(material, options),
                  .nothing = {},
                  .steps = graph.steps.size(),
                  .hasSteps = material.hasSteps(),
                  .stepNs = replays->meanStepNs(),
                  .firstEventNs = material.trace().extent().start,
                  .together = {}};
    replay(*replays, options.stop, advice.findings);
    std::erase_if(advice.findings, [](const Finding& finding) { return !isWorthALine(finding); });
    sortFindings(advice.findings);
    advice.together = replays->saved({changesOf(advice.findings)}, options.stop).front();
    for (const Rule& rule : kRules) {
        if (std::ranges::find(advice.findings, rule.facts.id, &Finding::rule) ==
            advice.findings.end()) {
            advice.nothing.push_back(rule.facts.id);
        }
    }
    return advice;
}

// The work of calls is found beside the graph.
Result<Advice> find(const trace::Trace& trace, const AdviceOptions& options) {
    if (options.progress != nullptr) {
        options.progress->start(kRules.size());
    }
    const path::Tables tables(trace);
    auto calls = std::async(kBeside, [&] {
        return model::findLaunchedCalls(trace, {.links = &tables.links, .stop = options.stop});
    });
    if (options.graph != nullptr) {
        return findIn(*options.graph, tables, calls.get(), options);
    }
    const auto graph = path::makeGraph(tables, options.stop);
    return graph ? findIn(*graph, tables, calls.get(), options) : tl::unexpected(graph.error());
}

}  // namespace

void sortFindings(std::vector<Finding>& findings) {
    const auto groupOf = [](const Finding& finding) {
        return !finding.abstained.empty() ? 2 : finding.rule == kProfilerGaps ? 1 : 0;
    };
    std::ranges::stable_sort(findings, [&](const Finding& a, const Finding& b) {
        return groupOf(a) != groupOf(b) ? groupOf(a) < groupOf(b) : weightOf(a) > weightOf(b);
    });
}

std::string shareOf(TimeNs part, TimeNs whole) {
    return text::formatPercent(static_cast<double>(part), static_cast<double>(whole));
}

std::string countOf(std::uint64_t count) {
    return text::formatCount(static_cast<std::int64_t>(count));
}

std::string perStep(std::uint64_t count, std::size_t steps) {
    const double each = static_cast<double>(count) / static_cast<double>(steps);
    return count % steps == 0 || each >= 100.0 ? countOf(count / steps)
                                               : fmt::format("{:.2g}", each);
}

std::string durationPerStep(TimeNs ns, std::size_t steps) {
    return text::formatDuration(ns / static_cast<TimeNs>(steps));
}

std::string timesOf(std::uint64_t count, std::size_t steps) {
    return count == steps ? "once" : perStep(count, steps) + " times";
}

std::span<const RuleFacts> rules() {
    static const std::vector<RuleFacts> kFacts = [] {
        std::vector<RuleFacts> facts;
        std::ranges::transform(kRules, std::back_inserter(facts), &Rule::facts);
        return facts;
    }();
    return kFacts;
}

Result<Advice> findAdvice(const trace::Trace& trace, const AdviceOptions& options) {
    return guarded([&] { return find(trace, options); }, trace.info().path);
}

Result<Saving> combine(const path::Graph& graph, std::span<const Finding* const> findings,
                       const std::stop_token& stop) {
    return guarded([&]() -> Result<Saving> {
        auto replays = Replays::of(graph);
        if (!replays) {
            return tl::unexpected(replays.error());
        }
        const auto each = std::views::transform(
            findings, [](const Finding* finding) -> const Finding& { return *finding; });
        return replays->saved({changesOf(each)}, stop).front();
    });
}

}  // namespace kinetoscope::advise
