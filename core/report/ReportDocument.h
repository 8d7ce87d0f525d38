// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/Compat.h"
#include "core/analysis/Operators.h"
#include "core/model/Achieved.h"
#include "core/model/Roofline.h"
#include "core/ncu/Table.h"
#include "core/report/Report.h"
#include "core/trace/Trace.h"

namespace kinetoscope::report {

/// One step of the work on a file.
struct PhaseTime {
    std::string name;
    double seconds = 0.0;
    std::uint64_t bytes = 0;  ///< of text worked through; 0: no measure of this phase
};

struct Timing {
    std::vector<PhaseTime> phases;
    std::uint64_t peakMemoryBytes = 0;  ///< of the process so far
};

/// Everything that can be written about one file.
struct ReportDocument {
    std::shared_ptr<const trace::Trace> trace;
    ReportOptions options;
    Report report;
    std::optional<analysis::CompatReport> compat;
    std::optional<analysis::OperatorTable> operators;  ///< if requested
    std::size_t operatorRows = 0;                      ///< of them written; 0: all
    /// For the tables of kernels and operators, if requested.
    std::optional<model::AchievedTable> achieved;
    std::optional<model::Roofline> roofline;  ///< if requested
    std::optional<ncu::Table> ncu;            ///< what Nsight Compute measured, when it was given
    /// Wall time of all runs in the trace without a profiler, where it is known.
    std::optional<TimeNs> wallNs;
    std::optional<Timing> timing;
    std::size_t top = 0;  ///< kernels written; 0: all
};

/// The kernels that are to be written.
[[nodiscard]] std::span<const analysis::KernelRow> shownKernels(const ReportDocument& document);

/// Rates of the calls behind a kernel's row; null if not requested.
[[nodiscard]] const model::Achieved* achievedBy(const ReportDocument& document,
                                                const analysis::KernelRow& kernel);

/// A name for each of them: `full` as in the file, else short; names that several share are made
/// distinct by kernelLabel().
[[nodiscard]] std::vector<std::string> kernelNames(const ReportDocument& document, bool full);

}  // namespace kinetoscope::report
