// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/report/Report.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::analysis_test {

inline trace::RowId number(std::int64_t value) {
    return {false, value};
}

/// What a CPU event may have beside its time.
struct Cpu {
    std::int64_t tid = 100;
    std::int64_t pid = 900;
    std::int64_t correlation = trace::kNoId;
    std::int64_t externalId = trace::kNoId;
};

/// What a GPU operation may have beside its time.
struct Gpu {
    std::int32_t gpu = 0;
    std::int64_t stream = 7;
    std::int64_t correlation = trace::kNoId;
    std::int64_t externalId = trace::kNoId;
    std::uint32_t grid = 1;
    std::uint32_t graph = 0;
    std::int16_t occupancy = -1;
    bool collective = false;
};

/// Builds a trace event by event. Times are in nanoseconds.
class TraceMaker {
public:
    trace::SliceId cpu(trace::Category category, std::string_view name, TimeNs start,
                       TimeNs duration, const Cpu& more = {}) {
        trace::SliceInput input;
        input.start = start;
        input.duration = duration;
        input.name = m_builder.name(name);
        input.track = m_builder.track(number(more.pid), number(more.tid));
        input.category = static_cast<trace::CategoryId>(category);
        input.correlation = more.correlation;
        input.externalId = more.externalId;
        return m_builder.addSlice(input);
    }

    trace::SliceId api(TimeNs start, TimeNs duration, std::int64_t correlation,
                       std::int64_t tid = 100) {
        return cpu(trace::Category::Runtime, "cudaLaunchKernel", start, duration,
                   {.tid = tid, .correlation = correlation});
    }

    trace::SliceId annotation(std::string_view name, TimeNs start, TimeNs duration,
                              std::int64_t tid = 100) {
        return cpu(trace::Category::UserAnnotation, name, start, duration, {.tid = tid});
    }

    /// Returns the number of the operation.
    trace::GpuOpId gpu(trace::Category category, std::string_view name, TimeNs start,
                       TimeNs duration, const Gpu& more = {}) {
        trace::GpuOperation operation;
        operation.slice = cpu(category, name, start, duration,
                              {.tid = more.stream,
                               .pid = more.gpu,
                               .correlation = more.correlation,
                               .externalId = more.externalId});
        operation.gpu = more.gpu;
        operation.stream = more.stream;
        operation.grid = {more.grid, 1, 1};
        operation.graph = more.graph;
        operation.occupancyPercent = more.occupancy;
        operation.collective = more.collective;
        m_builder.addGpuOperation(operation);
        return m_operations++;
    }

    trace::GpuOpId kernel(std::string_view name, TimeNs start, TimeNs duration,
                          const Gpu& more = {}) {
        return gpu(trace::Category::Kernel, name, start, duration, more);
    }
    trace::GpuOpId memcpy(TimeNs start, TimeNs duration, const Gpu& more = {}) {
        return gpu(trace::Category::GpuMemcpy, "Memcpy HtoD (Pageable -> Device)", start, duration,
                   more);
    }

    [[nodiscard]] trace::TraceBuilder& builder() { return m_builder; }
    [[nodiscard]] std::shared_ptr<const trace::Trace> finish() { return m_builder.finish(); }

private:
    trace::TraceBuilder m_builder;
    trace::GpuOpId m_operations = 0;
};

/// Kernels whose launching operator decides.
inline constexpr std::string_view kGemm = "nvjet_sm90_hsh_128x128_64x6_2x1_v_bz_NTT";
inline constexpr std::string_view kLayout = "void cudnn::ops::nchwToNhwcKernel<float>(int)";
inline constexpr std::string_view kFill =
    "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float> >(int)";

/// The report on the first GPU of the trace, without options.
inline report::GpuReport firstGpuOf(const std::shared_ptr<const trace::Trace>& trace) {
    return report::makeReport(*trace)->gpus.at(0);
}

}  // namespace kinetoscope::analysis_test
