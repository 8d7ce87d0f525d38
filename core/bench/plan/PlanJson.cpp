// SPDX-License-Identifier: Apache-2.0
#include "core/bench/plan/PlanJson.h"

#include "core/json/Json.h"

namespace kinetoscope::bench::plan {

using Json = nlohmann::ordered_json;

namespace {

Json parameterJson(const ParameterPlan& parameter, const KernelPlan& kernel) {
    Json json{{"name", parameter.name}, {"bytes", parameter.size}};
    switch (parameter.kind) {
        case ParameterPlan::Kind::Buffer:
            json["buffer"] = kernel.buffers[parameter.buffer].name;
            break;
        case ParameterPlan::Kind::Value:
            json["value"] = parameter.value;
            break;
        case ParameterPlan::Kind::GlobalScratch:
            json["scratch"] = true;
            break;
        case ParameterPlan::Kind::Null:
            json["value"] = 0;
            break;
    }
    return json;
}

Json configJson(const ConfigPlan& config, const KernelPlan& kernel) {
    Json json{{"config", config.label},
              {"blocks", config.blocks},
              {"grid", config.grid},
              {"threads", config.threads},
              {"shared_bytes", config.entry.sharedBytes},
              {"num_warps", config.entry.numWarps},
              {"num_stages", config.entry.numStages},
              {"num_ctas", config.entry.numCtas},
              {"cooperative", config.entry.cooperative},
              {"architecture", config.entry.architecture},
              {"autotuned", config.winner},
              {"copies", config.copies},
              {"cubin", config.entry.path}};
    if (config.entry.record.registers) {
        json["registers"] = *config.entry.record.registers;
    }
    for (const ParameterPlan& parameter : config.parameters) {
        json["parameters"].push_back(parameterJson(parameter, kernel));
    }
    return json;
}

Json bufferJson(const BufferPlan& buffer) {
    return {{"name", buffer.name},       {"dtype", buffer.dtype},
            {"shape", buffer.shape},     {"strides", buffer.strides},
            {"bytes", buffer.bytes()},   {"fill", buffer.random ? "normal" : "zero"},
            {"restored", buffer.mutated}};
}

template <class T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

Json kernelJson(const KernelPlan& kernel) {
    Json json{{"name", kernel.name},
              {"key", kernel.key},
              {"category", kernel.category},
              {"source", kernel.sourcePath},
              {"grid_type", kernel.gridType},
              {"gb", orNull(kernel.gigabytes)},
              {"flop", orNull(kernel.flop)},
              {"reason", kernel.runnable() ? Json() : Json(kernel.reason)},
              {"buffers", Json::array()},
              {"configs", Json::array()}};
    for (const BufferPlan& buffer : kernel.buffers) {
        json["buffers"].push_back(bufferJson(buffer));
    }
    for (const ConfigPlan& config : kernel.configs) {
        json["configs"].push_back(configJson(config, kernel));
    }
    return json;
}

}  // namespace

std::string planJson(const CachePlan& plan) {
    Json json{{"schema", "kinetoscope.plan/1"}, {"kernels", Json::array()}};
    for (const KernelPlan& kernel : plan.kernels) {
        json["kernels"].push_back(kernelJson(kernel));
    }
    json["autotune_candidates"] = plan.candidates;
    json["problems"] = plan.problems;
    // Names of files need not be UTF-8.
    return json::jsonText(json, 2) + "\n";
}

}  // namespace kinetoscope::bench::plan
