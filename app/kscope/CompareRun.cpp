// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/CompareArguments.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/Warnings.h"
#include "core/compare/CompareInput.h"
#include "core/compare/CompareJson.h"
#include "core/compare/CompareText.h"
#include "core/compare/ResultCompare.h"
#include "core/compare/SelfCheck.h"
#include "core/report/ReportJson.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

constexpr int kExitSlower = 1;

Result<compare::CompareInput> load(CommandWatch& watch, const std::string& path) {
    watch.show("reading " + text::printable(path));
    auto input = compare::loadCompareInput(path, {watch.token(), &watch.progress()});
    if (const auto resume = watch.resume(); !resume) {
        return tl::unexpected(resume.error());
    }
    if (const auto* run = input ? std::get_if<compare::ComparedRun>(&*input) : nullptr;
        run != nullptr) {
        warnOfSkipped(*run->trace);
    }
    return input;
}

Result<std::vector<compare::CompareInput>> loadAll(CommandWatch& watch,
                                                   const CompareArguments& arguments) {
    std::vector<compare::CompareInput> inputs;
    for (const std::string& path : arguments.files) {
        auto input = load(watch, path);
        if (!input) {
            return tl::unexpected(input.error());
        }
        inputs.push_back(std::move(*input));
    }
    return inputs;
}

std::string textOf(const std::vector<compare::Comparison>& comparisons,
                   const CompareArguments& arguments) {
    const compare::CompareTextOptions options{arguments.top, arguments.fullNames};
    std::string text;
    switch (arguments.format) {
        case OutputFormat::Csv:
            return compare::compareCsv(comparisons);
        case OutputFormat::Json: {
            std::vector<std::string> objects;
            objects.reserve(comparisons.size());
            for (const compare::Comparison& comparison : comparisons) {
                objects.push_back(compare::compareJson(comparison));
            }
            return objects.size() == 1 ? objects.front() + "\n" : report::jsonArray(objects);
        }
        case OutputFormat::Markdown:
        case OutputFormat::Text:
            break;
    }
    for (const compare::Comparison& comparison : comparisons) {
        text += text.empty() ? "" : "\n";
        text +=
            arguments.format == OutputFormat::Markdown
                ? compare::compareMarkdown(comparison, options)
                : compare::compareText(comparison, options,
                                       textStyle(!arguments.output.empty(), arguments.fullNames));
    }
    return text;
}

bool isSlower(const compare::KernelChange& kernel, double percent) {
    // Speedups of exactly 1 / 1.1 come out a little on either side of 10 %.
    constexpr double kRounding = 1e-9;
    return kernel.verdict == stats::Verdict::Slower &&
           100.0 * (1.0 / kernel.speedup.q50 - 1.0) >= percent - kRounding;
}

int checkSelf(const std::vector<compare::CompareInput>& inputs, const CompareArguments& arguments) {
    std::vector<compare::SelfCheck> checks;
    const compare::ComparedRun* before = nullptr;
    for (const compare::CompareInput& input : inputs) {
        const auto* run = std::get_if<compare::ComparedRun>(&input);
        if (run == nullptr) {
            return reportError({"--self needs traces; a benchmark's result has one run only",
                                ErrorKind::BadInput});
        }
        auto halves = compare::checkHalves(*run, arguments.options);
        if (!halves) {
            return reportError(halves.error());
        }
        checks.push_back(std::move(*halves));
        if (before != nullptr && !compare::areRunsOfOneProgram(*before, *run)) {
            printWarning(fmt::format("{} and {} are not two runs of one program; not compared",
                                     text::printable(before->trace->info().path),
                                     text::printable(run->trace->info().path)));
        } else if (before != nullptr) {
            auto runs = compare::checkRuns(*before, *run, arguments.options);
            if (!runs) {
                return reportError(runs.error());
            }
            checks.push_back(std::move(*runs));
        }
        before = run;
    }
    const double tolerance = arguments.options.rule.tolerance;
    return writeOutput(
        arguments.output,
        arguments.format == OutputFormat::Json
            ? compare::selfJson(checks, tolerance) + "\n"
            : compare::selfText(checks, tolerance,
                                textStyle(!arguments.output.empty(), arguments.fullNames)));
}

}  // namespace

int runCompare(const CompareArguments& asked) {
    CommandWatch watch;
    CompareArguments arguments = asked;
    arguments.options.stop = watch.token();
    auto inputs = loadAll(watch, arguments);
    if (!inputs) {
        return reportError(inputs.error());
    }
    watch.show("comparing");
    if (arguments.self) {
        return checkSelf(*inputs, arguments);
    }
    std::vector<compare::Comparison> comparisons;
    const compare::Baseline<const compare::CompareInput*> base(&inputs->front());
    for (std::size_t i = 1; i < inputs->size(); ++i) {
        auto comparison = compare::compareInputs(
            base, compare::Candidate<const compare::CompareInput*>(&(*inputs)[i]),
            arguments.options);
        if (!comparison) {
            return reportError(comparison.error());
        }
        comparison->file = {arguments.files.front(), arguments.files[i]};
        comparisons.push_back(std::move(*comparison));
    }
    const int code = writeOutput(arguments.output, textOf(comparisons, arguments));
    if (code != kExitGood || !arguments.failOnSlower) {
        return code;
    }
    const bool slower =
        std::ranges::any_of(comparisons, [&](const compare::Comparison& comparison) {
            return std::ranges::any_of(comparison.kernels,
                                       [&](const compare::KernelChange& kernel) {
                                           return isSlower(kernel, *arguments.failOnSlower);
                                       });
        });
    return slower ? kExitSlower : kExitGood;
}

}  // namespace kinetoscope::app
