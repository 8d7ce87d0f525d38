// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope::analysis {

/// Operators and annotations: what has a row of its own and may have input shapes.
[[nodiscard]] constexpr bool isOperator(trace::Category category) {
    return category == trace::Category::CpuOp || category == trace::Category::UserAnnotation;
}

/// Microseconds as torch.profiler counts them, as floating point numbers since the profiler began.
class ProfilerClock {
public:
    explicit ProfilerClock(const trace::Trace& trace);
    [[nodiscard]] double duration(trace::SliceId slice) const {
        return since(m_trace.end(slice)) - since(m_trace.start(slice));
    }

private:
    [[nodiscard]] double since(TimeNs time) const {
        return static_cast<double>(time - m_origin) / 1e3;
    }

    const trace::Trace& m_trace;
    TimeNs m_origin;
};

/// The events of an operator table. Those of the CPU have numbers, in file order; a large trace has
/// millions, so each figure is a column and lives no longer than it is needed.
struct OperatorEvents {
    std::vector<trace::SliceId> cpu;      ///< operators, annotations, calls, overhead
    std::vector<std::uint32_t> cpuOrder;  ///< their numbers by start, the longer first
    std::vector<bool> merged;  ///< into its parent, which has its name and nothing else inside
    std::vector<double> childCpuUs;   ///< of what is nested directly inside
    std::vector<double> kernelUs;     ///< GPU work with its id
    std::vector<double> gpuUs;        ///< and that of everything inside
    std::vector<trace::SliceId> gpu;  ///< by start, the longer first
};

/// Only `cpu` and `gpu`.
[[nodiscard]] OperatorEvents findOperatorEvents(const trace::Trace& trace);
/// Everything else. One event is inside another of its thread when its span is; GPU work goes to
/// the operator with its External id, else to that of the call that launched it, and calls go to
/// that operator's thread.
void nestOperators(const trace::Trace& trace, const std::stop_token& stop, OperatorEvents& events);

}  // namespace kinetoscope::analysis
