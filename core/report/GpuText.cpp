// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/report/Figures.h"
#include "core/report/ReportText.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"
#include "core/text/Units.h"

namespace kinetoscope::report {

namespace {

constexpr std::size_t kFigureColumns = 28;
constexpr std::size_t kMaxBarColumns = 30;

// Lines "name   time   percent   bar" of one GPU, all in one unit and with one whole.
class FigureLines {
public:
    FigureLines(TimeNs window, const text::TextStyle& style)
        : m_window(window), m_unit(text::unitFor(window)), m_style(style) {
        m_timeColumns = std::max<std::size_t>(12, text::inUnit(window, m_unit).size() + 3);
        const std::size_t used = 2 + kFigureColumns + m_timeColumns + 13;
        const std::size_t width = style.width == 0 ? used + kMaxBarColumns : style.width;
        m_barColumns = width > used + 8 ? std::min(kMaxBarColumns, width - used) : 0;
    }

    void add(const Figure& figure, const GpuReport& gpu, TimeNs origin) {
        const std::string name = midSentence(figure.label);
        if (!figure.isShare) {
            addTime(name, figure.number(gpu));
        } else {
            addShare(name, figure.number(gpu), m_window);
        }
        if (const std::string place = placeText(figure, gpu, origin); !place.empty()) {
            m_text += "    " + m_style.faint(place) + "\n";
        }
    }
    void addShare(const std::string& name, TimeNs ns, TimeNs whole) {
        addTime(name, ns);
        const double share = whole > 0 ? static_cast<double>(ns) / static_cast<double>(whole) : 0.0;
        const std::string bar = text::shareBar(share, m_barColumns);
        m_text.pop_back();
        m_text +=
            text::padLeft(text::formatPercent(static_cast<double>(ns), static_cast<double>(whole)),
                          11) +
            (bar.empty() ? "" : "  " + bar) + "\n";
    }
    void title(const std::string& title) { m_text += "  " + m_style.faint(title) + "\n"; }
    void gap() { m_text += "\n"; }
    [[nodiscard]] const std::string& text() const { return m_text; }

private:
    void addTime(const std::string& name, TimeNs ns) {
        m_text += "  " + text::padRight(name, kFigureColumns) +
                  text::padLeft(text::inUnit(ns, m_unit) + " " + m_unit.name, m_timeColumns) + "\n";
    }

    TimeNs m_window;
    text::TimeUnit m_unit;
    const text::TextStyle& m_style;
    std::size_t m_timeColumns = 0;
    std::size_t m_barColumns = 0;
    std::string m_text;
};

std::string valueText(const Figure& figure, const GpuReport& gpu) {
    const std::int64_t number = figure.number(gpu);
    return figure.isTime() ? text::formatDuration(number) : text::formatCount(number);
}

// "kernels 1,262, copies 30": the figures of a group on one line.
std::string groupLine(const char* title, FigureGroup group, const GpuReport& gpu,
                      const text::TextStyle& style) {
    std::vector<std::string> items;
    for (const Figure* figure : shownFigures(group, gpu)) {
        items.push_back(midSentence(figure->label) + " " + valueText(*figure, gpu));
    }
    return text::labelledItems(title, items, style);
}

void addGroup(FigureGroup group, const GpuReport& gpu, TimeNs origin, FigureLines& lines) {
    for (const Figure* figure : shownFigures(group, gpu)) {
        lines.add(*figure, gpu, origin);
    }
}

}  // namespace

std::string gpuText(const ReportDocument& document, const GpuReport& gpu,
                    const text::TextStyle& style) {
    std::string text = style.heading(trace::gpuName(gpu.gpu));
    text += gpu.name.empty() ? "\n" : style.heading(", " + text::printable(gpu.name)) + "\n";
    const TimeNs origin = document.trace->extent().start;
    text += text::labelledItems("window",
                                {analysis::describeWindow(document.options.window),
                                 fmt::format("{} to {} after the first event",
                                             text::formatDuration(gpu.window.start - origin),
                                             text::formatDuration(gpu.window.end - origin))},
                                style);
    text += groupLine("operations", FigureGroup::Operations, gpu, style);
    text += groupLine("launches", FigureGroup::Launches, gpu, style) + "\n";

    FigureLines lines(gpu.window.duration(), style);
    addGroup(FigureGroup::Busy, gpu, origin, lines);
    if (document.wallNs) {
        lines.addShare("GPU busy of the wall time", gpu.busyNs, *document.wallNs);
    }
    lines.gap();
    lines.title("breakdown of the window");
    addGroup(FigureGroup::Breakdown, gpu, origin, lines);
    if (!shownFigures(FigureGroup::Idle, gpu).empty()) {
        lines.gap();
        lines.title("idle by reason, share of the window");
        addGroup(FigureGroup::Idle, gpu, origin, lines);
    }
    if (!shownFigures(FigureGroup::StreamGaps, gpu).empty()) {
        lines.gap();
        lines.title("gaps between operations, summed over streams");
        addGroup(FigureGroup::StreamGaps, gpu, origin, lines);
    }
    return text + lines.text();
}

}  // namespace kinetoscope::report
