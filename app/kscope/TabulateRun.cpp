// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/ReportArguments.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/Warnings.h"
#include "core/report/TabulateFile.h"

namespace kinetoscope::app {

namespace {

Result<report::TabulateRow> rowOfTrace(CommandWatch& watch, const std::string& path,
                                       const ReportArguments& arguments) {
    const auto trace = loadWatched(watch, path, arguments.threads);
    if (!trace) {
        return tl::unexpected(trace.error());
    }
    warnOfSkipped(**trace);
    ReportArguments own = arguments;
    if (!arguments.named) {
        own.compatOptions.name = report::tabulateName(path);
    }
    return report::tabulateRow(analysis::makeCompatReport(**trace, withEnteredRun(path, own)),
                               path);
}

Result<std::vector<report::TabulateRow>> rowsOf(CommandWatch& watch, const std::string& path,
                                                const ReportArguments& arguments) {
    auto lines = report::readTabulateFile(path);
    if (!lines) {
        return tl::unexpected(lines.error());
    }
    if (*lines) {
        return std::move(**lines);
    }
    return rowOfTrace(watch, path, arguments).map([](const report::TabulateRow& row) {
        return std::vector{row};
    });
}

std::string formatted(const std::vector<report::TabulateRow>& rows,
                      const ReportArguments& arguments) {
    switch (arguments.format) {
        case OutputFormat::Json:
            return report::tabulateJson(rows);
        case OutputFormat::Csv:
            return report::tabulateCsv(rows);
        case OutputFormat::Text:
        case OutputFormat::Markdown:
            break;
    }
    return report::tabulateText(rows, textStyle(!arguments.output.empty(), arguments.fullNames));
}

}  // namespace

int runTabulate(const ReportArguments& arguments) {
    CommandWatch watch;
    std::vector<report::TabulateRow> rows;
    int code = kExitGood;
    for (const std::string& path : arguments.files) {
        const auto found = rowsOf(watch, path, arguments);
        if (found) {
            rows.insert(rows.end(), found->begin(), found->end());
            continue;
        }
        code = reportError(found.error());
        if (found.error().kind == ErrorKind::Cancelled) {
            return code;
        }
    }
    if (rows.empty()) {
        return code;
    }
    const int written = writeOutput(arguments.output, formatted(rows, arguments));
    return written == kExitGood ? code : written;
}

}  // namespace kinetoscope::app
