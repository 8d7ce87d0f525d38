// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/KernelNames.h"
#include "core/analysis/WindowScope.h"
#include "core/query/GpuTimeline.h"
#include "core/query/LaunchLinks.h"

namespace kinetoscope::analysis {

/// How the rows of the table are grouped.
enum class GroupBy : std::uint8_t { Inductor, Family, Operator, Stream };

struct CategoryRow {
    std::string name;
    TimeNs totalNs = 0;
    std::uint64_t count = 0;
    double percentOfSum = 0.0;
};

/// Name of the row for operations that no operator is known to have launched.
inline constexpr std::string_view kNoOperator = "(no operator)";

/// The default: Inductor's categories if it made at least one of the trace's kernels, else
/// families.
[[nodiscard]] GroupBy usualGroup(const KernelNames& names);

/// The GPU operations that start in the window, of all GPUs, with their whole durations, in groups:
/// Inductor category, family, launching operator, or "GPU 0 stream 7". Largest total first, then
/// by name.
[[nodiscard]] std::vector<CategoryRow> groupOperations(
    const trace::Trace& trace, const query::GpuTimeline& timeline, const WindowScope& scope,
    const KernelNames& names, const query::LaunchLinks& links, GroupBy group);

/// Name of the group of one operation.
[[nodiscard]] std::string groupOf(const trace::Trace& trace, const KernelNames& names,
                                  const query::LaunchLinks& links, GroupBy group, std::int32_t gpu,
                                  trace::GpuOpId id);

}  // namespace kinetoscope::analysis
