// SPDX-License-Identifier: Apache-2.0
#include "core/report/ReportCsv.h"

#include <fmt/format.h>

#include <vector>

#include "core/text/Csv.h"
#include "core/text/Printable.h"

namespace kinetoscope::report {

namespace {

template <class T>
std::string dimensions(const std::array<T, 3>& size) {
    return fmt::format("{}x{}x{}", size[0], size[1], size[2]);
}

}  // namespace

std::string kernelCsvHeader(bool withFile) {
    return std::string(withFile ? "file," : "") +
           "gpu,name,short_name,category,family,mm_conv,count,total_ns,mean_ns,median_ns,min_ns,"
           "max_ns,std_ns,grid,block,registers,shared_bytes,occupancy,shapes\n";
}

std::string kernelCsv(const ReportDocument& document, bool withFile) {
    const trace::Trace& trace = *document.trace;
    std::string text;
    for (const analysis::KernelRow& row : shownKernels(document)) {
        std::vector<std::string> fields;
        if (withFile) {
            fields.push_back(text::csvName(trace.info().path));
        }
        fields.insert(
            fields.end(),
            {fmt::to_string(row.gpu), text::csvName(trace.text(row.name)),
             text::csvName(row.shortName), text::csvName(row.category), text::csvName(row.family),
             row.mmConv ? "true" : "false", fmt::to_string(row.count), fmt::to_string(row.totalNs),
             fmt::format("{:.3f}", row.meanNs), fmt::format("{:.1f}", row.medianNs),
             fmt::to_string(row.minNs), fmt::to_string(row.maxNs), fmt::format("{:.3f}", row.stdNs),
             dimensions(row.grid), dimensions(row.block), fmt::to_string(row.registers),
             fmt::to_string(row.sharedBytes),
             row.occupancyPercent < 0 ? "" : fmt::to_string(row.occupancyPercent),
             fmt::to_string(row.shapes)});
        text += text::csvLine(fields);
    }
    return text;
}

}  // namespace kinetoscope::report
