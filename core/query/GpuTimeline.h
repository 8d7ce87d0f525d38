// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/Time.h"
#include "core/trace/Trace.h"

namespace kinetoscope::query {

/// When one GPU operation ran.
struct OperationTime {
    TimeSpan span;
    trace::GpuOpId operation = 0;
};

struct GpuRow {
    std::int32_t gpu = 0;
    TimeSpan extent;                        ///< first operation's start to the last one's end
    std::vector<OperationTime> operations;  ///< by start, then in file order; never empty
};

/// The GPU operations of each GPU in order of time, sorted once for all analyses.
class GpuTimeline {
public:
    explicit GpuTimeline(const trace::Trace& trace);

    [[nodiscard]] std::span<const GpuRow> gpus() const { return m_gpus; }  ///< by GPU number
    [[nodiscard]] const GpuRow* find(std::int32_t gpu) const;

private:
    std::vector<GpuRow> m_gpus;
};

}  // namespace kinetoscope::query
