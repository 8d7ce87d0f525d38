// SPDX-License-Identifier: Apache-2.0
#include "core/bench/workers/TorchWorker.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "core/base/UserFolders.h"
#include "core/bench/results/JsonFields.h"
#include "core/bench/workers/WorkerProcess.h"

namespace kinetoscope::bench::workers {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

void takeFacts(const Json& json, TorchFacts& facts) {
    facts.version = results::fields::text(json, "version");
    facts.device = results::fields::text(json, "device");
    facts.packages = results::fields::flag(json, "packages");
    facts.threads = results::fields::small(json, "threads");
    facts.gpu.name = results::fields::text(json, "gpu");
    facts.gpu.uuid = results::fields::text(json, "uuid");
    facts.gpu.architecture = results::fields::text(json, "architecture");
    facts.gpu.memoryBytes = results::fields::integer(json, "memory_bytes");
    facts.gpu.l2Bytes = results::fields::integer(json, "l2_bytes");
    facts.gpu.multiprocessors = results::fields::small(json, "multiprocessors");
}

}  // namespace

void TorchFacts::describe(results::ResultHeader& header) const {
    if (!version.empty()) {
        header.torchVersion = version;
        header.device = device;
        header.threads = threads;
        header.gpu = gpu;
    }
}

std::string builtTorchProgram() {
    return userDataFolder() + "/kscope-torch-" KINETOSCOPE_VERSION;
}

Result<std::string> torchProgram() {
    if (const char* chosen = std::getenv("KINETOSCOPE_TORCH"); chosen != nullptr && *chosen) {
        if (::access(chosen, X_OK) == 0) {
            return std::string(chosen);
        }
        return fail(
            fmt::format("'{}': no program to run, though KINETOSCOPE_TORCH names it", chosen));
    }
    if (const std::string built = builtTorchProgram(); ::access(built.c_str(), X_OK) == 0) {
        return built;
    }
    std::error_code error;
    const fs::path beside =
        fs::read_symlink("/proc/self/exe", error).parent_path() / "kscope-torch";
    if (::access(beside.c_str(), X_OK) == 0) {
        return beside.string();
    }
    return fail(fmt::format(
        "'{}': does not exist; operators and modules run in libtorch: `kscope torch build` builds "
        "it "
        "for the PyTorch of python3, or of another Python with --python; see docs/operators.md",
        beside.string()));
}

Result<TorchEnding> runTorchWorker(
    const std::vector<std::string>& command, const Json& request, double patience,
    TorchFacts& facts, BenchConsole& console,
    const std::function<void(const Json&, const std::string&)>& take) {
    WorkerProcess worker;
    const std::string text = json::jsonText(request);
    if (auto started = worker.start(command.front(), command, text); !started) {
        return tl::unexpected(started.error());
    }
    TorchEnding ending;
    while (const auto line = worker.line(patience)) {
        const auto parsed = json::parseJson(*line);
        if (!parsed || !parsed->is_object()) {
            continue;
        }
        const Json& json = *parsed;
        const std::string event = results::fields::text(json, "event");
        if (event == "torch") {
            takeFacts(json, facts);
        } else if (event == "waiting") {
            console.warn("another bench is using this GPU; waiting for it to finish");
        } else if (event == "failed") {
            const std::string message = results::fields::text(json, "message");
            ending.failure = message.empty() ? "it gave no reason" : message;
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

}  // namespace kinetoscope::bench::workers
