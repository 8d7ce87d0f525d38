// SPDX-License-Identifier: Apache-2.0
#include "core/export/ReportCsv.h"

#include <fmt/format.h>

#include <vector>

#include "core/base/Csv.h"
#include "core/export/Printable.h"

namespace kinetoscope {

namespace {

template <class T>
std::string dimensions(const std::array<T, 3>& size) {
    return fmt::format("{}x{}x{}", size[0], size[1], size[2]);
}

}  // namespace

std::string csvName(std::string_view text) {
    return csvText(printable(text));
}

std::string csvNs(double ns) {
    std::string text = fmt::format("{:.1f}", ns);
    if (text.ends_with(".0")) {
        text.resize(text.size() - 2);
    }
    return text == "-0" ? "0" : text;
}

std::string kernelCsvHeader(bool withFile) {
    return std::string(withFile ? "file," : "") +
           "gpu,name,short_name,category,family,mm_conv,count,total_ns,mean_ns,median_ns,min_ns,"
           "max_ns,std_ns,grid,block,registers,shared_bytes,occupancy,shapes\n";
}

std::string kernelCsv(const ReportDocument& document, bool withFile) {
    const Trace& trace = *document.trace;
    std::string text;
    for (const KernelRow& row : shownKernels(document)) {
        std::vector<std::string> fields;
        if (withFile) {
            fields.push_back(csvName(trace.info().path));
        }
        fields.insert(
            fields.end(),
            {fmt::to_string(row.gpu), csvName(trace.text(row.name)), csvName(row.shortName),
             csvName(row.category), csvName(row.family), row.mmConv ? "true" : "false",
             fmt::to_string(row.count), fmt::to_string(row.totalNs),
             fmt::format("{:.3f}", row.meanNs), fmt::format("{:.1f}", row.medianNs),
             fmt::to_string(row.minNs), fmt::to_string(row.maxNs), fmt::format("{:.3f}", row.stdNs),
             dimensions(row.grid), dimensions(row.block), fmt::to_string(row.registers),
             fmt::to_string(row.sharedBytes),
             row.occupancyPercent < 0 ? "" : fmt::to_string(row.occupancyPercent),
             fmt::to_string(row.shapes)});
        text += csvLine(fields);
    }
    return text;
}

}  // namespace kinetoscope
