// SPDX-License-Identifier: Apache-2.0
#include "core/compare/gate/FailOn.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/compare/CompareText.h"
#include "core/stats/Verdict.h"
#include "core/text/Printable.h"
#include "core/text/Units.h"

namespace kinetoscope::compare {

namespace {

// Ratios of exactly 1.1 come out a little on either side of 10 %.
constexpr double kGateRounding = 1e-9;

std::optional<double> parsedPercent(std::string_view text) {
    double percent = 0.0;
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, percent);
    const bool isNumber = parsed.ec == std::errc() && parsed.ptr == end;
    return isNumber && std::isfinite(percent) && percent >= 0.0 ? std::optional(percent)
                                                                : std::nullopt;
}

bool isMore(const Change& change, double percent) {
    const auto found = change.percent();
    return found ? *found >= percent - kGateRounding : change.value.candidate > 0.0;
}

std::string givenAs(const FailCondition& condition) {
    return fmt::format("(--fail-on {})", condition.text);
}

std::string cannotTest(const FailCondition& condition, std::string_view reason) {
    return fmt::format("--fail-on {} cannot be tested: {}", condition.text, reason);
}

void testChange(const std::optional<Change>& change, const std::string& name,
                const std::string& missing, const FailCondition& condition, GateOutcome& outcome) {
    if (!change) {
        outcome.untested.push_back(cannotTest(condition, missing));
    } else if (isMore(*change, condition.percent)) {
        outcome.failed.push_back(fmt::format("{} {}, {} {}", name, timesText(*change),
                                             percentText(*change), givenAs(condition)));
    }
}

// What broke would else count as what did not get slower.
void refuseFailed(const GateFigures& figures, const FailCondition& condition,
                  GateOutcome& outcome) {
    if (!figures.failed.empty()) {
        const std::size_t more = figures.failed.size() - 1;
        outcome.untested.push_back(cannotTest(
            condition,
            fmt::format("only the baseline measured {}{}", figures.failed.front(),
                        more == 0 ? std::string() : fmt::format(" (and {} more)", more))));
    }
}

void testRows(const GateFigures& figures, const FailCondition& condition, GateOutcome& outcome) {
    if (figures.tested == 0) {
        outcome.untested.push_back(cannotTest(
            condition, figures.compared == 0
                           ? "nothing has a match on the other side"
                           : fmt::format("no row has {} pairs or runs, as a verdict needs",
                                         stats::VerdictRule{}.leastPairs)));
        return;
    }
    const std::size_t slower = figures.slower(condition.percent);
    if (slower > 0) {
        outcome.failed.push_back(fmt::format(
            "{} of {} {} SLOWER{} {}", slower, figures.rows, slower == 1 ? "is" : "are",
            condition.percent > 0.0 ? fmt::format(" by {:g} % or more", condition.percent) : "",
            givenAs(condition)));
    }
}

}  // namespace

Result<FailCondition> parseFailCondition(std::string_view text) {
    static constexpr std::array<std::pair<std::string_view, FailKind>, 3> kWords{
        {{"slower", FailKind::Slower}, {"step", FailKind::Step}, {"total", FailKind::Total}}};
    const std::size_t colon = std::min(text.find(':'), text.size());
    const auto word = std::ranges::find(kWords, text.substr(0, colon),
                                        &std::pair<std::string_view, FailKind>::first);
    if (word != kWords.end()) {
        const bool isBare = colon == text.size();
        const auto percent = isBare ? std::optional(0.0) : parsedPercent(text.substr(colon + 1));
        const double least = word->second == FailKind::Slower ? 0.0 : kGateRounding;
        if (percent && *percent >= least) {
            return FailCondition{word->second, *percent, std::string(text)};
        }
    }
    return fail(fmt::format(
        "'{}' is not slower, slower:PERCENT, step:PERCENT or total:PERCENT, as in step:10", text));
}

bool needsRows(std::span<const FailCondition> conditions) {
    return std::ranges::any_of(conditions, [](const FailCondition& condition) {
        return condition.kind != FailKind::Step;
    });
}

std::optional<double> slowerPercent(std::span<const FailCondition> conditions) {
    std::optional<double> least;
    for (const FailCondition& condition : conditions) {
        if (condition.kind == FailKind::Slower && condition.percent > 0.0) {
            least = std::min(least.value_or(condition.percent), condition.percent);
        }
    }
    return least;
}

GateFigures gateFigures(const Comparison& comparison) {
    const std::size_t rows = comparison.kernels.size();
    GateFigures figures;
    figures.rows = fmt::format("{} {}", rows, rowNoun(comparison.results, rows));
    figures.compared = rows;
    figures.tested = static_cast<std::size_t>(std::ranges::count_if(
        comparison.kernels,
        [](const KernelChange& kernel) { return kernel.speedup.interval.has_value(); }));
    for (const KernelOfOneSide& row : comparison.onlyBase) {
        if (!row.failed.empty()) {
            figures.failed.push_back(
                fmt::format("'{}': {}", text::printable(row.name), text::printable(row.failed)));
        }
    }
    figures.slower = [&comparison](double percent) {
        return std::ranges::count_if(comparison.kernels, [&](const KernelChange& kernel) {
            return kernel.verdict == stats::Verdict::Slower &&
                   100.0 * (1.0 / kernel.speedup.q50 - 1.0) >= percent - kGateRounding;
        });
    };
    figures.stepNs = comparison.stepTimeNs;
    const auto [base, candidate] = comparison.stepCount;
    figures.noStep = comparison.results      ? "a result of a bench has no steps"
                     : base + candidate == 0 ? "the traces have no steps"
                     : base == 0             ? "the baseline has no steps"
                                             : "the candidate has no steps";
    figures.totalNs = comparison.kernelTimeNs;
    figures.totalName = fmt::format("{} time", rowNoun(comparison.results));
    return figures;
}

GateOutcome gateOutcome(const GateFigures& figures, std::span<const FailCondition> conditions) {
    GateOutcome outcome;
    for (const FailCondition& condition : conditions) {
        switch (condition.kind) {
            case FailKind::Slower:
                testRows(figures, condition, outcome);
                refuseFailed(figures, condition, outcome);
                break;
            case FailKind::Step:
                testChange(figures.stepNs, "step", figures.noStep, condition, outcome);
                break;
            case FailKind::Total:
                testChange(figures.totalNs, figures.totalName, figures.noTotal, condition, outcome);
                refuseFailed(figures, condition, outcome);
                break;
        }
    }
    return outcome;
}

}  // namespace kinetoscope::compare
