// SPDX-License-Identifier: Apache-2.0
#include "core/report/TabulateText.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "core/json/Json.h"
#include "core/text/Csv.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"

namespace kinetoscope::report {

namespace {

constexpr std::string_view kMarker = "Output for tabulate: ";
constexpr std::array<const char*, 6> kPercentNames{
    "pointwise_percent",      "reduction_percent", "persistent_reduction_percent",
    "triton_unknown_percent", "unknown_percent",   "gpu_busy_percent"};

std::optional<double> number(std::string_view text, std::string_view unit) {
    if (!text.ends_with(unit)) {
        return std::nullopt;
    }
    text.remove_suffix(unit.size());
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(value)
                                                                    : std::nullopt;
}

// Takes the part behind the last ", " off the line.
std::optional<std::string_view> takeLast(std::string_view& line) {
    const auto comma = line.rfind(", ");
    if (comma == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view last = line.substr(comma + 2);
    line = line.substr(0, comma);
    return last;
}

}  // namespace

std::optional<TabulateRow> parseTabulateLine(std::string_view line) {
    const auto marker = line.find(kMarker);
    if (marker == std::string_view::npos) {
        return std::nullopt;
    }
    line.remove_prefix(marker + kMarker.size());
    line = line.substr(0, line.find_last_not_of(" \r\n") + 1);
    TabulateRow row;
    const auto wallText = takeLast(line);
    const auto wall = wallText ? number(*wallText, "ms") : std::nullopt;
    if (!wall) {
        return std::nullopt;
    }
    row.wallMs = *wall;
    for (std::size_t left = row.percent.size(); left > 0; --left) {
        const auto text = takeLast(line);
        const auto percent = text ? number(*text, "%") : std::nullopt;
        if (!percent) {
            return std::nullopt;
        }
        row.percent[left - 1] = *percent;
    }
    row.name = line;
    return row;
}

std::string tabulateText(std::span<const TabulateRow> rows, const text::TextStyle& style) {
    text::TextTable table(
        {{.title = "benchmark", .rightAligned = false, .shrinkTo = 12},
         {.title = "pointwise"},
         {.title = "reduction"},
         {.title = "persistent"},
         {.title = "triton unk."},
         {.title = "unknown"},
         {.title = "GPU busy"},
         {.title = "wall ms"},
         {.title = "file", .rightAligned = false, .droppable = 1, .shrinkTo = 10}});
    for (const TabulateRow& row : rows) {
        std::vector<std::string> cells{text::printable(row.name)};
        for (const double percent : row.percent) {
            cells.push_back(fmt::format("{:.2f}%", percent));
        }
        cells.push_back(fmt::format("{:.3f}", row.wallMs));
        cells.push_back(text::printable(std::filesystem::path(row.file).filename().string()));
        table.addRow(std::move(cells));
    }
    return table.text(style, 0);
}

std::string tabulateCsv(std::span<const TabulateRow> rows) {
    std::vector<std::string> names{"benchmark_name"};
    names.insert(names.end(), kPercentNames.begin(), kPercentNames.end());
    names.insert(names.end(), {"wall_time_ms", "file"});
    std::string text = text::csvLine(names);
    for (const TabulateRow& row : rows) {
        std::vector<std::string> fields{text::csvName(row.name)};
        for (const double percent : row.percent) {
            fields.push_back(fmt::format("{:.2f}", percent));
        }
        fields.push_back(fmt::format("{:.3f}", row.wallMs));
        fields.push_back(text::csvName(row.file));
        text += text::csvLine(fields);
    }
    return text;
}

std::string tabulateJson(std::span<const TabulateRow> rows) {
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (const TabulateRow& row : rows) {
        Json entry{{"benchmark_name", row.name}};
        for (std::size_t at = 0; at < row.percent.size(); ++at) {
            entry[kPercentNames[at]] = row.percent[at];
        }
        entry["wall_time_ms"] = row.wallMs;
        entry["file"] = row.file;
        list.push_back(std::move(entry));
    }
    const Json json{{"schema", "kinetoscope.tabulate/1"}, {"rows", std::move(list)}};
    return json::jsonText(json, 2) + "\n";
}

}  // namespace kinetoscope::report
