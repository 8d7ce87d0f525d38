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
#include "core/compare/CompareOutput.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

Result<compare::CompareInput> loadInput(CommandWatch& watch, const std::string& path,
                                        unsigned threads) {
    watch.show("reading " + text::printable(path));
    auto input = compare::loadCompareInput(path, {watch.token(), &watch.progress(), threads});
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
        auto input = loadInput(watch, path, arguments.threads);
        if (!input) {
            return tl::unexpected(input.error());
        }
        inputs.push_back(std::move(*input));
    }
    return inputs;
}

// A gate that finds no kernels has checked nothing.
Result<void> requireKernels(const std::vector<compare::CompareInput>& inputs,
                            const CompareArguments& arguments) {
    for (std::size_t i = 0; compare::needsRows(arguments.failOn) && i < inputs.size(); ++i) {
        const auto* run = std::get_if<compare::ComparedRun>(&inputs[i]);
        if (run != nullptr) {
            if (auto good = compare::requireKernels(*run, arguments.files[i]); !good) {
                return good;
            }
        }
    }
    return {};
}

int checkSelf(const std::vector<compare::CompareInput>& inputs, const CompareArguments& arguments,
              const text::TextStyle& style) {
    const auto all = compare::checkInputs(inputs, arguments.options);
    if (!all) {
        return reportError(all.error());
    }
    for (const std::string& skipped : all->skipped) {
        printWarning(skipped);
    }
    return writeOutput(arguments.output,
                       compare::selfOutput(all->checks, arguments.options.rule.tolerance,
                                           arguments.format, style));
}

}  // namespace

int gateCode(const compare::GateOutcome& outcome, const std::string& of) {
    const std::string start = of.empty() ? "" : text::printable(of) + ": ";
    for (const std::string& line : outcome.failed) {
        printError(fmt::format("failed: {}{}", start, line));
    }
    for (const std::string& line : outcome.untested) {
        printError(start + line);
    }
    return !outcome.failed.empty() ? kExitSlower : outcome.passed() ? kExitGood : kExitInput;
}

int worseCode(int one, int other) {
    return one == kExitSlower || other == kExitSlower ? kExitSlower : std::max(one, other);
}

int runCompare(const CompareArguments& given) {
    CommandWatch watch;
    CompareArguments arguments = given;
    arguments.options.stop = watch.token();
    if (std::ranges::any_of(arguments.files, isJob)) {
        return runCompareJobs(watch, arguments);
    }
    auto inputs = loadAll(watch, arguments);
    if (!inputs) {
        return reportError(inputs.error());
    }
    if (const auto good = requireKernels(*inputs, arguments); !good) {
        return reportError(good.error());
    }
    watch.show("comparing");
    const text::TextStyle style = textStyle(!arguments.output.empty(), arguments.fullNames);
    if (arguments.self) {
        return checkSelf(*inputs, arguments, style);
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
    const int code = writeOutput(
        arguments.output, compare::compareOutput(comparisons, arguments.format,
                                                 {arguments.top, arguments.fullNames}, style));
    int gates = kExitGood;
    for (const compare::Comparison& comparison : comparisons) {
        gates = worseCode(gates, gateCode(compare::gateOutcome(compare::gateFigures(comparison),
                                                               arguments.failOn),
                                          comparisons.size() > 1 ? comparison.file.candidate : ""));
    }
    return code == kExitGood ? gates : code;
}

}  // namespace kinetoscope::app
