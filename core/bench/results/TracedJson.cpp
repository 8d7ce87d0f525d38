// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/TracedJson.h"

namespace kinetoscope::bench::results {

namespace {

constexpr std::int64_t kMaxCalls = 1'000'000'000;

double timeOf(const fields::Json& json, const char* key) {
    const double time = fields::number(json, key);
    return fields::isMeasured(time) ? time : 0.0;
}

}  // namespace

void addKernels(const std::vector<LaunchedKernel>& kernels, fields::Json& json) {
    for (const LaunchedKernel& kernel : kernels) {
        json["kernels"].push_back({{"name", kernel.name}, {"time_ns", kernel.timeNs}});
    }
}

std::vector<LaunchedKernel> readKernels(const fields::Json& json) {
    std::vector<LaunchedKernel> kernels;
    for (const fields::Json& one : fields::objects(json, "kernels")) {
        kernels.push_back({fields::text(one, "name"), timeOf(one, "time_ns")});
    }
    return kernels;
}

void addTraced(const OperatorSample& sample, fields::Json& json) {
    if (!sample.recast.empty()) {
        json["recast"] = sample.recast;
    }
    if (!sample.traced) {
        return;
    }
    json["traced"] = {{"time_ns", sample.traced->timeNs}, {"total_ns", sample.traced->totalNs}};
    addKernels(sample.traced->kernels, json["traced"]);
    if (!sample.traced->assumed.empty()) {
        json["traced"]["assumed"] = sample.traced->assumed;
    }
    const auto time = sample.traceTime();
    json["trace_ratio"] = fields::orNull(sample.traceRatio());
    json["trace_time"] = time ? fields::Json(traceTimeName(*time)) : fields::Json();
    json["same_kernels"] = fields::orNull(sample.sameKernels());
}

void readTraced(const fields::Json& json, OperatorSample& sample) {
    sample.recast = fields::text(json, "recast");
    const fields::Json& traced = fields::object(json, "traced");
    if (!traced.empty()) {
        sample.traced = {timeOf(traced, "time_ns"), timeOf(traced, "total_ns"), readKernels(traced),
                         fields::texts(fields::list(traced, "assumed"))};
    }
}

fields::Json originJson(const TraceOrigin& origin) {
    fields::Json json{{"path", origin.path},
                      {"device", fields::textOrNull(origin.device)},
                      {"total_ns", origin.totalNs}};
    json["left_out"] = fields::Json::array();
    for (const LeftOutCall& call : origin.leftOut) {
        json["left_out"].push_back({{"name", call.name},
                                    {"shapes", fields::textOrNull(call.shapes)},
                                    {"count", call.count},
                                    {"total_ns", call.totalNs},
                                    {"reason", call.reason}});
    }
    return json;
}

std::optional<TraceOrigin> readOrigin(const fields::Json& json) {
    const fields::Json& found = fields::object(json, "trace");
    if (found.empty()) {
        return std::nullopt;
    }
    TraceOrigin origin{
        fields::text(found, "path"), fields::text(found, "device"), timeOf(found, "total_ns"), {}};
    for (const fields::Json& one : fields::objects(found, "left_out")) {
        origin.leftOut.push_back({fields::text(one, "name"), fields::text(one, "shapes"),
                                  fields::upTo(one, "count", kMaxCalls), timeOf(one, "total_ns"),
                                  fields::text(one, "reason")});
    }
    return origin;
}

void takeKernelsLine(const fields::Json& json, OperatorSample& sample) {
    const fields::Json& found = fields::object(json, "implementations");
    for (ImplementationResult& result : sample.implementations) {
        result.kernels = readKernels(fields::object(found, result.name.c_str()));
    }
}

}  // namespace kinetoscope::bench::results
