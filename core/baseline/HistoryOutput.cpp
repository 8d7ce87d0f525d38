// SPDX-License-Identifier: Apache-2.0
#include "core/baseline/HistoryOutput.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/SaturatedTime.h"
#include "core/json/Json.h"
#include "core/text/Csv.h"
#include "core/text/Markdown.h"
#include "core/text/Printable.h"
#include "core/text/Units.h"

namespace kinetoscope::baseline {

namespace {

using Json = nlohmann::ordered_json;

double percentOf(double ratio) {
    return 100.0 * (ratio - 1.0);
}

// Against the point before; empty for the first.
std::string sinceBefore(const HistorySeries& series, std::size_t row) {
    const double before = row == 0 ? 0.0 : series.points[row - 1].valueNs;
    return before > 0.0 ? fmt::format("{:+.1f} %", percentOf(series.points[row].valueNs / before))
                        : std::string();
}

std::string commitOf(const Entry& entry) {
    return text::printable(entry.fact("commit"));
}

// A single value has none.
std::string intervalText(const HistoryPoint& point, text::TimeUnit unit) {
    return point.lowNs < point.highNs ? fmt::format("{} … {}", text::inUnit(point.lowNs, unit),
                                                    text::inUnit(point.highNs, unit))
                                      : std::string();
}

/// The cells of a point: time, value, interval, change, verdict of a change point, commit, entry.
std::vector<std::string> cellsOf(const History& history, const HistorySeries& series,
                                 std::size_t row, text::TimeUnit unit) {
    const HistoryPoint& point = series.points[row];
    const Entry& entry = history.entries[point.entry];
    const stats::ChangePoint* change = series.changeAt(row);
    return {text::printable(entry.recorded),
            text::inUnit(point.valueNs, unit),
            intervalText(point, unit),
            sinceBefore(series, row),
            change == nullptr ? std::string() : changeText(*change),
            commitOf(entry),
            entry.id};
}

struct PlacedChange {
    const HistorySeries* series;
    const stats::ChangePoint* change;
    std::size_t entry;
};

/// Of all series, the latest first, and of one entry the largest.
std::vector<PlacedChange> changesOf(const History& history) {
    std::vector<PlacedChange> all;
    for (const HistorySeries& series : history.series) {
        for (const stats::ChangePoint& change : series.changes) {
            all.push_back({&series, &change, series.points[change.entry].entry});
        }
    }
    std::ranges::stable_sort(all, [](const PlacedChange& a, const PlacedChange& b) {
        const double left = std::abs(std::log(a.change->decision.ratio));
        const double right = std::abs(std::log(b.change->decision.ratio));
        return a.entry != b.entry ? a.entry > b.entry : left > right;
    });
    return all;
}

std::span<const HistorySeries> shownSeries(const History& history, std::size_t top) {
    return std::span(history.series)
        .first(top == 0 ? history.series.size() : std::min(top, history.series.size()));
}

std::string historyText(const History& history, std::size_t top, const text::TextStyle& style) {
    std::string text = style.heading(history.name) + "\n  " + historyTitle(history) + "\n";
    for (const HistorySeries& series : shownSeries(history, top)) {
        const text::TimeUnit unit = unitOf(series);
        text::TextTable table({{"recorded", false},
                               {unit.name},
                               {"interval", true, 2},
                               {"change"},
                               {"change point", false},
                               {"commit", false, 1, 8},
                               {"entry", false, 3, 16}});
        for (std::size_t row = 0; row < series.points.size(); ++row) {
            table.addRow(cellsOf(history, series, row, unit));
        }
        text += "\n" + style.heading(text::printable(series.name)) + "\n" + table.text(style);
    }
    const auto changes = changesOf(history);
    text::TextTable table(
        {{"since", false}, {"change", false}, {"commit", false, 1, 8}, {"of", false, 0, 24}});
    for (const PlacedChange& placed : changes) {
        const Entry& entry = history.entries[placed.entry];
        table.addRow({text::printable(entry.recorded), changeText(*placed.change), commitOf(entry),
                      text::printable(placed.series->name)});
    }
    return text + "\n" + style.heading("Change points") + "\n" +
           (changes.empty() ? "  none\n" : table.text(style));
}

std::string markdownCells(std::vector<std::string> cells) {
    std::ranges::transform(cells, cells.begin(),
                           [](const std::string& cell) { return text::markdownText(cell); });
    return text::markdownRow(cells);
}

std::string historyMarkdown(const History& history, std::size_t top) {
    std::string text = fmt::format("## {}\n\n{}\n", text::markdownText(history.name),
                                   text::markdownText(historyTitle(history)));
    const auto changes = changesOf(history);
    text += changes.empty() ? "\nNo change point.\n"
                            : "\n" + markdownCells({"since", "change", "commit", "of"}) +
                                  "| --- | --- | --- | --- |\n";
    for (const PlacedChange& placed : changes) {
        const Entry& entry = history.entries[placed.entry];
        text += markdownCells({entry.recorded, changeText(*placed.change), commitOf(entry),
                               text::printable(placed.series->name)});
    }
    for (const HistorySeries& series : shownSeries(history, top)) {
        const text::TimeUnit unit = unitOf(series);
        text += fmt::format("\n<details>\n<summary>{}</summary>\n\n",
                            text::markdownText(text::printable(series.name))) +
                markdownCells({"recorded", unit.name, "interval", "change", "change point",
                               "commit", "entry"}) +
                "| --- | ---: | ---: | ---: | --- | --- | --- |\n";
        for (std::size_t row = 0; row < series.points.size(); ++row) {
            text += markdownCells(cellsOf(history, series, row, unit));
        }
        text += "\n</details>\n";
    }
    return text;
}

std::string historyCsv(const History& history) {
    std::string text = text::csvLine(std::vector<std::string>{
        "series", "entry", "recorded", "commit", "value_ns", "low_ns", "high_ns", "change_point",
        "ratio", "ratio_low", "ratio_high", "file"});
    for (const HistorySeries& series : history.series) {
        for (std::size_t row = 0; row < series.points.size(); ++row) {
            const HistoryPoint& point = series.points[row];
            const Entry& entry = history.entries[point.entry];
            std::vector<std::string> line{text::csvName(series.name),
                                          entry.id,
                                          text::csvName(entry.recorded),
                                          text::csvName(entry.fact("commit")),
                                          text::csvNs(point.valueNs),
                                          text::csvNs(point.lowNs),
                                          text::csvNs(point.highNs),
                                          "",
                                          "",
                                          "",
                                          "",
                                          text::csvName(history.files[point.entry].front())};
            if (const auto* change = series.changeAt(row); change != nullptr) {
                const stats::Decision& decision = change->decision;
                line[7] = stats::verdictName(decision.verdict);
                line[8] = fmt::format("{:.6g}", decision.ratio);
                line[9] = fmt::format("{:.6g}", decision.interval->low);
                line[10] = fmt::format("{:.6g}", decision.interval->high);
            }
            text += text::csvLine(line);
        }
    }
    return text;
}

Json seriesJson(const History& history, const HistorySeries& series) {
    Json json{{"name", series.name}, {"points", Json::array()}, {"change_points", Json::array()}};
    for (const HistoryPoint& point : series.points) {
        json["points"].push_back({{"entry", history.entries[point.entry].id},
                                  {"value_ns", point.valueNs},
                                  {"interval_ns", {point.lowNs, point.highNs}}});
    }
    for (const stats::ChangePoint& change : series.changes) {
        const stats::Decision& decision = change.decision;
        json["change_points"].push_back(
            {{"entry", history.entries[series.points[change.entry].entry].id},
             {"verdict", stats::verdictName(decision.verdict)},
             {"ratio", decision.ratio},
             {"interval", {decision.interval->low, decision.interval->high}}});
    }
    return json;
}

std::string historyJson(const History& history) {
    Json document{{"schema", "kinetoscope.history/1"},
                  {"name", history.name},
                  {"tolerance", history.tolerance},
                  {"left_out", history.leftOut},
                  {"of_all", history.ofAll},
                  {"entries", Json::array()},
                  {"series", Json::array()}};
    for (std::size_t i = 0; i < history.entries.size(); ++i) {
        const Entry& entry = history.entries[i];
        document["entries"].push_back({{"id", entry.id},
                                       {"recorded", entry.recorded},
                                       {"facts", entry.facts},
                                       {"clock_mhz", entry.clockMhz},
                                       {"files", history.files[i]}});
    }
    for (const HistorySeries& series : history.series) {
        document["series"].push_back(seriesJson(history, series));
    }
    return json::jsonText(document, 1) + "\n";
}

}  // namespace

text::TimeUnit unitOf(const HistorySeries& series) {
    double largest = 0.0;
    for (const HistoryPoint& point : series.points) {
        largest = std::max({largest, point.valueNs, point.highNs});
    }
    return text::unitFor(saturatedTime(largest));
}

std::string changeText(const stats::ChangePoint& change) {
    const stats::Decision& decision = change.decision;
    return fmt::format("{} by {:.1f} % ({:.1f} … {:.1f} %)", stats::verdictName(decision.verdict),
                       std::abs(percentOf(decision.ratio)), percentOf(decision.interval->low),
                       percentOf(decision.interval->high));
}

std::string historyTitle(const History& history) {
    const std::string gpu = text::printable(history.entries.back().fact("gpu"));
    const std::size_t count = history.entries.size();
    return fmt::format("{} {}{}{}; changes within ±{:g} % do not count{}", count,
                       count == 1 ? "entry" : "entries", gpu.empty() ? "" : " on " + gpu,
                       history.leftOut == 0 ? "" : fmt::format(", {} left out", history.leftOut),
                       100.0 * history.tolerance,
                       history.ofAll.empty() ? "" : "; " + history.ofAll);
}

std::string historyOutput(const History& history, text::OutputFormat format, std::size_t top,
                          const text::TextStyle& style) {
    switch (format) {
        case text::OutputFormat::Json:
            return historyJson(history);
        case text::OutputFormat::Csv:
            return historyCsv(history);
        case text::OutputFormat::Markdown:
            return historyMarkdown(history, top);
        case text::OutputFormat::Text:
            break;
    }
    return historyText(history, top, style);
}

}  // namespace kinetoscope::baseline
