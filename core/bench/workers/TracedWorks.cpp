// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/bench/results/JsonFields.h"
#include "core/bench/results/ResultStream.h"
#include "core/bench/workers/OperatorWork.h"
#include "core/bench/workers/TorchWorker.h"

namespace kinetoscope::bench::workers {

using Json = nlohmann::json;

namespace {

// PyTorch's libraries may come from a slow disk, and a call may be slow.
constexpr double kCallPatienceSeconds = 300.0;

constexpr std::array kProductTypes{operators::InputType::F32, operators::InputType::Bf16,
                                   operators::InputType::F16};

// The type of the first floating tensor.
std::optional<operators::InputType> typeOf(const operators::OperatorCall& call) {
    for (const operators::InputValue& value : call.args) {
        const auto* tensor = std::get_if<operators::TensorInput>(&value.data);
        if (tensor != nullptr && operators::isFloating(tensor->type)) {
            return tensor->type;
        }
    }
    return std::nullopt;
}

void addCall(OperatorWork& work, results::BenchItem& result, const operators::OperatorCall& call,
             std::optional<results::TracedCall> traced, std::string recast) {
    results::BenchItem sample;
    sample.index = work.entry.calls.size();
    sample.count = call.count;
    sample.name = operators::formatCall(call);
    sample.traced = std::move(traced);
    sample.recast = std::move(recast);
    work.entry.calls.push_back(call);
    result.parts.push_back(std::move(sample));
}

std::string inputsOf(const std::vector<OperatorWork>& works) {
    std::string text;
    for (const OperatorWork& work : works) {
        text += operators::formatOperator(work.entry);
    }
    return text;
}

std::size_t placeOf(const Json& json, const char* key) {
    return static_cast<std::size_t>(results::fields::upTo(json, key, 1'000'000'000));
}

void leaveOut(const results::TracedOperator& call, const std::string& reason,
              results::TraceOrigin& origin) {
    origin.leftOut.push_back({call.name, operators::formatCall(call.call), call.call.count,
                              call.traced.totalNs, reason});
}

// kscope-torch's reply about one call, into `call`. Fails with the reason if it fits no operator.
Result<void> takeOverload(const Json& json, results::TracedOperator& call) {
    const std::string reason = results::fields::text(json, "reason");
    const std::string line =
        fmt::format("cnt: {}, {}", call.call.count, results::fields::text(json, "call"));
    auto read = operators::parseCountLine(line, 1);
    if (!reason.empty() || read.problem) {
        return fail(reason.empty() ? read.problem->message : reason);
    }
    call.name = results::fields::text(json, "name");
    call.call = std::move(read.call);
    call.traced.assumed = results::fields::texts(results::fields::list(json, "assumed"));
    return {};
}

}  // namespace

std::vector<OperatorWork> tracedWorks(const std::vector<results::TracedOperator>& traced,
                                      results::ResultDocument& document) {
    std::vector<OperatorWork> works;
    document.items.clear();
    for (const results::TracedOperator& one : traced) {
        const auto known =
            std::ranges::find(works, one.name, [](const auto& work) { return work.entry.name; });
        const auto place = static_cast<std::size_t>(known - works.begin());
        if (known == works.end()) {
            works.emplace_back().entry.name = one.name;
            document.items.emplace_back().name = one.name;
        }
        OperatorWork& work = works[place];
        results::BenchItem& result = document.items[place];
        addCall(work, result, one.call, one.traced, "");
        const auto own = typeOf(one.call);
        for (const operators::InputType type : kProductTypes) {
            if (one.product && own && type != *own) {
                operators::OperatorCall recast = one.call;
                recast.count = 0;  // the trace has none
                operators::setFloatingTypes(recast, type);
                addCall(work, result, recast, std::nullopt,
                        std::string(operators::inputTypeName(type)));
            }
        }
    }
    return works;
}

Result<std::vector<results::TracedOperator>> findOverloads(
    const std::string& program, const std::string& device,
    const std::vector<results::TracedOperator>& traced, results::TraceOrigin& origin,
    BenchConsole& console) {
    std::vector<results::TracedOperator> calls = traced;
    std::vector<std::string> reasons(calls.size(), "kscope-torch did not say which overload it is");
    std::string inputs;
    for (const results::TracedOperator& call : calls) {
        inputs += operators::formatOperator({call.name, {call.call}});
    }
    TorchFacts facts;
    const auto ending = runTorchWorker(
        {program}, {{"task", "overloads"}, {"device", device}, {"inputs", inputs}},
        kCallPatienceSeconds, facts, console, [&](const Json& json, const std::string&) {
            // Each call has two lines: its operator's, and its own.
            const std::size_t index = placeOf(json, "line") / 2 - 1;
            if (results::fields::text(json, "event") == "overload" && index < calls.size()) {
                const auto taken = takeOverload(json, calls[index]);
                reasons[index] = taken ? "" : taken.error().message;
            }
        });
    if (!ending) {
        return tl::unexpected(ending.error());
    }
    if (!ending->failure.empty()) {
        return fail(ending->failure);
    }
    std::vector<results::TracedOperator> found;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (reasons[i].empty()) {
            found.push_back(std::move(calls[i]));
        } else {
            leaveOut(calls[i], reasons[i], origin);
        }
    }
    return found;
}

void nameKernels(const OperatorsRun& run, const std::string& program,
                 const std::vector<OperatorWork>& works, results::ResultDocument& document,
                 BenchConsole& console) {
    Json packages = Json::array();
    for (const OperatorWork& work : works) {
        Json& own = packages.emplace_back(Json::array());
        for (std::size_t i = 0; i < work.packages.size(); ++i) {
            own.push_back({{"path", work.packages[i]}, {"reason", work.packageReasons[i]}});
        }
    }
    console.progress("naming kernels");
    TorchFacts facts;
    // A process of its own, so that measuring knows nothing of the profiler.
    const auto ending = runTorchWorker(
        {program},
        {{"task", "kernels"},
         {"device", document.device},
         {"inputs", inputsOf(works)},
         {"implementations", document.options.implementations},
         {"seed", document.options.seed},
         {"packages", packages}},
        kCallPatienceSeconds, facts, console, [&](const Json& json, const std::string& line) {
            const std::size_t place = placeOf(json, "operator");
            const std::size_t index = placeOf(json, "index");
            if (results::fields::text(json, "event") == "kernels" &&
                place < document.items.size() && index < document.items[place].parts.size()) {
                results::BenchItem& sample = document.items[place].parts[index];
                results::takeKernelsLine(line, sample);
                if (run.stream) {
                    console.outputLine(results::partLine(place, index, sample));
                }
            }
        });
    console.progress({});
    if (!ending || !ending->good) {
        console.warn(fmt::format("not all kernels could be named: {}",
                                 !ending                   ? ending.error().message
                                 : ending->failure.empty() ? ending->sentence
                                                           : ending->failure));
    }
}

}  // namespace kinetoscope::bench::workers
