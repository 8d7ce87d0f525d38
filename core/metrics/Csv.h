// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"

namespace kinetoscope::metrics {

struct CsvTable {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;  ///< as many fields each as there are columns
};

/// Without the byte order mark of some editors.
[[nodiscard]] std::string_view withoutMark(std::string_view text);

/// The first row names the columns; blank lines at the end are no rows. Fails on a quote without an
/// end, on text behind a closing quote and on rows of another length.
[[nodiscard]] Result<CsvTable> parseCsv(std::string_view text);

}  // namespace kinetoscope::metrics
