// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope::query {

/// The CPU span of a step.
struct StepSpan {
    trace::SliceId slice = 0;
    std::int64_t number = 0;
};

/// "text#N" in two; `isNumbered` is false for anything else and for annotations that never are
/// steps (collectives, optimizers, calls of compiled graphs).
struct NumberedName {
    std::string_view text;
    std::int64_t number = 0;
    bool isNumbered = false;
};
[[nodiscard]] NumberedName splitNumberedName(std::string_view name);

/// CPU spans of the steps by start, see findSteps(). Of a cut only those inside of its window;
/// if there are none, those that overlap it.
[[nodiscard]] std::vector<StepSpan> findStepSpans(const trace::Trace& trace);
/// The same with all that a cut has.
[[nodiscard]] std::vector<StepSpan> findAllStepSpans(const trace::Trace& trace);

}  // namespace kinetoscope::query
