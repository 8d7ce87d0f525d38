// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <span>

#include "core/bench/operators/OperatorResult.h"
#include "core/bench/results/BenchJson.h"
#include "core/bench/results/JsonFields.h"

namespace kinetoscope::bench::operators {

using namespace results::fields;

namespace {

constexpr const char* kSchema = "kinetoscope.result/1";
constexpr std::size_t kMostBatches = 20;
constexpr std::int64_t kMostCalls = 1'000'000'000;  // of one sample, so that sums stay in range

results::fields::Json textOrNull(const std::string& value) {
    return value.empty() ? results::fields::Json() : results::fields::Json(value);
}

results::fields::Json accuracyJson(const OperatorAccuracy& accuracy) {
    results::fields::Json json{
        {"cosine", accuracy.cosine}, {"max_abs", accuracy.maxAbsolute}, {"same", accuracy.same}};
    json["reason"] = textOrNull(accuracy.reason);
    return json;
}

results::fields::Json implementationJson(const OperatorSample& sample,
                                         const ImplementationResult& result) {
    results::fields::Json json{{"name", result.name}};
    json["time_ns"] = results::fields::orNull(result.timeNs());
    json["speedup"] = results::fields::orNull(sample.speedup(result.name));
    json["repeats_ns"] = result.repeatsNs;
    json["batches_ns"] = result.batchesNs;
    json["samples"] = result.samples;
    json["low_ns"] = result.lowNs;
    json["high_ns"] = result.highNs;
    json["graph"] = result.graph;
    json["graph_reason"] = textOrNull(result.graphReason);
    json["reason"] = textOrNull(result.reason);
    json["accuracy"] = result.accuracy ? accuracyJson(*result.accuracy) : results::fields::Json();
    return json;
}

results::fields::Json sampleJson(const OperatorSample& sample) {
    results::fields::Json json{
        {"index", sample.index}, {"count", sample.count}, {"input", sample.input}};
    json["reason"] = textOrNull(sample.reason);
    json["implementations"] = results::fields::Json::array();
    for (const ImplementationResult& result : sample.implementations) {
        json["implementations"].push_back(implementationJson(sample, result));
    }
    return json;
}

results::fields::Json operatorJson(const OperatorDocument& document, const OperatorResult& result) {
    results::fields::Json json{
        {"name", result.name}, {"done", result.done}, {"measured", result.measured()}};
    json["reason"] = textOrNull(result.reason);
    json["speedups"] = results::fields::Json::object();
    for (const std::string& name : document.implementations) {
        const auto quantiles = name == kBaseline ? std::nullopt : result.speedups(name);
        if (quantiles) {
            json["speedups"][name] = {
                {"q20", (*quantiles)[0]}, {"q50", (*quantiles)[1]}, {"q80", (*quantiles)[2]}};
        }
    }
    json["samples"] = results::fields::Json::array();
    for (const OperatorSample& sample : result.samples) {
        json["samples"].push_back(sampleJson(sample));
    }
    return json;
}

results::fields::Json documentJson(const OperatorDocument& document) {
    results::fields::Json json{
        {"schema", kSchema},
        {"kind", "operators"},
        {"created", document.created},
        {"machine", {{"host", document.host}, {"system", document.system}}},
        {"gpu", results::fields::written(results::gpuJson(document.gpu))},
        {"torch", {{"version", document.torchVersion}, {"threads", document.threads}}},
        {"command", document.command},
        {"suite", document.suite},
        {"inp_file", textOrNull(document.inputFile)},
        {"op", document.operatorName},
        {"dtype", document.dtype},
        {"device", document.device},
        {"seed", document.seed},
        {"start_idx", document.startIndex},
        {"max_samples", document.maxSamples},
        {"repeats", document.repeats},
        {"time_limit_s", document.timeLimitS},
        {"accuracy_checking", document.accuracyChecking},
        {"channels_last", document.channelsLast},
        {"implementations", document.implementations},
        {"unavailable", document.unavailable}};
    const double calls = static_cast<double>(document.calls());
    json["coverage"] = {
        {"calls", document.calls()},
        {"run", document.callsRun()},
        {"share", calls > 0.0
                      ? results::fields::Json(static_cast<double>(document.callsRun()) / calls)
                      : results::fields::Json()}};
    json["problems"] = results::fields::Json::array();
    for (const InputProblem& problem : document.problems) {
        json["problems"].push_back(
            {{"line", problem.line}, {"column", problem.column}, {"message", problem.message}});
    }
    json["operators"] = results::fields::Json::array();
    for (const OperatorResult& result : document.operators) {
        json["operators"].push_back(operatorJson(document, result));
    }
    return json;
}

std::size_t size(const results::fields::Json& json, const char* key) {
    constexpr std::int64_t kMost = std::int64_t{1} << 53;
    return static_cast<std::size_t>(results::fields::upTo(json, key, kMost));
}

std::vector<std::string> texts(const results::fields::Json& values) {
    std::vector<std::string> found;
    for (const results::fields::Json& value : values) {
        if (value.is_string()) {
            found.push_back(value.get<std::string>());
        }
    }
    return found;
}

std::optional<OperatorAccuracy> readAccuracy(const results::fields::Json& json) {
    const results::fields::Json& found = results::fields::object(json, "accuracy");
    if (found.empty()) {
        return std::nullopt;
    }
    // What was not compared has no figures.
    const std::string reason = results::fields::text(found, "reason");
    return OperatorAccuracy{
        results::fields::maybeNumber(found, "cosine").value_or(reason.empty() ? 0.0 : 1.0),
        results::fields::number(found, "max_abs"), results::fields::flag(found, "same"), reason};
}

ImplementationResult readImplementation(const results::fields::Json& json) {
    ImplementationResult result;
    result.name = results::fields::text(json, "name");
    result.repeatsNs = results::fields::times(results::fields::list(json, "repeats_ns"));
    result.batchesNs = results::fields::times(results::fields::list(json, "batches_ns"));
    result.samples = size(json, "samples");
    result.lowNs = results::fields::number(json, "low_ns");
    result.highNs = results::fields::number(json, "high_ns");
    result.graph = results::fields::flag(json, "graph");
    result.graphReason = results::fields::text(json, "graph_reason");
    result.reason = results::fields::text(json, "reason");
    result.accuracy = readAccuracy(json);
    return result;
}

OperatorSample readSample(const results::fields::Json& json) {
    OperatorSample sample;
    sample.index = size(json, "index");
    sample.count = results::fields::upTo(json, "count", kMostCalls);
    sample.input = results::fields::text(json, "input");
    sample.reason = results::fields::text(json, "reason");
    for (const results::fields::Json& one : results::fields::objects(json, "implementations")) {
        sample.implementations.push_back(readImplementation(one));
    }
    return sample;
}

OperatorResult readOperator(const results::fields::Json& json) {
    OperatorResult result;
    result.name = results::fields::text(json, "name");
    result.done = results::fields::flag(json, "done");
    result.reason = results::fields::text(json, "reason");
    for (const results::fields::Json& one : results::fields::objects(json, "samples")) {
        result.samples.push_back(readSample(one));
    }
    return result;
}

void readOptions(const results::fields::Json& json, OperatorDocument& document) {
    document.created = results::fields::text(json, "created");
    document.command = results::fields::text(json, "command");
    document.suite = results::fields::text(json, "suite");
    document.inputFile = results::fields::text(json, "inp_file");
    document.operatorName = results::fields::text(json, "op");
    document.dtype = results::fields::text(json, "dtype");
    document.device = results::fields::text(json, "device");
    document.seed = results::fields::bits64(json, "seed");
    document.startIndex = size(json, "start_idx");
    document.maxSamples = size(json, "max_samples");
    document.repeats = size(json, "repeats");
    document.timeLimitS = results::fields::number(json, "time_limit_s");
    document.accuracyChecking = results::fields::flag(json, "accuracy_checking");
    document.channelsLast = results::fields::flag(json, "channels_last");
    document.implementations = texts(results::fields::list(json, "implementations"));
}

// Cuts the runs of one repeat; tenths of a nanosecond are finer than any clock.
void addBatches(std::span<const double> runs, std::vector<double>& batches) {
    const std::size_t count = std::min(runs.size(), kMostBatches);
    for (std::size_t batch = 0; batch < count; ++batch) {
        const std::size_t first = batch * runs.size() / count;
        const std::size_t last = (batch + 1) * runs.size() / count;
        const double median = stats::summarize(runs.subspan(first, last - first)).median;
        batches.push_back(std::round(10.0 * median) / 10.0);
    }
}

// The worker's line holds every run; a document holds what they come to.
ImplementationResult summarized(const std::string& name, const results::fields::Json& json) {
    ImplementationResult result;
    result.name = name;
    result.graph = results::fields::flag(json, "graph");
    result.graphReason = results::fields::text(json, "graph_reason");
    result.reason = results::fields::text(json, "reason");
    result.accuracy = readAccuracy(json);
    std::vector<double> all;
    for (const results::fields::Json& repeat : results::fields::list(json, "repeats_ns")) {
        const std::vector<double> runs = results::fields::times(repeat);
        if (!runs.empty()) {
            result.repeatsNs.push_back(stats::summarize(runs).median);
            addBatches(runs, result.batchesNs);
            all.insert(all.end(), runs.begin(), runs.end());
        }
    }
    const stats::SampleSummary summary = stats::summarize(all);
    result.samples = all.size();
    result.lowNs = summary.low;
    result.highNs = summary.high;
    return result;
}

}  // namespace

std::string operatorDocumentJson(const OperatorDocument& document) {
    return results::fields::dump(documentJson(document), 1) + "\n";
}

Result<OperatorDocument> parseOperatorDocument(std::string_view source) {
    const auto json = results::fields::jsonObject(source);
    if (!json) {
        return tl::unexpected(json.error());
    }
    if (results::fields::text(*json, "schema") != kSchema ||
        results::fields::text(*json, "kind") != "operators") {
        return fail("no result of kscope bench operators");
    }
    OperatorDocument document;
    readOptions(*json, document);
    if (const results::fields::Json& gpu = results::fields::object(*json, "gpu"); !gpu.empty()) {
        document.gpu =
            results::parseGpu(results::fields::dump(gpu, -1)).value_or(results::GpuDescription());
    }
    const results::fields::Json& torch = results::fields::object(*json, "torch");
    document.torchVersion = results::fields::text(torch, "version");
    document.threads = results::fields::small(torch, "threads");
    const results::fields::Json& machine = results::fields::object(*json, "machine");
    document.host = results::fields::text(machine, "host");
    document.system = results::fields::text(machine, "system");
    for (const auto& [name, reason] : results::fields::object(*json, "unavailable").items()) {
        document.unavailable[name] = reason.is_string() ? reason.get<std::string>() : "";
    }
    for (const results::fields::Json& problem : results::fields::objects(*json, "problems")) {
        document.problems.push_back({size(problem, "line"), size(problem, "column"),
                                     results::fields::text(problem, "message")});
    }
    for (const results::fields::Json& one : results::fields::objects(*json, "operators")) {
        document.operators.push_back(readOperator(one));
    }
    return document;
}

std::string operatorSampleJson(const OperatorSample& sample) {
    return results::fields::dump(sampleJson(sample), -1);
}

Result<OperatorSample> parseOperatorSample(std::string_view json) {
    return results::fields::jsonObject(json).map(readSample);
}

Result<void> takeSampleLine(std::string_view line, OperatorSample& sample) {
    const auto json = results::fields::jsonObject(line);
    if (!json) {
        return tl::unexpected(json.error());
    }
    if (const std::string input = results::fields::text(*json, "input"); !input.empty()) {
        sample.input = input;
    }
    sample.reason = results::fields::text(*json, "reason");
    if (const auto found = json->find("implementations");
        found != json->end() && found->is_object()) {
        for (const auto& [name, result] : found->items()) {
            if (result.is_object()) {
                sample.implementations.push_back(summarized(name, result));
            }
        }
    }
    return {};
}

}  // namespace kinetoscope::bench::operators
