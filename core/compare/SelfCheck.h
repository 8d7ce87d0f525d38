// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/compare/Comparison.h"

namespace kinetoscope::compare {

/// Two things that are the same program, compared: every FASTER or SLOWER is a false alarm.
struct SelfCheck {
    std::string kind;  ///< "steps": the first half against the second; "launches": the same for
                       ///< each kernel of a run without steps; "runs": two runs
    Both<std::string> file;
    Both<std::uint64_t> steps;  ///< compared; 0 if there are none
    std::size_t kernels = 0;
    std::array<std::size_t, 4> count{};  ///< by Verdict
    std::array<double, 4> timeNs{};      ///< of the baseline, by Verdict

    [[nodiscard]] double falseAlarmPercent() const;  ///< of kernels
    [[nodiscard]] double unsureTimePercent() const;  ///< of kernel time
};

/// The first half of a run against its second; a step in the middle is in neither.
[[nodiscard]] Result<SelfCheck> checkHalves(const ComparedRun& run, const CompareOptions& options);

/// Whether both are runs of one program: nearly all kernel time of each is in kernels of one name.
[[nodiscard]] bool areRunsOfOneProgram(const ComparedRun& one, const ComparedRun& other);

/// Two runs of one program.
[[nodiscard]] Result<SelfCheck> checkRuns(const ComparedRun& one, const ComparedRun& other,
                                          const CompareOptions& options);

}  // namespace kinetoscope::compare
