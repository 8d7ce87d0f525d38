// SPDX-License-Identifier: Apache-2.0
#include "core/compare/CompareText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/SaturatedTime.h"
#include "core/report/Figures.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"
#include "core/text/Units.h"

namespace kinetoscope::compare {

namespace {

constexpr std::size_t kMaxParts = 12;

template <class T>
std::span<const T> shown(const std::vector<T>& rows, std::size_t top) {
    return std::span(rows).first(top == 0 ? rows.size() : std::min(top, rows.size()));
}

std::string title(const std::string& what, std::size_t shownRows, std::size_t all) {
    return shownRows < all ? fmt::format("{} (top {} of {})", what, shownRows, all)
                           : fmt::format("{} ({})", what, all);
}

text::TimeUnit unitOf(double a, double b) {
    return text::unitFor(saturatedTime(std::max(std::abs(a), std::abs(b))));
}

std::string signedTime(double ns, text::TimeUnit unit) {
    return (ns > 0.0 ? "+" : "") + text::inUnit(ns, unit);
}

std::string timesPart(const Comparison& comparison, const text::TextStyle& style) {
    const TimeChange& sum = comparison.breakdown;
    const Change& window = sum.of("window_ns");
    const text::TimeUnit unit = unitOf(window.value.base, window.value.candidate);
    text::TextTable table({{.title = "", .rightAligned = false},
                           {.title = fmt::format("baseline {}", unit.name)},
                           {.title = fmt::format("candidate {}", unit.name)},
                           {.title = fmt::format("change {}", unit.name)},
                           {.title = "change"}});
    for (const report::Figure& figure : report::gpuFigures()) {
        if (!figure.isCompared) {
            continue;
        }
        const Change& change = comparison.breakdown.of(figure.name());
        table.addRow({report::midSentence(figure.label), text::inUnit(change.value.base, unit),
                      text::inUnit(change.value.candidate, unit), signedTime(change.delta(), unit),
                      percentText(change)});
    }
    return style.heading("Time") + "\n" + table.text(style);
}

std::string counts(const Both<double>& count) {
    return count.base == count.candidate
               ? countText(count.base)
               : fmt::format("{} → {}", countText(count.base), countText(count.candidate));
}

std::string intervalText(const Speedup& speedup) {
    return speedup.interval
               ? fmt::format("{:.3f} … {:.3f}", speedup.interval->low, speedup.interval->high)
               : "";
}

std::string kernelsPart(const Comparison& comparison, const CompareTextOptions& options,
                        const text::TextStyle& style) {
    const auto rows = shown(comparison.kernels, options.top);
    if (rows.empty()) {
        return {};
    }
    double largest = 0.0;
    for (const KernelChange& row : rows) {
        largest = std::max({largest, row.totalNs.value.base, row.totalNs.value.candidate});
    }
    const text::TimeUnit unit = unitOf(largest, 0.0);
    const std::size_t nameColumns = std::clamp<std::size_t>(style.width * 2 / 5, 24, 64);
    text::TextTable table({{.title = "verdict", .rightAligned = false},
                           {.title = fmt::format("change {}", unit.name)},
                           {.title = "change"},
                           {.title = "% of change", .droppable = 4},
                           {.title = fmt::format("baseline {}", unit.name), .droppable = 2},
                           {.title = fmt::format("candidate {}", unit.name), .droppable = 3},
                           {.title = "count", .droppable = 1},
                           {.title = "speedup", .droppable = 1},
                           {.title = "20 %", .droppable = 7},
                           {.title = "80 %", .droppable = 7},
                           {.title = "interval", .droppable = 6},
                           {.title = "match", .rightAligned = false, .droppable = 5},
                           {.title = std::string(rowNoun(comparison.results)),
                            .rightAligned = false,
                            .shrinkTo = nameColumns,
                            .overflows = style.fullNames,
                            .shorten = fitRowLabel}});
    for (const KernelChange& row : rows) {
        const auto quantile = [&](double value) {
            return row.speedup.pairs > 0 ? fmt::format("{:.3f}", value) : "";
        };
        table.addRow({std::string(stats::verdictName(row.verdict)),
                      signedTime(row.totalNs.delta(), unit), percentText(row.totalNs),
                      shareText(row.shareOfChange), text::inUnit(row.totalNs.value.base, unit),
                      text::inUnit(row.totalNs.value.candidate, unit), counts(row.count),
                      quantile(row.speedup.q50), quantile(row.speedup.q20),
                      quantile(row.speedup.q80), intervalText(row.speedup),
                      std::string(matchName(row.match)), rowLabel(row.name, options.fullNames)});
    }
    return style.heading(title(capitalised(rowNoun(comparison.results, 2)) + " of both",
                               rows.size(), comparison.kernels.size())) +
           "\n" + table.text(style);
}

// What kernels that were matched by operator are on either side.
std::string replacedPart(const Comparison& comparison, const CompareTextOptions& options,
                         const text::TextStyle& style) {
    std::string text;
    for (const KernelChange& row : shown(comparison.kernels, options.top)) {
        if (row.match != MatchKind::Operator) {
            continue;
        }
        text += fmt::format("  {}  {}\n", text::padRight(stats::verdictName(row.verdict), 6),
                            rowLabel(row.name, options.fullNames));
        for (const bool base : {true, false}) {
            auto items = partTexts(base ? row.parts.base : row.parts.candidate, options.fullNames);
            if (items.size() > kMaxParts) {
                const std::size_t rest = items.size() - kMaxParts;
                items.resize(kMaxParts);
                items.push_back(fmt::format("and {} more", rest));
            }
            text += text::labelledItems(base ? "  was" : "  is", items, style);
        }
    }
    return text.empty() ? text : style.heading("Renamed, replaced and fused") + "\n" + text;
}

std::string onlyPart(const char* what, std::string_view noun,
                     const std::vector<KernelOfOneSide>& kernels, const CompareTextOptions& options,
                     const text::TextStyle& style) {
    if (kernels.empty()) {
        return {};
    }
    const auto rows = shown(kernels, options.top);
    const text::TimeUnit unit = unitOf(rows.front().totalNs, 0.0);
    text::TextTable table({{.title = fmt::format("total {}", unit.name)},
                           {.title = "count"},
                           {.title = std::string(noun),
                            .rightAligned = false,
                            .shrinkTo = 24,
                            .overflows = style.fullNames,
                            .shorten = fitRowLabel}});
    for (const KernelOfOneSide& kernel : rows) {
        table.addRow({text::inUnit(kernel.totalNs, unit), countText(kernel.count),
                      rowLabel(kernel.name, options.fullNames) +
                          (kernel.reason.empty() ? "" : ": " + text::printable(kernel.reason))});
    }
    return "\n" + style.heading(title(what, rows.size(), kernels.size())) + "\n" +
           table.text(style);
}

std::string stepsPart(const Comparison& comparison, const CompareTextOptions& options,
                      const text::TextStyle& style) {
    if (comparison.steps.empty()) {
        return {};
    }
    text::TextTable table({{.title = "step", .rightAligned = false, .shrinkTo = 16},
                           {.title = "baseline ms"},
                           {.title = "candidate ms"},
                           {.title = "change"},
                           {.title = "busy", .droppable = 2},
                           {.title = "kernels", .droppable = 3},
                           {.title = "kernel speedup", .droppable = 1},
                           {.title = "kernels are", .rightAligned = false}});
    const auto rows = shown(comparison.steps, options.top);
    for (const StepChange& step : rows) {
        table.addRow({text::printable(step.name.base == step.name.candidate
                                          ? step.name.base
                                          : step.name.base + " / " + step.name.candidate),
                      text::inUnit(step.durationNs.value.base, text::kMilliseconds),
                      text::inUnit(step.durationNs.value.candidate, text::kMilliseconds),
                      percentText(step.durationNs), percentText(step.busyNs),
                      counts({static_cast<double>(step.kernels.base),
                              static_cast<double>(step.kernels.candidate)}),
                      step.speedup.pairs > 0 ? fmt::format("{:.3f}", step.speedup.q50) : "",
                      std::string(stats::verdictName(step.verdict))});
    }
    return "\n" + style.heading(title("Steps", rows.size(), comparison.steps.size())) + "\n" +
           table.text(style);
}

}  // namespace

std::string compareText(const Comparison& comparison, const CompareTextOptions& options,
                        const text::TextStyle& style) {
    std::string text = style.heading(text::printable(comparison.file.candidate) + " against " +
                                     text::printable(comparison.file.base)) +
                       "\n";
    const std::string_view noun = rowNoun(comparison.results);
    text += fmt::format("  {} time {} ({}), {}\n", noun, timesText(comparison.kernelTimeNs),
                        percentText(comparison.kernelTimeNs), normalisationText(comparison));
    if (comparison.stepTimeNs) {
        text += fmt::format("  step {} ({}), {}\n", timesText(*comparison.stepTimeNs),
                            percentText(*comparison.stepTimeNs), stepsText(comparison.stepCount));
    }
    text += fmt::format("  {} of {} {}; a change within ±{:g} % is SAME\n",
                        verdictSummary(comparison), comparison.kernels.size(),
                        rowNoun(comparison.results, comparison.kernels.size()),
                        100.0 * comparison.tolerance);
    for (const std::string& note : comparison.notes) {
        text += "  " + style.warning(text::printable(note)) + "\n";
    }
    if (!comparison.results) {
        text += "\n" + timesPart(comparison, style);
    }
    for (const std::string& part :
         {kernelsPart(comparison, options, style), replacedPart(comparison, options, style)}) {
        text += part.empty() ? "" : "\n" + part;
    }
    return text +
           onlyPart("Without a match in the candidate", noun, comparison.onlyBase, options, style) +
           onlyPart("Without a match in the baseline", noun, comparison.onlyCandidate, options,
                    style) +
           stepsPart(comparison, options, style);
}

std::string selfText(const std::vector<SelfCheck>& checks, double tolerance,
                     const text::TextStyle& style) {
    text::TextTable table({{.title = "compared", .rightAligned = false, .shrinkTo = 44},
                           {.title = "kernels"},
                           {.title = "FASTER"},
                           {.title = "SLOWER"},
                           {.title = "SAME"},
                           {.title = "UNSURE"},
                           {.title = "false alarms"},
                           {.title = "UNSURE of time"}});
    for (const SelfCheck& check : checks) {
        const auto count = [&](stats::Verdict verdict) {
            return fmt::format("{}", check.count[static_cast<std::size_t>(verdict)]);
        };
        const auto name = [](const std::string& path) {
            return std::filesystem::path(path).filename().string();
        };
        const std::string what = check.kind == "runs"
                                     ? name(check.file.base) + " and " + name(check.file.candidate)
                                     : name(check.file.base) + ", halves of its " + check.kind;
        table.addRow({text::printable(what), fmt::format("{}", check.kernels),
                      count(stats::Verdict::Faster), count(stats::Verdict::Slower),
                      count(stats::Verdict::Same), count(stats::Verdict::Unsure),
                      fmt::format("{:.2f} %", check.falseAlarmPercent()),
                      fmt::format("{:.2f} %", check.unsureTimePercent())});
    }
    return style.heading("Compared with itself") + "\n" + table.text(style) +
           fmt::format(
               "  changes within ±{:g} % are SAME; every FASTER or SLOWER is a false alarm\n",
               100.0 * tolerance);
}

}  // namespace kinetoscope::compare
