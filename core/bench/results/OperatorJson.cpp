// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <span>

#include "core/bench/results/JsonParts.h"
#include "core/bench/results/TracedJson.h"

namespace kinetoscope::bench::results {

namespace {

constexpr std::size_t kMaxBatches = 20;
constexpr std::int64_t kMaxCalls = 1'000'000'000;  // of one sample, so that sums stay in range

fields::Json accuracyJson(const OperatorAccuracy& accuracy) {
    fields::Json json{
        {"cosine", accuracy.cosine}, {"max_abs", accuracy.maxAbsolute}, {"same", accuracy.same}};
    json["reason"] = fields::textOrNull(accuracy.reason);
    if (!accuracy.difference.empty()) {
        json["difference"] = accuracy.difference;
    }
    return json;
}

fields::Json implementationJson(const OperatorSample& sample, const ImplementationResult& result) {
    fields::Json json{{"name", result.name}};
    json["time_ns"] = fields::orNull(result.timeNs());
    json["speedup"] = fields::orNull(sample.speedup(result.name));
    json["repeats_ns"] = result.repeatsNs;
    json["batches_ns"] = result.batchesNs;
    json["samples"] = result.samples;
    json["low_ns"] = result.lowNs;
    json["high_ns"] = result.highNs;
    json["graph"] = result.graph;
    json["graph_reason"] = fields::textOrNull(result.graphReason);
    json["reason"] = fields::textOrNull(result.reason);
    json["accuracy"] = result.accuracy ? accuracyJson(*result.accuracy) : fields::Json();
    addKernels(result.kernels, json);
    return json;
}

std::size_t size(const fields::Json& json, const char* key) {
    constexpr std::int64_t kMax = std::int64_t{1} << 53;
    return static_cast<std::size_t>(fields::upTo(json, key, kMax));
}

std::optional<OperatorAccuracy> readAccuracy(const fields::Json& json) {
    const fields::Json& found = fields::object(json, "accuracy");
    if (found.empty()) {
        return std::nullopt;
    }
    // What was not compared has no figures.
    const std::string reason = fields::text(found, "reason");
    return OperatorAccuracy{
        fields::maybeNumber(found, "cosine").value_or(reason.empty() ? 0.0 : 1.0),
        fields::number(found, "max_abs"), fields::flag(found, "same"), reason,
        fields::text(found, "difference")};
}

ImplementationResult readImplementation(const fields::Json& json) {
    ImplementationResult result;
    result.name = fields::text(json, "name");
    result.repeatsNs = fields::times(fields::list(json, "repeats_ns"));
    result.batchesNs = fields::times(fields::list(json, "batches_ns"));
    result.samples = size(json, "samples");
    result.lowNs = fields::number(json, "low_ns");
    result.highNs = fields::number(json, "high_ns");
    result.graph = fields::flag(json, "graph");
    result.graphReason = fields::text(json, "graph_reason");
    result.reason = fields::text(json, "reason");
    result.accuracy = readAccuracy(json);
    result.kernels = readKernels(json);
    return result;
}

void readOptions(const fields::Json& json, OperatorDocument& document) {
    document.suite = fields::text(json, "suite");
    document.inputFile = fields::text(json, "inp_file");
    document.operatorName = fields::text(json, "op");
    document.dtype = fields::text(json, "dtype");
    document.seed = fields::bits64(json, "seed");
    document.startIndex = size(json, "start_idx");
    document.maxSamples = size(json, "max_samples");
    document.repeats = size(json, "repeats");
    document.timeLimitS = fields::number(json, "time_limit_s");
    document.accuracyChecking = fields::flag(json, "accuracy_checking");
    document.channelsLast = fields::flag(json, "channels_last");
    document.means = fields::flag(json, "means");
    document.implementations = fields::texts(fields::list(json, "implementations"));
}

// Cuts the runs of one repeat; tenths of a nanosecond are finer than any clock.
void addBatches(std::span<const double> runs, std::vector<double>& batches) {
    const std::size_t count = std::min(runs.size(), kMaxBatches);
    for (std::size_t batch = 0; batch < count; ++batch) {
        const std::size_t first = batch * runs.size() / count;
        const std::size_t last = (batch + 1) * runs.size() / count;
        const double median = stats::summarize(runs.subspan(first, last - first)).median;
        batches.push_back(std::round(10.0 * median) / 10.0);
    }
}

// The worker's line holds every run; a document holds what they come to.
ImplementationResult summarized(const std::string& name, const fields::Json& json, bool means) {
    ImplementationResult result;
    result.name = name;
    result.graph = fields::flag(json, "graph");
    result.graphReason = fields::text(json, "graph_reason");
    result.reason = fields::text(json, "reason");
    result.accuracy = readAccuracy(json);
    std::vector<double> all;
    for (const fields::Json& times : fields::list(json, "repeats_ns")) {
        const std::vector<double> runs = fields::times(times);
        if (!runs.empty()) {
            const stats::SampleSummary repeat = stats::summarize(runs);
            result.repeatsNs.push_back(means ? repeat.mean : repeat.median);
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

fields::Json sampleJson(const OperatorSample& sample) {
    fields::Json json{{"index", sample.index}, {"count", sample.count}, {"input", sample.input}};
    json["reason"] = fields::textOrNull(sample.reason);
    addTraced(sample, json);
    json["implementations"] = fields::Json::array();
    for (const ImplementationResult& result : sample.implementations) {
        json["implementations"].push_back(implementationJson(sample, result));
    }
    return json;
}

fields::Json operatorJson(const OperatorDocument& document, const OperatorResult& result) {
    fields::Json json{
        {"name", result.name}, {"done", result.done}, {"measured", result.measured()}};
    json["reason"] = fields::textOrNull(result.reason);
    json["speedups"] = fields::Json::object();
    for (const std::string& name : document.implementations) {
        const auto quantiles = name == kBaseline ? std::nullopt : result.speedups(name);
        if (quantiles) {
            json["speedups"][name] = {
                {"q20", (*quantiles)[0]}, {"q50", (*quantiles)[1]}, {"q80", (*quantiles)[2]}};
        }
    }
    json["samples"] = fields::Json::array();
    for (const OperatorSample& sample : result.samples) {
        json["samples"].push_back(sampleJson(sample));
    }
    return json;
}

OperatorSample readSample(const fields::Json& json) {
    OperatorSample sample;
    sample.index = size(json, "index");
    sample.count = fields::upTo(json, "count", kMaxCalls);
    sample.input = fields::text(json, "input");
    sample.reason = fields::text(json, "reason");
    readTraced(json, sample);
    for (const fields::Json& one : fields::objects(json, "implementations")) {
        sample.implementations.push_back(readImplementation(one));
    }
    return sample;
}

OperatorResult readOperator(const fields::Json& json) {
    OperatorResult result;
    result.name = fields::text(json, "name");
    result.done = fields::flag(json, "done");
    result.reason = fields::text(json, "reason");
    for (const fields::Json& one : fields::objects(json, "samples")) {
        result.samples.push_back(readSample(one));
    }
    return result;
}

void writeBody(const OperatorDocument& document, fields::Json& json) {
    json.update({{"suite", document.suite},
                 {"inp_file", fields::textOrNull(document.inputFile)},
                 {"op", document.operatorName},
                 {"dtype", document.dtype},
                 {"seed", document.seed},
                 {"start_idx", document.startIndex},
                 {"max_samples", document.maxSamples},
                 {"repeats", document.repeats},
                 {"time_limit_s", document.timeLimitS},
                 {"accuracy_checking", document.accuracyChecking},
                 {"channels_last", document.channelsLast},
                 {"means", document.means},
                 {"implementations", document.implementations},
                 {"unavailable", document.unavailable}});
    const double calls = static_cast<double>(document.calls());
    json["coverage"] = {
        {"calls", document.calls()},
        {"run", document.callsRun()},
        {"share", calls > 0.0 ? fields::Json(static_cast<double>(document.callsRun()) / calls)
                              : fields::Json()}};
    json["problems"] = fields::Json::array();
    for (const operators::InputProblem& problem : document.problems) {
        json["problems"].push_back(
            {{"line", problem.line}, {"column", problem.column}, {"message", problem.message}});
    }
    if (document.trace) {
        json["trace"] = originJson(*document.trace);
    }
    json["operators"] = fields::Json::array();
    for (const OperatorResult& result : document.operators) {
        json["operators"].push_back(operatorJson(document, result));
    }
}

void readBody(const fields::Json& json, OperatorDocument& document) {
    readOptions(json, document);
    for (const auto& [name, reason] : fields::object(json, "unavailable").items()) {
        document.unavailable[name] = reason.is_string() ? reason.get<std::string>() : "";
    }
    for (const fields::Json& problem : fields::objects(json, "problems")) {
        document.problems.push_back(
            {size(problem, "line"), size(problem, "column"), fields::text(problem, "message")});
    }
    document.trace = readOrigin(json);
    for (const fields::Json& one : fields::objects(json, "operators")) {
        document.operators.push_back(readOperator(one));
    }
}

Result<void> takeSampleLine(std::string_view line, OperatorSample& sample, bool means) {
    const auto json = fields::jsonObject(line);
    if (!json) {
        return tl::unexpected(json.error());
    }
    if (const std::string input = fields::text(*json, "input"); !input.empty()) {
        sample.input = input;
    }
    sample.reason = fields::text(*json, "reason");
    if (const auto found = json->find("implementations");
        found != json->end() && found->is_object()) {
        for (const auto& [name, result] : found->items()) {
            if (result.is_object()) {
                sample.implementations.push_back(summarized(name, result, means));
            }
        }
    }
    return {};
}

}  // namespace kinetoscope::bench::results
