// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/BenchText.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/text/Csv.h"
#include "core/text/Format.h"
#include "core/text/Markdown.h"
#include "core/text/Printable.h"

namespace kinetoscope::bench::results {

namespace {

std::string upperCategory(const std::string& category) {
    std::string text = category.substr(0, 3);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return text;
}

std::string compatInfo(const KernelResult& kernel, const ConfigResult& config,
                       const std::string& prefix, bool colour) {
    const double ms = config.timeNs() / 1e6;
    const double gigabytes = kernel.gigabytes.value_or(0.0);
    const double rate = ms > 0.0 ? gigabytes / (ms / 1e3) : 0.0;
    std::string text = fmt::format(
        "{}{:.3f}ms    \t{:.3f} GB \t {:7.2f}GB/s  {:3} regs  {:3} spills  {:8} shared mem", prefix,
        ms, gigabytes, rate, config.registers, config.spills, config.sharedBytes);
    // A slow and not tiny kernel is red where the terminal has colours.
    const bool slow = ms > 0.012 && rate < 650.0;
    return slow && colour ? "\x1b[31m" + text + "\x1b[39m" : text;
}

std::string orDash(const std::optional<double>& value, const char* format) {
    return value ? fmt::format(fmt::runtime(format), *value) : std::string("–");
}

std::optional<double> teraflops(const KernelResult& kernel, double ns) {
    return kernel.flop && *kernel.flop > 0.0 && ns > 0.0 ? std::optional(*kernel.flop / ns / 1e3)
                                                         : std::nullopt;
}

std::optional<double> copyPercent(const BenchDocument& document, std::optional<double> rate) {
    return rate && document.gpu.copyGbPerS > 0.0
               ? std::optional(100.0 * *rate / document.gpu.copyGbPerS)
               : std::nullopt;
}

// Cells of one configuration, in the order of kColumns.
std::vector<std::string> cells(const BenchDocument& document, const KernelResult& kernel,
                               std::size_t index, const BenchTextOptions& options) {
    const ConfigResult& config = kernel.configs[index];
    const stats::SampleSummary s = config.summary();
    const double time = config.timeNs();
    const auto rate = kernel.gbPerS(time);
    const double worst = kernel.configs[kernel.worst()].timeNs();
    const std::string slowest = options.allConfigs || kernel.configs.size() < 2 || time <= 0.0
                                    ? "–"
                                    : fmt::format("{:.2f}×", worst / time);
    return {text::printable(kernel.name),
            text::printable(kernel.category),
            fmt::format("{:.2f}", time / 1e3),
            fmt::format("{:.2f}", (s.high - s.low) / 2e3),
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
            text::printable(config.label)};
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
std::vector<std::vector<std::string>> rows(const BenchDocument& document,
                                           const BenchTextOptions& options) {
    std::vector<std::vector<std::string>> all;
    for (const KernelResult& kernel : document.kernels) {
        if (kernel.configs.empty()) {
            continue;
        }
        const std::size_t best = kernel.best();
        for (std::size_t i = 0; i < kernel.configs.size(); ++i) {
            if (options.allConfigs || i == best) {
                all.push_back(cells(document, kernel, i, options));
            }
        }
    }
    return all;
}

std::string headline(const BenchDocument& document) {
    std::string line =
        fmt::format("{}, driver {}, {}", text::printable(document.gpu.name),
                    text::printable(document.gpu.driver), text::printable(document.method));
    if (document.gpu.copyGbPerS > 0.0) {
        line += fmt::format(", copies {:.0f} GB/s", document.gpu.copyGbPerS);
    }
    return line;
}

// Kernels without figures, differences between configurations, candidates.
std::vector<std::string> remarks(const BenchDocument& document) {
    std::vector<std::string> lines;
    for (const KernelResult& kernel : document.kernels) {
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

std::string benchCompat(const BenchDocument& document, const BenchTextOptions& options,
                        bool colour) {
    std::string text;
    for (const KernelResult& kernel : document.kernels) {
        if (kernel.configs.empty()) {
            continue;
        }
        const std::string description = fmt::format("{:20} {} {}", text::printable(options.name),
                                                    text::printable(upperCategory(kernel.category)),
                                                    text::printable(kernel.key).substr(0, 10));
        if (!options.allConfigs) {
            text += compatInfo(kernel, kernel.configs[kernel.chosen()], description + " ", colour);
            text += '\n';
            continue;
        }
        text += description + '\n';
        for (const ConfigResult& config : kernel.configs) {
            text += fmt::format("  {} @ {}\n", compatInfo(kernel, config, {}, colour),
                                text::printable(config.label));
        }
    }
    if (text.empty()) {
        text =
            "No kernel with benchmark functionality found. Make sure you run inductor with "
            "config.benchmark_kernel being True\n";
    }
    return text;
}

std::string benchText(const BenchDocument& document, const BenchTextOptions& options,
                      const text::TextStyle& style) {
    text::TextTable table(columns());
    for (auto& row : rows(document, options)) {
        table.addRow(std::move(row));
    }
    std::string text = style.heading(headline(document)) + "\n\n";
    text += table.empty() ? "  no kernel was run\n" : table.text(style);
    const auto lines = remarks(document);
    text += lines.empty() ? "" : "\n";
    for (const std::string& line : lines) {
        text += "  " + line + "\n";
    }
    return text;
}

std::string benchMarkdown(const BenchDocument& document, const BenchTextOptions& options) {
    std::vector<std::string> titles;
    std::vector<std::string> rules;
    for (const auto& column : columns()) {
        titles.push_back(column.title);
        rules.emplace_back(column.rightAligned ? "---:" : "---");
    }
    std::string text = text::markdownText(headline(document)) + "\n\n" + text::markdownRow(titles) +
                       text::markdownRow(rules);
    for (auto& row : rows(document, options)) {
        std::transform(row.begin() + 1, row.end() - 1, row.begin() + 1, text::markdownText);
        row.front() = text::markdownCode(row.front());
        row.back() = text::markdownCode(row.back());
        text += text::markdownRow(row);
    }
    for (const std::string& remark : remarks(document)) {
        text += "\n" + text::markdownText(remark) + "\n";
    }
    return text;
}

std::string benchCsv(const BenchDocument& document) {
    const std::vector<std::string> titles{
        "name",     "key",    "category",  "config",  "autotuned",    "median_ns", "low_ns",
        "high_ns",  "min_ns", "max_ns",    "samples", "throttled",    "clock_mhz", "gb",
        "gb_per_s", "flop",   "registers", "spills",  "shared_bytes", "occupancy", "reason"};
    std::string text = text::csvLine(titles);
    const auto optional = [](const std::optional<double>& value) {
        return value ? fmt::format("{}", *value) : std::string();
    };
    for (const KernelResult& kernel : document.kernels) {
        if (kernel.configs.empty()) {
            std::vector<std::string> row(titles.size());
            row[0] = text::csvName(kernel.name);
            row[1] = text::csvName(kernel.key);
            row[2] = text::csvName(kernel.category);
            row[13] = optional(kernel.gigabytes);
            row.back() = text::csvName(kernel.reason);
            text += text::csvLine(row);
        }
        for (const ConfigResult& config : kernel.configs) {
            const stats::SampleSummary s = config.summary();
            text += text::csvLine(std::vector<std::string>{text::csvName(kernel.name),
                                                           text::csvName(kernel.key),
                                                           text::csvName(kernel.category),
                                                           text::csvName(config.label),
                                                           config.winner ? "true" : "false",
                                                           text::csvNs(s.median),
                                                           text::csvNs(s.low),
                                                           text::csvNs(s.high),
                                                           text::csvNs(s.min),
                                                           text::csvNs(s.max),
                                                           std::to_string(s.count),
                                                           std::to_string(config.throttled()),
                                                           fmt::format("{:.1f}", config.clockMhz()),
                                                           optional(kernel.gigabytes),
                                                           optional(kernel.gbPerS(config.timeNs())),
                                                           optional(kernel.flop),
                                                           std::to_string(config.registers),
                                                           std::to_string(config.spills),
                                                           std::to_string(config.sharedBytes),
                                                           fmt::format("{:.4f}", config.occupancy),
                                                           text::csvName(kernel.reason)});
        }
    }
    return text;
}

std::string planText(const plan::CachePlan& plan, const text::TextStyle& style) {
    text::TextTable table({{"Kernel", false, 0, 24},
                           {"Category", false, 1},
                           {"Grid", false, 0},
                           {"Threads", true, 2},
                           {"Params", true, 5},
                           {"Regs", true, 4},
                           {"Shared", true, 4},
                           {"Memory", true, 3},
                           {"Copies", true, 6},
                           {"Configuration", false, 2}});
    std::size_t configs = 0;
    for (const plan::KernelPlan& kernel : plan.kernels) {
        for (const plan::ConfigPlan& config : kernel.configs) {
            ++configs;
            const auto registers = config.entry.record.registers;
            table.addRow(
                {text::printable(kernel.name), text::printable(kernel.category),
                 fmt::format("{} × {} × {}", config.grid[0], config.grid[1], config.grid[2]),
                 std::to_string(config.threads), std::to_string(config.parameters.size()),
                 registers ? std::to_string(*registers) : "–",
                 std::to_string(config.entry.sharedBytes),
                 text::formatBytes(static_cast<std::uint64_t>(kernel.memoryBytes())),
                 std::to_string(config.copies),
                 text::printable(config.label + (config.winner ? " (autotuned)" : ""))});
        }
    }
    std::string text = style.heading(fmt::format("{} kernels, {} configurations to launch",
                                                 plan.kernels.size(), configs)) +
                       "\n\n";
    text += table.empty() ? "  nothing can be launched\n" : table.text(style);
    text += "\n";
    for (const plan::KernelPlan& kernel : plan.kernels) {
        if (!kernel.runnable()) {
            text += fmt::format("  can't be run: {}: {}\n", text::printable(kernel.name),
                                text::printable(kernel.reason));
        }
    }
    if (plan.candidates > 0) {
        text +=
            fmt::format("  left out: {} autotune candidates without get_args\n", plan.candidates);
    }
    for (const std::string& problem : plan.problems) {
        text += "  " + text::printable(problem) + "\n";
    }
    return text;
}

}  // namespace kinetoscope::bench::results
