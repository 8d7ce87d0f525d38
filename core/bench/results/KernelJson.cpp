// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/JsonParts.h"

namespace kinetoscope::bench::results {

namespace {

fields::Json summaryJson(const KernelResult& kernel, const ConfigResult& config) {
    const stats::SampleSummary s = config.summary();
    fields::Json json{{"time_ns", config.timeNs()},
                      {"statistic", config.minimum ? "min" : "median"},
                      {"samples", s.count},
                      {"median_ns", s.median},
                      {"low_ns", s.low},
                      {"high_ns", s.high},
                      {"min_ns", s.min},
                      {"q1_ns", s.q1},
                      {"q3_ns", s.q3},
                      {"max_ns", s.max},
                      {"mean_ns", s.mean},
                      {"std_ns", s.deviation}};
    json["gb_per_s"] = fields::orNull(kernel.gbPerS(config.timeNs()));
    return json;
}

fields::Json configJson(const KernelResult& kernel, const ConfigResult& config) {
    fields::Json json{{"config", config.label},
                      {"autotuned", config.winner},
                      {"registers", config.registers},
                      {"spills", config.spills},
                      {"shared_bytes", config.sharedBytes},
                      {"occupancy", config.occupancy},
                      {"throttled", config.throttled()},
                      {"clock_mhz", config.clockMhz()},
                      {"gpu_time", summaryJson(kernel, config)}};
    fields::Json times = fields::Json::array();
    fields::Json clocks = fields::Json::array();
    fields::Json flags = fields::Json::array();
    for (const BenchSample& sample : config.samples) {
        times.push_back(sample.gpuNs);
        clocks.push_back(sample.clockMhz);
        flags.push_back(sample.throttled);
    }
    json["samples_ns"] = std::move(times);
    json["samples_clock_mhz"] = std::move(clocks);
    json["samples_throttled"] = std::move(flags);
    return json;
}

ConfigResult readConfig(const fields::Json& json) {
    ConfigResult config;
    config.label = fields::text(json, "config");
    config.winner = fields::flag(json, "autotuned");
    config.registers = fields::small(json, "registers");
    config.spills = fields::small(json, "spills");
    config.sharedBytes = fields::integer(json, "shared_bytes");
    config.occupancy = fields::number(json, "occupancy");
    config.minimum = fields::text(fields::object(json, "gpu_time"), "statistic") == "min";
    const fields::Json& clocks = fields::list(json, "samples_clock_mhz");
    const fields::Json& flags = fields::list(json, "samples_throttled");
    std::size_t at = 0;
    for (const fields::Json& value : fields::list(json, "samples_ns")) {
        const std::size_t i = at++;
        if (!value.is_number() || !fields::isMeasured(value.get<double>())) {
            continue;
        }
        BenchSample sample{value.get<double>(), 0.0, false};
        if (i < clocks.size() && clocks[i].is_number()) {
            sample.clockMhz = clocks[i].get<double>();
        }
        sample.throttled = i < flags.size() && flags[i].is_boolean() && flags[i].get<bool>();
        config.samples.push_back(sample);
    }
    return config;
}

}  // namespace

fields::Json kernelJson(const KernelResult& kernel) {
    fields::Json json{
        {"name", kernel.name},
        {"key", kernel.key},
        {"category", kernel.category},
        {"source", kernel.source},
        {"gb", fields::orNull(kernel.gigabytes)},
        {"flop", fields::orNull(kernel.flop)},
        {"configs", fields::Json::array()},
        {"reason", kernel.reason.empty() ? fields::Json() : fields::Json(kernel.reason)}};
    for (const ConfigResult& config : kernel.configs) {
        json["configs"].push_back(configJson(kernel, config));
    }
    if (kernel.accuracy) {
        json["accuracy"] = {{"max_abs", kernel.accuracy->maxAbsolute},
                            {"max_rel", kernel.accuracy->maxRelative},
                            {"buffer", kernel.accuracy->buffer}};
    }
    return json;
}

KernelResult readKernel(const fields::Json& json) {
    KernelResult kernel;
    kernel.name = fields::text(json, "name");
    kernel.key = fields::text(json, "key");
    kernel.category = fields::text(json, "category");
    kernel.source = fields::text(json, "source");
    kernel.gigabytes = fields::maybeNumber(json, "gb");
    kernel.flop = fields::maybeNumber(json, "flop");
    kernel.reason = fields::text(json, "reason");
    for (const fields::Json& config : fields::objects(json, "configs")) {
        kernel.configs.push_back(readConfig(config));
    }
    if (const fields::Json& found = fields::object(json, "accuracy"); !found.empty()) {
        kernel.accuracy =
            AccuracyResult{fields::number(found, "max_abs"), fields::number(found, "max_rel"),
                           fields::text(found, "buffer")};
    }
    return kernel;
}

void writeBody(const KernelDocument& document, fields::Json& json) {
    json["method"] = document.method;
    json["autotune_candidates"] = document.candidates;
    json["kernels"] = fields::Json::array();
    for (const KernelResult& kernel : document.kernels) {
        json["kernels"].push_back(kernelJson(kernel));
    }
}

void readBody(const fields::Json& json, KernelDocument& document) {
    document.method = fields::text(json, "method");
    document.candidates = fields::integer(json, "autotune_candidates");
    for (const fields::Json& kernel : fields::objects(json, "kernels")) {
        document.kernels.push_back(readKernel(kernel));
    }
}

}  // namespace kinetoscope::bench::results
