// SPDX-License-Identifier: Apache-2.0
#include "core/bench/workers/ModulesRun.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/bench/results/JsonFields.h"
#include "core/bench/results/ModuleRunners.h"
#include "core/bench/results/ModuleText.h"
#include "core/bench/results/ResultStream.h"
#include "core/bench/workers/FastrnnsArguments.h"
#include "core/bench/workers/SaveResult.h"
#include "core/bench/workers/TorchWorker.h"
#include "core/bench/workers/WorkerProcess.h"
#include "core/text/Printable.h"

namespace kinetoscope::bench::workers {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

// A runner prints nothing until it is done, and some are slow.
constexpr double kPatienceSeconds = 3600.0;

struct GroupPlan {
    std::string key;
    std::string title;  ///< as fastrnns prints it, without the plural
    std::string kind;   ///< "rnns", "cnns" or "file"
    std::vector<std::string> runners;
};

bool isAmong(const auto& names, const std::string& name) {
    return std::ranges::find(names, name) != std::end(names);
}

std::vector<GroupPlan> plansOf(const ModulesRun& run) {
    if (!run.files.empty()) {
        return {{"module", "module", "file", run.files}};
    }
    std::vector<GroupPlan> plans;
    if (run.variableLstms) {
        plans.push_back({"vl_lstm",
                         "variable-length sequence LSTM",
                         "rnns",
                         {results::kVariableRunners.begin(), results::kVariableRunners.end()}});
    }
    // No names behind --rnns or --cnns means the usual ones.
    const auto namesOr = [](const std::optional<std::vector<std::string>>& named,
                            const auto& usual) {
        return named && !named->empty() ? *named
                                        : std::vector<std::string>(usual.begin(), usual.end());
    };
    if (isAmong(run.groups, "rnns")) {
        plans.push_back({"lstm", "LSTM", "rnns", namesOr(run.namedRnns, results::kRnnRunners)});
    }
    if (isAmong(run.groups, "cnns")) {
        plans.push_back({"resnet", "ResNet", "cnns", namesOr(run.namedCnns, results::kCnnRunners)});
    }
    return plans;
}

// The runner whose outputs and gradients serve as reference; empty for the references themselves,
// and for those without an equivalent.
std::string referenceOf(const ModulesRun& run, const std::string& kind, const std::string& name) {
    if (name.starts_with("jit_layernorm")) {
        return "py_" + name.substr(name.find('_') + 1);
    }
    if (isAmong(results::kOtherRunners, name)) {
        // A single layer has none behind it, so that nothing is dropped.
        return name.ends_with("_dropout") && run.numLayers == 1 ? "aten" : "";
    }
    if (isAmong(results::kCnnRunners, name)) {
        return name.ends_with("_jit") ? name.substr(0, name.size() - 4) : "";
    }
    if (kind != "file") {
        const std::string prefix = name.starts_with("vl_") ? "vl_" : "";
        const std::string library = prefix.empty() ? "aten" : "vl_cudnn";
        return name == library ? prefix + "py" : library;
    }
    return {};
}

Json requestOf(const ModulesRun& run, const GroupPlan& plan, const std::string& name) {
    Json request{{"task", "modules"},
                 {"device", run.device},
                 {"group", plan.kind},
                 {"name", name},
                 {"reference", referenceOf(run, plan.kind, name)},
                 {"inputs", run.inputs},
                 {"function", run.function},
                 {"backward", run.backward},
                 {"seq_length", run.seqLength},
                 {"num_layers", run.numLayers},
                 {"input_size", run.inputSize},
                 {"hidden_size", run.hiddenSize},
                 {"mini_batch", run.miniBatch},
                 {"images", run.images},
                 {"warmup", run.warmup},
                 {"nloops", run.nloops},
                 {"fuser", run.fuser},
                 {"executor", run.executor},
                 {"seed", run.seed},
                 {"runs", run.runs},
                 {"pointwise", Json::object()}};
    const auto size = [&](const char* key, const std::optional<int>& value) {
        if (value) {
            request["pointwise"][key] = *value;
        }
    };
    size("loop_level", run.loopLevel);
    size("block_count", run.blockCount);
    size("block_size", run.blockSize);
    return request;
}

// The folder of traces; created if it does not exist, which is reported.
Result<void> makeFolder(const std::string& folder, BenchConsole& console) {
    std::error_code error;
    if (fs::is_directory(folder, error)) {
        return {};
    }
    if (!fs::create_directories(folder, error)) {
        return fail(fmt::format("'{}': cannot create this folder: {}", folder, error.message()),
                    ErrorKind::Output);
    }
    console.note(fmt::format("created folder {}", text::printable(folder)));
    return {};
}

std::vector<std::string> compatReport(const results::RunnerProfile& profile) {
    return {"kscope",
            "report",
            "--compat",
            "--wall-ms",
            fmt::format("{}", profile.wallMs / static_cast<double>(profile.runs)),
            "--runs",
            std::to_string(profile.runs),
            profile.trace};
}

// The report of the trace.
void addUtilization(results::RunnerProfile& profile) {
    std::vector<std::string> arguments = compatReport(profile);
    arguments.emplace_back("--json");
    WorkerProcess report;
    std::string text;
    if (report.start("/proc/self/exe", arguments)) {
        while (const auto line = report.line(kPatienceSeconds)) {
            text += *line + "\n";
        }
    }
    if (const auto json = results::fields::jsonObject(text)) {
        profile.utilization = results::fields::maybeNumber(*json, "utilization");
        profile.mmConvUtilization = results::fields::maybeNumber(*json, "mm_conv_utilization");
    }
}

results::BenchItem emptyGroup(const GroupPlan& plan) {
    results::BenchItem group;
    group.key = plan.key;
    group.name = plan.title;
    return group;
}

class Runner {
public:
    Runner(const ModulesRun& run, std::string program, BenchConsole& console)
        : m_run(run), m_program(std::move(program)), m_console(console) {}

    [[nodiscard]] Result<results::ResultDocument> run() {
        results::describeRun(m_document);
        const auto plans = plansOf(m_run);
        std::size_t runners = 0;
        for (const GroupPlan& plan : plans) {
            runners += plan.runners.size();
        }
        m_several = runners > 1;
        if (m_run.files.empty()) {
            table(argumentsLine(m_run));
        }
        stream([&] { return results::planLine(planned(plans)); });
        for (const GroupPlan& plan : plans) {
            if (auto done = runGroup(plan); !done) {
                return tl::unexpected(done.error());
            }
        }
        return std::move(m_document);
    }

private:
    template <class MakeLine>
    void stream(MakeLine makeLine) const {
        if (m_run.stream) {
            m_console.outputLine(makeLine());
        }
    }

    [[nodiscard]] results::ResultDocument planned(const std::vector<GroupPlan>& plans) const {
        results::ResultDocument document = m_document;
        for (const GroupPlan& plan : plans) {
            results::BenchItem group = emptyGroup(plan);
            for (const std::string& name : plan.runners) {
                group.parts.emplace_back().name = name;
            }
            document.items.push_back(std::move(group));
        }
        return document;
    }

    // fastrnns' own lines; silent when JSON is printed.
    void table(const std::string& line) const {
        if (m_run.printJson.empty() && !m_run.stream) {
            m_console.note(line);
        }
    }

    [[nodiscard]] Result<void> runGroup(const GroupPlan& plan) {
        if (plan.key == "vl_lstm" && m_run.nloops + m_run.warmup > 30) {
            table(
                "WARNING: some of the variable sequence length lstms are very unoptimized and "
                "therefore take forever to run.");
        }
        table(fmt::format("Benchmarking {}s...", plan.title));
        table(results::moduleHeader(m_run.sep));
        m_document.items.push_back(emptyGroup(plan));
        for (const std::string& name : plan.runners) {
            results::BenchItem result;
            result.name = name;
            stream([&] { return results::startLine(m_item); });
            if (auto done = runOne(plan, result); !done) {
                return done;
            }
            if (result.reason.empty()) {
                table(results::moduleLine(result, m_run.sep, unit()));
            } else if (!m_run.compat) {
                m_console.warn(name + ": not run: " + result.reason);
            } else if (m_run.printJson.empty()) {
                return fail(name + ": " + result.reason, ErrorKind::Output);
            }
            m_document.items.back().parts.push_back(std::move(result));
            stream([&] { return results::itemLine(m_document, m_item); });
            ++m_item;
        }
        table("");
        return {};
    }

    [[nodiscard]] double unit() const {
        return m_run.compat && m_document.device == "cpu" ? results::kSecondsUnit
                                                          : results::kMsUnit;
    }

    [[nodiscard]] std::string traceOf(const std::string& name) const {
        const std::string last = fs::path(name).stem().string();
        const std::string file = m_several ? m_run.traceName + "-" + last : m_run.traceName;
        return (fs::path(m_run.traceFolder) / (file + ".json")).string();
    }

    [[nodiscard]] Result<void> runOne(const GroupPlan& plan, results::BenchItem& result) {
        Json request = requestOf(m_run, plan, result.name);
        if (auto done = ask({m_program}, request, result); !done) {
            return done;
        }
        if (!m_run.profile || !result.reason.empty()) {
            return {};
        }
        // A worker of its own, so that measuring knows nothing of the profiler.
        const std::string trace = traceOf(result.name);
        request["trace"] = trace;
        request["reference"] = "";
        std::vector<std::string> command{m_program};
        if (m_document.device.starts_with("cuda")) {
            command = {"/proc/self/exe", "record", "--paused", "-o", trace, "--", m_program};
        }
        results::BenchItem recorded;
        auto done = ask(command, request, recorded);
        if (done && !recorded.reason.empty()) {
            m_console.warn(result.name + ": not recorded: " + recorded.reason);
        }
        result.profile = recorded.profile;
        if (result.profile) {
            addUtilization(*result.profile);
        }
        return done;
    }

    [[nodiscard]] Result<void> ask(const std::vector<std::string>& command, const Json& request,
                                   results::BenchItem& result) {
        bool answered = false;
        TorchFacts facts;
        const auto ending =
            runTorchWorker(command, request, kPatienceSeconds, facts, m_console,
                           [&](const Json& json, const std::string& line) {
                               if (results::fields::text(json, "event") == "note") {
                                   note(results::fields::text(json, "message"));
                               } else if (results::fields::text(json, "event") == "result") {
                                   answered = results::takeRunnerLine(line, result).has_value();
                               }
                           });
        if (!ending) {
            return tl::unexpected(ending.error());
        }
        if (!ending->failure.empty()) {
            return fail(ending->failure);
        }
        if (!answered) {
            result.reason = ending->sentence;
        }
        if (m_document.torchVersion.empty() && !facts.version.empty()) {
            facts.describe(m_document);
            stream([&] { return results::deviceLine(m_document); });
        }
        return {};
    }

    // A feature that PyTorch lacks is reported once, not once a runner.
    void note(const std::string& message) {
        if (!isAmong(m_document.notes, message)) {
            m_document.notes.push_back(message);
            m_console.warn(message);
        }
    }

    const ModulesRun& m_run;
    std::string m_program;
    BenchConsole& m_console;
    results::ResultDocument m_document{results::ResultKind::Modules};
    bool m_several = false;
    std::size_t m_item = 0;  // of the runner that runs
};

}  // namespace

void reportProfiles(const results::ResultDocument& document, BenchConsole& console) {
    const capture::StopSignals stopping;
    for (const results::BenchItem& group : document.items) {
        for (const results::BenchItem& runner : group.parts) {
            if (!runner.profile || WorkerProcess::isCancelled()) {
                continue;
            }
            const double wall = runner.profile->wallMs / static_cast<double>(runner.profile->runs);
            console.note(fmt::format("{}: {:.3f} ms a run without the profiler; trace in {}",
                                     text::printable(runner.name), wall,
                                     text::printable(runner.profile->trace)));
            WorkerProcess report;
            const auto started = report.start("/proc/self/exe", compatReport(*runner.profile));
            while (started) {
                const auto line = report.line(kPatienceSeconds);
                if (!line) {
                    break;
                }
                console.note(*line);
            }
        }
    }
}

Result<results::ResultDocument> runModules(const ModulesRun& run, BenchConsole& console) {
    const auto program = torchProgram();
    if (!program) {
        return tl::unexpected(program.error());
    }
    if (run.profile) {
        if (const auto made = makeFolder(run.traceFolder, console); !made) {
            return tl::unexpected(made.error());
        }
    }
    auto document = [&] {
        const capture::StopSignals stopping;
        return Runner(run, *program, console).run();
    }();
    if (document && run.save) {
        const auto save = run.printJson.empty() ? saveResult : saveQuietly;
        save(*document, results::resultJson(*document), console);
    }
    return document;
}

}  // namespace kinetoscope::bench::workers
