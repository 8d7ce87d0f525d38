// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/kscope/Command.h"
#include "app/kscope/MachineFacts.h"
#include "app/kscope/ModulesArguments.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/TorchWorker.h"
#include "core/bench/modules/ModuleStream.h"
#include "core/bench/modules/ModuleText.h"
#include "core/bench/results/JsonFields.h"
#include "core/bench/results/ResultStore.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

// A runner says nothing until it is done, and some are slow.
constexpr double kPatienceSeconds = 3600.0;

struct GroupPlan {
    std::string key;
    std::string title;  ///< as fastrnns prints it, without the plural
    std::string kind;   ///< "rnns", "cnns" or "file"
    std::vector<std::string> runners;
};

bool contains(const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

std::vector<GroupPlan> plansOf(const ModulesArguments& arguments) {
    if (!arguments.files.empty()) {
        return {{"module", "module", "file", arguments.files}};
    }
    std::vector<GroupPlan> plans;
    if (arguments.variableLstms) {
        plans.push_back(
            {"vl_lstm",
             "variable-length sequence LSTM",
             "rnns",
             {bench::modules::kVariableRunners.begin(), bench::modules::kVariableRunners.end()}});
    }
    // No names behind --rnns or --cnns means all of them.
    const ModulesArguments standard;
    if (contains(arguments.groups, "rnns")) {
        plans.push_back(
            {"lstm", "LSTM", "rnns", arguments.rnns.empty() ? standard.rnns : arguments.rnns});
    }
    if (contains(arguments.groups, "cnns")) {
        plans.push_back(
            {"resnet", "ResNet", "cnns", arguments.cnns.empty() ? standard.cnns : arguments.cnns});
    }
    return plans;
}

// What a runner's outputs and gradients are held against; empty for those that are the measure.
std::string referenceOf(const std::string& kind, const std::string& name) {
    if (kind == "rnns") {
        const std::string prefix = name.starts_with("vl_") ? "vl_" : "";
        const std::string library = prefix.empty() ? "aten" : "vl_cudnn";
        return name == library ? prefix + "py" : library;
    }
    return kind == "cnns" && name.ends_with("_jit") ? name.substr(0, name.size() - 4) : "";
}

Json requestOf(const ModulesArguments& arguments, const GroupPlan& plan, const std::string& name) {
    Json request{{"task", "modules"},
                 {"device", arguments.device},
                 {"group", plan.kind},
                 {"name", name},
                 {"reference", referenceOf(plan.kind, name)},
                 {"inputs", arguments.inputs},
                 {"seq_length", arguments.seqLength},
                 {"num_layers", arguments.numLayers},
                 {"input_size", arguments.inputSize},
                 {"hidden_size", arguments.hiddenSize},
                 {"mini_batch", arguments.miniBatch},
                 {"images", arguments.images},
                 {"warmup", arguments.warmup},
                 {"nloops", arguments.nloops},
                 {"fuser", arguments.fuser},
                 {"executor", arguments.executor},
                 {"seed", arguments.seed},
                 {"runs", arguments.runs},
                 {"pointwise", Json::object()}};
    const auto size = [&](const char* key, const std::optional<int>& value) {
        if (value) {
            request["pointwise"][key] = *value;
        }
    };
    size("loop_level", arguments.loopLevel);
    size("block_count", arguments.blockCount);
    size("block_size", arguments.blockSize);
    return request;
}

// The folder of traces; made where there is none, which is said.
Result<void> makeFolder(const std::string& folder) {
    std::error_code error;
    if (fs::is_directory(folder, error)) {
        return {};
    }
    if (!fs::create_directories(folder, error)) {
        return fail(fmt::format("{}: can't be made: {}", folder, error.message()),
                    ErrorKind::Output);
    }
    printNote(fmt::format("created folder {}", text::printable(folder)));
    return {};
}

class ModuleRun {
public:
    ModuleRun(const ModulesArguments& arguments, std::string program)
        : m_arguments(arguments), m_program(std::move(program)) {}

    [[nodiscard]] Result<bench::modules::ModuleDocument> run() {
        describeMachine(m_document.created, m_document.host, m_document.system);
        m_document.command = m_arguments.command;
        const auto plans = plansOf(m_arguments);
        std::size_t runners = 0;
        for (const GroupPlan& plan : plans) {
            runners += plan.runners.size();
        }
        m_several = runners > 1;
        stream([&] { return bench::modules::modulePlanLine(planned(plans)); });
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
        if (m_arguments.stream) {
            sayLine(makeLine());
        }
    }

    [[nodiscard]] bench::modules::ModuleDocument planned(
        const std::vector<GroupPlan>& plans) const {
        bench::modules::ModuleDocument document = m_document;
        for (const GroupPlan& plan : plans) {
            bench::modules::ModuleGroup group{plan.key, plan.title, {}};
            for (const std::string& name : plan.runners) {
                group.runners.emplace_back().name = name;
            }
            document.groups.push_back(std::move(group));
        }
        return document;
    }

    // fastrnns' own lines; silent where JSON is asked for.
    void table(const std::string& line) const {
        if (m_arguments.printJson.empty() && !m_arguments.stream) {
            printNote(line);
        }
    }

    [[nodiscard]] Result<void> runGroup(const GroupPlan& plan) {
        if (plan.key == "vl_lstm" && m_arguments.nloops + m_arguments.warmup > 30) {
            table(
                "WARNING: some of the variable sequence length lstms are very unoptimized and "
                "therefore take forever to run.");
        }
        table(fmt::format("Benchmarking {}s...", plan.title));
        table(bench::modules::moduleHeader(m_arguments.sep));
        m_document.groups.push_back({plan.key, plan.title, {}});
        for (const std::string& name : plan.runners) {
            bench::modules::ModuleResult result;
            result.name = name;
            stream([&] { return bench::modules::moduleStartLine(plan.key, name); });
            if (auto done = runOne(plan, result); !done) {
                return done;
            }
            if (result.reason.empty()) {
                table(bench::modules::moduleLine(result, m_arguments.sep));
            } else {
                printWarning(name + ": not run: " + result.reason);
            }
            bench::modules::ModuleGroup& group = m_document.groups.back();
            group.runners.push_back(std::move(result));
            stream([&] {
                return bench::modules::moduleResultLine(m_document, group, group.runners.back());
            });
        }
        table("");
        return {};
    }

    [[nodiscard]] std::string traceOf(const std::string& name) const {
        const std::string last = fs::path(name).stem().string();
        const std::string file =
            m_several ? m_arguments.traceName + "-" + last : m_arguments.traceName;
        return (fs::path(m_arguments.traceFolder) / (file + ".json")).string();
    }

    [[nodiscard]] Result<void> runOne(const GroupPlan& plan, bench::modules::ModuleResult& result) {
        Json request = requestOf(m_arguments, plan, result.name);
        if (auto done = ask({m_program}, request, result); !done) {
            return done;
        }
        if (!m_arguments.profile || !result.reason.empty()) {
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
        bench::modules::ModuleResult recorded;
        auto done = ask(command, request, recorded);
        if (done && !recorded.reason.empty()) {
            printWarning(result.name + ": not recorded: " + recorded.reason);
        }
        result.profile = recorded.profile;
        return done;
    }

    [[nodiscard]] Result<void> ask(const std::vector<std::string>& command, const Json& request,
                                   bench::modules::ModuleResult& result) {
        bool answered = false;
        TorchFacts facts;
        const auto ending = runTorchWorker(
            command, request, kPatienceSeconds, facts,
            [&](const Json& json, const std::string& line) {
                if (bench::results::fields::text(json, "event") == "note") {
                    note(bench::results::fields::text(json, "message"));
                } else if (bench::results::fields::text(json, "event") == "result") {
                    answered = bench::modules::takeModuleLine(line, result).has_value();
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
        if (!facts.version.empty()) {
            m_document.torchVersion = facts.version;
            m_document.device = facts.device;
            m_document.threads = facts.threads;
            m_document.gpu = facts.gpu;
        }
        return {};
    }

    // What a PyTorch lacks is said once, not once a runner.
    void note(const std::string& message) {
        if (!contains(m_document.notes, message)) {
            m_document.notes.push_back(message);
            printWarning(message);
        }
    }

    const ModulesArguments& m_arguments;
    std::string m_program;
    bench::modules::ModuleDocument m_document;
    bool m_several = false;
};

std::string output(const ModulesArguments& arguments,
                   const bench::modules::ModuleDocument& document) {
    if (!arguments.printJson.empty()) {
        return arguments.printJson == "pep" ? bench::modules::modulePepJson(document)
                                            : bench::modules::moduleOssJson(document);
    }
    switch (arguments.format) {
        case BenchFormat::Json:
            return bench::modules::moduleDocumentJson(document);
        case BenchFormat::Csv:
            return bench::modules::moduleCsv(document);
        case BenchFormat::Markdown:
            return bench::modules::moduleMarkdown(document);
        case BenchFormat::Compat:
        case BenchFormat::Text:
            break;
    }
    return bench::modules::moduleText(document, textStyle(!arguments.output.empty(), false));
}

// The figures of the traces, as kscope report has them.
void reportProfiles(const bench::modules::ModuleDocument& document) {
    const capture::StopSignals stopping;
    for (const bench::modules::ModuleGroup& group : document.groups) {
        for (const bench::modules::ModuleResult& runner : group.runners) {
            if (!runner.profile || WorkerProcess::isCancelled()) {
                continue;
            }
            const double wall = runner.profile->wallMs / static_cast<double>(runner.profile->runs);
            printNote(fmt::format("{}: {:.3f} ms a run without the profiler; trace in {}",
                                  text::printable(runner.name), wall,
                                  text::printable(runner.profile->trace)));
            WorkerProcess report;
            const auto started = report.start(
                "/proc/self/exe",
                {"kscope", "report", "--compat", "--wall-ms", fmt::format("{}", wall), "--runs",
                 std::to_string(runner.profile->runs), runner.profile->trace});
            while (started) {
                const auto line = report.line(kPatienceSeconds);
                if (!line) {
                    break;
                }
                printNote(*line);
            }
        }
    }
}

int finish(const ModulesArguments& arguments, const bench::modules::ModuleDocument& document) {
    if (arguments.keep) {
        const auto id =
            bench::results::ResultStore(bench::results::ResultStore::defaultFolder())
                .keepText(document.created, bench::modules::moduleDocumentJson(document));
        if (!id) {
            printWarning(id.error().message);
        } else if (arguments.printJson.empty()) {
            printNote(fmt::format("kept as result {}", *id));
        }
    }
    if (!arguments.stream) {
        Sink sink(arguments.output);
        auto done = sink.write(output(arguments, document));
        if (done) {
            done = sink.finish();
        }
        if (!done) {
            return reportError(done.error());
        }
        reportProfiles(document);
    }
    if (const std::size_t count = document.disagreements(); count > 0) {
        printError(
            fmt::format("outputs or gradients of {} runners differ from their reference", count));
        return kExitOutput;
    }
    if (const std::size_t count = document.failures(); count > 0) {
        printError(fmt::format("{} runners did not run", count));
        return kExitOutput;
    }
    return kExitGood;
}

}  // namespace

int runBenchModules(const ModulesArguments& arguments) {
    const auto program = torchProgram();
    if (!program) {
        return reportError(program.error());
    }
    if (arguments.profile) {
        if (const auto made = makeFolder(arguments.traceFolder); !made) {
            return reportError(made.error());
        }
    }
    const auto document = [&] {
        const capture::StopSignals stopping;
        return ModuleRun(arguments, *program).run();
    }();
    return document ? finish(arguments, *document) : reportError(document.error());
}

}  // namespace kinetoscope::app
