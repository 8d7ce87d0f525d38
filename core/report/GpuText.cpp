// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/report/ReportText.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"
#include "core/text/Units.h"

namespace kinetoscope::report {

namespace {

constexpr std::size_t kFigureColumns = 28;
constexpr std::size_t kMostBarColumns = 30;

// Lines "name   time   percent   bar" of one GPU, all in one unit and with one whole.
class FigureLines {
public:
    FigureLines(TimeNs window, const text::TextStyle& style)
        : m_window(window), m_unit(text::unitFor(window)), m_style(style) {
        m_timeColumns = std::max<std::size_t>(12, text::inUnit(window, m_unit).size() + 3);
        const std::size_t used = 2 + kFigureColumns + m_timeColumns + 13;
        const std::size_t width = style.width == 0 ? used + kMostBarColumns : style.width;
        m_barColumns = width > used + 8 ? std::min(kMostBarColumns, width - used) : 0;
    }

    void add(const std::string& name, TimeNs ns) { addOf(name, ns, m_window); }
    void addOf(const std::string& name, TimeNs ns, TimeNs whole) {
        addSum(name, ns);
        const double share = whole > 0 ? static_cast<double>(ns) / static_cast<double>(whole) : 0.0;
        const std::string bar = text::shareBar(share, m_barColumns);
        m_text.pop_back();
        m_text +=
            text::padLeft(text::formatPercent(static_cast<double>(ns), static_cast<double>(whole)),
                          11) +
            (bar.empty() ? "" : "  " + bar) + "\n";
    }
    /// A sum of durations, which is no part of the window.
    void addSum(const std::string& name, TimeNs ns) {
        m_text += "  " + text::padRight(name, kFigureColumns) +
                  text::padLeft(text::inUnit(ns, m_unit) + " " + m_unit.name, m_timeColumns) + "\n";
    }
    void title(const std::string& title) { m_text += "  " + m_style.faint(title) + "\n"; }
    void gap() { m_text += "\n"; }
    [[nodiscard]] const std::string& text() const { return m_text; }

private:
    TimeNs m_window;
    text::TimeUnit m_unit;
    const text::TextStyle& m_style;
    std::size_t m_timeColumns = 0;
    std::size_t m_barColumns = 0;
    std::string m_text;
};

std::string plural(std::uint64_t count, const char* one, const char* many) {
    return text::formatCount(static_cast<std::int64_t>(count)) + " " + (count == 1 ? one : many);
}

std::string count(std::uint64_t number) {
    return text::formatCount(static_cast<std::int64_t>(number));
}

std::string launchLines(const analysis::LaunchStats& launches, const text::TextStyle& style) {
    std::vector<std::string> links{count(launches.linked) + " linked to an API call"};
    if (launches.unlinked > 0) {
        links.push_back(count(launches.unlinked) + " without one");
    }
    if (launches.graphOperations > 0) {
        links.push_back(count(launches.graphOperations) + " in graph launches");
    }
    std::string text = text::labelledItems("launches", links, style);
    if (launches.linked > launches.graphOperations) {
        std::vector<std::string> delays{"median " + text::formatDuration(static_cast<TimeNs>(
                                                        std::llround(launches.medianDelayNs))),
                                        "longest " + text::formatDuration(launches.maxDelayNs)};
        if (launches.negativeDelay > 0) {
            delays.push_back(count(launches.negativeDelay) + " began before the call returned");
        }
        text += text::labelledItems("launch delay", delays, style);
    }
    if (launches.beforeApiStart > 0) {
        text += text::labelledItems(
            "clock skew",
            {count(launches.beforeApiStart) + " started before the launch call began",
             "the clocks of CPU and GPU differ"},
            style);
    }
    return text;
}

bool isEmpty(const analysis::IdleReasons& idle) {
    return idle.hostWaitNs == 0 && idle.kernelWaitNs == 0 && idle.otherNs == 0 &&
           idle.overheadNs == 0 && idle.insideGraphNs == 0;
}

}  // namespace

std::string gpuText(const ReportDocument& document, const GpuReport& gpu,
                    const text::TextStyle& style) {
    std::string text = style.heading(fmt::format("GPU {}", gpu.gpu));
    text += gpu.name.empty() ? "\n" : style.heading(", " + text::printable(gpu.name)) + "\n";
    const TimeNs origin = document.trace->extent().start;
    text += text::labelledItems("window",
                                {analysis::describeWindow(document.options.window),
                                 fmt::format("{} to {} after the first event",
                                             text::formatDuration(gpu.window.start - origin),
                                             text::formatDuration(gpu.window.end - origin))},
                                style);
    text += text::labelledItems("operations",
                                {plural(gpu.operations.kernel, "kernel", "kernels"),
                                 plural(gpu.operations.memcpy, "copy", "copies"),
                                 plural(gpu.operations.memset, "memset", "memsets")},
                                style);
    text += launchLines(gpu.launches, style) + "\n";

    FigureLines lines(gpu.window.duration(), style);
    lines.add("window", gpu.window.duration());
    lines.add("GPU busy", gpu.busyNs);
    if (document.wallNs) {
        lines.addOf("  of the wall time", gpu.busyNs, *document.wallNs);
    }
    lines.add("kernel busy", gpu.kernelBusyNs);
    lines.add("mm/conv", gpu.mmConv.unionNs);
    lines.addSum("  by operator, sum", gpu.mmConv.operatorNs);
    lines.addSum("  by kernel name, sum", gpu.mmConv.nameNs);
    lines.addSum("  layout conversions, apart", gpu.mmConv.layoutNs);
    lines.addSum("kernel time, sum", gpu.kernelTimeSumNs);
    lines.gap();
    lines.title("breakdown of the window");
    lines.add("compute", gpu.breakdown.computeNs);
    lines.add("exposed communication", gpu.breakdown.exposedCommNs);
    lines.add("exposed copies", gpu.breakdown.exposedCopyNs);
    lines.add("idle", gpu.breakdown.idleNs);
    if (!isEmpty(gpu.idle)) {
        lines.gap();
        lines.title("gaps between operations, summed over streams");
        lines.addSum("waiting for the host", gpu.idle.hostWaitNs);
        lines.addSum("between kernels", gpu.idle.kernelWaitNs);
        lines.addSum("other", gpu.idle.otherNs);
        lines.addSum("profiler overhead", gpu.idle.overheadNs);
        lines.addSum("inside graph launches", gpu.idle.insideGraphNs);
    }
    return text + lines.text();
}

}  // namespace kinetoscope::report
