// SPDX-License-Identifier: Apache-2.0
#include "core/replay/RoofSheet.h"

#include <fmt/format.h>

#include "core/text/Csv.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"

namespace kinetoscope::replay {

namespace {

using bench::results::ResultSheet;

constexpr double kTera = 1e12;
constexpr double kGiga = 1e9;

std::string number(double value, int digits) {
    return value > 0.0 ? fmt::format("{:.{}f}", value, digits) : "–";
}

std::string share(double measured, double told) {
    return measured > 0.0 && told > 0.0 ? text::formatPercent(measured, told) : "–";
}

ResultSheet::Section memoryRows(const MeasuredRoof& roof, const model::GpuRoof* table) {
    ResultSheet::Section section{"", {}, {}, "nothing was measured", {}, {}};
    section.columns = {{"Bandwidth", false}, {"GB/s"}, {"Data sheet"}, {"Measured / sheet"}};
    const double told = table == nullptr ? 0.0 : table->memoryBytesPerSecond;
    const double memory = roof.memoryBytesPerSecond();
    section.rows.push_back(
        {"memory", number(memory / kGiga, 0), number(told / kGiga, 0), share(memory, told)});
    section.rows.push_back({"cache (L2)", number(roof.cacheBytesPerSecond() / kGiga, 0), "–", "–"});
    return section;
}

ResultSheet::Section productRows(const MeasuredRoof& roof, const model::GpuRoof* table) {
    ResultSheet::Section section{"", {}, {}, "no product was measured", {}, {}};
    section.columns = {{"Product", false}, {"TFLOP/s"}, {"Data sheet"}, {"Measured / sheet"},
                       {"Size"},           {"SM MHz"},  {"W"}};
    for (const std::string& type : roof.types()) {
        const MeasuredFigure& best = *roof.best(type);
        const double told = table == nullptr ? 0.0 : table->peak(type);
        section.rows.push_back({text::printable(type), number(best.rate() / kTera, 1),
                                number(told / kTera, 1), share(best.rate(), told),
                                fmt::to_string(best.size), number(best.clockMhz, 0),
                                number(best.powerWatts, 0)});
    }
    return section;
}

// What could not be measured, once for each operation and type.
std::vector<std::string> reasons(const MeasuredRoof& roof) {
    std::vector<std::string> lines;
    std::string before;
    for (const MeasuredFigure& figure : roof.figures) {
        const std::string title = figure.type.empty() ? figure.operation : figure.type;
        if (!figure.reason.empty() && title != before) {
            before = title;
            lines.push_back(fmt::format("{}: not measured: {}", text::printable(title),
                                        text::printable(figure.reason)));
        }
    }
    return lines;
}

ResultSheet::Section sizeRows(const MeasuredRoof& roof) {
    ResultSheet::Section section{"By size", {}, {}, "", {}, {}};
    section.columns = {{"Operation", false}, {"MiB"}, {"µs"}, {"GB/s"}, {"SM MHz"}};
    for (const MeasuredFigure& figure : roof.figures) {
        if (figure.operation != "product" && figure.rate() > 0.0) {
            section.rows.push_back({text::printable(figure.operation),
                                    number(static_cast<double>(figure.size) / 1048576.0, 0),
                                    number(figure.timeNs / 1e3, 2),
                                    number(figure.rate() / kGiga, 0), number(figure.clockMhz, 0)});
        }
    }
    return section;
}

}  // namespace

ResultSheet roofSheet(const MeasuredRoof& roof, const model::GpuRoof* table) {
    ResultSheet sheet{"Roof", {}, {}};
    sheet.facts.push_back(
        fmt::format("{}, PyTorch {}; measured without locked clocks; data sheet: {}",
                    text::printable(roof.device), text::printable(roof.torchVersion),
                    table == nullptr ? "none known" : text::printable(table->name)));
    sheet.sections.push_back(memoryRows(roof, table));
    sheet.sections.push_back(productRows(roof, table));
    sheet.sections.back().notes = reasons(roof);
    sheet.sections.push_back(sizeRows(roof));
    return sheet;
}

std::string roofCsv(const MeasuredRoof& roof) {
    std::string text = "operation,type,size,time_ns,per_s,clock_mhz,power_w,reason\n";
    for (const MeasuredFigure& figure : roof.figures) {
        text += text::csvLine(std::vector<std::string>{
            text::csvName(figure.operation), text::csvName(figure.type),
            fmt::to_string(figure.size), fmt::format("{:.1f}", figure.timeNs),
            fmt::format("{:.6g}", figure.rate()), fmt::format("{:.1f}", figure.clockMhz),
            fmt::format("{:.1f}", figure.powerWatts), text::csvName(figure.reason)});
    }
    return text;
}

}  // namespace kinetoscope::replay
