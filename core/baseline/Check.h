// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/baseline/BaselineStore.h"
#include "core/baseline/Comparable.h"
#include "core/baseline/SequentialCompare.h"
#include "core/compare/CompareInput.h"
#include "core/compare/CompareOutput.h"
#include "core/compare/Comparison.h"

namespace kinetoscope::baseline {

/// New runs compared with a baseline.
struct CheckedRuns {
    Entry base;
    Comparability comparability;
    std::optional<compare::Comparison> comparison;  ///< none where they are not comparable
};

struct CheckOptions {
    /// Its id or a prefix of it; without: the latest one that is comparable.
    std::optional<std::string> entry;
    bool anyway = false;  ///< compare what is not comparable, too
    compare::CompareOptions compare;
    import::LoadOptions load;
    /// Gives one more of the new runs, at least of these rows; without rows of all. Then results
    /// are compared again after each, until no row is open or there are `maxRuns`.
    std::function<Result<compare::ResultText>(bench::results::ResultKind kind,
                                              const std::vector<OpenRow>& rows)>
        more{};
    std::size_t maxRuns = 20;
    double percent = 5.0;  ///< a row is open while it is undecided and may be slower by as much
};

/// One for each of the runs. Fails in one line if there is no such baseline or entry, or its files
/// cannot be read.
[[nodiscard]] Result<std::vector<CheckedRuns>> checkRuns(const BaselineStore& store,
                                                         const std::string& name,
                                                         const std::vector<LoadedRuns>& runs,
                                                         const CheckOptions& options);

/// Whether they are comparable first, then what compare::compareOutput() has of each. As JSON
/// "kinetoscope.check/1"; as CSV the rows alone.
[[nodiscard]] std::string checkOutput(const std::vector<CheckedRuns>& checks,
                                      text::OutputFormat format,
                                      const compare::CompareTextOptions& options,
                                      const text::TextStyle& style);

}  // namespace kinetoscope::baseline
