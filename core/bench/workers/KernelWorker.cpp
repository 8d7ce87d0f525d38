// SPDX-License-Identifier: Apache-2.0
#include <sys/prctl.h>

#include <csignal>
#include <memory>
#include <optional>
#include <random>

#include "core/bench/results/JsonParts.h"
#include "core/bench/run/GpuLock.h"
#include "core/bench/workers/KernelWorkers.h"

namespace kinetoscope::bench::workers {

namespace {

void say(BenchConsole& console, const results::fields::Json& line) {
    console.outputLine(results::fields::dump(line, -1));
}

void sayMessage(BenchConsole& console, const char* event, std::size_t index,
                const std::string& message) {
    say(console, {{"event", event}, {"index", index}, {"message", message}});
}

// The GPU for us alone, its copies measured.
struct HeldGpu {
    std::unique_ptr<run::CudaGpu> gpu;
    std::optional<run::GpuLock> lock;
};

Result<HeldGpu> holdGpu(int index, BenchConsole& console) {
    auto gpu = run::CudaGpu::open(index);
    if (!gpu) {
        return tl::unexpected(gpu.error());
    }
    auto lock = run::GpuLock::take((*gpu)->info().uuid,
                                   [&] { console.outputLine(R"({"event":"waiting"})"); });
    if (!lock) {
        return tl::unexpected(lock.error());
    }
    if (const auto copied = (*gpu)->measureCopy(); !copied) {
        return tl::unexpected(copied.error());
    }
    return HeldGpu{std::move(*gpu), std::move(*lock)};
}

}  // namespace

Result<bool> runKernelWorker(const KernelsRun& request, const std::vector<std::size_t>& indices,
                             BenchConsole& console) {
    // A bench that is stopped takes its worker along, whatever the GPU is doing.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const auto plan = plan::planCaches(request.folders);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    const auto held = holdGpu(request.gpu, console);
    if (!held) {
        sayMessage(console, "failed", 0, held.error().message);
        return false;
    }
    run::CudaGpu& gpu = *held->gpu;
    results::ResultHeader header;
    header.gpu = run::describeGpu(gpu.info());
    results::fields::Json about{{"event", "gpu"}};
    results::writeDevice(header, about);
    say(console, about);
    run::KernelBenchOptions options = request.bench;
    options.measure.expectedClockMhz = gpu.info().maxSmClockMhz;
    std::random_device random;
    for (const std::size_t index : indices) {
        if (index >= plan->kernels.size()) {
            continue;
        }
        options.measure.seed = random();
        say(console, {{"event", "start"}, {"index", index}});
        const auto result = run::benchKernel(gpu, plan->kernels[index], options);
        if (!result) {
            // After such an error the context is lost, and this process with it.
            sayMessage(console, "error", index, result.error().message);
            return false;
        }
        say(console,
            {{"event", "result"}, {"index", index}, {"kernel", results::itemJson(*result)}});
    }
    return true;
}

}  // namespace kinetoscope::bench::workers
