// SPDX-License-Identifier: Apache-2.0
#include "core/report/RooflineOutput.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/json/Json.h"
#include "core/report/RooflineTable.h"
#include "core/text/Csv.h"
#include "core/text/Format.h"
#include "core/text/Markdown.h"
#include "core/text/Printable.h"

namespace kinetoscope::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kNameWidth = 24;
constexpr std::size_t kUncoveredNamed = 5;

std::span<const model::RooflineRow> shownRows(const model::Roofline& roofline, std::size_t top) {
    const std::span all(roofline.rows);
    return top == 0 ? all : all.first(std::min(top, all.size()));
}

Json roofJson(const model::DeviceRoof& device) {
    Json json{{"gpu", device.gpu}, {"device", device.device}, {"name", nullptr}};
    if (device.roof == nullptr) {
        return json;
    }
    const model::GpuRoof& roof = *device.roof;
    json["name"] = roof.name;
    json["memory_gb_per_s"] = roof.memoryBytesPerSecond / 1e9;
    json["cache_bytes"] = roof.cacheBytes;
    json["kind"] = device.measured ? "measured" : "table";
    json["clock_mhz"] = roof.clockMhz;
    json["scaled_to_mhz"] = device.clockMhz > 0.0 ? Json(device.clockMhz) : Json();
    json["tflop_per_s"] = Json::object();
    for (const auto& [type, peak] : roof.peaks) {
        json["tflop_per_s"][type] = peak / 1e12;
    }
    json["sources"] = Json::object();
    for (const auto& [key, source] : roof.sources) {
        json["sources"][key] = source;
    }
    json["checked"] = Json::object();
    for (const auto& [key, page] : roof.checked) {
        json["checked"][key] = page;
    }
    if (!roof.note.empty()) {
        json["note"] = roof.note;
    }
    return json;
}

// Kernels' names without their templates; everything else whole.
std::string shownName(const model::Roofline& roofline, const RooflineColumn& column,
                      const model::RooflineRow& row, text::TimeUnit unit) {
    const bool kernel = roofline.by == model::RooflineBy::Kernel && column.key == "name";
    return kernel ? text::printable(text::shortKernelName(row.name)) : shownText(column, row, unit);
}

// Those that people get; shapes only where `shapes`.
std::vector<const RooflineColumn*> columnsOf(const model::Roofline& roofline, bool shapes) {
    const bool measured = hasMeasured(roofline);
    std::vector<const RooflineColumn*> columns;
    for (const RooflineColumn& column : rooflineColumns()) {
        if (isShown(column) && (shapes || column.key != "shapes") &&
            (measured || !isMeasured(column))) {
            columns.push_back(&column);
        }
    }
    return columns;
}

text::TextTable::Column tableColumn(const RooflineColumn& column, text::TimeUnit unit) {
    text::TextTable::Column made{.title = shownTitle(column, unit)};
    made.rightAligned = column.key != "name" && column.key != "shapes" && column.key != "bound" &&
                        column.key != "peak";
    made.droppable = column.droppable;
    made.shrinkTo =
        made.rightAligned || column.key == "bound" || column.key == "peak" ? 0 : kNameWidth;
    return made;
}

// Notes on rows beside their figures, once for all rows that share one.
std::string notesOf(std::span<const model::RooflineRow> rows, const text::TextStyle& style) {
    std::vector<std::pair<std::string, std::string>> notes;
    for (const model::RooflineRow& row : rows) {
        if (row.note.empty()) {
            continue;
        }
        const auto known = std::ranges::find(notes, row.note, &decltype(notes)::value_type::first);
        const std::string name = text::printable(text::shortKernelName(row.name));
        if (known == notes.end()) {
            notes.emplace_back(row.note, name);
        } else if (known->second.find(name) == std::string::npos) {
            known->second += ", " + name;
        }
    }
    std::string text;
    for (const auto& [note, names] : notes) {
        text += text::paragraph(fmt::format("{}: {}", note, names), style.width, 2);
    }
    return text;
}

}  // namespace

Json jsonOf(const RooflineValue& value) {
    struct Maker {
        Json operator()(std::monostate) const { return nullptr; }
        Json operator()(const std::string& text) const { return text; }
        Json operator()(std::uint64_t number) const { return number; }
        Json operator()(double number) const { return number; }
    };
    return std::visit(Maker(), value);
}

std::string csvOf(const RooflineValue& value) {
    struct Maker {
        std::string operator()(std::monostate) const { return {}; }
        std::string operator()(const std::string& text) const { return text::csvName(text); }
        std::string operator()(std::uint64_t number) const { return fmt::to_string(number); }
        std::string operator()(double number) const { return fmt::format("{:.6g}", number); }
    };
    return std::visit(Maker(), value);
}

Json achievedJson(const model::AchievedTable& achieved) {
    Json json{{"roofs", Json::array()},
              {"kernel_ns", achieved.kernelNs()},
              {"modelled_ns", achieved.modelledNs()},
              {"bytes_only_ns", achieved.bytesOnlyNs()}};
    for (const model::DeviceRoof& roof : achieved.roofs()) {
        json["roofs"].push_back(roofJson(roof));
    }
    return json;
}

std::string rooflineText(const ReportDocument& document, const text::TextStyle& style) {
    const model::Roofline& roofline = *document.roofline;
    const auto rows = shownRows(roofline, document.top);
    std::string text = style.heading(fmt::format("Roofline by {}", rooflineByName(roofline.by))) +
                       "\n" + text::paragraph(text::printable(document.trace->info().path), 0, 2) +
                       text::paragraph(coverageLine(roofline), style.width, 2);
    for (const model::DeviceRoof& roof : roofline.roofs) {
        text += text::paragraph(roofLine(roof), style.width, 2);
    }
    if (roofline.roofs.empty()) {
        return text + text::paragraph("No GPU work: the file has no kernel, copy or memset.",
                                      style.width, 2);
    }
    const auto shown = columnsOf(roofline, roofline.by == model::RooflineBy::Shape);
    std::vector<text::TextTable::Column> columns;
    const text::TimeUnit unit = rooflineUnit(roofline);
    columns.reserve(shown.size());
    for (const RooflineColumn* column : shown) {
        columns.push_back(tableColumn(*column, unit));
    }
    text::TextTable table(std::move(columns));
    for (const model::RooflineRow& row : rows) {
        std::vector<std::string> cells;
        cells.reserve(shown.size());
        for (const RooflineColumn* column : shown) {
            cells.push_back(shownName(roofline, *column, row, unit));
        }
        table.addRow(std::move(cells));
    }
    text += "\n" + (table.empty() ? std::string() : table.text(style));
    if (rows.size() < roofline.rows.size()) {
        text +=
            fmt::format("  … and {} more; --top 0 shows all\n", roofline.rows.size() - rows.size());
    }
    const std::string notes = notesOf(rows, style);
    text += notes.empty() ? "" : "\n" + notes;
    if (const std::string missing = uncoveredLine(roofline, kUncoveredNamed); !missing.empty()) {
        text += "\n" + text::paragraph("Not modelled: " + missing, style.width, 2);
    }
    return text;
}

std::string rooflineMarkdown(const ReportDocument& document) {
    const model::Roofline& roofline = *document.roofline;
    const std::string name = std::filesystem::path(document.trace->info().path).filename().string();
    std::string text = "## " + text::markdownText(name) + "\n\n" +
                       fmt::format("Roofline by {}: {}.\n\n", rooflineByName(roofline.by),
                                   text::markdownText(coverageLine(roofline)));
    for (const model::DeviceRoof& roof : roofline.roofs) {
        text += "- " + text::markdownText(roofLine(roof)) + "\n";
    }
    std::vector<std::string> titles;
    std::string rule = "|";
    const auto shown = columnsOf(roofline, true);
    const text::TimeUnit unit = rooflineUnit(roofline);
    for (const RooflineColumn* column : shown) {
        const text::TextTable::Column made = tableColumn(*column, unit);
        titles.push_back(text::markdownText(made.title));
        rule += made.rightAligned ? " ---: |" : " --- |";
    }
    text += "\n" + text::markdownRow(titles) + rule + "\n";
    for (const model::RooflineRow& row : shownRows(roofline, document.top)) {
        std::vector<std::string> cells;
        for (const RooflineColumn* column : shown) {
            const std::string cell = shownName(roofline, *column, row, unit);
            cells.push_back(column->key == "name" ? text::markdownCode(cell)
                                                  : text::markdownText(cell));
        }
        text += text::markdownRow(cells);
    }
    if (const std::string missing = uncoveredLine(roofline, kUncoveredNamed); !missing.empty()) {
        text += "\nNot modelled: " + text::markdownText(missing) + ".\n";
    }
    return text;
}

std::string rooflineCsvHeader(bool withFile) {
    std::string text = withFile ? "file" : "";
    for (const RooflineColumn& column : rooflineColumns()) {
        text += (text.empty() ? "" : ",") + std::string(column.key);
    }
    return text + "\n";
}

std::string rooflineCsv(const ReportDocument& document, bool withFile) {
    std::string text;
    for (const model::RooflineRow& row : shownRows(*document.roofline, document.top)) {
        std::vector<std::string> fields;
        if (withFile) {
            fields.push_back(text::csvName(document.trace->info().path));
        }
        for (const RooflineColumn& column : rooflineColumns()) {
            fields.push_back(csvOf(column.value(row)));
        }
        text += text::csvLine(fields);
    }
    return text;
}

Json rooflineJson(const model::Roofline& roofline, std::size_t top) {
    Json json{{"by", rooflineByName(roofline.by)},
              {"roofs", Json::array()},
              {"coverage", roofline.coverage()},
              {"kernel_ns", roofline.kernelNs},
              {"modelled_ns", roofline.modelledNs},
              {"bytes_only_ns", roofline.bytesOnlyNs},
              {"rows", Json::array()},
              {"uncovered", Json::array()},
              {"counted", Json::object()}};
    for (const model::DeviceRoof& roof : roofline.roofs) {
        json["roofs"].push_back(roofJson(roof));
    }
    for (const model::RooflineRow& row : shownRows(roofline, top)) {
        Json made = Json::object();
        for (const RooflineColumn& column : rooflineColumns()) {
            made[std::string(column.key)] = jsonOf(column.value(row));
        }
        json["rows"].push_back(std::move(made));
    }
    for (const model::UncoveredRow& row : roofline.uncovered) {
        json["uncovered"].push_back({{"name", row.name},
                                     {"reason", model::missingText(row.missing)},
                                     {"count", row.count},
                                     {"time_ns", row.timeNs},
                                     {"kernel_ns", row.kernelNs}});
    }
    for (const auto& [name, flops] : roofline.counted) {
        json["counted"][name] = flops;
    }
    return json;
}

}  // namespace kinetoscope::report
