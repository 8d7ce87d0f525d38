// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/metrics/KernelSource.h"
#include "core/metrics/MetricTables.h"
#include "core/metrics/SourceFolder.h"

namespace kinetoscope::metrics {

inline constexpr std::string_view kKernelTable = "kernel_metadata";

/// The row of table kernel_metadata for one kernel. `kernelPath` goes into the row as it is.
/// Original: rnumel only by that name, and kernel_args_num_gb without its exponent.
[[nodiscard]] MetricRow kernelMetadataRow(const KernelSource& source, const std::string& kernelPath,
                                          MetricFormat format = MetricFormat::Current);

/// A row of kernel_metadata for each generated kernel of the folder; gives what was read there.
[[nodiscard]] Result<SourceFolder> addKernels(MetricTables& tables, const std::string& folder);

}  // namespace kinetoscope::metrics
