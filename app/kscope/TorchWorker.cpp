// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/TorchWorker.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/kscope/Terminal.h"

namespace kinetoscope {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

void takeFacts(const Json& json, TorchFacts& facts) {
    facts.version = json.value("version", "");
    facts.device = json.value("device", "");
    facts.packages = json.value("packages", false);
    facts.threads = json.value("threads", 0);
    facts.gpu.name = json.value("gpu", "");
    facts.gpu.uuid = json.value("uuid", "");
    facts.gpu.architecture = json.value("architecture", "");
    facts.gpu.memoryBytes = json.value("memory_bytes", std::int64_t{0});
    facts.gpu.l2Bytes = json.value("l2_bytes", std::int64_t{0});
    facts.gpu.multiprocessors = json.value("multiprocessors", 0);
}

}  // namespace

Result<std::string> torchProgram() {
    if (const char* chosen = std::getenv("KINETOSCOPE_TORCH"); chosen != nullptr && *chosen) {
        if (::access(chosen, X_OK) == 0) {
            return std::string(chosen);
        }
        return fail(
            fmt::format("{}: no program to run, though KINETOSCOPE_TORCH names it", chosen));
    }
    std::error_code error;
    const fs::path beside =
        fs::read_symlink("/proc/self/exe", error).parent_path() / "kscope-torch";
    if (::access(beside.c_str(), X_OK) == 0) {
        return beside.string();
    }
    return fail(fmt::format(
        "{} is not there: operators and modules run on PyTorch's own engine. Build it where "
        "libtorch-dev is installed, or with -DTorch_DIR=…/torch/share/cmake/Torch for your own "
        "PyTorch; docs/operators.md tells how",
        beside.string()));
}

Result<TorchEnding> runTorchWorker(
    const std::vector<std::string>& command, const Json& request, double patience,
    TorchFacts& facts, const std::function<void(const Json&, const std::string&)>& take) {
    WorkerProcess worker;
    const std::string text = request.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (auto started = worker.start(command.front(), command, text); !started) {
        return tl::unexpected(started.error());
    }
    TorchEnding ending;
    while (const auto line = worker.line(patience)) {
        const Json json = Json::parse(*line, nullptr, false);
        if (!json.is_object()) {
            continue;
        }
        const std::string event = json.value("event", "");
        if (event == "torch") {
            takeFacts(json, facts);
        } else if (event == "waiting") {
            printWarning("another bench runs on this GPU; waiting for it to end");
        } else if (event == "failed") {
            ending.failure = json.value("message", "it gave no reason");
        } else {
            take(json, *line);
        }
    }
    ending.sentence = worker.end();
    ending.good = worker.good();
    if (WorkerProcess::isCancelled()) {
        return fail("cancelled", ErrorKind::Cancelled);
    }
    return ending;
}

}  // namespace kinetoscope
