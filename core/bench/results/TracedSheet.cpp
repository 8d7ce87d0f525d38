// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/TracedSheet.h"

#include <fmt/format.h>

#include "core/text/Format.h"
#include "core/text/Printable.h"
#include "core/text/Units.h"

namespace kinetoscope::bench::results {

namespace {

constexpr std::size_t kNameWidth = 20;
constexpr std::size_t kInputWidth = 24;
constexpr const char* kNothing = "–";

std::string micros(double ns) {
    return ns > 0.0 ? text::inUnit(ns, text::kMicroseconds) : kNothing;
}

std::string timeCell(const BenchItem& sample, const std::string& name) {
    const BenchSeries* result = sample.find(name);
    return micros(result == nullptr ? 0.0 : result->timeNs());
}

std::string kernelsCell(const BenchItem& sample) {
    const auto same = sample.sameKernels();
    return !same ? kNothing : *same ? "same" : "others";
}

std::vector<std::string> rowOf(const ResultDocument& document, const BenchItem& result,
                               const BenchItem& sample) {
    const BenchSeries* eager = sample.find(kBaseline);
    const auto ratio = sample.traceRatio();
    const auto time = sample.traceTime();
    std::vector<std::string> row{
        text::printable(sample.recast.empty() ? result.name : "  as " + sample.recast),
        text::printable(sample.name),
        sample.traced ? text::formatCount(sample.count) : kNothing,
        micros(sample.traced ? sample.traced->timeNs : 0.0),
        timeCell(sample, kBaseline),
        micros(eager == nullptr ? 0.0 : totalNs(eager->kernels)),
        ratio ? fmt::format("{:.2f}", *ratio) : kNothing,
        time ? traceTimeName(*time) : kNothing,
        kernelsCell(sample)};
    if (!document.unavailable.contains("inductor")) {
        row.push_back(timeCell(sample, "inductor"));
    }
    return row;
}

// The kernels if they differ, and the substitutes for missing arguments.
void addNotes(const BenchItem& result, const BenchItem& sample, std::vector<std::string>& notes) {
    const std::string name = text::printable(result.name);
    if (sample.sameKernels() == false) {
        const auto list = [](const std::vector<LaunchedKernel>& kernels) {
            std::string text;
            for (const std::string& kernel : namesOf(kernels)) {
                text += (text.empty() ? "" : ", ") + text::printable(text::shortKernelName(kernel));
            }
            return text;
        };
        notes.push_back(fmt::format("{}: in the trace {}; here {}", name,
                                    list(sample.traced->kernels),
                                    list(sample.find(kBaseline)->kernels)));
    }
    if (sample.traced && !sample.traced->assumed.empty()) {
        notes.push_back(fmt::format(
            "{}: measured with {}, which the trace does not have", name,
            text::printable(fmt::format("{}", fmt::join(sample.traced->assumed, ", ")))));
    }
}

}  // namespace

ResultSheet::Section tracedSection(const ResultDocument& document) {
    ResultSheet::Section section{"Trace and bench", {}, {}, "nothing was measured", {1}, {}};
    section.columns = {{"Operator", false, 0, kNameWidth},
                       {"Input", false, 3, kInputWidth},
                       {"Calls", true, 2},
                       {"Trace µs"},
                       {"Eager µs"},
                       {"Kernels µs", true, 1},
                       {"Trace / eager"},
                       {"Time", false},
                       {"Kernels", false}};
    if (!document.unavailable.contains("inductor")) {
        section.columns.push_back({"Inductor µs"});
    }
    for (const BenchItem& result : document.items) {
        for (const BenchItem& sample : result.parts) {
            section.rows.push_back(rowOf(document, result, sample));
            addNotes(result, sample, section.notes);
        }
    }
    for (const LeftOutCall& one : document.trace->leftOut) {
        section.notes.push_back(fmt::format(
            "{}: not measured ({} of the trace): {}", text::printable(one.name),
            text::formatDuration(static_cast<TimeNs>(one.totalNs)), text::printable(one.reason)));
    }
    return section;
}

}  // namespace kinetoscope::bench::results
