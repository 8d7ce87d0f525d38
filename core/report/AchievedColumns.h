// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/Operators.h"
#include "core/model/Achieved.h"
#include "core/report/RooflineTable.h"

namespace kinetoscope::report {

/// Columns of the roofline that tables of kernels and operators may have too: TFLOP/s, GB/s, share
/// of the roof, recoverable time.
[[nodiscard]] std::span<const RooflineColumn* const> achievedColumns();

// `one` is null for what launched nothing.
/// Nothing where it is not known, or needs a roof that is not.
[[nodiscard]] RooflineValue achievedValue(const model::Achieved* one, const RooflineColumn& column);
/// Formatted, times in `unit`; "" if there is no value.
[[nodiscard]] std::string achievedText(const model::Achieved* one, const RooflineColumn& column,
                                       text::TimeUnit unit);

/// What launched the work of a row, or the work itself.
[[nodiscard]] const model::Achieved* achievedBy(const model::AchievedTable& achieved,
                                                const analysis::OperatorTable& table,
                                                const analysis::OperatorRow& row);

/// What belongs beside such columns: how much is modelled, and the roof of each GPU.
[[nodiscard]] std::vector<std::string> achievedLines(const model::AchievedTable& achieved);

/// "Recoverable ms" and so on.
[[nodiscard]] std::vector<std::string> achievedTitles(text::TimeUnit unit);
/// One cell of each column: its text, of a CSV its field, of JSON its value by the column's key.
[[nodiscard]] std::vector<std::string> achievedCells(const model::Achieved* one,
                                                     text::TimeUnit unit);
[[nodiscard]] std::vector<std::string> achievedFields(const model::Achieved* one);
void addAchieved(const model::Achieved* one, nlohmann::ordered_json& row);
/// Their keys, each after a comma.
[[nodiscard]] std::string achievedCsvHeader();

}  // namespace kinetoscope::report
