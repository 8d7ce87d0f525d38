// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "core/analysis/Operators.h"

namespace kinetoscope::report {

/// The first `limit` rows as torch.profiler's table() prints them, with its column widths and the
/// two sums below; ends with a newline. Empty for an empty table.
[[nodiscard]] std::string operatorText(const analysis::OperatorTable& table,
                                       std::size_t limit = 10);

}  // namespace kinetoscope::report
