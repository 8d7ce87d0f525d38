// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/kscope/BenchArguments.h"
#include "app/kscope/Command.h"
#include "app/kscope/Terminal.h"
#include "core/bench/BenchJson.h"
#include "core/bench/GpuLock.h"

namespace kinetoscope {

namespace {

// One JSON object per line, seen by the reader at once.
void say(const std::string& line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
}

void sayMessage(const char* event, std::size_t index, const std::string& message) {
    const nlohmann::json json{{"event", event}, {"index", index}, {"message", message}};
    say(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

int runBenchWorker(const BenchArguments& arguments) {
    const auto plan = planCaches(arguments.folders);
    if (!plan) {
        return reportError(plan.error());
    }
    auto gpu = CudaGpu::open(arguments.gpu);
    if (!gpu) {
        sayMessage("failed", 0, gpu.error().message);
        return kExitOutput;
    }
    const auto lock = GpuLock::take((*gpu)->info().uuid, [] { say(R"({"event":"waiting"})"); });
    if (!lock) {
        sayMessage("failed", 0, lock.error().message);
        return kExitOutput;
    }
    if (const auto copied = (*gpu)->measureCopy(); !copied) {
        sayMessage("failed", 0, copied.error().message);
        return kExitOutput;
    }
    say(R"({"event":"gpu","gpu":)" + gpuJson(describeGpu((*gpu)->info())) + "}");
    KernelBenchOptions options = arguments.bench;
    options.measure.expectedClockMhz = (*gpu)->info().maxSmClockMhz;
    for (const std::size_t index : arguments.indices) {
        if (index >= plan->kernels.size()) {
            continue;
        }
        say(fmt::format(R"({{"event":"start","index":{}}})", index));
        const auto result = benchKernel(**gpu, plan->kernels[index], options);
        if (!result) {
            // After such an error the context is lost, and this process with it.
            sayMessage("error", index, result.error().message);
            return kExitOutput;
        }
        say(fmt::format(R"({{"event":"result","index":{},"kernel":{}}})", index,
                        kernelResultJson(*result)));
    }
    return kExitGood;
}

}  // namespace kinetoscope
