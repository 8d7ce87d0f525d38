// SPDX-License-Identifier: Apache-2.0
#include "core/bench/run/KernelBench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/bench/run/BufferFill.h"
#include "core/bench/run/CudaQueue.h"
#include "core/text/OutputFile.h"

namespace kinetoscope::bench::run {

namespace {

using Contents = std::vector<std::vector<std::byte>>;

Result<Contents> contents(CudaQueue& queue, std::size_t buffers) {
    Contents all;
    for (std::size_t i = 0; i < buffers; ++i) {
        auto bytes = queue.content(i);
        if (!bytes) {
            return tl::unexpected(bytes.error());
        }
        all.push_back(std::move(*bytes));
    }
    return all;
}

void compareBuffers(const plan::BufferPlan& plan, const std::vector<std::byte>& expected,
                    const std::vector<std::byte>& actual, results::Accuracy& accuracy) {
    constexpr double kRelativeFrom = 1e-6;
    if (expected == actual) {
        return;
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(plan.elements); ++i) {
        const double a = valueAt(expected, plan.dtype, i);
        const double b = valueAt(actual, plan.dtype, i);
        if (a == b || (std::isnan(a) && std::isnan(b))) {
            continue;
        }
        const double difference = std::isnan(a - b) ? INFINITY : std::abs(a - b);
        if (difference > accuracy.maxAbsolute) {
            accuracy.maxAbsolute = difference;
            accuracy.buffer = plan.name;
        }
        if (std::abs(a) >= kRelativeFrom) {
            accuracy.maxRelative = std::max(accuracy.maxRelative, difference / std::abs(a));
        }
    }
}

// Every configuration once on the same arguments.
Result<results::Accuracy> compareConfigs(CudaQueue& queue, const plan::KernelPlan& plan) {
    results::Accuracy accuracy;
    Contents expected;
    for (std::size_t config = 0; config < plan.configs.size(); ++config) {
        queue.restore();
        queue.launch(config);
        auto actual = contents(queue, plan.buffers.size());
        if (!actual) {
            return tl::unexpected(actual.error());
        }
        if (config == 0) {
            expected = std::move(*actual);
            continue;
        }
        for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
            compareBuffers(plan.buffers[i], expected[i], (*actual)[i], accuracy);
        }
    }
    return accuracy;
}

Result<void> writeContents(const std::filesystem::path& folder, const plan::KernelPlan& plan,
                           const char* suffix, const Contents& all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto path = folder / fmt::format("{}.{}.bin", plan.buffers[i].name, suffix);
        const std::string_view bytes(reinterpret_cast<const char*>(all[i].data()), all[i].size());
        if (auto done = text::writeFile(path.string(), bytes); !done) {
            return done;
        }
    }
    return {};
}

// Arguments before and after one launch of the chosen configuration, as raw files.
Result<void> dumpLaunch(CudaQueue& queue, const plan::KernelPlan& plan, const std::string& folder) {
    const auto target = std::filesystem::path(folder) / plan.key;
    std::error_code error;
    std::filesystem::create_directories(target, error);
    const auto before = contents(queue, plan.buffers.size());
    if (!before) {
        return tl::unexpected(before.error());
    }
    if (auto done = writeContents(target, plan, "in", *before); !done) {
        return done;
    }
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < plan.configs.size(); ++i) {
        chosen = plan.configs[i].winner ? i : chosen;
    }
    queue.launch(chosen);
    const auto after = contents(queue, plan.buffers.size());
    if (!after) {
        return tl::unexpected(after.error());
    }
    return writeContents(target, plan, "out", *after);
}

std::vector<results::BenchSeries> configResults(const plan::KernelPlan& plan,
                                                const std::vector<LoadedConfig>& loaded,
                                                ConfigSamples samples, BenchMethod method) {
    std::vector<results::BenchSeries> results;
    for (std::size_t i = 0; i < plan.configs.size(); ++i) {
        results::BenchSeries result;
        result.name = plan.configs[i].label;
        result.winner = plan.configs[i].winner;
        result.registers = loaded[i].registers;
        result.spills = loaded[i].spills;
        result.sharedBytes = static_cast<std::int64_t>(loaded[i].sharedBytes);
        result.occupancy = loaded[i].occupancy;
        result.minimum = method == BenchMethod::Benchmarker;
        result.samples = std::move(samples[i]);
        if (auto times = results::placementTimes(result.samples); times.size() > 1) {
            result.repeatsNs = std::move(times);
            result.moved = true;
        }
        results.push_back(std::move(result));
    }
    return results;
}

}  // namespace

results::BenchItem resultWithoutRun(const plan::KernelPlan& plan, std::string reason) {
    results::BenchItem result;
    result.name = plan.name;
    result.key = plan.key;
    result.category = plan.category;
    result.source = plan.sourcePath;
    result.gigabytes = plan.gigabytes;
    result.flop = plan.flop;
    result.reason = std::move(reason);
    return result;
}

Result<results::BenchItem> benchKernel(CudaGpu& gpu, const plan::KernelPlan& plan,
                                       const KernelBenchOptions& options) {
    results::BenchItem result = resultWithoutRun(plan, plan.reason);
    if (!plan.runnable()) {
        return result;
    }
    auto queue = CudaQueue::load(gpu, plan);
    if (!queue) {
        result.reason = queue.error().message;
        return result;
    }
    if (!options.dumpFolder.empty()) {
        if (const auto done = dumpLaunch(**queue, plan, options.dumpFolder); !done) {
            return tl::unexpected(done.error());
        }
    }
    if (options.accuracy && plan.configs.size() > 1) {
        auto accuracy = compareConfigs(**queue, plan);
        if (!accuracy) {
            return tl::unexpected(accuracy.error());
        }
        result.accuracy = std::move(*accuracy);
    }
    auto samples = measureConfigs(**queue, plan.configs.size(), options.measure);
    if (!samples) {
        return tl::unexpected(samples.error());
    }
    result.series =
        configResults(plan, (*queue)->configs(), std::move(*samples), options.measure.method);
    return result;
}

results::GpuDescription describeGpu(const GpuInfo& info) {
    results::GpuDescription gpu;
    gpu.name = info.name;
    gpu.uuid = info.uuid;
    gpu.architecture = fmt::format("sm_{}{}", info.computeMajor, info.computeMinor);
    gpu.driver = info.driverVersion.empty()
                     ? fmt::format("CUDA {}.{}", info.driverApi / 1000, info.driverApi % 1000 / 10)
                     : info.driverVersion;
    gpu.memoryBytes = static_cast<std::int64_t>(info.memoryBytes);
    gpu.l2Bytes = static_cast<std::int64_t>(info.l2Bytes);
    gpu.multiprocessors = info.multiprocessors;
    gpu.maxSmClockMhz = info.maxSmClockMhz;
    gpu.copyGbPerS = info.copyGbPerS;
    return gpu;
}

}  // namespace kinetoscope::bench::run
