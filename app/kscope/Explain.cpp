// SPDX-License-Identifier: Apache-2.0
#include "core/report/Explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/kscope/ReportArguments.h"
#include "core/text/Format.h"
#include "core/text/TextTable.h"

namespace kinetoscope::app {

namespace {

constexpr std::size_t kIndent = 4;
constexpr std::size_t kMaxColumns = 100;

const report::FigureText* figureOf(const std::string& name) {
    if (const report::FigureText* exact = report::explainFigure(name)) {
        return exact;
    }
    if (const report::FigureText* inNs = report::explainFigure(name + "_ns")) {
        return inNs;
    }
    const auto all = report::figureTexts();
    const auto byTitle = std::ranges::find_if(all, [&](const report::FigureText& figure) {
        return text::lowered(figure.title) == text::lowered(name);
    });
    return byTitle == all.end() ? nullptr : &*byTitle;
}

std::string entry(const report::FigureText& figure, std::size_t width) {
    const std::string unit = figure.unit.empty() ? "" : fmt::format(" in {}", figure.unit);
    return fmt::format("{} ({}{})\n", figure.title, figure.key, unit) +
           text::paragraph(figure.definition, std::min(width, kMaxColumns), kIndent);
}

}  // namespace

bool isFigure(const std::string& figure) {
    return figureOf(figure) != nullptr;
}

Result<std::string> explain(const std::string& figure, std::size_t width) {
    std::string text;
    if (!figure.empty()) {
        const report::FigureText* one = figureOf(figure);
        if (one == nullptr) {
            return fail(fmt::format(
                "no figure is called '{}'; kscope report --explain lists all of them", figure));
        }
        return entry(*one, width);
    }
    for (const report::FigureText& one : report::figureTexts()) {
        text += (text.empty() ? "" : "\n") + entry(one, width);
    }
    return text;
}

}  // namespace kinetoscope::app
