// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
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
#include "core/report/OperatorText.h"
#include "core/report/ReportCsv.h"
#include "core/report/ReportJson.h"
#include "core/report/ReportMarkdown.h"
#include "core/report/ReportText.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

constexpr std::size_t kDefaultTop = 20;
constexpr std::size_t kDefaultOperators = 10;  // as many as PyTorch's own benchmark prints

// Runs `work` and remembers how long it took.
template <class Work>
auto timed(report::Timing& timing, const char* name, Work&& work) {
    const auto begin = std::chrono::steady_clock::now();
    auto result = work();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    timing.phases.push_back({name, spent.count(), 0});
    return result;
}

std::uint64_t peakMemoryBytes() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;  // Linux counts KiB
}

bool needsCompat(const ReportArguments& arguments) {
    return arguments.compat || arguments.format == OutputFormat::Json;
}

bool needsReport(const ReportArguments& arguments) {
    return !arguments.compat && !arguments.operators;
}

std::optional<TimeNs> wallOf(const analysis::CompatOptions& options) {
    if (!options.wallMs) {
        return std::nullopt;
    }
    return std::llround(*options.wallMs * 1e6 * static_cast<double>(options.runs));
}

Result<report::ReportDocument> makeDocument(CommandWatch& watch, const std::string& path,
                                            const ReportArguments& arguments) {
    report::ReportDocument document;
    report::Timing timing;
    std::future<const analysis::KernelRules*> rules;
    if (needsReport(arguments) && arguments.threads != 1) {
        // While the file is opened, a second processor has nothing to do yet. The heap comes
        // first: a thread that is older than it has one of its own, in small pages.
        useHugeHeap();
        rules = std::async(kBeside, [] { return &analysis::KernelRules::builtin(); });
    }
    auto trace = timed(timing, "load", [&] { return loadWatched(watch, path, arguments.threads); });
    if (!trace) {
        return tl::unexpected(trace.error());
    }
    document.trace = std::move(*trace);
    timing.phases.back().bytes = document.trace->info().textBytes;
    document.options = arguments.report;
    document.options.stop = watch.token();
    document.wallNs = wallOf(arguments.compatOptions);
    const bool forPeople =
        arguments.format == OutputFormat::Text || arguments.format == OutputFormat::Markdown;
    document.top = arguments.top.value_or(forPeople ? kDefaultTop : 0);
    const analysis::CompatOptions compatOptions =
        arguments.compat ? withEnteredRun(path, arguments) : arguments.compatOptions;
    // The two share nothing but the trace.
    std::future<analysis::CompatReport> compat;
    if (needsCompat(arguments)) {
        compat = std::async(
            needsReport(arguments) && arguments.threads != 1 ? kBeside : std::launch::deferred,
            [&] { return analysis::makeCompatReport(*document.trace, compatOptions); });
    }
    if (needsReport(arguments)) {
        auto report = timed(timing, "analyses",
                            [&] { return report::makeReport(*document.trace, document.options); });
        if (!report) {
            return report.error().kind == ErrorKind::Cancelled
                       ? tl::unexpected(report.error())
                       : fail(path + ": " + report.error().message, report.error().kind);
        }
        document.report = std::move(*report);
    }
    if (needsCompat(arguments)) {
        document.compat = timed(timing, "compat", [&] { return compat.get(); });
    }
    if (arguments.operators) {
        const auto table = timed(timing, "operators", [&] {
            return analysis::makeOperatorTable(
                *document.trace, {.window = document.options.window, .stop = watch.token()});
        });
        if (!table) {
            return tl::unexpected(table.error());
        }
        const std::size_t limit = arguments.top.value_or(kDefaultOperators);
        document.operators = report::operatorText(*table, limit == 0 ? table->rows.size() : limit);
    }
    if (const auto resume = watch.resume(); !resume) {
        return tl::unexpected(resume.error());
    }
    if (arguments.timing) {
        timing.peakMemoryBytes = peakMemoryBytes();
        document.timing = std::move(timing);
    }
    return document;
}

// The documents of all files one after the other, with what their format wants around them.
class ReportWriter {
public:
    explicit ReportWriter(const ReportArguments& arguments)
        : m_arguments(arguments),
          m_sink(arguments.output),
          m_style(textStyle(!arguments.output.empty(), arguments.fullNames)),
          m_several(arguments.files.size() > 1) {}

    [[nodiscard]] Result<void> add(const report::ReportDocument& document) {
        std::string text = between(m_count++) + textOf(document);
        return m_sink.write(text);
    }
    [[nodiscard]] Result<void> addText(const std::string& text) { return m_sink.write(text); }
    [[nodiscard]] Result<void> finish() {
        if (m_several && m_count > 0 && m_arguments.format == OutputFormat::Json) {
            if (auto written = m_sink.write("]\n"); !written) {
                return written;
            }
        }
        return m_sink.finish();
    }

private:
    [[nodiscard]] std::string between(std::size_t before) const {
        switch (m_arguments.format) {
            case OutputFormat::Json:
                return !m_several ? "" : before == 0 ? "[\n" : ",\n";
            case OutputFormat::Csv:
                return before > 0            ? ""
                       : m_arguments.figures ? report::figuresCsvHeader(m_several)
                                             : report::kernelCsvHeader(m_several);
            case OutputFormat::Text:
            case OutputFormat::Markdown:
                return before == 0 ? "" : "\n";
        }
        return {};
    }
    [[nodiscard]] std::string textOf(const report::ReportDocument& document) const {
        switch (m_arguments.format) {
            case OutputFormat::Json:
                return (m_arguments.compat
                            ? report::compatJson(*document.compat, document.trace->info().path)
                            : report::reportJson(document)) +
                       "\n";
            case OutputFormat::Csv:
                return m_arguments.figures ? report::figuresCsv(document, m_several)
                                           : report::kernelCsv(document, m_several);
            case OutputFormat::Markdown:
                return report::reportMarkdown(document, m_arguments.fullNames);
            case OutputFormat::Text:
                break;
        }
        if (needsReport(m_arguments)) {
            return report::reportText(document, m_style);
        }
        const std::string title =
            m_several ? text::printable(document.trace->info().path) + ":\n" : "";
        return title + text::printableLines(m_arguments.compat
                                                ? report::compatText(*document.compat)
                                                : document.operators);
    }

    const ReportArguments& m_arguments;
    Sink m_sink;
    text::TextStyle m_style;
    bool m_several;
    std::size_t m_count = 0;
};

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
        return fail(path + ": " + text.error().message, text.error().kind);
    }
    return text;
}

}  // namespace

int runReport(const ReportArguments& arguments) {
    CommandWatch watch;
    ReportWriter writer(arguments);
    const bool several = arguments.files.size() > 1;
    int code = kExitGood;
    Result<void> written;
    if (arguments.explain) {
        const auto text =
            explain(*arguments.explain, textStyle(!arguments.output.empty(), false).width);
        if (!text) {
            return reportError(text.error());
        }
        written = writer.addText(arguments.files.empty() ? *text : *text + "\n");
    }
    for (const std::string& path : arguments.files) {
        if (!written) {
            break;
        }
        auto document = makeDocument(watch, path, arguments);
        if (!document) {
            code = reportError(document.error());
            if (document.error().kind == ErrorKind::Cancelled) {
                return code;
            }
            continue;
        }
        warnOfSkipped(*document->trace);
        report::Timing writing;
        written = timed(writing, "write", [&] { return writer.add(*document); });
        if (document->timing) {
            document->timing->phases.push_back(writing.phases.front());
        }
        printTiming(*document, several);
    }
    if (written) {
        written = writer.finish();
    }
    return written ? code : reportError(written.error());
}

int runFolded(const ReportArguments& arguments) {
    if (arguments.files.size() > 1) {
        printError("--folded takes one trace; several would be one picture");
        return kExitInput;
    }
    CommandWatch watch;
    const auto text = stacksOf(watch, arguments.files.front(), arguments);
    return text ? writeOutput(arguments.output, *text) : reportError(text.error());
}

}  // namespace kinetoscope::app
