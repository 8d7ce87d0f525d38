// SPDX-License-Identifier: Apache-2.0
#include "core/report/MakeDocument.h"

#include <cmath>
#include <future>

#include "core/base/Threads.h"

namespace kinetoscope::report {

namespace {

Result<analysis::OperatorTable> operatorsOf(const trace::Trace& trace,
                                            const DocumentRequest& request) {
    return analysis::makeOperatorTable(
        trace, {.window = request.report.window, .stop = request.report.stop});
}

// Rows of the roofline, columns of other tables, or both: of the same calls.
Result<void> addWork(ReportDocument& document, const DocumentRequest& request,
                     const query::LaunchLinks& links) {
    model::CallOptions options;
    options.window = request.report.window;
    options.links = &links;
    options.threads = request.threads;
    options.stop = request.report.stop;
    const auto calls = model::findLaunchedCalls(*document.trace, options);
    if (!calls) {
        return tl::unexpected(calls.error());
    }
    return guarded([&]() -> Result<void> {
        if (request.roofline) {
            document.roofline = model::makeRoofline(*document.trace, *calls, *request.roofline,
                                                    request.measuredRoofs);
        }
        if (request.achieved) {
            document.achieved.emplace(*document.trace, *calls, request.measuredRoofs);
        }
        return {};
    });
}

Result<void> fill(ReportDocument& document, const DocumentRequest& request) {
    const trace::Trace& trace = *document.trace;
    Timing& timing = document.timing.emplace();
    // Figures and PyTorch's share nothing but the trace.
    std::future<analysis::CompatReport> compat;
    if (request.compat) {
        compat =
            std::async(request.figures && request.threads != 1 ? kBeside : std::launch::deferred,
                       [&] { return analysis::makeCompatReport(trace, *request.compat); });
    }
    std::optional<query::LaunchLinks> links;
    const bool work = request.roofline || request.achieved;
    if (work) {  // the report's figures need them too
        auto linked = timed(timing, "links", [&] {
            return guarded([&]() -> Result<void> {
                links.emplace(trace);
                return {};
            });
        });
        if (!linked) {
            return linked;
        }
    }
    if (request.figures) {
        ReportOptions options = request.report;
        options.links = links ? &*links : nullptr;
        auto report = timed(timing, "analyses", [&] { return makeReport(trace, options); });
        if (!report) {
            return report.error().kind == ErrorKind::Cancelled
                       ? tl::unexpected(report.error())
                       : fail("'" + trace.info().path + "': " + report.error().message,
                              report.error().kind);
        }
        document.report = std::move(*report);
    }
    if (request.compat) {
        document.compat = timed(timing, "compat", [&] { return compat.get(); });
    }
    if (request.operators) {
        auto operators = timed(timing, "operators", [&] { return operatorsOf(trace, request); });
        if (!operators) {
            return tl::unexpected(operators.error());
        }
        document.operators = std::move(*operators);
        document.operatorRows = *request.operators;
    }
    if (work) {
        auto added = timed(timing, "roofline", [&] { return addWork(document, request, *links); });
        if (!added) {
            return added;
        }
    }
    return {};
}

}  // namespace

std::optional<TimeNs> wallOfRuns(const analysis::CompatOptions& options) {
    if (!options.wallMs) {
        return std::nullopt;
    }
    return std::llround(*options.wallMs * 1e6 * static_cast<double>(options.runs));
}

Result<ReportDocument> makeDocument(std::shared_ptr<const trace::Trace> trace,
                                    const DocumentRequest& request) {
    ReportDocument document;
    document.trace = std::move(trace);
    document.options = request.report;
    document.wallNs = request.wallNs;
    document.top = request.top;
    if (const auto done = fill(document, request); !done) {
        return tl::unexpected(done.error());
    }
    return document;
}

}  // namespace kinetoscope::report
