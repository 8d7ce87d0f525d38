// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/Breakdown.h"
#include "core/analysis/Categories.h"
#include "core/analysis/IdleGaps.h"
#include "core/analysis/IdleList.h"
#include "core/analysis/KernelTable.h"
#include "core/analysis/LaunchStats.h"
#include "core/analysis/Steps.h"
#include "core/analysis/Window.h"
#include "core/base/Result.h"
#include "core/model/KernelCounters.h"
#include "core/query/LaunchLinks.h"
#include "core/trace/Trace.h"

namespace kinetoscope::report {

struct ReportOptions {
    analysis::WindowChoice window;
    std::optional<analysis::GroupBy> group = {};  ///< without one: see usualGroup()
    std::size_t gaps = 0;  ///< idle gaps of each GPU to list, the longest first
    const query::LaunchLinks* links = nullptr;  ///< of the trace; null: found out here
    std::stop_token stop = {};  ///< ends with ErrorKind::Cancelled before the next step
};

struct GpuReport : analysis::GpuTime {
    std::int32_t gpu = 0;
    std::string name;                      ///< from deviceProperties; empty if the file has none
    analysis::IdleTime idle;               ///< by reason; sums to breakdown.idleNs
    std::vector<analysis::NamedGap> gaps;  ///< the longest of them, at most ReportOptions::gaps
    analysis::StreamGaps streamGaps;  ///< sum over the streams; gaps of two streams may overlap
    std::vector<analysis::StreamReport> streams;  ///< by number
    analysis::LaunchStats launches;
};

struct Report {
    std::vector<GpuReport> gpus;  ///< by GPU number
    analysis::GroupBy group = analysis::GroupBy::Inductor;
    std::vector<analysis::CategoryRow> categories;  ///< largest first
    std::vector<analysis::KernelRow> kernels;       ///< largest total first
    std::vector<analysis::Step> steps;              ///< by start
    std::vector<model::GpuCounters> counters;       ///< of GPUs with sampled counters
};

/// Everything `kscope report` and the summary show. Fails when the window names a step that is
/// not there or lies outside of the trace, and when it is stopped. A trace without GPU work gives a
/// report without GPUs.
[[nodiscard]] Result<Report> makeReport(const trace::Trace& trace,
                                        const ReportOptions& options = {});

}  // namespace kinetoscope::report
