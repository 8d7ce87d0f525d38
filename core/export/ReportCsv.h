// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/export/ReportDocument.h"

namespace kinetoscope {

/// A text for csvLine() that a terminal may show as well: csvText() of printable().
[[nodiscard]] std::string csvName(std::string_view text);

/// Nanoseconds to a tenth, "15088.3" or "15088": no clock that was read is finer. JSON keeps all.
[[nodiscard]] std::string csvNs(double ns);

/// Names of the kernel table's columns, equal to the JSON names; `withFile` puts "file" first.
[[nodiscard]] std::string kernelCsvHeader(bool withFile);

/// One line for each kernel that is to be written, in the order of the report.
[[nodiscard]] std::string kernelCsv(const ReportDocument& document, bool withFile);

}  // namespace kinetoscope
