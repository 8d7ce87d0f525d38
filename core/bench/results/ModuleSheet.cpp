// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/bench/results/ResultSheet.h"
#include "core/text/Csv.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"

namespace kinetoscope::bench::results {

namespace {

constexpr double kNsPerMs = 1e6;

std::vector<std::string> cellsOf(const BenchItem& group, const BenchItem& runner,
                                 const char* direction) {
    const BenchSeries* series = runner.find(direction);
    if (series == nullptr) {
        return {"–", "–", ""};
    }
    const stats::SampleSummary summary = series->summary();
    return {fmt::format("{:.4f}", summary.median / kNsPerMs),
            fmt::format("{:.4f} – {:.4f}", summary.low / kNsPerMs, summary.high / kNsPerMs),
            runnerVerdict(group, runner, direction)};
}

std::vector<std::string> row(const BenchItem& group, const BenchItem& runner) {
    std::vector<std::string> cells{text::printable(runner.name)};
    for (const char* direction : kDirections) {
        for (std::string& cell : cellsOf(group, runner, direction)) {
            cells.push_back(std::move(cell));
        }
    }
    cells.push_back(runner.accuracy ? fmt::format("{:.1e}{}", runner.accuracy->maxRelative,
                                                  runner.accuracy->same ? "" : " DIFFERS")
                                    : "–");
    return cells;
}

std::vector<text::TextTable::Column> columns() {
    return {{"Runner", false, 0}, {"Forward ms", true, 0},  {"95 % interval", true, 1},
            {"Verdict", true, 0}, {"Backward ms", true, 0}, {"95 % interval", true, 1},
            {"Verdict", true, 0}, {"Agreement", true, 0}};
}

std::vector<std::string> facts(const ResultDocument& document) {
    std::vector<std::string> lines{fmt::format(
        "PyTorch {} on {}; medians in milliseconds, verdicts against the first runner",
        text::printable(document.torchVersion),
        text::printable(document.gpu.name.empty() ? document.device : document.gpu.name))};
    for (const std::string& note : document.notes) {
        lines.push_back(text::printable(note));
    }
    return lines;
}

std::vector<std::string> notes(const BenchItem& group) {
    std::vector<std::string> lines;
    for (const BenchItem& runner : group.parts) {
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

ResultSheet moduleSheet(const ResultDocument& document) {
    ResultSheet sheet{"Modules", facts(document), {}};
    for (const BenchItem& group : document.items) {
        ResultSheet::Section section{
            text::printable(group.name), columns(), {}, "", {}, notes(group)};
        for (const BenchItem& runner : group.parts) {
            if (runner.reason.empty()) {
                section.rows.push_back(row(group, runner));
            }
        }
        sheet.sections.push_back(std::move(section));
    }
    return sheet;
}

std::string moduleCsv(const ResultDocument& document) {
    std::string text = "group,runner,direction,mean_ms,std_ms,median_ms,low_ms,high_ms,loops\n";
    for (const BenchItem& group : document.items) {
        for (const BenchItem& runner : group.parts) {
            for (const BenchSeries& series : runner.series) {
                const stats::SampleSummary s = series.summary();
                std::vector<std::string> fields{text::csvName(group.key),
                                                text::csvName(runner.name),
                                                text::csvName(series.name)};
                for (const double ns : {s.mean, s.deviation, s.median, s.low, s.high}) {
                    fields.push_back(fmt::format("{:.6f}", ns / kNsPerMs));
                }
                fields.push_back(fmt::to_string(s.count));
                text += text::csvLine(fields);
            }
        }
    }
    return text;
}

}  // namespace kinetoscope::bench::results
