// SPDX-License-Identifier: Apache-2.0
// What a result says of the trace that its inputs come from, as JSON.
#pragma once

#include "core/bench/results/JsonFields.h"
#include "core/bench/results/OperatorResult.h"

namespace kinetoscope::bench::results {

/// "kernels": [{"name", "time_ns"}]; no member where there are none.
void addKernels(const std::vector<LaunchedKernel>& kernels, fields::Json& json);
[[nodiscard]] std::vector<LaunchedKernel> readKernels(const fields::Json& json);

/// "traced", "recast", "same_kernels", "trace_time", "trace_ratio": only where a trace tells of it.
void addTraced(const OperatorSample& sample, fields::Json& json);
void readTraced(const fields::Json& json, OperatorSample& sample);

[[nodiscard]] fields::Json originJson(const TraceOrigin& origin);
/// Nothing without a member "trace".
[[nodiscard]] std::optional<TraceOrigin> readOrigin(const fields::Json& json);

/// What kscope-torch said of the kernels of one sample, into `sample`: "implementations", by name.
void takeKernelsLine(const fields::Json& json, OperatorSample& sample);

}  // namespace kinetoscope::bench::results
