// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/bench/results/ResultSheet.h"
#include "core/text/Csv.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"

namespace kinetoscope::bench::results {

namespace {

std::string orDash(const std::optional<double>& value, const char* format) {
    return value ? fmt::format(fmt::runtime(format), *value) : std::string("–");
}

std::optional<double> teraflops(const BenchItem& kernel, double ns) {
    return kernel.flop && *kernel.flop > 0.0 && ns > 0.0 ? std::optional(*kernel.flop / ns / 1e3)
                                                         : std::nullopt;
}

std::optional<double> copyPercent(const ResultDocument& document, std::optional<double> rate) {
    return rate && document.gpu.copyGbPerS > 0.0
               ? std::optional(100.0 * *rate / document.gpu.copyGbPerS)
               : std::nullopt;
}

// Cells of one configuration, in the order of kColumns.
std::vector<std::string> cells(const ResultDocument& document, const BenchItem& kernel,
                               std::size_t index, bool allConfigs) {
    const BenchSeries& config = kernel.series[index];
    const stats::SampleSummary s = config.summary();
    const stats::Interval interval = config.interval();
    const double time = config.timeNs();
    const auto rate = kernel.gbPerS(time);
    const double worst = kernel.series[kernel.worst()].timeNs();
    const std::string slowest = allConfigs || kernel.series.size() < 2 || time <= 0.0
                                    ? "–"
                                    : fmt::format("{:.2f}×", worst / time);
    return {text::printable(kernel.name),
            text::printable(kernel.category),
            fmt::format("{:.2f}", time / 1e3),
            fmt::format("{:.2f}", (interval.high - interval.low) / 2e3),
            orDash(rate, "{:.1f}"),
            orDash(copyPercent(document, rate), "{:.1f} %"),
            orDash(teraflops(kernel, time), "{:.1f}"),
            std::to_string(config.registers),
            std::to_string(config.spills),
            std::to_string(config.sharedBytes),
            fmt::format("{:.0f} %", config.occupancy * 100.0),
            config.clockMhz() > 0 ? fmt::format("{:.0f}", config.clockMhz()) : "–",
            orDash(kernel.gigabytes, "{:.6f}"),
            std::to_string(s.count),
            std::to_string(config.throttled()),
            slowest,
            text::printable(config.name)};
}

std::vector<text::TextTable::Column> columns() {
    return {{"Kernel", false, 0, 24},
            {"Category", false, 4},
            {"µs", true, 0},
            {"±", true, 1},
            {"GB/s", true, 0},
            {"of copy", true, 2},
            {"TFLOP/s", true, 6},
            {"Regs", true, 3},
            {"Spills", true, 3},
            {"Shared", true, 7},
            {"Occup.", true, 5},
            {"MHz", true, 8},
            {"GB", true, 10},
            {"n", true, 9},
            {"Throttled", true, 12},
            {"Worst", true, 6},
            {"Configuration", false, 11}};
}

// Rows that are shown: one per kernel, or one per configuration.
std::vector<std::vector<std::string>> rows(const ResultDocument& document, bool allConfigs) {
    std::vector<std::vector<std::string>> all;
    for (const BenchItem& kernel : document.items) {
        if (kernel.series.empty()) {
            continue;
        }
        const std::size_t best = kernel.best();
        for (std::size_t i = 0; i < kernel.series.size(); ++i) {
            if (allConfigs || i == best) {
                all.push_back(cells(document, kernel, i, allConfigs));
            }
        }
    }
    return all;
}

std::string headline(const ResultDocument& document) {
    std::string line = text::printable(document.method);
    if (!document.gpu.name.empty()) {
        line = fmt::format("{}, driver {}, {}", text::printable(document.gpu.name),
                           text::printable(document.gpu.driver), line);
    }
    if (document.gpu.copyGbPerS > 0.0) {
        line += fmt::format(", copies {:.0f} GB/s", document.gpu.copyGbPerS);
    }
    return line;
}

// Kernels without figures, differences between configurations, candidates.
std::vector<std::string> remarks(const ResultDocument& document) {
    std::vector<std::string> lines;
    for (const BenchItem& kernel : document.items) {
        if (!kernel.reason.empty()) {
            lines.push_back(fmt::format("not run: {}: {}", text::printable(kernel.name),
                                        text::printable(kernel.reason)));
        }
        if (kernel.accuracy) {
            lines.push_back(kernel.accuracy->buffer.empty()
                                ? fmt::format("outputs equal: {}", text::printable(kernel.name))
                                : fmt::format("outputs differ: {}: {} by {:.3g} (relative {:.3g})",
                                              text::printable(kernel.name),
                                              text::printable(kernel.accuracy->buffer),
                                              kernel.accuracy->maxAbsolute,
                                              kernel.accuracy->maxRelative));
        }
    }
    if (document.candidates > 0) {
        lines.push_back(
            fmt::format("left out: {} autotune candidates without get_args", document.candidates));
    }
    return lines;
}

}  // namespace

ResultSheet kernelSheet(const ResultDocument& document, bool allConfigs) {
    ResultSheet sheet{headline(document), {}, {}};
    const auto shown = columns();
    sheet.sections.push_back(
        {"", shown, rows(document, allConfigs), "no kernel was run", {0, shown.size() - 1}, {}});
    if (auto notes = remarks(document); !notes.empty()) {
        sheet.sections.push_back({"", {}, {}, "", {}, std::move(notes)});
    }
    return sheet;
}

std::string kernelCsv(const ResultDocument& document) {
    const std::vector<std::string> titles{
        "name",     "key",    "category",  "config",  "autotuned",    "median_ns", "low_ns",
        "high_ns",  "min_ns", "max_ns",    "samples", "throttled",    "clock_mhz", "gb",
        "gb_per_s", "flop",   "registers", "spills",  "shared_bytes", "occupancy", "reason"};
    std::string text = text::csvLine(titles);
    const auto orEmpty = [](const std::optional<double>& value, const char* format = "{}") {
        return value ? fmt::format(fmt::runtime(format), *value) : std::string();
    };
    for (const BenchItem& kernel : document.items) {
        if (kernel.series.empty()) {
            std::vector<std::string> row(titles.size());
            row[0] = text::csvName(kernel.name);
            row[1] = text::csvName(kernel.key);
            row[2] = text::csvName(kernel.category);
            row[13] = orEmpty(kernel.gigabytes);
            row.back() = text::csvName(kernel.reason);
            text += text::csvLine(row);
        }
        for (const BenchSeries& config : kernel.series) {
            const stats::SampleSummary s = config.summary();
            text += text::csvLine(
                std::vector<std::string>{text::csvName(kernel.name),
                                         text::csvName(kernel.key),
                                         text::csvName(kernel.category),
                                         text::csvName(config.name),
                                         config.winner ? "true" : "false",
                                         text::csvNs(s.median),
                                         text::csvNs(s.low),
                                         text::csvNs(s.high),
                                         text::csvNs(s.min),
                                         text::csvNs(s.max),
                                         std::to_string(s.count),
                                         std::to_string(config.throttled()),
                                         fmt::format("{:.1f}", config.clockMhz()),
                                         orEmpty(kernel.gigabytes),
                                         orEmpty(kernel.gbPerS(config.timeNs()), "{:.2f}"),
                                         orEmpty(kernel.flop),
                                         std::to_string(config.registers),
                                         std::to_string(config.spills),
                                         std::to_string(config.sharedBytes),
                                         fmt::format("{:.4f}", config.occupancy),
                                         text::csvName(kernel.reason)});
        }
    }
    return text;
}

}  // namespace kinetoscope::bench::results
