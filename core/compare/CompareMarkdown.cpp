// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "core/compare/CompareText.h"
#include "core/report/Figures.h"
#include "core/text/Markdown.h"
#include "core/text/Units.h"

namespace kinetoscope::compare {

namespace {

std::string row(std::initializer_list<std::string> cells) {
    return text::markdownRow(std::vector<std::string>(cells));
}

std::string fileName(const std::string& path) {
    const std::string name = std::filesystem::path(path).filename().string();
    return text::markdownCode(name.empty() ? path : name);
}

std::string microseconds(double ns) {
    return text::inUnit(ns, text::kMicroseconds);
}

std::string folded(const std::string& title, const std::string& body) {
    return fmt::format("\n<details>\n<summary>{}</summary>\n\n{}\n</details>\n", title, body);
}

std::string kernelHead(std::string_view noun) {
    return row({"verdict", std::string(noun), "baseline µs", "candidate µs", "change", "count",
                "speedup", "interval", "match"}) +
           "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n";
}

std::string kernelRow(const KernelChange& kernel, bool full) {
    const Speedup& speedup = kernel.speedup;
    const std::string count =
        kernel.count.base == kernel.count.candidate
            ? countText(kernel.count.base)
            : countText(kernel.count.base) + " → " + countText(kernel.count.candidate);
    const std::string verdict(stats::verdictName(kernel.verdict));
    const bool isChange =
        kernel.verdict == stats::Verdict::Slower || kernel.verdict == stats::Verdict::Faster;
    return row({isChange ? "**" + verdict + "**" : verdict,
                text::markdownCode(shortRowLabel(kernel.name, full)),
                microseconds(kernel.totalNs.value.base),
                microseconds(kernel.totalNs.value.candidate), percentText(kernel.totalNs), count,
                speedup.pairs > 0 ? fmt::format("{:.3f}", speedup.q50) : "",
                speedup.interval
                    ? fmt::format("{:.3f} … {:.3f}", speedup.interval->low, speedup.interval->high)
                    : "",
                std::string(matchName(kernel.match))});
}

using KernelList = std::vector<const KernelChange*>;

std::string kernelTable(const KernelList& kernels, std::string_view noun,
                        const CompareTextOptions& options) {
    const std::size_t count =
        options.top == 0 ? kernels.size() : std::min(options.top, kernels.size());
    std::string text = kernelHead(noun);
    for (std::size_t i = 0; i < count; ++i) {
        text += kernelRow(*kernels[i], options.fullNames);
    }
    if (count < kernels.size()) {
        text += fmt::format("\nand {} more\n", kernels.size() - count);
    }
    return text;
}

std::string kernelsPart(const Comparison& comparison, const CompareTextOptions& options) {
    KernelList changed;
    KernelList others;
    for (const KernelChange& kernel : comparison.kernels) {
        const bool isChange =
            kernel.verdict == stats::Verdict::Slower || kernel.verdict == stats::Verdict::Faster;
        (isChange ? changed : others).push_back(&kernel);
    }
    std::ranges::stable_sort(changed, {}, [](const KernelChange* kernel) {
        return kernel->verdict == stats::Verdict::Slower ? 0 : 1;
    });
    const std::string_view noun = rowNoun(comparison.results);
    std::string text = changed.empty() ? fmt::format("\nNo {} is FASTER or SLOWER.\n", noun)
                                       : "\n" + kernelTable(changed, noun, options);
    if (!others.empty()) {
        text += folded(fmt::format("{} {}: SAME or UNSURE", others.size(),
                                   rowNoun(comparison.results, others.size())),
                       kernelTable(others, noun, options));
    }
    return text;
}

std::string codes(const std::vector<KernelPart>& parts, bool full) {
    std::string text;
    for (const std::string& part : partTexts(parts, full)) {
        text += (text.empty() ? "" : "<br>") + text::markdownCode(part);
    }
    return text;
}

std::string replacedPart(const Comparison& comparison, const CompareTextOptions& options) {
    std::string text;
    std::size_t rows = 0;
    for (const KernelChange& kernel : comparison.kernels) {
        if (kernel.match == MatchKind::Operator) {
            ++rows;
            text += row({std::string(stats::verdictName(kernel.verdict)),
                         codes(kernel.parts.base, options.fullNames),
                         codes(kernel.parts.candidate, options.fullNames)});
        }
    }
    return rows == 0 ? text
                     : folded(fmt::format("{} renamed, replaced or fused", rows),
                              row({"verdict", "was", "is"}) + "| --- | --- | --- |\n" + text);
}

std::string onlyPart(const char* where, const std::optional<ResultKind>& results,
                     const std::vector<KernelOfOneSide>& kernels, bool full) {
    if (kernels.empty()) {
        return {};
    }
    std::string text =
        row({std::string(rowNoun(results)), "total µs", "count"}) + "| --- | ---: | ---: |\n";
    for (const KernelOfOneSide& kernel : kernels) {
        text += row({text::markdownCode(shortRowLabel(kernel.name, full)) +
                         (kernel.reason.empty() ? "" : " " + text::markdownText(kernel.reason)),
                     microseconds(kernel.totalNs), countText(kernel.count)});
    }
    return folded(fmt::format("Without a match in the {} ({} {})", where, kernels.size(),
                              rowNoun(results, kernels.size())),
                  text);
}

std::string timesPart(const Comparison& comparison) {
    if (comparison.results) {
        return {};
    }
    std::string text = "\n" + row({"", "baseline ms", "candidate ms", "change"}) +
                       "| --- | ---: | ---: | ---: |\n";
    for (const report::Figure& figure : report::gpuFigures()) {
        if (figure.isCompared) {
            const Change& change = comparison.breakdown.of(figure.name());
            text += row({text::markdownText(report::midSentence(figure.label)),
                         text::inUnit(change.value.base, text::kMilliseconds),
                         text::inUnit(change.value.candidate, text::kMilliseconds),
                         percentText(change)});
        }
    }
    return text;
}

std::string stepsPart(const Comparison& comparison) {
    if (comparison.steps.empty()) {
        return {};
    }
    std::string text = row({"step", "baseline ms", "candidate ms", "change", "its kernels are"}) +
                       "| --- | ---: | ---: | ---: | --- |\n";
    for (const StepChange& step : comparison.steps) {
        text += row({text::markdownText(step.name.base),
                     text::inUnit(step.durationNs.value.base, text::kMilliseconds),
                     text::inUnit(step.durationNs.value.candidate, text::kMilliseconds),
                     percentText(step.durationNs), std::string(stats::verdictName(step.verdict))});
    }
    return folded(fmt::format("{} steps", comparison.steps.size()), text);
}

}  // namespace

std::string compareMarkdown(const Comparison& comparison, const CompareTextOptions& options) {
    std::string text = fmt::format(
        "## {} against {}\n\n**{} time {}**{}: {} of {} {}, {}; a change within "
        "±{:g} % is SAME.\n",
        fileName(comparison.file.candidate), fileName(comparison.file.base),
        capitalised(rowNoun(comparison.results)), percentText(comparison.kernelTimeNs),
        comparison.stepTimeNs ? fmt::format(", **Step {}**", percentText(*comparison.stepTimeNs))
                              : "",
        verdictSummary(comparison), comparison.kernels.size(),
        rowNoun(comparison.results, comparison.kernels.size()), normalisationText(comparison),
        100.0 * comparison.tolerance);
    for (const std::string& note : comparison.notes) {
        text += "\n- " + text::markdownText(note);
    }
    text += comparison.notes.empty() ? "" : "\n";
    return text + timesPart(comparison) + kernelsPart(comparison, options) +
           replacedPart(comparison, options) +
           onlyPart("candidate", comparison.results, comparison.onlyBase, options.fullNames) +
           onlyPart("baseline", comparison.results, comparison.onlyCandidate, options.fullNames) +
           stepsPart(comparison);
}

}  // namespace kinetoscope::compare
