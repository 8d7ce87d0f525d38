// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/support/CaptureBytes.h"

namespace kinetoscope::test {

inline constexpr std::string_view kSampleHeader =
    R"({"version": 1, "pid": 4711, "parent_pid": 1, "program": "train", "command": "train -v",)"
    R"( "host": "node7", "rank": 3, "local_rank": 1, "world_size": 8, "level": 3,)"
    R"( "cupti_version": 130001, "driver_version": 13000, "monotonic_ns": 1000,)"
    R"( "realtime_ns": 5000000001000})";

inline constexpr std::string_view kSampleDevice =
    R"({"id": 0, "name": "NVIDIA H200", "totalGlobalMem": 150109880320, "computeMajor": 9,)"
    R"( "computeMinor": 0, "maxThreadsPerMultiprocessor": 2048, "warpSize": 32,)"
    R"( "maxBlocksPerMultiprocessor": 32, "numSms": 132, "regsPerMultiprocessor": 65536,)"
    R"( "sharedMemPerMultiprocessor": 233472, "uuid": "c0047ab6"})";

/// The GPU side of the sample: a kernel, a copy between GPUs, a memset, a graph, a wait, an event.
[[nodiscard]] inline std::string sampleGpuRecords() {
    using namespace stream::format;
    auto kernel = stream::format::makeRecord<stream::format::KernelRecord>();
    kernel.start = 2200;
    kernel.end = 2700;
    kernel.stream = 7;
    kernel.correlation = 1;
    kernel.name = 1;
    kernel.grid = {132, 2, 1};
    kernel.block = {256, 1, 1};
    kernel.cluster = {2, 1, 1};
    kernel.registers = 40;
    kernel.dynamicShared = 1024;
    auto copy = stream::format::makeRecord<stream::format::CopyRecord>();
    copy.start = 2800;
    copy.end = 2900;
    copy.bytes = 4096;
    copy.correlation = 2;
    copy.kind = 10;
    copy.sourceDevice = 0;
    copy.targetDevice = 1;
    auto memset = stream::format::makeRecord<stream::format::MemsetRecord>();
    memset.start = 2910;
    memset.end = 2920;
    memset.bytes = 512;
    memset.correlation = 3;
    auto graph = stream::format::makeRecord<stream::format::GraphRecord>();
    graph.start = 3000;
    graph.end = 3300;
    graph.correlation = 4;
    graph.graph = 9;
    auto wait = stream::format::makeRecord<stream::format::SynchronizationRecord>();
    wait.kind = 3;
    wait.start = 3400;
    wait.end = 3500;
    wait.correlation = 5;
    auto event = stream::format::makeRecord<stream::format::CudaEventRecord>();
    event.time = 3450;
    event.stream = 7;
    event.correlation = 6;
    return bytesOf(kernel) + bytesOf(copy) + bytesOf(memset) + bytesOf(graph) + bytesOf(wait) +
           bytesOf(event);
}

/// The host side: a range of an operator, a call inside of it, a step, a mark, memory, overhead.
[[nodiscard]] inline std::string sampleHostRecords() {
    using namespace stream::format;
    auto range = stream::format::makeRecord<stream::format::RangeStartRecord>();
    range.thread = 4712;
    range.time = 1900;
    range.id = 8;
    range.name = 3;
    auto external = stream::format::makeRecord<stream::format::ExternalIdRecord>();
    external.correlation = 1;
    external.id = 8;
    auto launch = stream::format::makeRecord<stream::format::ApiRecord>();
    launch.thread = 4712;
    launch.start = 2000;
    launch.end = 2100;
    launch.name = 2;
    launch.correlation = 1;
    launch.launches = 1;
    auto end = stream::format::makeRecord<stream::format::RangeEndRecord>();
    end.thread = 4712;
    end.time = 2150;
    end.id = 8;
    auto step = range;
    step.time = 1800;
    step.id = 9;
    step.name = 4;
    auto mark = stream::format::makeRecord<stream::format::MarkRecord>();
    mark.thread = 4712;
    mark.time = 2160;
    mark.name = 1;
    auto memory = stream::format::makeRecord<stream::format::MemoryRecord>();
    memory.time = 2170;
    memory.address = 0x7f00;
    memory.bytes = 1 << 20;
    memory.release = 1;
    auto overhead = stream::format::makeRecord<stream::format::OverheadRecord>();
    overhead.start = 2180;
    overhead.end = 2190;
    overhead.kind = 1U << 16U;
    auto name = stream::format::makeRecord<stream::format::ThreadNameRecord>();
    name.thread = 4712;
    name.name = 2;
    return bytesOf(name) + bytesOf(step) + bytesOf(range) + bytesOf(external) + bytesOf(launch) +
           bytesOf(end) + bytesOf(mark) + bytesOf(memory) + bytesOf(overhead);
}

/// A capture with a chunk and a record of every type.
[[nodiscard]] inline std::string sampleCapture() {
    using namespace stream::format;
    return CaptureBytes()
        .add(stream::format::ChunkType::Header, kSampleHeader)
        .add(stream::format::ChunkType::Device, kSampleDevice)
        .add(stream::format::ChunkType::Names,
             nameEntry(1, "void addKernel<float>(float*)") + nameEntry(2, "cudaLaunchKernel") +
                 nameEntry(3, "aten::mm, seq = 12, op_id = 4, sizes = [[64, 32], [32, 16]]") +
                 nameEntry(4, "ProfilerStep#3"))
        .add(stream::format::ChunkType::Records, sampleHostRecords())
        .add(stream::format::ChunkType::Records, sampleGpuRecords())
        .add(stream::format::ChunkType::Note,
             R"({"name": "dropped", "text": "lost", "count": 3, "loss": 1})")
        .add(stream::format::ChunkType::Footer, R"({"records": 15})")
        .bytes();
}

}  // namespace kinetoscope::test
