// SPDX-License-Identifier: Apache-2.0
// Started by kscope: reads a request as JSON from standard input, answers with lines of JSON.
#include <fmt/format.h>
#include <sys/prctl.h>

#include <csignal>
#include <iostream>
#include <iterator>
#include <optional>

#include "core/base/ProcessSetup.h"
#include "core/bench/run/GpuLock.h"
#include "core/bench/torch/Protocol.h"
#include "core/json/Json.h"

namespace {

using namespace kinetoscope;
using Json = nlohmann::json;

int failed(const std::string& message) {
    bench::libtorch::say({{"event", "failed"}, {"message", message}});
    return 1;
}

int run(Json request) {
    if (request.value("device", "").empty()) {
        request["device"] = bench::libtorch::defaultDevice();
    }
    const std::string device = request["device"];
    if (const std::string problem = bench::libtorch::deviceProblem(device); !problem.empty()) {
        return failed(problem);
    }
    const Json torch = bench::libtorch::describeTorch(device);
    const std::string task = request.value("task", "");
    if (task == "facts") {
        bench::libtorch::say(torch);
        return 0;
    }
    if (task == "overloads") {
        return bench::libtorch::runOverloadTask(request);
    }
    std::optional<bench::run::GpuLock> lock;
    if (torch.contains("uuid")) {
        auto taken = bench::run::GpuLock::take(torch["uuid"], [] {
            bench::libtorch::say({{"event", "waiting"}});
        });
        if (!taken) {
            return failed(taken.error().message);
        }
        lock.emplace(std::move(*taken));
    }
    bench::libtorch::say(torch);
    if (task == "operators") {
        return bench::libtorch::runOperatorTask(request);
    }
    if (task == "modules") {
        return bench::libtorch::runModuleTask(request);
    }
    if (task == "kernels") {
        return bench::libtorch::runKernelsTask(request);
    }
    if (task == "roof") {
        return bench::libtorch::runRoofTask(request);
    }
    return failed("unknown task '" + task + "'");
}

}  // namespace

int main(int argc, char**) {
    holdStandardDescriptors();
    if (argc > 1) {
        writeToStandardError(
            "kscope-torch: started by kscope bench operators and kscope bench modules; see their "
            "--help\n");
        return 2;
    }
    // A bench that is stopped leaves nothing running.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    try {
        const std::string text((std::istreambuf_iterator<char>(std::cin)), {});
        const auto request = json::parseJson(text);
        return request && request->is_object() ? run(*request)
                                               : failed("the request is not a JSON object");
    } catch (const std::exception& error) {
        return failed(error.what());
    }
}
