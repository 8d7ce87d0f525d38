// SPDX-License-Identifier: Apache-2.0
#include "core/advise/Advise.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <ranges>

#include "core/advise/Rule.h"
#include "core/base/Threads.h"
#include "core/path/MakeGraph.h"
#include "core/text/Format.h"

namespace kinetoscope::advise {

namespace {

// What saves less of a step is not worth a line.
constexpr double kLeastPart = 0.005;
// A finding in fewer of the steps counts accordingly less beside one of all steps.
constexpr double kRareSteps = 0.1;

const std::array kRules{
    hostBoundRule(),     syncCallsRule(),   slowProductsRule(),   belowRoofRule(),
    communicationRule(), tinyKernelsRule(), pageableCopiesRule(), allocatorRule(),
    dataLoaderRule(),    unevenStepsRule(), unfilledGpuRule(),    layoutRule(),
    recomputationRule(), clockDropsRule(),  profilerGapsRule(),   stragglersRule()};

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

void addFound(const Rule& rule, Found found, Material& material, Advice& advice) {
    const std::size_t before = advice.findings.size();
    for (Finding& finding : found.findings) {
        sortChanges(finding.changes);
        finding.rule = rule.facts.id;
        finding.saving = material.replays().saved(finding.changes, material.stop());
        if (static_cast<double>(finding.saving.ns) >
            kLeastPart * static_cast<double>(finding.saving.stepNs)) {
            advice.findings.push_back(std::move(finding));
        }
    }
    if (!found.abstained.empty()) {
        Finding& finding = advice.findings.emplace_back();
        finding.rule = rule.facts.id;
        finding.title = rule.facts.title;
        finding.abstained = std::move(found.abstained);
    }
    if (advice.findings.size() == before) {
        advice.nothing.push_back(rule.facts.id);
    }
}

Result<Advice> findIn(const path::Graph& graph, const AdviceOptions& options) {
    if (graph.steps.empty()) {
        return fail("has neither steps nor GPU work that a call launched: nothing to look at");
    }
    auto replays = Replays::of(graph);
    if (!replays) {
        return tl::unexpected(replays.error());
    }
    Material material(graph, *replays, options.stop);
    Advice advice{.findings = {},
                  .nothing = {},
                  .steps = graph.steps.size(),
                  .hasSteps = material.hasSteps(),
                  .stepNs = replays->meanStepNs(),
                  .firstEventNs = material.trace().extent().start,
                  .together = {}};
    if (options.progress != nullptr) {
        options.progress->start(kRules.size());
    }
    for (std::size_t i = 0; i < kRules.size(); ++i) {
        throwIfStopped(options.stop);
        addFound(kRules[i], kRules[i].look(material), material, advice);
        if (options.progress != nullptr) {
            options.progress->set(i + 1);
        }
    }
    sortFindings(advice.findings);
    advice.together = replays->saved(changesOf(advice.findings), options.stop);
    return advice;
}

}  // namespace

void sortFindings(std::vector<Finding>& findings) {
    std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) {
        return a.abstained.empty() != b.abstained.empty() ? a.abstained.empty()
                                                          : weightOf(a) > weightOf(b);
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
    return guarded(
        [&]() -> Result<Advice> {
            if (options.graph != nullptr) {
                return findIn(*options.graph, options);
            }
            const auto graph = path::makeGraph(trace, options.stop);
            return graph ? findIn(*graph, options) : tl::unexpected(graph.error());
        },
        trace.info().path);
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
        return replays->saved(changesOf(each), stop);
    });
}

}  // namespace kinetoscope::advise
