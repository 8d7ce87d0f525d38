// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/compare/JobComparisonText.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "core/json/Json.h"
#include "core/ranks/JobText.h"
#include "core/text/Csv.h"
#include "core/text/Format.h"
#include "core/text/Markdown.h"
#include "core/text/Printable.h"
#include "core/text/Units.h"

namespace kinetoscope::ranks::compare {

namespace {

using Json = nlohmann::ordered_json;

std::string ms(double ns) {
    return text::inUnit(ns, text::kMilliseconds);
}

// "+3.1 %"; nothing where one side has none.
std::string percent(const ComparedTimes& row) {
    return row.medianNs.base > 0.0 && row.medianNs.candidate > 0.0
               ? fmt::format("{:+.1f} %",
                             100.0 * (row.medianNs.candidate / row.medianNs.base - 1.0))
               : "";
}

PrintedTable tableOf(std::string title, const std::string& name,
                     const std::vector<ComparedTimes>& rows, bool withCaused) {
    PrintedTable table{std::move(title),
                       {name, "before ms", "after ms", "change", "pairs", "verdict",
                        "waited before ms", "after ms"},
                       {}};
    if (withCaused) {
        table.columns.insert(table.columns.end(), {"waited for before ms", "after ms"});
    }
    for (const ComparedTimes& row : rows) {
        std::vector<std::string> cells{row.name,
                                       row.count.base == 0 ? "" : ms(row.medianNs.base),
                                       row.count.candidate == 0 ? "" : ms(row.medianNs.candidate),
                                       percent(row),
                                       fmt::format("{}", row.pairs),
                                       std::string(stats::verdictName(row.change.verdict)),
                                       ms(static_cast<double>(row.waitedNs.base)),
                                       ms(static_cast<double>(row.waitedNs.candidate))};
        if (withCaused) {
            cells.push_back(ms(static_cast<double>(row.causedNs.base)));
            cells.push_back(ms(static_cast<double>(row.causedNs.candidate)));
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::array<PrintedTable, 3> tablesOf(const JobComparison& comparison) {
    return {tableOf("Steps: median length of the ranks", "step", comparison.steps, false),
            tableOf("Ranks: median length of the steps", "rank", comparison.byRank, true),
            tableOf("Collectives: what they took", "collective", comparison.collectives, false)};
}

std::vector<std::string> headLines(const JobComparison& comparison) {
    const ComparedTimes& all = comparison.all;
    std::vector<std::string> lines{
        fmt::format("before: {}", text::printable(comparison.name.base)),
        fmt::format("after: {}", text::printable(comparison.name.candidate))};
    if (all.count.base > 0 && all.count.candidate > 0) {
        lines.push_back(fmt::format(
            "steps: {} → {} ({}), {}; waiting {} → {}",
            text::formatDuration(static_cast<TimeNs>(all.medianNs.base)),
            text::formatDuration(static_cast<TimeNs>(all.medianNs.candidate)), percent(all),
            stats::verdictName(all.change.verdict), text::formatDuration(all.waitedNs.base),
            text::formatDuration(all.waitedNs.candidate)));
    }
    lines.insert(lines.end(), comparison.notes.begin(), comparison.notes.end());
    return lines;
}

// What became of each cause.
std::vector<std::string> causeLines(const JobComparison& comparison) {
    std::vector<std::string> lines;
    for (const ComparedCause& cause : comparison.causes) {
        const auto& texts =
            cause.texts.candidate.empty() ? cause.texts.base : cause.texts.candidate;
        const std::string what =
            cause.texts.base.empty()
                ? "new"
                : (cause.texts.candidate.empty()
                       ? "gone"
                       : fmt::format("{} → {}", text::formatDuration(cause.ns.base),
                                     text::formatDuration(cause.ns.candidate)));
        for (const std::string& line : texts) {
            lines.push_back(fmt::format("{}: {}", what, line));
        }
    }
    if (lines.empty()) {
        lines.emplace_back(comparison.decided
                               ? "No rank stands out in either job."
                               : "Cannot tell whether a rank stands out: some are missing. None of "
                                 "those that were read does, in either job.");
    }
    return lines;
}

std::string plain(const JobComparison& comparison, const text::TextStyle& style) {
    std::string text = style.heading("Jobs") + "\n";
    for (const std::string& line : headLines(comparison)) {
        text += text::paragraph(line, style.width, 2);
    }
    text += "\n" + style.heading("Who was late, and why") + "\n";
    for (const std::string& line : causeLines(comparison)) {
        text += text::paragraph(line, style.width, 2);
    }
    for (const PrintedTable& table : tablesOf(comparison)) {
        text += tableText(table, style);
    }
    return text;
}

std::string markdown(const JobComparison& comparison) {
    std::string text = "# Jobs\n\n";
    for (const std::string& line : headLines(comparison)) {
        text += "- " + text::markdownText(line) + "\n";
    }
    text += "\n## Late ranks, and why\n\n";
    for (const std::string& line : causeLines(comparison)) {
        text += "- " + text::markdownText(line) + "\n";
    }
    for (const PrintedTable& table : tablesOf(comparison)) {
        text += tableMarkdown(table);
    }
    return text;
}

Json timesJson(const ComparedTimes& row) {
    Json json{{"name", row.name},
              {"count", {row.count.base, row.count.candidate}},
              {"median_ns", {row.medianNs.base, row.medianNs.candidate}},
              {"waited_ns", {row.waitedNs.base, row.waitedNs.candidate}},
              {"caused_ns", {row.causedNs.base, row.causedNs.candidate}},
              {"pairs", row.pairs},
              {"ratio", row.change.ratio},
              {"interval", nullptr},
              {"verdict", stats::verdictName(row.change.verdict)}};
    if (row.change.interval) {
        json["interval"] = {row.change.interval->low, row.change.interval->high};
    }
    return json;
}

Json listJson(const std::vector<ComparedTimes>& rows) {
    Json list = Json::array();
    for (const ComparedTimes& row : rows) {
        list.push_back(timesJson(row));
    }
    return list;
}

std::string jsonOf(const JobComparison& comparison) {
    Json json{{"schema", "kinetoscope.ranks-compare/1"},
              {"jobs", {comparison.name.base, comparison.name.candidate}},
              {"ranks", {comparison.ranks.base, comparison.ranks.candidate}},
              {"all_steps", timesJson(comparison.all)},
              {"steps", listJson(comparison.steps)},
              {"by_rank", listJson(comparison.byRank)},
              {"collectives", listJson(comparison.collectives)},
              {"causes", Json::array()},
              {"notes", comparison.notes}};
    for (const ComparedCause& cause : comparison.causes) {
        json["causes"].push_back({{"rank", cause.rank},
                                  {"kind", causeKindName(cause.kind)},
                                  {"ns", {cause.ns.base, cause.ns.candidate}},
                                  {"before", cause.texts.base},
                                  {"after", cause.texts.candidate}});
    }
    return json::safeJson(json::jsonText(json)) + "\n";
}

std::string csvOf(const JobComparison& comparison) {
    std::string csv =
        "of,name,before_ns,after_ns,pairs,ratio,low,high,verdict,waited_before_ns,waited_after_"
        "ns\n";
    const auto add = [&](const char* of, const std::vector<ComparedTimes>& rows) {
        for (const ComparedTimes& row : rows) {
            const auto& interval = row.change.interval;
            const std::vector<std::string> fields{
                of,
                text::csvName(row.name),
                fmt::format("{:.0f}", row.medianNs.base),
                fmt::format("{:.0f}", row.medianNs.candidate),
                fmt::format("{}", row.pairs),
                fmt::format("{:.6g}", row.change.ratio),
                interval ? fmt::format("{:.6g}", interval->low) : "",
                interval ? fmt::format("{:.6g}", interval->high) : "",
                std::string(stats::verdictName(row.change.verdict)),
                fmt::format("{}", row.waitedNs.base),
                fmt::format("{}", row.waitedNs.candidate)};
            csv += text::csvLine(fields);
        }
    };
    add("job", {comparison.all});
    add("step", comparison.steps);
    add("rank", comparison.byRank);
    add("collective", comparison.collectives);
    return csv;
}

}  // namespace

std::string comparisonOutput(const JobComparison& comparison, text::OutputFormat format,
                             const text::TextStyle& style) {
    switch (format) {
        case text::OutputFormat::Json:
            return jsonOf(comparison);
        case text::OutputFormat::Csv:
            return csvOf(comparison);
        case text::OutputFormat::Markdown:
            return markdown(comparison);
        case text::OutputFormat::Text:
            break;
    }
    return plain(comparison, style);
}

}  // namespace kinetoscope::ranks::compare
