// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/ranks/FlightRun.h"

#include <fmt/format.h>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "core/flight/FlightTables.h"
#include "core/flight/FlightText.h"
#include "core/flight/LoadFlight.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

std::string textOf(const flight::FlightJob& job, const FlightArguments& arguments) {
    switch (arguments.format) {
        case OutputFormat::Json:
            return flight::flightJson(job);
        case OutputFormat::Csv:
            return flight::flightCsv(job);
        case OutputFormat::Markdown:
            return flight::flightMarkdown(job);
        case OutputFormat::Text:
            break;
    }
    return flight::flightText(job, textStyle(!arguments.output.empty(), false));
}

}  // namespace

int runFlight(CommandWatch& watch, const FlightArguments& arguments) {
    watch.show(fmt::format("reading {} dumps", arguments.files.size()));
    const auto job = flight::loadFlight(arguments.files, arguments.threads, watch.token());
    if (!job) {
        return reportError(job.error());
    }
    for (const flight::UnreadDump& dump : job->unread) {
        printWarning(text::printable(dump.reason));
    }
    if (const int code = writeOutput(arguments.output, textOf(*job, arguments));
        code != kExitGood) {
        return code;
    }
    if (!arguments.failOnStuck) {
        return kExitGood;
    }
    if (!job->stuck.empty() || !job->mismatches.empty()) {
        return kExitOutput;
    }
    if (const std::string why = flight::undecidedText(*job); !why.empty()) {
        printError("--fail-on stuck cannot be tested: " + why);
        return kExitInput;
    }
    return kExitGood;
}

}  // namespace kinetoscope::app
