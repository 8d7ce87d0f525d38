// SPDX-License-Identifier: Apache-2.0
// Building blocks of the rules; each rule has a file of its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/advise/Finding.h"
#include "core/advise/Material.h"

namespace kinetoscope::advise {

/// The finding of a rule, or why it could not judge. Neither: nothing worth mentioning.
struct Found {
    std::vector<Finding> findings;  ///< without rule and saving
    std::string abstained;
};

/// Kernels, or places of the program, that a rule lists.
inline constexpr std::size_t kMaxOfOne = 3;

/// A row of the table of rules.
struct Rule {
    RuleFacts facts;
    Found (*look)(const Material& material);
    bool ofGpuWork = true;  ///< there is nothing to judge in a trace without GPU operations
};

inline constexpr std::string_view kProfilerGaps = "profiler-gaps";

/// Most saved first; what is seen in few of the steps counts accordingly less. The profiler's own
/// comes behind what the program could change, and what abstained comes last.
void sortFindings(std::vector<Finding>& findings);

/// "21.70 %".
[[nodiscard]] std::string shareOf(TimeNs part, TimeNs whole);
/// "1,234".
[[nodiscard]] std::string countOf(std::uint64_t count);

/// "412", or "0.3" of what is not in every step.
[[nodiscard]] std::string perStep(std::uint64_t count, std::size_t steps);
/// "1.234 ms", of all steps together in one of them.
[[nodiscard]] std::string durationPerStep(TimeNs ns, std::size_t steps);
/// "once", "412 times".
[[nodiscard]] std::string timesOf(std::uint64_t count, std::size_t steps);
/// Name of a copy from pageable memory to a GPU.
[[nodiscard]] bool isPageableUpload(std::string_view copyName);

[[nodiscard]] Rule hostBoundRule();
[[nodiscard]] Rule syncCallsRule();
[[nodiscard]] Rule slowProductsRule();
[[nodiscard]] Rule belowRoofRule();
[[nodiscard]] Rule communicationRule();
[[nodiscard]] Rule pageableCopiesRule();
[[nodiscard]] Rule exposedCopiesRule();
[[nodiscard]] Rule tinyKernelsRule();
[[nodiscard]] Rule allocatorRule();
[[nodiscard]] Rule dataLoaderRule();
[[nodiscard]] Rule unevenStepsRule();
[[nodiscard]] Rule unfilledGpuRule();
[[nodiscard]] Rule layoutRule();
[[nodiscard]] Rule recomputationRule();
[[nodiscard]] Rule clockDropsRule();
[[nodiscard]] Rule profilerGapsRule();
[[nodiscard]] Rule stragglersRule();

}  // namespace kinetoscope::advise
