// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/KernelText.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/Format.h"
#include "core/text/Printable.h"

namespace kinetoscope::bench::results {

namespace {

std::string upperCategory(const std::string& category) {
    std::string text = category.substr(0, 3);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return text;
}

std::string compatInfo(const BenchItem& kernel, const BenchSeries& config,
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

}  // namespace

std::string kernelCompat(const ResultDocument& document, const KernelTextOptions& options,
                         bool colour) {
    std::string text;
    for (const BenchItem& kernel : document.items) {
        if (kernel.series.empty() && plan::lacksBenchmark(kernel.reason)) {
            continue;
        }
        const std::string description = fmt::format("{:20} {} {}", text::printable(options.name),
                                                    text::printable(upperCategory(kernel.category)),
                                                    text::printable(kernel.key).substr(0, 10));
        if (kernel.series.empty()) {
            text += fmt::format("{} not run: {}\n", description, text::printable(kernel.reason));
            continue;
        }
        if (!options.allConfigs) {
            text += compatInfo(kernel, kernel.series[kernel.chosen()], description + " ", colour);
            text += '\n';
            continue;
        }
        text += description + '\n';
        for (const BenchSeries& config : kernel.series) {
            text += fmt::format("  {} @ {}\n", compatInfo(kernel, config, {}, colour),
                                text::printable(config.name));
        }
    }
    if (text.empty()) {
        text =
            "No kernel with benchmark functionality found. Make sure you run inductor with "
            "config.benchmark_kernel being True\n";
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
            text += fmt::format("  cannot be run: {}: {}\n", text::printable(kernel.name),
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
