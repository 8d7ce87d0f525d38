// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/analysis/Steps.h"
#include "core/analysis/Window.h"
#include "core/base/Result.h"
#include "core/query/GpuTimeline.h"

namespace kinetoscope::analysis {

/// A window choice made definite.
struct WindowScope {
    bool perGpu = true;    ///< each GPU has its own window: its first operation to its last one
    bool takesAll = true;  ///< no operation can lie outside
    TimeSpan span;         ///< the window when not perGpu

    [[nodiscard]] TimeSpan of(const query::GpuRow& row) const { return perGpu ? row.extent : span; }
    /// Whether counts and tables take an operation that starts then.
    [[nodiscard]] bool takes(TimeNs start) const { return takesAll || span.contains(start); }
};

/// Fails when the step is not there or a selection has no time in common with the trace.
[[nodiscard]] Result<WindowScope> resolveWindow(const trace::Trace& trace,
                                                const WindowChoice& choice,
                                                const std::vector<Step>& steps);

/// The same where the steps are not at hand.
[[nodiscard]] Result<WindowScope> resolveWindow(const trace::Trace& trace,
                                                const WindowChoice& choice);

/// The window in the trace's own time; for WindowKind::Gpu from the first GPU operation to the end
/// of the last one of any GPU. Fails when the step is not there, a selection has no time in common
/// with the trace, or (Gpu) there is no GPU operation.
[[nodiscard]] Result<TimeSpan> windowSpan(const trace::Trace& trace, const WindowChoice& choice);

}  // namespace kinetoscope::analysis
