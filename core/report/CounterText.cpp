// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/report/ReportText.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"
#include "core/text/TextTable.h"
#include "core/text/Units.h"

namespace kinetoscope::report {

namespace {

std::string meanText(double mean) {
    return std::isnan(mean) ? "–" : fmt::format("{:.{}f}", mean, std::abs(mean) < 100.0 ? 2 : 0);
}

std::string countersOfGpu(const ReportDocument& document, const model::GpuCounters& counters,
                          const text::TextStyle& style) {
    const text::TimeUnit unit = text::unitFor(counters.kernels.front().timeNs);
    std::vector<text::TextTable::Column> columns{
        {.title = "kernel", .rightAligned = false, .shrinkTo = 20},
        {.title = "calls"},
        {.title = fmt::format("time {}", unit.name)}};
    for (const model::CounterName& name : counters.names) {
        columns.push_back({.title = text::printable(name.counter + ": " + name.series)});
    }
    text::TextTable table(std::move(columns));
    const std::size_t rows = document.top == 0 ? counters.kernels.size()
                                               : std::min(document.top, counters.kernels.size());
    for (std::size_t i = 0; i < rows; ++i) {
        const model::MeasuredKernel& kernel = counters.kernels[i];
        std::vector<std::string> cells{
            text::printable(text::shortKernelName(document.trace->text(kernel.name))),
            std::to_string(kernel.count), text::inUnit(kernel.timeNs, unit)};
        std::ranges::transform(kernel.means, std::back_inserter(cells), meanText);
        table.addRow(std::move(cells));
    }
    return style.heading(fmt::format("Counters of {} by kernel", trace::gpuName(counters.gpu))) +
           "\n" + table.text(style);
}

}  // namespace

std::string counterText(const ReportDocument& document, const text::TextStyle& style) {
    std::string text;
    for (const model::GpuCounters& counters : document.report.counters) {
        text += (text.empty() ? "" : "\n") + countersOfGpu(document, counters, style);
    }
    return text;
}

}  // namespace kinetoscope::report
