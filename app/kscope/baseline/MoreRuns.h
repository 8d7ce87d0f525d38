// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/kscope/CommandWatch.h"
#include "core/baseline/SequentialCompare.h"
#include "core/bench/results/BenchResult.h"
#include "core/compare/CompareInput.h"

namespace kinetoscope::app {

/// The command with "{only}" replaced by the options of kscope bench that choose these rows; by
/// nothing if there are none, or if a name needs quoting for the shell.
[[nodiscard]] std::string moreCommand(const std::string& command, bench::results::ResultKind kind,
                                      const std::vector<baseline::OpenRow>& rows);

/// Has the shell run it and takes the result that it prints. Fails in one line.
[[nodiscard]] Result<compare::ResultText> oneMoreRun(const std::string& command,
                                                     CommandWatch& watch);

}  // namespace kinetoscope::app
