// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "core/bench/results/JsonFields.h"
#include "core/bench/workers/OperatorWork.h"
#include "core/bench/workers/WorkerProcess.h"
#include "core/text/OutputFile.h"

namespace kinetoscope {

extern const std::string_view kCompileOperators;

}  // namespace kinetoscope

namespace kinetoscope::bench::workers {

namespace {

using Json = nlohmann::json;

// One operator may take a compiler long.
constexpr double kCompilePatienceSeconds = 900.0;

struct Encode {
    Json operator()(std::monostate) const { return {}; }
    Json operator()(bool value) const { return value; }
    Json operator()(std::int64_t value) const { return value; }
    Json operator()(double value) const {
        return std::isfinite(value) ? Json(value) : Json{{"number", operators::formatFloat(value)}};
    }
    Json operator()(const std::string& value) const { return value; }
    Json operator()(const operators::TorchName& value) const { return {{"torch", value.name}}; }
    Json operator()(operators::InputType value) const {
        return {{"type", operators::inputTypeName(value)}};
    }
    Json operator()(const operators::TensorInput& value) const {
        Json tensor{{"shape", value.shape}, {"type", operators::inputTypeName(value.type)}};
        tensor["strides"] = value.strides ? Json(*value.strides) : Json();
        return {{"tensor", tensor}};
    }
    Json operator()(const operators::SparseInput&) const { return {}; }
    Json operator()(const operators::InputList& value) const {
        Json items = Json::array();
        for (const operators::InputValue& item : value.items) {
            items.push_back(std::visit(*this, item.data));
        }
        return items;
    }
};

Json jobOf(const OperatorWork& work, const operators::OperatorCall& call, const std::string& device,
           const std::string& package) {
    Json job{{"name", work.entry.name},
             {"device", device},
             {"package", package},
             {"args", Json::array()},
             {"kwargs", Json::object()}};
    for (const operators::InputValue& value : call.args) {
        job["args"].push_back(std::visit(Encode{}, value.data));
    }
    for (const auto& [name, value] : call.kwargs) {
        job["kwargs"][name] = std::visit(Encode{}, value.data);
    }
    return job;
}

struct Target {
    std::size_t work;
    std::size_t call;
};

void take(const Json& answer, const std::vector<Target>& targets,
          std::vector<OperatorWork>& works) {
    const std::int64_t index = results::fields::integer(answer, "index");
    if (!answer.contains("index") || index < 0 || index >= std::ssize(targets)) {
        return;
    }
    const Target& target = targets[static_cast<std::size_t>(index)];
    OperatorWork& work = works[target.work];
    work.packages[target.call] = results::fields::text(answer, "package");
    work.packageReasons[target.call] = results::fields::text(answer, "reason");
}

}  // namespace

void compilePackages(std::vector<OperatorWork>& works, const results::ResultDocument& document,
                     const std::string& folder, std::string& unavailable, BenchConsole& console) {
    Json jobs = Json::array();
    std::vector<Target> targets;
    for (std::size_t i = 0; i < works.size(); ++i) {
        const std::size_t calls = works[i].entry.calls.size();
        works[i].packages.assign(calls, "");
        works[i].packageReasons.assign(calls, "it was not compiled");
        for (std::size_t k = 0; k < calls; ++k) {
            jobs.push_back(jobOf(works[i], works[i].entry.calls[k], document.device,
                                 fmt::format("{}/{}-{}.pt2", folder, i, k)));
            targets.push_back({i, k});
        }
    }
    // A file of its own: the compiler processes run it again.
    const std::string script = folder + "/compile_operators.py";
    if (const auto written = text::writeFile(script, kCompileOperators); !written) {
        unavailable = written.error().message;
        return;
    }
    const char* chosen = std::getenv("KINETOSCOPE_PYTHON");
    const std::string python = chosen != nullptr && *chosen != '\0' ? chosen : "python3";
    const Json request{{"torch", document.torchVersion}, {"jobs", jobs}};
    WorkerProcess compiler;
    if (const auto started = compiler.start(python, {python, script}, json::jsonText(request));
        !started) {
        unavailable = fmt::format("{}: {}", python, started.error().message);
        return;
    }
    std::size_t done = 0;
    while (const auto line = compiler.line(kCompilePatienceSeconds)) {
        const auto answer = json::parseJson(*line);
        if (!answer || !answer->is_object()) {
            continue;
        }
        if (answer->contains("failed")) {
            unavailable = results::fields::text(*answer, "failed");
        }
        take(*answer, targets, works);
        console.progress(fmt::format("{} of {} packages compiled", ++done, targets.size()));
    }
    const std::string ending = compiler.end();
    if (done == 0 && unavailable.empty()) {
        unavailable = fmt::format("{}: {}", python, ending);
    }
}

}  // namespace kinetoscope::bench::workers
