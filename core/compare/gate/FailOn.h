// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/compare/Comparison.h"

namespace kinetoscope::compare {

/// What fails a gate.
enum class FailKind : std::uint8_t {
    Slower,  ///< a row that is SLOWER, by so many percent or more
    Step,    ///< the median step takes so many percent longer, or more; a threshold, not a test
    Total,   ///< all kernels, calls or runners together take so many percent longer, or more
};

/// One condition of --fail-on.
struct FailCondition {
    FailKind kind = FailKind::Slower;
    double percent = 0.0;  ///< of Step and Total above 0
    std::string text;      ///< as it was given: "step:10"
};

/// Of "slower", "slower:PERCENT", "step:PERCENT" or "total:PERCENT". Fails in one line.
[[nodiscard]] Result<FailCondition> parseFailCondition(std::string_view text);

/// Whether any condition needs kernels, or what else is compared row by row.
[[nodiscard]] bool needsRows(std::span<const FailCondition> conditions);

/// The smallest percentage, above 0, of conditions on rows that are SLOWER.
[[nodiscard]] std::optional<double> slowerPercent(std::span<const FailCondition> conditions);

/// What conditions are tested on.
struct GateFigures {
    std::string rows;                                   ///< what is counted: "36 kernels"
    std::size_t compared = 0;                           ///< rows that have a match
    std::size_t tested = 0;                             ///< of them, with enough pairs for a test
    std::vector<std::string> failed;                    ///< "'k': out of memory" of the candidate
    std::function<std::size_t(double percent)> slower;  ///< those SLOWER by so many or more
    std::optional<Change> stepNs;
    std::string noStep;  ///< why it is not there
    std::optional<Change> totalNs;
    std::string totalName;  ///< "kernel time"
    std::string noTotal;    ///< why it is not there
};

/// The figures refer to the comparison.
[[nodiscard]] GateFigures gateFigures(const Comparison& comparison);

/// A line each, with what was measured and the condition.
struct GateOutcome {
    std::vector<std::string> failed;
    std::vector<std::string> untested;  ///< conditions that say nothing here

    [[nodiscard]] bool passed() const { return failed.empty() && untested.empty(); }
};

[[nodiscard]] GateOutcome gateOutcome(const GateFigures& figures,
                                      std::span<const FailCondition> conditions);

}  // namespace kinetoscope::compare
