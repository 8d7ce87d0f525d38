// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/Window.h"
#include "core/base/Result.h"
#include "core/trace/Trace.h"

namespace kinetoscope::analysis {

struct OperatorOptions {
    bool byShape = true;  ///< else by name alone, without a look at the trace's text
    /// Events that start in it count, for WindowKind::Gpu all.
    WindowChoice window = {};
    std::stop_token stop = {};
};

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
    trace::SliceId first = trace::kNoSlice;
    trace::SliceId longest = trace::kNoSlice;  ///< of several the first
};

/// What torch.profiler's key_averages() sums up, by input shape or not, in its arithmetic:
/// microseconds since the profiler's start as floating point numbers, so that the last printed
/// digit is the same.
struct OperatorTable {
    bool byShape = false;           ///< else `shapes` of all rows are "[]"
    std::vector<OperatorRow> rows;  ///< largest self GPU time first, then as they first happened
    double selfCpuUs = 0.0;         ///< of all rows
    double selfGpuUs = 0.0;         ///< of the GPU's rows, annotations left out
};

/// An event counts whole, with all GPU work inside it, however much of it lies in the window. By
/// shape the arguments of every operator are read from the trace's text. Fails when the file
/// changed since it was read, when there is no such window, and when it is stopped.
[[nodiscard]] Result<OperatorTable> makeOperatorTable(const trace::Trace& trace,
                                                      const OperatorOptions& options = {});

}  // namespace kinetoscope::analysis
