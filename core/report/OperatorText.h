// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/analysis/Operators.h"
#include "core/model/Achieved.h"
#include "core/report/ReportDocument.h"

namespace kinetoscope::report {

/// The first `limit` rows as torch.profiler's table() prints them, with its column widths and the
/// two sums below; ends with a newline. Empty for an empty table. With `achieved` there are columns
/// that PyTorch does not have, and lines of what they are about.
[[nodiscard]] std::string operatorText(const analysis::OperatorTable& table, std::size_t limit = 10,
                                       const model::AchievedTable* achieved = nullptr);

// Of a document that has the table; with columns of what was achieved where it has that too.
[[nodiscard]] std::string operatorText(const ReportDocument& document);
[[nodiscard]] std::string operatorMarkdown(const ReportDocument& document);
/// Times in nanoseconds; `withFile` puts "file" first, `withAchieved` is for documents that have
/// it.
[[nodiscard]] std::string operatorCsvHeader(bool withFile, bool withAchieved);
[[nodiscard]] std::string operatorCsv(const ReportDocument& document, bool withFile);
/// Of the report's "operators".
[[nodiscard]] nlohmann::ordered_json operatorsJson(const ReportDocument& document);

}  // namespace kinetoscope::report
