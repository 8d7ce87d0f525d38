// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>

#include "core/base/Result.h"
#include "core/bench/BenchResult.h"
#include "core/compare/Comparison.h"
#include "core/import/LoadTrace.h"

namespace kinetoscope {

/// What can be compared: two of one kind.
using CompareInput = std::variant<ComparedRun, BenchDocument>;

/// A trace, or a result of a bench: its file or the name under which it is kept.
[[nodiscard]] Result<CompareInput> loadCompareInput(const std::string& path,
                                                    const LoadOptions& options = {});

/// Fails when one is a trace and the other a result. Results are compared with their own tolerance
/// whatever the options say.
[[nodiscard]] Result<Comparison> compareInputs(const Baseline<const CompareInput*>& base,
                                               const Candidate<const CompareInput*>& candidate,
                                               const CompareOptions& options);

}  // namespace kinetoscope
