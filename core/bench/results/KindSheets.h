// SPDX-License-Identifier: Apache-2.0
// What ResultSheet.cpp chooses from.
#pragma once

#include "core/bench/results/ResultSheet.h"

namespace kinetoscope::bench::results {

[[nodiscard]] ResultSheet kernelSheet(const ResultDocument& document, bool allConfigs);
[[nodiscard]] ResultSheet operatorSheet(const ResultDocument& document);
[[nodiscard]] ResultSheet moduleSheet(const ResultDocument& document);

/// Kernels that were not run have one row with the reason. Times are written to a tenth of a
/// nanosecond.
[[nodiscard]] std::string kernelCsv(const ResultDocument& document);
/// Columns of operatorbench's newer versions first: "Operator", "inductor 20th", …; a cell is empty
/// where there is nothing.
[[nodiscard]] std::string operatorCsv(const ResultDocument& document);
[[nodiscard]] std::string moduleCsv(const ResultDocument& document);

}  // namespace kinetoscope::bench::results
