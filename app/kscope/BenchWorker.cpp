// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/prctl.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "app/kscope/BenchArguments.h"
#include "app/kscope/Command.h"
#include "app/kscope/Terminal.h"
#include "core/bench/results/BenchJson.h"
#include "core/bench/run/GpuLock.h"
#include "core/json/Json.h"

namespace kinetoscope::app {

namespace {

void sayMessage(const char* event, std::size_t index, const std::string& message) {
    const nlohmann::json json{{"event", event}, {"index", index}, {"message", message}};
    sayLine(json::jsonText(json));
}

}  // namespace

// Seen by the reader at once.
void sayLine(const std::string& line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
}

int runBenchWorker(const BenchArguments& arguments) {
    // A bench that is stopped takes its worker along, whatever the GPU is doing.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const auto plan = bench::plan::planCaches(arguments.folders);
    if (!plan) {
        return reportError(plan.error());
    }
    auto gpu = bench::run::CudaGpu::open(arguments.gpu);
    if (!gpu) {
        sayMessage("failed", 0, gpu.error().message);
        return kExitOutput;
    }
    const auto lock =
        bench::run::GpuLock::take((*gpu)->info().uuid, [] { sayLine(R"({"event":"waiting"})"); });
    if (!lock) {
        sayMessage("failed", 0, lock.error().message);
        return kExitOutput;
    }
    if (const auto copied = (*gpu)->measureCopy(); !copied) {
        sayMessage("failed", 0, copied.error().message);
        return kExitOutput;
    }
    sayLine(R"({"event":"gpu","gpu":)" +
            bench::results::gpuJson(bench::run::describeGpu((*gpu)->info())) + "}");
    bench::run::KernelBenchOptions options = arguments.bench;
    options.measure.expectedClockMhz = (*gpu)->info().maxSmClockMhz;
    for (const std::size_t index : arguments.indices) {
        if (index >= plan->kernels.size()) {
            continue;
        }
        sayLine(fmt::format(R"({{"event":"start","index":{}}})", index));
        const auto result = bench::run::benchKernel(**gpu, plan->kernels[index], options);
        if (!result) {
            // After such an error the context is lost, and this process with it.
            sayMessage("error", index, result.error().message);
            return kExitOutput;
        }
        sayLine(fmt::format(R"({{"event":"result","index":{},"kernel":{}}})", index,
                            bench::results::kernelResultJson(*result)));
    }
    return kExitGood;
}

}  // namespace kinetoscope::app
