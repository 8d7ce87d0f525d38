// SPDX-License-Identifier: Apache-2.0
// Parts common to the answers about one trace.
#pragma once

#include "core/analysis/Window.h"
#include "core/mcp/Tool.h"

namespace kinetoscope::mcp {

struct RequestedReport {
    OpenTrace* open = nullptr;
    analysis::WindowChoice window;
    const report::Report* report = nullptr;
};

/// The requested window, or each GPU's own.
[[nodiscard]] Result<analysis::WindowChoice> windowOf(const Call& call);
/// The report of the call's trace and window.
[[nodiscard]] Result<RequestedReport> reportOf(Workspace& workspace, const Call& call);

/// Trace and window, the start of every answer.
[[nodiscard]] Json headOf(const OpenTrace& open, const analysis::WindowChoice& window);
[[nodiscard]] Json headOf(const RequestedReport& requested);

/// To four significant digits.
[[nodiscard]] double rounded(double value);
/// To a hundredth; 0 of nothing.
[[nodiscard]] double percent(double part, double whole);

}  // namespace kinetoscope::mcp
