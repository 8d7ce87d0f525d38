// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/trace/Trace.h"

namespace kinetoscope::analysis {

/// All events of one name, one side (CPU or GPU) and one list of input shapes.
struct OperatorRow {
    std::string name;
    std::string shapes;       ///< as Python prints them: "[[4096, 1024], []]"; "[]" without any
    bool onGpu = false;       ///< kernels, copies, memsets, GPU annotations and synchronisation
    bool annotation = false;  ///< a range that the program marked
    std::uint64_t count = 0;
    double selfCpuUs = 0.0;  ///< without what is nested inside on the same thread
    double cpuUs = 0.0;
    double selfGpuUs = 0.0;  ///< of an operator: GPU work with its External id
    double gpuUs = 0.0;      ///< and that of everything nested inside
};

/// What torch.profiler's key_averages(group_by_input_shape=True) sums up, in its arithmetic:
/// microseconds since the profiler's start as floating point numbers, so that the last printed
/// digit is the same.
struct OperatorTable {
    std::vector<OperatorRow> rows;  ///< largest self GPU time first, then as they first happened
    double selfCpuUs = 0.0;         ///< of all rows
    double selfGpuUs = 0.0;         ///< of the GPU's rows, annotations left out
};

/// Reads the arguments of every operator from the trace's text. Fails when the file changed since
/// it was read, and when it is stopped.
[[nodiscard]] Result<OperatorTable> makeOperatorTable(const trace::Trace& trace,
                                                      const std::stop_token& stop = {});

}  // namespace kinetoscope::analysis
