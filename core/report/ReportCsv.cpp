// SPDX-License-Identifier: Apache-2.0
#include "core/report/ReportCsv.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "core/report/AchievedColumns.h"
#include "core/report/Figures.h"
#include "core/text/Csv.h"
#include "core/text/Printable.h"

namespace kinetoscope::report {

namespace {

template <class T>
std::string dimensions(const std::array<T, 3>& size) {
    return fmt::format("{}x{}x{}", size[0], size[1], size[2]);
}

// Not rounded, as in JSON.
std::string numberText(const FigureValue& value) {
    return std::visit(
        [](auto number) {
            if constexpr (std::is_null_pointer_v<decltype(number)>) {
                return std::string();
            } else {
                return fmt::to_string(number);
            }
        },
        value);
}

}  // namespace

std::string kernelCsvHeader(bool withFile, bool withAchieved) {
    return std::string(withFile ? "file," : "") +
           "gpu,name,short_name,category,family,mm_conv,count,total_ns,mean_ns,median_ns,min_ns,"
           "max_ns,std_ns,grid,block,registers,shared_bytes,occupancy,shapes" +
           (withAchieved ? achievedCsvHeader() : "") + "\n";
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
        if (document.achieved) {
            std::ranges::move(achievedFields(achievedBy(document, row)),
                              std::back_inserter(fields));
        }
        text += text::csvLine(fields);
    }
    return text;
}

std::string figuresCsvHeader(bool withFile) {
    return std::string(withFile ? "file," : "") +
           "gpu,figure,label,value,unit,percent_of_window,start_ns,end_ns\n";
}

std::string figuresCsv(const ReportDocument& document, bool withFile) {
    std::string text;
    for (const GpuReport& gpu : document.report.gpus) {
        const auto window = static_cast<double>(gpu.window.duration());
        for (const Figure& figure : gpuFigures()) {
            const std::int64_t number = figure.number(gpu);
            const auto place = figure.place == nullptr ? std::nullopt : figure.place(gpu);
            std::vector<std::string> fields;
            if (withFile) {
                fields.push_back(text::csvName(document.trace->info().path));
            }
            fields.insert(
                fields.end(),
                {fmt::to_string(gpu.gpu), std::string(figure.key), std::string(figure.label),
                 numberText(figure.value(gpu)), std::string(figure.unit),
                 figure.isShare && window > 0.0
                     ? fmt::format("{:.4f}", 100.0 * static_cast<double>(number) / window)
                     : "",
                 place ? fmt::to_string(place->start) : "",
                 place ? fmt::to_string(place->end) : ""});
            text += text::csvLine(fields);
        }
    }
    return text;
}

}  // namespace kinetoscope::report
