// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/export/ReportDocument.h"

namespace kinetoscope {

/// One field of RFC 4180: quoted when it has to be, control characters escaped like printable().
[[nodiscard]] std::string csvField(std::string_view text);

/// Fields with commas between and a newline.
[[nodiscard]] std::string csvLine(std::span<const std::string> fields);

/// Names of the kernel table's columns, equal to the JSON names; `withFile` puts "file" first.
[[nodiscard]] std::string kernelCsvHeader(bool withFile);

/// One line for each kernel that is to be written, in the order of the report.
[[nodiscard]] std::string kernelCsv(const ReportDocument& document, bool withFile);

}  // namespace kinetoscope
