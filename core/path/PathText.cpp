// SPDX-License-Identifier: Apache-2.0
#include "core/path/PathText.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "core/json/Json.h"
#include "core/text/Csv.h"
#include "core/text/Format.h"
#include "core/text/Markdown.h"
#include "core/text/Printable.h"
#include "core/text/PrintedTable.h"

namespace kinetoscope::path {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxParts = 20;  // of a table on a terminal
constexpr std::size_t kMaxCritical = 4;

// As prose spells it; JSON and CSV have the identifier.
std::string kindWord(PartKind kind) {
    return kind == PartKind::Synchronization ? "synchronisation" : std::string(partKindName(kind));
}

Json partsJson(const std::vector<Part>& parts) {
    Json rows = Json::array();
    for (const Part& part : parts) {
        rows.push_back({{"kind", partKindName(part.kind)}, {"name", part.name}, {"ns", part.ns}});
    }
    return rows;
}

std::string jsonOf(const std::vector<StepPath>& paths) {
    Json steps = Json::array();
    for (const StepPath& path : paths) {
        Json step{{"number", path.number},          {"length_ns", path.span.duration()},
                  {"replayed_ns", path.replayedNs}, {"inferred", path.inferred()},
                  {"parts", partsJson(path.parts)}, {"what_if", Json::array()}};
        for (const ChangedStep& changed : path.changed) {
            step["what_if"].push_back({{"change", changed.change},
                                       {"length_ns", changed.lengthNs},
                                       {"matches", changed.matches},
                                       {"parts", partsJson(changed.parts)}});
        }
        steps.push_back(std::move(step));
    }
    return json::jsonText(Json{{"schema", "kinetoscope.path/1"}, {"steps", std::move(steps)}}, 2) +
           "\n";
}

// A what-if has rows of its own, with its text in the second column.
std::string csvOf(const std::vector<StepPath>& paths) {
    std::string csv = "step,what_if,kind,name,ns,count\n";
    const auto add = [&](const StepPath& path, const std::string& change,
                         const std::vector<Part>& parts) {
        for (const Part& part : parts) {
            const std::vector<std::string> fields{fmt::to_string(path.number),
                                                  text::csvName(change),
                                                  std::string(partKindName(part.kind)),
                                                  text::csvName(part.name),
                                                  fmt::to_string(part.ns),
                                                  fmt::to_string(part.count)};
            csv += text::csvLine(fields);
        }
    };
    for (const StepPath& path : paths) {
        add(path, "", path.parts);
        for (const ChangedStep& changed : path.changed) {
            add(path, changed.change, changed.parts);
        }
    }
    return csv;
}

text::PrintedTable partTable(const StepPath& path) {
    text::PrintedTable table{.title = fmt::format("Step {}", path.number),
                             .columns = {{.title = "kind", .isWord = true},
                                         {"name", true},
                                         {"time"},
                                         {"share"},
                                         {"stretches"}},
                             .rows = {}};
    for (const Part& part : path.parts) {
        table.rows.push_back({kindWord(part.kind), text::printable(part.name),
                              text::formatDuration(part.ns),
                              text::formatPercent(static_cast<double>(part.ns),
                                                  static_cast<double>(path.span.duration())),
                              text::formatCount(static_cast<std::int64_t>(part.count))});
    }
    return table;
}

// "kernel 62 %, gap 23 %": the kinds with most time.
std::string criticalThen(const ChangedStep& changed) {
    if (!changed.matches) {
        return "unchanged: it matches nothing in this step";
    }
    std::array<TimeNs, kPartKinds> times{};
    for (const Part& part : changed.parts) {
        times[static_cast<std::size_t>(part.kind)] += part.ns;
    }
    std::vector<PartKind> kinds;
    for (std::size_t kind = 0; kind < kPartKinds; ++kind) {
        if (times[kind] > 0) {
            kinds.push_back(static_cast<PartKind>(kind));
        }
    }
    const auto timeOf = [&](PartKind kind) { return times[static_cast<std::size_t>(kind)]; };
    std::ranges::stable_sort(kinds, std::greater<>(), timeOf);
    std::string text;
    for (std::size_t i = 0; i < std::min(kinds.size(), kMaxCritical); ++i) {
        text += fmt::format(
            "{}{} {:.0f} %", i == 0 ? "" : ", ", kindWord(kinds[i]),
            100.0 * static_cast<double>(timeOf(kinds[i])) / static_cast<double>(changed.lengthNs));
    }
    return text;
}

text::PrintedTable changeTable(const StepPath& path) {
    text::PrintedTable table{
        .title = fmt::format("What if, step {}", path.number),
        .columns = {{"change", true}, {"step"}, {"of before"}, {"critical then", true}},
        .rows = {}};
    for (const ChangedStep& changed : path.changed) {
        const bool isOfAll = path.changed.size() > 1 && &changed == &path.changed.back();
        table.rows.push_back({isOfAll ? "all together" : text::printable(changed.change),
                              text::formatDuration(changed.lengthNs),
                              text::formatPercent(static_cast<double>(changed.lengthNs),
                                                  static_cast<double>(path.span.duration())),
                              criticalThen(changed)});
    }
    return table;
}

std::string stepWords(const StepPath& path) {
    return fmt::format("Step {}: {}, replayed {}; {} of the path is inferred.", path.number,
                       text::formatDuration(path.span.duration()),
                       text::formatDuration(path.replayedNs),
                       text::formatPercent(static_cast<double>(path.inferredNs),
                                           static_cast<double>(path.span.duration())));
}

std::vector<std::string> summary(const Graph& graph) {
    std::vector<std::string> lines;
    if (graph.ranks.size() > 1) {
        lines.push_back(
            fmt::format("{} ranks, joined by their collectives; each step is that of the rank that "
                        "finished it last.",
                        graph.ranks.size()));
    }
    lines.push_back(fmt::format(
        "Waits for GPU work: the reason is recorded for {}, inferred for {}, unknown for {}.",
        text::formatCount(static_cast<std::int64_t>(graph.toldWaits)),
        text::formatCount(static_cast<std::int64_t>(graph.inferredWaits)),
        text::formatCount(static_cast<std::int64_t>(graph.unknownWaits))));
    if (graph.dropped > 0) {
        lines.push_back(
            fmt::format("{} dependencies contradict the recorded times and are ignored.",
                        text::formatCount(static_cast<std::int64_t>(graph.dropped))));
    }
    if (graph.sharedOperations > 0) {
        lines.push_back(
            fmt::format("Steps of one process overlap: {} GPU operations were launched during "
                        "several steps and count for each.",
                        text::formatCount(static_cast<std::int64_t>(graph.sharedOperations))));
    }
    return lines;
}

constexpr const char* kNothing =
    "There is no path: the trace has no steps and no GPU work with a recorded launch.";

std::string textOf(const Graph& graph, const std::vector<StepPath>& paths,
                   const text::TextStyle& style) {
    std::string text = style.heading("Critical path") + "\n";
    for (const std::string& line : summary(graph)) {
        text += text::paragraph(line, style.width, 2);
    }
    for (const StepPath& path : paths) {
        text += "\n" + text::paragraph(stepWords(path), style.width, 0);
        text += text::shownTable(partTable(path), style, kMaxParts);
        text += text::shownTable(changeTable(path), style);
    }
    return paths.empty() ? text + text::paragraph(kNothing, style.width, 2) : text;
}

std::string markdownOf(const Graph& graph, const std::vector<StepPath>& paths) {
    std::string text = "# Critical path\n\n";
    for (const std::string& line : summary(graph)) {
        text += "- " + text::markdownText(line) + "\n";
    }
    for (const StepPath& path : paths) {
        text += "- " + text::markdownText(stepWords(path)) + "\n";
    }
    for (const StepPath& path : paths) {
        text += text::markdownTable(partTable(path)) + text::markdownTable(changeTable(path));
    }
    return paths.empty() ? text + "- " + kNothing + "\n" : text;
}

}  // namespace

std::string pathOutput(const Graph& graph, const std::vector<StepPath>& paths,
                       text::OutputFormat format, const text::TextStyle& style) {
    switch (format) {
        case text::OutputFormat::Json:
            return jsonOf(paths);
        case text::OutputFormat::Csv:
            return csvOf(paths);
        case text::OutputFormat::Markdown:
            return markdownOf(graph, paths);
        case text::OutputFormat::Text:
            break;
    }
    return textOf(graph, paths, style);
}

}  // namespace kinetoscope::path
