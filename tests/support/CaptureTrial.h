// SPDX-License-Identifier: Apache-2.0
// Everything that is done with a capture, for whatever bytes one may hold.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/analysis/Compat.h"
#include "core/analysis/Operators.h"
#include "core/compare/CompareInput.h"
#include "core/compare/CompareJson.h"
#include "core/compare/CompareText.h"
#include "core/convert/KinetoWriter.h"
#include "core/import/load/LoadTrace.h"
#include "core/json/Json.h"
#include "core/query/EventDetails.h"
#include "core/report/OperatorText.h"
#include "core/report/ReportCsv.h"
#include "core/report/ReportJson.h"
#include "core/report/ReportMarkdown.h"
#include "core/report/ReportText.h"
#include "tests/support/SliceRows.h"

namespace kinetoscope::test {

[[nodiscard]] inline Result<convert::KinetoSummary> convertCaptures(
    std::vector<std::string> captures, std::string output) {
    convert::KinetoOptions options;
    options.captures = std::move(captures);
    options.output = std::move(output);
    return convert::writeKinetoTrace(options);
}

/// Does it in a folder of its own; each function gives what is wrong, empty when nothing is.
class CaptureTrial {
public:
    explicit CaptureTrial(std::string folder)
        : m_folder(std::move(folder)),
          m_capture(m_folder + "/captures/a.kscope"),
          m_output(m_folder + "/out.json") {
        std::filesystem::create_directories(m_folder + "/captures");
    }

    [[nodiscard]] std::string run(const std::string& bytes) const {
        std::ofstream(m_capture, std::ios::binary | std::ios::trunc) << bytes;
        std::filesystem::remove(m_output);
        const auto trace = import::loadTrace(m_capture, once());
        if (trace && (*trace)->info().format != "Kinetoscope capture") {
            return {};  // begins like a file of another profiler
        }
        const auto live = import::loadTrace(m_folder + "/captures", once());
        const auto converted = convertCaptures({m_capture}, m_output);
        if (!trace) {
            return converted || live ? "only one way of reading refuses: " + trace.error().message
                   : isLine(trace.error().message) && isLine(live.error().message) &&
                           isLine(converted.error().message)
                       ? std::string()
                       : "a message is not a line";
        }
        if (!live || !converted) {
            return "only one way of reading reads: " +
                   (live ? converted.error().message : live.error().message);
        }
        for (const auto& problem : {checkTrace(**trace), checkTrace(**live), checkShown(*trace),
                                    checkConverted(**trace), compare(*trace, *live)}) {
            if (!problem.empty()) {
                return problem;
            }
        }
        return (*live)->sliceCount() == (*trace)->sliceCount() ? std::string()
                                                               : "a folder gives other slices";
    }

private:
    static constexpr TimeNs kFarthest = TimeNs{1} << 61;
    static constexpr trace::SliceId kMaxDetails = 64;

    static import::LoadOptions once() {
        import::LoadOptions options;
        options.threads = 1;
        return options;
    }

    static bool isLine(const std::string& text) {
        return !text.empty() && text.find('\n') == std::string::npos;
    }

    static std::string checkTrace(const trace::Trace& trace) {
        for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
            if (trace.end(slice) < trace.start(slice) || trace.start(slice) < -kFarthest ||
                trace.end(slice) > kFarthest || trace.trackOf(slice) >= trace.tracks().size()) {
                return "a slice is nowhere";
            }
        }
        const auto count =
            std::min<trace::SliceId>(static_cast<trace::SliceId>(trace.sliceCount()), kMaxDetails);
        for (trace::SliceId slice = 0; slice < count; ++slice) {
            const auto text = trace.eventText()->event(trace.offset(slice));
            if (!text || !json::isJson(*text)) {
                return fmt::format("slice {} has no text", slice);
            }
            if (!query::eventDetails(trace, slice) || query::jsonRows(*text).size() < 2) {
                return fmt::format("slice {} has no details", slice);
            }
        }
        return {};
    }

    static std::string checkShown(const std::shared_ptr<const trace::Trace>& trace) {
        report::ReportDocument document;
        document.trace = trace;
        auto report = report::makeReport(*trace);
        if (!report) {
            return report.error().message;
        }
        document.report = std::move(*report);
        document.compat = analysis::makeCompatReport(*trace);
        auto operators = analysis::makeOperatorTable(*trace);
        if (!operators) {
            return "operators: " + operators.error().message;
        }
        document.operators = std::move(*operators);
        (void)report::operatorText(document);
        const bool written =
            !report::reportText(document, {}).empty() &&
            !report::reportMarkdown(document).empty() &&
            (!report::kernelCsv(document, true).empty() || document.report.kernels.empty());
        return !written                                      ? "a report is empty"
               : !json::isJson(report::reportJson(document)) ? "a report is not JSON"
                                                             : std::string();
    }

    [[nodiscard]] std::string checkConverted(const trace::Trace& trace) const {
        std::ifstream file(m_output, std::ios::binary);
        const std::string text((std::istreambuf_iterator<char>(file)), {});
        if (!json::isJson(text)) {
            return "what was converted is not JSON";
        }
        const auto again = import::loadTrace(m_output, once());
        if (!again) {
            return "what was converted cannot be read: " + again.error().message;
        }
        const auto before = sliceRows(trace);
        const auto after = sliceRows(**again);
        const auto [was, is] = std::ranges::mismatch(before, after);
        return was == before.end() && is == after.end()
                   ? std::string()
                   : fmt::format("'{}' became '{}'", was == before.end() ? "" : *was,
                                 is == after.end() ? "" : *is);
    }

    static std::string compare(const std::shared_ptr<const trace::Trace>& one,
                               const std::shared_ptr<const trace::Trace>& other) {
        const compare::CompareInput base = compare::makeComparedRun(one).value();
        const compare::CompareInput candidate = compare::makeComparedRun(other).value();
        const auto comparison =
            compare::compareInputs(compare::Baseline(&base), compare::Candidate(&candidate), {});
        if (!comparison) {
            return isLine(comparison.error().message) ? std::string() : "a message is not a line";
        }
        return json::isJson(compare::compareJson(*comparison)) &&
                       !compare::compareText(*comparison, {}, {}).empty()
                   ? std::string()
                   : "a comparison is not JSON";
    }

    std::string m_folder;
    std::string m_capture;
    std::string m_output;
};

}  // namespace kinetoscope::test
