// SPDX-License-Identifier: Apache-2.0
#include "core/baseline/BaselineOutput.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/SaturatedTime.h"
#include "core/json/Json.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"

namespace kinetoscope::baseline {

namespace {

using Json = nlohmann::ordered_json;

std::string timeOf(const Measure* measure) {
    return measure == nullptr ? std::string() : text::formatDuration(saturatedTime(measure->value));
}

/// "step 15.779 ms, kernel time of a step 1.943 ms"; of a bench the time alone.
std::string wholeOf(const Entry& entry) {
    if (!entry.isTrace()) {
        return timeOf(entry.benchTime());
    }
    std::vector<std::string> texts;
    for (const Measure* measure : {entry.step(), entry.kernelTime()}) {
        if (measure != nullptr) {
            texts.push_back(text::printable(measure->name) + " " + timeOf(measure));
        }
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

Json entryFactsJson(const Entry& entry) {
    Json json{{"id", entry.id},       {"recorded", entry.recorded},  {"kind", entry.kind},
              {"facts", entry.facts}, {"clock_mhz", entry.clockMhz}, {"files", Json::array()}};
    for (const StoredFile& file : entry.files) {
        json["files"].push_back({{"name", file.name}, {"from", file.from}, {"bytes", file.bytes}});
    }
    if (!entry.measures.empty()) {
        json["value_ns"] = entry.measures.front().value;
    }
    if (const Measure* step = entry.step(); step != nullptr) {
        json["step_ns"] = step->value;
    }
    return json;
}

}  // namespace

std::string factsText(const Entry& entry) {
    std::vector<std::string> texts;
    Facts others = entry.facts;
    const auto add = [&texts](const std::string& label, const std::string& value) {
        texts.push_back(text::printable(label + " " + value));
    };
    for (const Fact& fact : knownFacts()) {
        if (const auto found = others.find(fact.key); found != others.end()) {
            add(fact.label, found->second);
            others.erase(found);
        }
    }
    if (entry.clockMhz > 0.0) {
        add("SM clock", fmt::format("{:.0f} MHz", entry.clockMhz));
    }
    for (const auto& [key, value] : others) {
        add(key, value);
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::string listOutput(const std::vector<Entry>& latest, const std::vector<std::size_t>& counts,
                       text::OutputFormat format, const text::TextStyle& style) {
    if (format == text::OutputFormat::Json) {
        Json list = Json::array();
        for (std::size_t i = 0; i < latest.size(); ++i) {
            list.push_back({{"name", latest[i].name},
                            {"entries", counts[i]},
                            {"latest", entryFactsJson(latest[i])}});
        }
        return json::jsonText(Json{{"schema", "kinetoscope.baselines/1"}, {"baselines", list}}, 2) +
               "\n";
    }
    if (latest.empty()) {
        return "no baselines\n";
    }
    const bool traces = std::ranges::any_of(latest, &Entry::isTrace);
    const bool benches = !std::ranges::all_of(latest, &Entry::isTrace);
    std::vector<text::TextTable::Column> columns{
        {"Baseline", false, 0}, {"Entries", true, 0}, {"Of", false, 0}, {"Latest", false, 1}};
    if (traces) {
        columns.insert(columns.end(), {{"Step", true, 0}, {"Kernel time", true, 0}});
    }
    if (benches) {
        columns.push_back({"Time", true, 0});
    }
    columns.push_back({"GPU", false, 2, 12});
    text::TextTable table(std::move(columns));
    for (std::size_t i = 0; i < latest.size(); ++i) {
        const Entry& entry = latest[i];
        std::vector<std::string> cells{entry.name, std::to_string(counts[i]),
                                       text::printable(entry.kind),
                                       text::printable(entry.recorded)};
        if (traces) {
            cells.push_back(timeOf(entry.step()));
            cells.push_back(timeOf(entry.kernelTime()));
        }
        if (benches) {
            cells.push_back(timeOf(entry.benchTime()));
        }
        cells.push_back(text::printable(entry.fact("gpu")));
        table.addRow(std::move(cells));
    }
    return table.text(style, 0);
}

std::string entriesOutput(const std::vector<Entry>& entries, text::OutputFormat format,
                          const text::TextStyle& style) {
    if (format == text::OutputFormat::Json) {
        Json list = Json::array();
        std::ranges::transform(entries, std::back_inserter(list), entryFactsJson);
        return json::jsonText(Json{{"schema", "kinetoscope.baselines/1"},
                                   {"name", entries.front().name},
                                   {"entries", list}},
                              2) +
               "\n";
    }
    std::string text;
    for (const Entry& entry : entries) {
        text += style.heading(fmt::format("{}  {}", entry.id, wholeOf(entry))) + "\n";
        std::vector<std::string> files;
        files.reserve(entry.files.size());
        for (const StoredFile& file : entry.files) {
            files.push_back(text::printable(file.from));
        }
        text += text::paragraph(factsText(entry), style.width, 2);
        text += text::paragraph(fmt::format("of {}", fmt::join(files, ", ")), style.width, 2);
    }
    return text;
}

}  // namespace kinetoscope::baseline
