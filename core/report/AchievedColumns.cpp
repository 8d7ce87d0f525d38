// SPDX-License-Identifier: Apache-2.0
#include "core/report/AchievedColumns.h"

#include <algorithm>
#include <array>

#include "core/json/Json.h"
#include "core/report/RooflineOutput.h"

namespace kinetoscope::report {

namespace {

constexpr std::array<std::string_view, 4> kColumnKeys{"tflop_per_s", "gb_per_s", "efficiency",
                                                      "recoverable_ns"};

bool isTold(const model::Achieved* one) {
    return one != nullptr && one->isKnown();
}

template <class Make>
std::vector<std::string> eachColumn(Make make) {
    std::vector<std::string> made;
    for (const RooflineColumn* column : achievedColumns()) {
        made.push_back(make(*column));
    }
    return made;
}

}  // namespace

std::span<const RooflineColumn* const> achievedColumns() {
    static const auto columns = [] {
        std::array<const RooflineColumn*, kColumnKeys.size()> found{};
        std::ranges::transform(kColumnKeys, found.begin(), [](std::string_view key) {
            return &*std::ranges::find(rooflineColumns(), key, &RooflineColumn::key);
        });
        return found;
    }();
    return columns;
}

RooflineValue achievedValue(const model::Achieved* one, const RooflineColumn& column) {
    return isTold(one) ? column.value(one->row) : RooflineValue();
}

std::string achievedText(const model::Achieved* one, const RooflineColumn& column,
                         text::TimeUnit unit) {
    return isTold(one) ? shownText(column, one->row, unit) : std::string();
}

const model::Achieved* achievedBy(const model::AchievedTable& achieved,
                                  const analysis::OperatorTable& table,
                                  const analysis::OperatorRow& row) {
    return row.onGpu       ? achieved.ofKernel(row.name)
           : table.byShape ? achieved.ofOperator(row.name, row.shapes)
                           : achieved.ofOperator(row.name);
}

std::vector<std::string> achievedLines(const model::AchievedTable& achieved) {
    std::vector<std::string> lines{
        coverageLine(achieved.modelledNs(), achieved.bytesOnlyNs(), achieved.kernelNs())};
    for (const model::DeviceRoof& roof : achieved.roofs()) {
        lines.push_back(roofLine(roof));
    }
    return lines;
}

std::vector<std::string> achievedTitles(text::TimeUnit unit) {
    return eachColumn([unit](const RooflineColumn& column) { return shownTitle(column, unit); });
}

std::vector<std::string> achievedCells(const model::Achieved* one, text::TimeUnit unit) {
    return eachColumn(
        [=](const RooflineColumn& column) { return achievedText(one, column, unit); });
}

std::vector<std::string> achievedFields(const model::Achieved* one) {
    return eachColumn(
        [one](const RooflineColumn& column) { return csvOf(achievedValue(one, column)); });
}

void addAchieved(const model::Achieved* one, nlohmann::ordered_json& row) {
    for (const RooflineColumn* column : achievedColumns()) {
        row[std::string(column->key)] = jsonOf(achievedValue(one, *column));
    }
}

std::string achievedCsvHeader() {
    std::string header;
    for (const std::string_view key : kColumnKeys) {
        header += "," + std::string(key);
    }
    return header;
}

}  // namespace kinetoscope::report
