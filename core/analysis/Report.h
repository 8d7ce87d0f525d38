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
#include "core/analysis/KernelTable.h"
#include "core/analysis/LaunchStats.h"
#include "core/analysis/Steps.h"
#include "core/analysis/Window.h"
#include "core/base/Result.h"
#include "core/trace/Trace.h"

namespace kinetoscope {

struct ReportOptions {
    WindowChoice window;
    std::optional<GroupBy> group = {};  ///< without one: see usualGroup()
    std::stop_token stop = {};          ///< ends with ErrorKind::Cancelled before the next step
};

struct GpuReport : GpuTime {
    std::int32_t gpu = 0;
    std::string name;  ///< from deviceProperties; empty when the file does not tell
    IdleReasons idle;  ///< sum over the streams; gaps of two streams may overlap
    std::vector<StreamReport> streams;  ///< by number
    LaunchStats launches;
};

struct Report {
    std::vector<GpuReport> gpus;  ///< by GPU number
    GroupBy group = GroupBy::Inductor;
    std::vector<CategoryRow> categories;  ///< largest first
    std::vector<KernelRow> kernels;       ///< largest total first
    std::vector<Step> steps;              ///< by start
};

/// Everything `kscope report` and the summary show. Fails when the window names a step that is
/// not there or lies outside of the trace, and when it is stopped. A trace without GPU work gives a
/// report without GPUs.
[[nodiscard]] Result<Report> makeReport(const Trace& trace, const ReportOptions& options = {});

}  // namespace kinetoscope
