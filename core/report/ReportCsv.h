// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/report/ReportDocument.h"

namespace kinetoscope::report {

/// Names of the kernel table's columns, equal to the JSON names; `withFile` puts "file" first,
/// `withAchieved` is for documents that have it.
[[nodiscard]] std::string kernelCsvHeader(bool withFile, bool withAchieved = false);

/// One line for each kernel that is to be written, in the order of the report.
[[nodiscard]] std::string kernelCsv(const ReportDocument& document, bool withFile);

/// Columns of figuresCsv(); `withFile` puts "file" first.
[[nodiscard]] std::string figuresCsvHeader(bool withFile);

/// One line for each figure of each GPU.
[[nodiscard]] std::string figuresCsv(const ReportDocument& document, bool withFile);

}  // namespace kinetoscope::report
