// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/report/ReportDocument.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::fixture {

/// Names that try to break every format: control characters, markup, quotes, commas, wide letters.
inline const std::string kHostileName =
    "void a::evil<int, \"x|y\">(char*)\x1b[31m\n`漢字` </td>, _b_";
inline const std::string kGemm = "nvjet_hsh_256x128_64x4_1x2_h_bz_coopA_NTT";
inline const std::string kFill =
    "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
    "std::array<char*, 1ul> >(int, at::native::FillFunctor<float>, std::array<char*, 1ul>)";
inline const std::string kAdd =
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
    "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)";

inline void describeRun(trace::TraceBuilder& builder) {
    trace::RunInfo& info = builder.info();
    info.path = "runs/train_step.json.gz";
    info.format = "Kineto JSON, gzip";
    info.fileBytes = 277'142;
    info.textBytes = 4'400'509;
    info.baseTimeNs = 1'790'857'026'000'000'000;
    info.devices.push_back({.id = 0,
                            .name = "NVIDIA H200",
                            .totalMemoryBytes = 150'109'880'320,
                            .computeMajor = 9,
                            .computeMinor = 0,
                            .multiprocessors = 132,
                            .warpSize = 32,
                            .maxThreadsPerMultiprocessor = 2048,
                            .json = "{}"});
    info.distributed = trace::DistributedInfo{"nccl", 1, 8};
    info.fields = {{"schemaVersion", "1"},
                   {"deviceProperties", "[\n  {\"id\": 0}\n]"},
                   {"trace_id", "\"5135800E2E71454B985892E556FB7664\""},
                   {"baseTimeNanoseconds", "1790857026000000000"},
                   {"host\x1bname", "\"gpu-7\", oops"}};
    builder.log().events = 14'321;
    builder.log().skipped = 2;
    builder.log().add("not_an_object", trace::Severity::DataLoss, 5'678, "17 is not an event", 2);
    builder.log().add("negative_duration", trace::Severity::Warning, 99, "dur -5 of \"x\"");
}

inline analysis::KernelRow kernel(trace::TraceBuilder& builder, const std::string& name,
                                  std::int32_t gpu, std::uint64_t count, TimeNs total) {
    analysis::KernelRow row;
    row.gpu = gpu;
    row.name = builder.name(name);
    row.category = "unknown";
    row.count = count;
    row.totalNs = total;
    row.meanNs = static_cast<double>(total) / static_cast<double>(count);
    row.medianNs = row.meanNs + 0.5;
    row.minNs = total / static_cast<TimeNs>(count) - 500;
    row.maxNs = total / static_cast<TimeNs>(count) + 750;
    row.stdNs = 125.25;
    row.grid = {132, 2, 1};
    row.block = {384, 1, 1};
    row.registers = 168;
    row.sharedBytes = 213'408;
    row.occupancyPercent = 19;
    row.shapes = 2;
    return row;
}

inline std::vector<analysis::KernelRow> kernels(trace::TraceBuilder& builder) {
    analysis::KernelRow gemm = kernel(builder, kGemm, 0, 1'200, 52'462'800);
    gemm.shortName = kGemm;
    gemm.family = "gemm";
    gemm.mmConv = true;
    analysis::KernelRow fill = kernel(builder, kFill, 0, 64, 1'234'567);
    fill.shortName = "vectorized_elementwise_kernel";
    fill.family = "elementwise";
    fill.occupancyPercent = -1;
    analysis::KernelRow add = kernel(builder, kAdd, 0, 32, 617'283);
    add.shortName = "vectorized_elementwise_kernel";
    add.family = "elementwise";
    analysis::KernelRow evil = kernel(builder, kHostileName, 1, 2, 10'000);
    evil.shortName = "evil";
    evil.family = "other";
    evil.grid = {};
    evil.block = {};
    evil.registers = 0;
    evil.stdNs = 0.0;
    return {gemm, fill, add, evil};
}

inline report::GpuReport gpu(std::int32_t number, const std::string& name, TimeSpan window,
                             TimeNs busy) {
    report::GpuReport gpu;
    gpu.gpu = number;
    gpu.name = name;
    gpu.window = window;
    gpu.busyNs = busy;
    gpu.kernelBusyNs = busy - 1'000;
    gpu.kernelTimeSumNs = busy + 2'000;
    gpu.mmConv = {busy / 2, busy / 2 - 100, 100, 77};
    gpu.breakdown = {busy - 3'000, 2'000, 1'000, window.duration() - busy};
    gpu.operations = {1'298, 3, 1};
    const TimeNs idle = gpu.breakdown.idleNs;
    gpu.idle = {idle - 1'000'000, 300'000, 500'000, 120'000, 80'000, 0};
    gpu.streamGaps = {5'000'000, 400'000, 30'000, 2'000, 0};
    gpu.launches = {1'300, 2, 40, 1, 17, 4'250.0, 1'250'000};
    return gpu;
}

inline report::Report report(trace::TraceBuilder& builder) {
    report::Report report;
    report.gpus = {gpu(0, "NVIDIA H200", {2'000'000, 90'000'000}, 54'300'000),
                   gpu(1, "", {3'000'000, 80'000'000}, 9'000)};
    report.categories = {{"triton_pointwise", 40'000'000, 1'200, 73.61},
                         {"unknown", 14'324'650, 98, 26.39}};
    report.kernels = kernels(builder);
    report.steps = {{.name = "ProfilerStep#3",
                     .number = 3,
                     .span = {1'000'000, 45'000'000},
                     .cpuEndNs = 41'000'000,
                     .busyNs = 27'000'000,
                     .kernels = 649,
                     .gpus = {{0, 26'991'000}, {1, 9'000}}},
                    {.name = "ProfilerStep#4",
                     .number = 4,
                     .span = {45'000'000, 91'000'000},
                     .cpuEndNs = 82'000'000,
                     .busyNs = 27'300'000,
                     .kernels = 649,
                     .gpus = {{0, 27'300'000}}}};
    return report;
}

/// A report with all parts filled in by hand; nothing here is computed by an analysis.
inline report::ReportDocument document() {
    trace::TraceBuilder builder;
    describeRun(builder);
    trace::SliceInput slice;
    slice.track = builder.track({false, 477}, {false, 477});
    slice.name = builder.name("ProfilerStep#3");
    slice.start = 1'000'000;
    slice.duration = 90'000'000;
    builder.addSlice(slice);
    report::ReportDocument document;
    document.report = report(builder);
    document.trace = builder.finish();
    document.top = 3;
    document.compat =
        analysis::CompatReport{.utilization = 0.61,
                               .mmConvUtilization = std::nullopt,
                               .reason = "some event has no ts",
                               .gpuBusy = 0.7867,
                               .wallMs = 0.32707,
                               .wallMeasured = true,
                               .runs = 100,
                               .categories = {{"unknown", 0.25, {{kGemm, 0.25, 2.0}}}},
                               .tabulateLine = "Output for tabulate: None, …",
                               .text = "tables\n"};
    return document;
}

}  // namespace kinetoscope::fixture
