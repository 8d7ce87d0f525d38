// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/metrics/KernelSource.h"
#include "core/metrics/MetricTables.h"

namespace kinetoscope::metrics {

/// The row of table kernel_metadata for one kernel. `kernelPath` goes into the row as it is.
/// Original: rnumel only by that name, and kernel_args_num_gb without its exponent.
[[nodiscard]] MetricRow kernelMetadataRow(const KernelSource& source, const std::string& kernelPath,
                                          MetricFormat format = MetricFormat::Current);

}  // namespace kinetoscope::metrics
