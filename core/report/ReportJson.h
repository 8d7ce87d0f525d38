// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/report/ReportDocument.h"

namespace kinetoscope::report {

/// Written as "schema". A reader can rely on every name of one number; names may be added.
inline constexpr std::string_view kReportSchema = "kinetoscope.report/1";
inline constexpr std::string_view kCompatSchema = "kinetoscope.compat/1";

/// One report as a JSON object (valid UTF-8, two blanks of indent, no line end). Times are
/// nanoseconds. docs/report.md lists the names.
[[nodiscard]] std::string reportJson(const ReportDocument& document);

/// The compat figures of one file as an object of its own.
[[nodiscard]] std::string compatJson(const analysis::CompatReport& compat, const std::string& file);

/// The objects as an array; ends with a newline.
[[nodiscard]] std::string jsonArray(std::span<const std::string> objects);

}  // namespace kinetoscope::report
