// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/BenchJson.h"

#include "core/bench/results/JsonFields.h"

namespace kinetoscope {

using namespace fields;

namespace {

constexpr const char* kSchema = "kinetoscope.result/1";

Json summaryJson(const KernelResult& kernel, const ConfigResult& config) {
    const SampleSummary s = config.summary();
    Json json{{"time_ns", config.timeNs()},
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
    json["gb_per_s"] = orNull(kernel.gbPerS(config.timeNs()));
    return json;
}

Json configJson(const KernelResult& kernel, const ConfigResult& config) {
    Json json{{"config", config.label},
              {"autotuned", config.winner},
              {"registers", config.registers},
              {"spills", config.spills},
              {"shared_bytes", config.sharedBytes},
              {"occupancy", config.occupancy},
              {"throttled", config.throttled()},
              {"clock_mhz", config.clockMhz()},
              {"gpu_time", summaryJson(kernel, config)}};
    Json times = Json::array();
    Json clocks = Json::array();
    Json flags = Json::array();
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

Json kernelJson(const KernelResult& kernel) {
    Json json{{"name", kernel.name},
              {"key", kernel.key},
              {"category", kernel.category},
              {"source", kernel.source},
              {"gb", orNull(kernel.gigabytes)},
              {"flop", orNull(kernel.flop)},
              {"configs", Json::array()},
              {"reason", kernel.reason.empty() ? Json() : Json(kernel.reason)}};
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

Json gpuObject(const GpuDescription& gpu) {
    return {{"name", gpu.name},
            {"uuid", gpu.uuid},
            {"architecture", gpu.architecture},
            {"driver", gpu.driver},
            {"memory_bytes", gpu.memoryBytes},
            {"l2_bytes", gpu.l2Bytes},
            {"multiprocessors", gpu.multiprocessors},
            {"max_sm_clock_mhz", gpu.maxSmClockMhz},
            {"copy_gb_per_s", gpu.copyGbPerS}};
}

ConfigResult readConfig(const Json& json) {
    ConfigResult config;
    config.label = text(json, "config");
    config.winner = flag(json, "autotuned");
    config.registers = small(json, "registers");
    config.spills = small(json, "spills");
    config.sharedBytes = integer(json, "shared_bytes");
    config.occupancy = number(json, "occupancy");
    config.minimum = text(object(json, "gpu_time"), "statistic") == "min";
    const Json& clocks = list(json, "samples_clock_mhz");
    const Json& flags = list(json, "samples_throttled");
    std::size_t at = 0;
    for (const Json& value : list(json, "samples_ns")) {
        const std::size_t i = at++;
        if (!value.is_number() || !isMeasured(value.get<double>())) {
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

KernelResult readKernel(const Json& json) {
    KernelResult kernel;
    kernel.name = text(json, "name");
    kernel.key = text(json, "key");
    kernel.category = text(json, "category");
    kernel.source = text(json, "source");
    kernel.gigabytes = maybeNumber(json, "gb");
    kernel.flop = maybeNumber(json, "flop");
    kernel.reason = text(json, "reason");
    for (const Json& config : objects(json, "configs")) {
        kernel.configs.push_back(readConfig(config));
    }
    if (const Json& found = object(json, "accuracy"); !found.empty()) {
        kernel.accuracy = AccuracyResult{number(found, "max_abs"), number(found, "max_rel"),
                                         text(found, "buffer")};
    }
    return kernel;
}

GpuDescription readGpu(const Json& json) {
    GpuDescription gpu;
    gpu.name = text(json, "name");
    gpu.uuid = text(json, "uuid");
    gpu.architecture = text(json, "architecture");
    gpu.driver = text(json, "driver");
    gpu.memoryBytes = integer(json, "memory_bytes");
    gpu.l2Bytes = integer(json, "l2_bytes");
    gpu.multiprocessors = small(json, "multiprocessors");
    gpu.maxSmClockMhz = number(json, "max_sm_clock_mhz");
    gpu.copyGbPerS = number(json, "copy_gb_per_s");
    return gpu;
}

}  // namespace

std::string kernelResultJson(const KernelResult& kernel) {
    return dump(kernelJson(kernel), -1);
}

Result<KernelResult> parseKernelResult(std::string_view json) {
    return jsonObject(json).map(readKernel);
}

std::string gpuJson(const GpuDescription& gpu) {
    return dump(gpuObject(gpu), -1);
}

Result<GpuDescription> parseGpu(std::string_view json) {
    return jsonObject(json).map(readGpu);
}

std::string benchDocumentJson(const BenchDocument& document) {
    Json json{{"schema", kSchema},
              {"kind", "kernels"},
              {"created", document.created},
              {"machine", {{"host", document.host}, {"system", document.system}}},
              {"gpu", gpuObject(document.gpu)},
              {"command", document.command},
              {"method", document.method},
              {"autotune_candidates", document.candidates},
              {"kernels", Json::array()}};
    for (const KernelResult& kernel : document.kernels) {
        json["kernels"].push_back(kernelJson(kernel));
    }
    return dump(json, 1) + "\n";
}

Result<BenchDocument> parseBenchDocument(std::string_view source) {
    const auto json = jsonObject(source);
    if (!json) {
        return tl::unexpected(json.error());
    }
    if (text(*json, "schema") != kSchema) {
        return fail("no result document: its \"schema\" is not kinetoscope.result/1");
    }
    if (const std::string kind = text(*json, "kind"); !kind.empty() && kind != "kernels") {
        return fail("this is a result of kscope bench " + kind + ", not of kernels");
    }
    BenchDocument document;
    document.created = text(*json, "created");
    document.command = text(*json, "command");
    document.method = text(*json, "method");
    document.candidates = integer(*json, "autotune_candidates");
    const Json& machine = object(*json, "machine");
    document.host = text(machine, "host");
    document.system = text(machine, "system");
    if (const Json& gpu = object(*json, "gpu"); !gpu.empty()) {
        document.gpu = readGpu(gpu);
    }
    for (const Json& kernel : objects(*json, "kernels")) {
        document.kernels.push_back(readKernel(kernel));
    }
    return document;
}

}  // namespace kinetoscope
