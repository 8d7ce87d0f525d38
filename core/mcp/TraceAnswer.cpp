// SPDX-License-Identifier: Apache-2.0
#include "core/mcp/TraceAnswer.h"

#include <cmath>

namespace kinetoscope::mcp {

Result<analysis::WindowChoice> windowOf(const Call& call) {
    const std::string window = call.text("window");
    return analysis::parseWindow(window.empty() ? "gpu" : window);
}

Result<RequestedReport> reportOf(Workspace& workspace, const Call& call) {
    const auto open = workspace.trace(call.text("trace"));
    const auto window = windowOf(call);
    if (!open || !window) {
        return tl::unexpected(open ? window.error() : open.error());
    }
    const auto report = (*open)->report(*window, call.stop);
    if (!report) {
        return tl::unexpected(report.error());
    }
    return RequestedReport{*open, *window, *report};
}

Json headOf(const OpenTrace& open, const analysis::WindowChoice& window) {
    return {{"trace", open.id()}, {"window", analysis::describeWindow(window)}};
}

Json headOf(const RequestedReport& requested) {
    return headOf(*requested.open, requested.window);
}

double rounded(double value) {
    if (value == 0.0 || !std::isfinite(value)) {
        return value;
    }
    const double scale = std::pow(10.0, 3.0 - std::floor(std::log10(std::abs(value))));
    return std::round(value * scale) / scale;
}

double percent(double part, double whole) {
    return whole > 0.0 ? std::round(10'000.0 * part / whole) / 100.0 : 0.0;
}

}  // namespace kinetoscope::mcp
