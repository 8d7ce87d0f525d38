// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/report/ReportText.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"
#include "core/text/TextTable.h"
#include "core/text/Units.h"

namespace kinetoscope::report {

namespace {

std::string nextText(const trace::Trace& trace, const analysis::NamedGap& gap) {
    return gap.next == trace::kNoSlice
               ? "–"
               : text::printable(text::shortKernelName(trace.name(gap.next)));
}

std::string hostText(const trace::Trace& trace, const analysis::NamedGap& gap) {
    if (gap.host.slice != trace::kNoSlice) {
        return text::printable(trace.name(gap.host.slice));
    }
    return gap.hostPart.duration() > 0 ? "nothing recorded" : "–";
}

std::string oneGpu(const trace::Trace& trace, const GpuReport& gpu, const text::TextStyle& style) {
    const text::TimeUnit unit = text::unitFor(gpu.gaps.front().span.duration());
    const TimeNs origin = trace.extent().start;
    text::TextTable table({{.title = fmt::format("length {}", unit.name)},
                           {.title = "start"},
                           {.title = "reason", .rightAligned = false},
                           {.title = "the host did", .rightAligned = false, .shrinkTo = 24},
                           {.title = "next", .rightAligned = false, .shrinkTo = 24}});
    for (const analysis::NamedGap& gap : gpu.gaps) {
        table.addRow({text::inUnit(gap.span.duration(), unit),
                      text::formatDuration(gap.span.start - origin),
                      analysis::idleReasonName(gap.parts.mainReason()), hostText(trace, gap),
                      nextText(trace, gap)});
    }
    return style.heading("Longest idle gaps of " + trace::gpuName(gpu.gpu)) + "\n" +
           table.text(style);
}

}  // namespace

std::string gapText(const ReportDocument& document, const text::TextStyle& style) {
    std::string text;
    for (const GpuReport& gpu : document.report.gpus) {
        if (!gpu.gaps.empty()) {
            text += (text.empty() ? "" : "\n") + oneGpu(*document.trace, gpu, style);
        }
    }
    return text;
}

}  // namespace kinetoscope::report
