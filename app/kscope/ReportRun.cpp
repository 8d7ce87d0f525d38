// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/resource.h>

#include <future>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/HugeHeap.h"
#include "app/kscope/ReportArguments.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/Warnings.h"
#include "core/analysis/KernelRules.h"
#include "core/base/ProcessSetup.h"
#include "core/base/Threads.h"
#include "core/calltree/Folded.h"
#include "core/replay/KeptRoofs.h"
#include "core/report/MakeDocument.h"
#include "core/report/ReportOutput.h"
#include "core/report/ReportText.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

constexpr std::size_t kDefaultTop = 20;
constexpr std::size_t kDefaultOperators = 10;  // as many as PyTorch's own benchmark prints

std::uint64_t peakMemoryBytes() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;  // Linux counts KiB
}

bool needsReport(const ReportArguments& arguments) {
    const bool isAlone =
        (arguments.roofline || arguments.operators) && arguments.format != OutputFormat::Json;
    return !arguments.compat && !isAlone;
}

// The GPUs without a roof, although one was requested.
void warnOfMissingRoofs(const report::ReportDocument& document) {
    const auto& roofs = document.roofline ? document.roofline->roofs : document.achieved->roofs();
    for (const model::DeviceRoof& roof : roofs) {
        if (!roof.measured && !roof.device.empty()) {
            printError(
                fmt::format("no measured roof of {} is saved, so the data sheet's is used; kscope "
                            "bench roof measures it",
                            text::printable(roof.device)));
        }
    }
}

report::DocumentRequest requestOf(CommandWatch& watch, const std::string& path,
                                  const ReportArguments& arguments) {
    report::DocumentRequest request;
    request.figures = needsReport(arguments);
    request.report = arguments.report;
    request.report.stop = watch.token();
    request.wallNs = report::wallOfRuns(arguments.compatOptions);
    request.threads = arguments.threads;
    const bool forPeople =
        arguments.format == OutputFormat::Text || arguments.format == OutputFormat::Markdown;
    request.top = arguments.top.value_or(forPeople ? kDefaultTop : 0);
    if (arguments.compat) {
        request.compat = withEnteredRun(path, arguments);
    } else if (arguments.format == OutputFormat::Json) {
        request.compat = arguments.compatOptions;
    }
    if (arguments.operators) {
        request.operators = arguments.top.value_or(forPeople ? kDefaultOperators : 0);
    }
    request.roofline = arguments.roofline;
    request.achieved = arguments.achieved;
    if (arguments.measuredRoof) {
        request.measuredRoofs = replay::KeptRoofs(replay::KeptRoofs::defaultFolder()).roofs();
    }
    return request;
}

Result<report::ReportDocument> documentOf(CommandWatch& watch, const std::string& path,
                                          const ReportArguments& arguments) {
    std::future<const analysis::KernelRules*> rules;
    if (needsReport(arguments) && arguments.threads != 1) {
        // While the file is opened, a second processor has nothing to do yet. The heap comes
        // first: a thread that is older than it has one of its own, in small pages.
        useHugeHeap();
        rules = std::async(kBeside, [] { return &analysis::KernelRules::builtin(); });
    }
    report::Timing timing;
    const auto trace = report::timed(timing, "load", [&] {
        return loadWatched(watch, path, arguments.threads, arguments.execution);
    });
    if (!trace) {
        return tl::unexpected(trace.error());
    }
    timing.phases.back().bytes = (*trace)->info().textBytes;
    auto document = report::makeDocument(*trace, requestOf(watch, path, arguments));
    if (!document) {
        return document;
    }
    if (const auto resume = watch.resume(); !resume) {
        return tl::unexpected(resume.error());
    }
    if (arguments.timing) {
        document->timing->phases.insert(document->timing->phases.begin(), timing.phases.front());
        document->timing->peakMemoryBytes = peakMemoryBytes();
    } else {
        document->timing.reset();
    }
    return document;
}

void printTiming(const report::ReportDocument& document, bool several) {
    if (document.timing) {
        const std::string title =
            several ? text::printable(document.trace->info().path) + ":\n" : "";
        writeToStandardError(title + report::timingText(*document.timing));
    }
}

Result<std::string> stacksOf(CommandWatch& watch, const std::string& path,
                             const ReportArguments& arguments) {
    const auto trace = loadWatched(watch, path, arguments.threads);
    if (!trace) {
        return tl::unexpected(trace.error());
    }
    warnOfSkipped(**trace);
    watch.show("merging calls");
    calltree::CallTreeOptions options;
    options.frames = arguments.frames;
    options.weight = *arguments.folded;
    options.window = arguments.report.window;
    options.threads = arguments.threads;
    options.stop = watch.token();
    const auto tree = calltree::makeCallTree(**trace, options);
    auto text = tree ? calltree::foldedStacks(**trace, *tree, watch.token())
                     : Result<std::string>(tl::unexpected(tree.error()));
    if (!text && text.error().kind != ErrorKind::Cancelled) {
        return fail("'" + path + "': " + text.error().message, text.error().kind);
    }
    return text;
}

}  // namespace

int runReport(const ReportArguments& arguments) {
    CommandWatch watch;
    const bool several = arguments.files.size() > 1;
    const text::TextStyle style = textStyle(!arguments.output.empty(), arguments.fullNames);
    Sink sink(arguments.output);
    report::ReportOutput output({.format = arguments.format,
                                 .figures = arguments.figures,
                                 .compat = arguments.compat,
                                 .operators = arguments.operators,
                                 .roofline = arguments.roofline.has_value(),
                                 .fullNames = arguments.fullNames,
                                 .achieved = arguments.achieved,
                                 .several = several},
                                style);
    int code = kExitGood;
    Result<void> written;
    std::optional<ncu::Profile> ncu;
    if (!arguments.ncu.empty()) {
        auto read = ncu::readProfile(arguments.ncu);
        if (!read) {
            return reportError(read.error());
        }
        ncu = std::move(*read);
    }
    if (arguments.explain) {
        const auto text =
            explain(*arguments.explain, textStyle(!arguments.output.empty(), false).width);
        if (!text) {
            return reportError(text.error());
        }
        written = sink.write(arguments.files.empty() ? *text : *text + "\n");
    }
    for (const std::string& path : arguments.files) {
        if (!written) {
            break;
        }
        auto document = documentOf(watch, path, arguments);
        if (!document) {
            code = reportError(document.error());
            if (document.error().kind == ErrorKind::Cancelled) {
                return code;
            }
            continue;
        }
        warnOfSkipped(*document->trace);
        if (ncu) {
            document->ncu =
                ncu::joinProfile(*document->trace, document->report.kernels, *ncu, arguments.ncu);
        }
        if (arguments.measuredRoof) {
            warnOfMissingRoofs(*document);
        }
        report::Timing writing;
        written =
            report::timed(writing, "write", [&] { return sink.write(output.add(*document)); });
        if (document->timing) {
            document->timing->phases.push_back(writing.phases.front());
        }
        printTiming(*document, several);
    }
    if (const std::string end = output.end(); written && !end.empty()) {
        written = sink.write(end);
    }
    if (written) {
        written = sink.finish();
    }
    return written ? code : reportError(written.error());
}

int runFolded(const ReportArguments& arguments) {
    if (arguments.files.size() > 1) {
        printError("--folded takes a single trace");
        return kExitInput;
    }
    CommandWatch watch;
    const auto text = stacksOf(watch, arguments.files.front(), arguments);
    return text ? writeOutput(arguments.output, *text) : reportError(text.error());
}

}  // namespace kinetoscope::app
