// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/Ascii.h"
#include "core/base/Demangle.h"
#include "core/base/SaturatedTime.h"
#include "core/compare/CompareText.h"
#include "core/text/Format.h"
#include "core/text/KernelLabel.h"
#include "core/text/Printable.h"
#include "core/text/Units.h"

namespace kinetoscope::compare {

std::string rowLabel(const std::string& name, bool full) {
    return text::printable(full ? demangledSignature(name) : text::kernelLabel(name));
}

std::string fitRowLabel(std::string_view label, std::size_t width) {
    const bool isCall = label.find(" (") != std::string_view::npos;
    return isCall ? text::fitEnd(label, width) : text::fitKernelLabel(label, width);
}

std::string shortRowLabel(const std::string& name, bool full) {
    constexpr std::size_t kWidth = 88;
    return full ? rowLabel(name, true) : fitRowLabel(rowLabel(name, false), kWidth);
}

namespace {

constexpr double kMinShown = 0.005;  // of two digits behind the point

}  // namespace

std::string_view rowNoun(const std::optional<ResultKind>& results, std::size_t count) {
    static constexpr std::array<std::array<std::string_view, 2>, 3> kNouns{
        {{"kernel", "kernels"}, {"call", "calls"}, {"runner", "runners"}}};
    return kNouns[static_cast<std::size_t>(results.value_or(ResultKind::Kernels))]
                 [count == 1 ? 0 : 1];
}

std::string capitalised(std::string_view word) {
    std::string title(word);
    title.front() = asciiUpper(title.front());
    return title;
}

std::string percentText(const Change& change) {
    const auto percent = change.percent();
    if (!percent) {
        return change.value.candidate > 0.0 ? "new" : "–";
    }
    return std::abs(*percent) < kMinShown ? "0 %" : fmt::format("{:+.2f} %", *percent);
}

std::string timesText(const Change& change) {
    const auto [base, candidate] = change.value;
    const text::TimeUnit unit =
        text::unitFor(saturatedTime(std::max(std::abs(base), std::abs(candidate))));
    return fmt::format("{} {} → {} {}", text::inUnit(base, unit), unit.name,
                       text::inUnit(candidate, unit), unit.name);
}

std::string stepsText(const Both<std::uint64_t>& steps) {
    return fmt::format("median of {} {} and {}", steps.base, steps.base == 1 ? "step" : "steps",
                       steps.candidate);
}

std::string shareText(double share) {
    const double tenths = std::round(1000.0 * share);
    return tenths == 0.0 ? "0.0" : fmt::format("{:.1f}", tenths / 10.0);
}

std::string countText(double count) {
    return count == std::floor(count) ? text::formatCount(static_cast<std::int64_t>(count))
                                      : fmt::format("{:.1f}", count);
}

std::vector<std::string> partTexts(const std::vector<KernelPart>& parts, bool full) {
    std::vector<std::string> texts;
    for (const KernelPart& part : parts) {
        const std::string label = shortRowLabel(part.name, full);
        // Triton's operator is the kernel itself.
        const bool tells = !part.op.empty() && part.op != part.name;
        texts.push_back(
            fmt::format("{}× {}", countText(part.count),
                        tells ? fmt::format("{} ({})", text::printable(part.op), label) : label));
    }
    return texts;
}

std::string verdictSummary(const Comparison& comparison) {
    std::string text;
    for (const stats::Verdict verdict : {stats::Verdict::Slower, stats::Verdict::Faster,
                                         stats::Verdict::Same, stats::Verdict::Unsure}) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                            countVerdict(comparison, verdict).kernels, stats::verdictName(verdict));
    }
    return text;
}

std::string normalisationText(const Comparison& comparison) {
    if (comparison.results) {
        static constexpr std::array<const char*, 3> kPer{"per launch", "per call", "per loop"};
        return kPer[static_cast<std::size_t>(*comparison.results)];
    }
    const auto [base, candidate] = comparison.stepCount;
    const char* per = comparison.per == Normalisation::Step ? "per step" : "per run";
    return base + candidate == 0 ? per
                                 : fmt::format("{} (baseline {} {}, candidate {})", per, base,
                                               base == 1 ? "step" : "steps", candidate);
}

}  // namespace kinetoscope::compare
