// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "core/report/ReportDocument.h"

namespace kinetoscope::report {

/// The parts of a report on one trace.
struct DocumentRequest {
    bool figures = true;                            ///< the report itself
    ReportOptions report;                           ///< of the figures and of the operators
    std::optional<analysis::CompatOptions> compat;  ///< PyTorch's figures, where they are wanted
    std::optional<std::size_t> operators;       ///< the operator table with so many rows; 0: all
    bool achieved = false;                      ///< what kernels and operators reached
    std::optional<model::RooflineBy> roofline;  ///< with rows of that, where it is wanted
    std::vector<model::GpuRoof> measuredRoofs;  ///< in place of the makers', where one fits
    std::optional<TimeNs> wallNs;               ///< of all runs in the trace, without a profiler
    std::size_t top = 0;                        ///< kernels written; 0: all
    unsigned threads = 0;                       ///< 1: one after the other
};

/// Wall time of all runs together, where that of one is known.
[[nodiscard]] std::optional<TimeNs> wallOfRuns(const analysis::CompatOptions& options);

/// Everything requested, with the time that each part took in `timing`. Fails in a line that names
/// the file; ErrorKind::Cancelled when `request.report.stop` asks for it.
[[nodiscard]] Result<ReportDocument> makeDocument(std::shared_ptr<const trace::Trace> trace,
                                                  const DocumentRequest& request);

/// Runs `work` and remembers how long it took.
template <class Work>
auto timed(Timing& timing, const char* name, Work&& work) {
    const auto begin = std::chrono::steady_clock::now();
    auto result = work();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    timing.phases.push_back({name, spent.count(), 0});
    return result;
}

}  // namespace kinetoscope::report
