// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/report/ReportDocument.h"
#include "core/report/RooflineTable.h"
#include "core/text/TextTable.h"

namespace kinetoscope::report {

/// The roofline of a document that has one. `top`: rows for people; 0: all.
[[nodiscard]] std::string rooflineText(const ReportDocument& document,
                                       const text::TextStyle& style);
[[nodiscard]] std::string rooflineMarkdown(const ReportDocument& document);
/// Names of the columns, equal to the JSON names; `withFile` puts "file" first.
[[nodiscard]] std::string rooflineCsvHeader(bool withFile);
[[nodiscard]] std::string rooflineCsv(const ReportDocument& document, bool withFile);
/// Of the report's "roofline".
[[nodiscard]] nlohmann::ordered_json rooflineJson(const model::Roofline& roofline, std::size_t top);

/// A value as JSON and as a field of CSV: nothing is null and "".
[[nodiscard]] nlohmann::ordered_json jsonOf(const RooflineValue& value);
[[nodiscard]] std::string csvOf(const RooflineValue& value);
/// Of the report's "achieved": what stands beside the columns.
[[nodiscard]] nlohmann::ordered_json achievedJson(const model::AchievedTable& achieved);

}  // namespace kinetoscope::report
