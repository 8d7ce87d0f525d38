// SPDX-License-Identifier: Apache-2.0
#include "core/report/OperatorText.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <span>
#include <vector>

#include "core/analysis/Tabulate.h"
#include "core/base/SaturatedTime.h"
#include "core/json/Json.h"
#include "core/report/AchievedColumns.h"
#include "core/text/Csv.h"
#include "core/text/Markdown.h"
#include "core/text/Printable.h"

namespace kinetoscope::report {

namespace {

constexpr std::size_t kWidestName = 55;
constexpr std::size_t kWidestShapes = 80;
constexpr std::size_t kFigureWidth = 12;
constexpr std::size_t kMargin = 4;
constexpr std::size_t kGap = 2;

std::size_t codePoints(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string timeText(double us) {
    constexpr double kMs = 1000.0;
    constexpr double kSecond = 1'000'000.0;
    return us >= kSecond ? fmt::format("{:.3f}s", us / kSecond)
           : us >= kMs   ? fmt::format("{:.3f}ms", us / kMs)
                         : fmt::format("{:.3f}us", us);
}

TimeNs longestGpuNs(const analysis::OperatorTable& table) {
    double longestUs = 0.0;
    for (const analysis::OperatorRow& row : table.rows) {
        longestUs = std::max(longestUs, row.gpuUs);
    }
    return saturatedTime(longestUs * 1e3);
}

std::string shareText(double part, double whole) {
    return whole == 0.0 ? "NaN" : fmt::format("{:.2f}%", part * 100.0 / whole);
}

std::string meanText(double sum, std::uint64_t count) {
    return timeText(sum / static_cast<double>(count));
}

std::string nameText(const std::string& name) {
    constexpr std::size_t kCut = kWidestName - 3;
    return codePoints(name) < kCut ? name
                                   : std::string(analysis::firstCodePoints(name, kCut)) + "...";
}

/// Cells of one row under the columns that are there.
class OperatorLines {
public:
    OperatorLines(const analysis::OperatorTable& table, const model::AchievedTable* achieved)
        : m_table(table), m_achieved(achieved), m_unit(text::unitFor(longestGpuNs(table))) {
        const auto widest = [&](std::string analysis::OperatorRow::*text, std::size_t most) {
            std::size_t width = 0;
            for (const analysis::OperatorRow& row : table.rows) {
                width = std::max(width, codePoints(row.*text) + kMargin);
            }
            return std::min(width, most);
        };
        m_hasGpu = std::ranges::any_of(
            table.rows, [](const analysis::OperatorRow& row) { return row.selfGpuUs > 0; });
        m_hasShapes = std::ranges::any_of(
            table.rows, [](const analysis::OperatorRow& row) { return row.shapes != "[]"; });
        m_shapesWidth = widest(&analysis::OperatorRow::shapes, kWidestShapes);
        m_headers = {"Name", "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg"};
        if (m_hasGpu) {
            m_headers.insert(m_headers.end(),
                             {"Self CUDA", "Self CUDA %", "CUDA total", "CUDA time avg"});
        }
        m_headers.emplace_back("# of Calls");
        m_widths.assign(m_headers.size(), kFigureWidth);
        m_widths.front() = widest(&analysis::OperatorRow::name, kWidestName);
        if (m_achieved != nullptr) {
            for (std::string& title : achievedTitles(m_unit)) {
                m_widths.push_back(std::max(kFigureWidth, codePoints(title)));
                m_headers.push_back(std::move(title));
            }
        }
        if (m_hasShapes) {
            m_headers.emplace_back("Input Shapes");
            m_widths.push_back(m_shapesWidth);
        }
    }

    [[nodiscard]] std::string rule() const {
        std::string line;
        for (const std::size_t width : m_widths) {
            line += std::string(width, '-') + std::string(kGap, ' ');
        }
        return line + "\n";
    }
    [[nodiscard]] std::string header() const { return joined(m_headers); }
    [[nodiscard]] std::string row(const analysis::OperatorRow& row) const {
        std::vector<std::string> cells{
            nameText(row.name),      shareText(row.selfCpuUs, m_table.selfCpuUs),
            timeText(row.selfCpuUs), shareText(row.cpuUs, m_table.selfCpuUs),
            timeText(row.cpuUs),     meanText(row.cpuUs, row.count)};
        if (m_hasGpu) {
            cells.push_back(timeText(row.selfGpuUs));
            cells.push_back(shareText(row.selfGpuUs, m_table.selfGpuUs));
            cells.push_back(timeText(row.gpuUs));
            cells.push_back(meanText(row.gpuUs, row.count));
        }
        cells.push_back(fmt::format("{}", row.count));
        if (m_achieved != nullptr) {
            std::ranges::move(achievedCells(achievedBy(*m_achieved, m_table, row), m_unit),
                              std::back_inserter(cells));
        }
        if (m_hasShapes) {
            cells.emplace_back(analysis::firstCodePoints(row.shapes, m_shapesWidth));
        }
        return joined(cells);
    }
    [[nodiscard]] std::string sums() const {
        std::string text = "Self CPU time total: " + timeText(m_table.selfCpuUs) + "\n";
        if (m_hasGpu) {
            text += "Self CUDA time total: " + timeText(m_table.selfGpuUs) + "\n";
        }
        if (m_achieved != nullptr) {
            for (const std::string& line : achievedLines(*m_achieved)) {
                text += line + "\n";
            }
        }
        return text;
    }

private:
    [[nodiscard]] std::string joined(const std::vector<std::string>& cells) const {
        std::string line;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::size_t size = codePoints(cells[i]);
            line += std::string(m_widths[i] - std::min(size, m_widths[i]), ' ') + cells[i] +
                    std::string(kGap, ' ');
        }
        return line + "\n";
    }

    const analysis::OperatorTable& m_table;
    const model::AchievedTable* m_achieved;
    text::TimeUnit m_unit;  ///< of recoverable times
    bool m_hasGpu = false;
    bool m_hasShapes = false;
    std::size_t m_shapesWidth = 0;
    std::vector<std::string> m_headers;
    std::vector<std::size_t> m_widths;
};

const model::AchievedTable* achievedOf(const ReportDocument& document) {
    return document.achieved ? &*document.achieved : nullptr;
}

std::span<const analysis::OperatorRow> shownRows(const ReportDocument& document) {
    const std::span<const analysis::OperatorRow> rows = document.operators->rows;
    return document.operatorRows == 0 ? rows
                                      : rows.first(std::min(document.operatorRows, rows.size()));
}

const model::Achieved* achievedIn(const ReportDocument& document,
                                  const analysis::OperatorRow& row) {
    return document.achieved ? achievedBy(*document.achieved, *document.operators, row) : nullptr;
}

std::int64_t nanoseconds(double us) {
    return saturatedTime(std::round(us * 1000.0));
}

struct TimeColumn {
    const char* key;
    const char* title;
    double analysis::OperatorRow::*us;
};

constexpr std::array kTimes{
    TimeColumn{"self_cpu_ns", "self CPU µs", &analysis::OperatorRow::selfCpuUs},
    TimeColumn{"cpu_ns", "CPU µs", &analysis::OperatorRow::cpuUs},
    TimeColumn{"self_gpu_ns", "self GPU µs", &analysis::OperatorRow::selfGpuUs},
    TimeColumn{"gpu_ns", "GPU µs", &analysis::OperatorRow::gpuUs}};

}  // namespace

std::string operatorText(const analysis::OperatorTable& table, std::size_t limit,
                         const model::AchievedTable* achieved) {
    if (table.rows.empty()) {
        return {};
    }
    const OperatorLines lines(table, achieved);
    std::string text = lines.rule() + lines.header() + lines.rule();
    for (std::size_t i = 0; i < std::min(limit, table.rows.size()); ++i) {
        text += lines.row(table.rows[i]);
    }
    return text + lines.rule() + lines.sums();
}

std::string operatorText(const ReportDocument& document) {
    return operatorText(*document.operators, shownRows(document).size(), achievedOf(document));
}

std::string operatorMarkdown(const ReportDocument& document) {
    const std::string name = std::filesystem::path(document.trace->info().path).filename().string();
    std::string text = "## " + text::markdownText(name) + "\n\n";
    std::vector<std::string> titles{"operator", "input shapes", "side", "calls"};
    std::string rule = "| --- | --- | --- | ---: |";
    const auto addTitle = [&](std::string_view title) {
        titles.push_back(text::markdownText(title));
        rule += " ---: |";
    };
    for (const TimeColumn& column : kTimes) {
        addTitle(column.title);
    }
    if (document.achieved) {
        for (const std::string& title : achievedTitles(text::kMicroseconds)) {
            addTitle(title);
        }
        for (const std::string& line : achievedLines(*document.achieved)) {
            text += "- " + text::markdownText(line) + "\n";
        }
        text += "\n";
    }
    text += text::markdownRow(titles) + rule + "\n";
    for (const analysis::OperatorRow& row : shownRows(document)) {
        std::vector<std::string> cells{text::markdownCode(text::printable(row.name)),
                                       text::markdownText(text::printable(row.shapes)),
                                       row.onGpu ? "GPU" : "CPU", fmt::to_string(row.count)};
        for (const TimeColumn& column : kTimes) {
            cells.push_back(fmt::format("{:.3f}", row.*column.us));
        }
        if (document.achieved) {
            std::ranges::move(achievedCells(achievedIn(document, row), text::kMicroseconds),
                              std::back_inserter(cells));
        }
        text += text::markdownRow(cells);
    }
    return text;
}

std::string operatorCsvHeader(bool withFile, bool withAchieved) {
    std::string header = std::string(withFile ? "file," : "") + "name,input_shapes,side,calls";
    for (const TimeColumn& column : kTimes) {
        header += std::string(",") + column.key;
    }
    return header + (withAchieved ? achievedCsvHeader() : "") + "\n";
}

std::string operatorCsv(const ReportDocument& document, bool withFile) {
    std::string text;
    for (const analysis::OperatorRow& row : shownRows(document)) {
        std::vector<std::string> fields;
        if (withFile) {
            fields.push_back(text::csvName(document.trace->info().path));
        }
        fields.insert(fields.end(), {text::csvName(row.name), text::csvName(row.shapes),
                                     row.onGpu ? "GPU" : "CPU", fmt::to_string(row.count)});
        for (const TimeColumn& column : kTimes) {
            fields.push_back(fmt::to_string(nanoseconds(row.*column.us)));
        }
        if (document.achieved) {
            std::ranges::move(achievedFields(achievedIn(document, row)),
                              std::back_inserter(fields));
        }
        text += text::csvLine(fields);
    }
    return text;
}

nlohmann::ordered_json operatorsJson(const ReportDocument& document) {
    auto rows = nlohmann::ordered_json::array();
    for (const analysis::OperatorRow& row : shownRows(document)) {
        nlohmann::ordered_json json{{"name", row.name},
                                    {"input_shapes", row.shapes},
                                    {"side", row.onGpu ? "GPU" : "CPU"},
                                    {"calls", row.count}};
        for (const TimeColumn& column : kTimes) {
            json[column.key] = nanoseconds(row.*column.us);
        }
        if (document.achieved) {
            addAchieved(achievedIn(document, row), json);
        }
        rows.push_back(std::move(json));
    }
    return rows;
}

}  // namespace kinetoscope::report
