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

/// The first row names the columns. Fails on a quote without an end and on rows of another length.
[[nodiscard]] Result<CsvTable> parseCsv(std::string_view text);

}  // namespace kinetoscope::metrics
