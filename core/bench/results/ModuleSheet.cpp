// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/bench/results/ResultSheet.h"
#include "core/text/Csv.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"

namespace kinetoscope::bench::results {

namespace {

std::vector<std::string> cellsOf(const std::vector<double>& times, const std::string& verdict) {
    if (times.empty()) {
        return {"–", "–", ""};
    }
    const stats::SampleSummary summary = stats::summarize(times);
    return {fmt::format("{:.4f}", summary.median),
            fmt::format("{:.4f} – {:.4f}", summary.low, summary.high), verdict};
}

std::vector<std::string> row(const ModuleGroup& group, const ModuleResult& runner) {
    std::vector<std::string> cells{text::printable(runner.name)};
    for (const auto times : {&ModuleResult::forwardMs, &ModuleResult::backwardMs}) {
        for (std::string& cell : cellsOf(runner.*times, moduleVerdict(group, runner, times))) {
            cells.push_back(std::move(cell));
        }
    }
    cells.push_back(runner.agreement ? fmt::format("{:.1e}{}", runner.agreement->difference,
                                                   runner.agreement->same ? "" : " DIFFERS")
                                     : "–");
    return cells;
}

std::vector<text::TextTable::Column> columns() {
    return {{"Runner", false, 0}, {"Forward ms", true, 0},  {"95 % interval", true, 1},
            {"Verdict", true, 0}, {"Backward ms", true, 0}, {"95 % interval", true, 1},
            {"Verdict", true, 0}, {"Agreement", true, 0}};
}

std::vector<std::string> facts(const ModuleDocument& document) {
    std::vector<std::string> lines{fmt::format(
        "PyTorch {} on {}; medians in milliseconds, verdicts against the first runner",
        text::printable(document.torchVersion),
        text::printable(document.gpu.name.empty() ? document.device : document.gpu.name))};
    for (const std::string& note : document.notes) {
        lines.push_back(text::printable(note));
    }
    return lines;
}

std::vector<std::string> notes(const ModuleGroup& group) {
    std::vector<std::string> lines;
    for (const ModuleResult& runner : group.runners) {
        if (!runner.reason.empty()) {
            lines.push_back(fmt::format("{}: not run: {}", text::printable(runner.name),
                                        text::printable(runner.reason)));
        }
        if (!runner.note.empty()) {
            lines.push_back(
                fmt::format("{}: {}", text::printable(runner.name), text::printable(runner.note)));
        }
    }
    return lines;
}

}  // namespace

ResultSheet resultSheet(const ModuleDocument& document, bool) {
    ResultSheet sheet{"Modules", facts(document), {}};
    for (const ModuleGroup& group : document.groups) {
        ResultSheet::Section section{
            text::printable(group.title), columns(), {}, "", {}, notes(group)};
        for (const ModuleResult& runner : group.runners) {
            if (runner.reason.empty()) {
                section.rows.push_back(row(group, runner));
            }
        }
        sheet.sections.push_back(std::move(section));
    }
    return sheet;
}

std::string resultCsv(const ModuleDocument& document) {
    std::string text = "group,runner,direction,mean_ms,std_ms,median_ms,low_ms,high_ms,loops\n";
    for (const ModuleGroup& group : document.groups) {
        for (const ModuleResult& runner : group.runners) {
            for (const bool backward : {false, true}) {
                const auto& times = backward ? runner.backwardMs : runner.forwardMs;
                if (times.empty()) {
                    continue;
                }
                const stats::SampleSummary s = stats::summarize(times);
                std::vector<std::string> fields{text::csvName(group.key),
                                                text::csvName(runner.name),
                                                backward ? "backward" : "forward"};
                for (const double ms : {s.mean, s.deviation, s.median, s.low, s.high}) {
                    fields.push_back(fmt::format("{:.6f}", ms));
                }
                fields.push_back(fmt::to_string(s.count));
                text += text::csvLine(fields);
            }
        }
    }
    return text;
}

}  // namespace kinetoscope::bench::results
