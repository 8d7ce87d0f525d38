// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/bench/results/ModuleResult.h"
#include "core/bench/results/OperatorResult.h"
#include "core/bench/results/ResultDocument.h"

namespace kinetoscope::test {

[[nodiscard]] inline std::string sampleKernels() {
    bench::results::KernelDocument document;
    document.created = "2026-11-20T23:28:05Z";
    document.host = "node7";
    document.method = "event-cold";
    document.gpu.name = "NVIDIA H200";
    document.gpu.copyGbPerS = 4100.0;
    bench::results::KernelResult kernel;
    kernel.name = "triton_poi_fused_0";
    kernel.gigabytes = 0.25;
    kernel.flop = 1e9;
    for (const double fastest : {900.0, 1200.0}) {
        bench::results::ConfigResult config;
        config.label = "XBLOCK: 256";
        config.winner = fastest < 1000.0;
        config.registers = 32;
        for (int i = 0; i < 8; ++i) {
            config.samples.push_back({fastest + 3.0 * i, 1980.0, i == 7});
        }
        kernel.configs.push_back(config);
    }
    kernel.accuracy = bench::results::AccuracyResult{0.5, 0.001, "out_ptr0"};
    document.kernels = {kernel, kernel};
    document.kernels.back().name = "triton_red_fused_1";
    document.kernels.back().configs.clear();
    document.kernels.back().reason = "its grid is not known";
    return bench::results::resultJson(document);
}

[[nodiscard]] inline std::string sampleOperators() {
    bench::results::OperatorDocument document;
    document.created = "2026-11-20T23:28:05Z";
    document.suite = "timm";
    document.dtype = "float16";
    document.device = "cpu";
    document.implementations = {"eager", "inductor"};
    document.unavailable["nvfuser"] = "not in this PyTorch";
    document.problems.push_back({3, 7, "no such type"});
    bench::results::OperatorResult result;
    result.name = "aten.mm.default";
    result.done = true;
    for (std::size_t i = 0; i < 3; ++i) {
        bench::results::OperatorSample sample;
        sample.index = i;
        sample.count = 2;
        sample.input = "((T([2, 3], f16), T([3, 2], f16)), {})";
        for (const char* name : {"eager", "inductor"}) {
            bench::results::ImplementationResult one;
            one.name = name;
            one.repeatsNs = {100.0, 101.0, 99.5};
            one.batchesNs = {100.0, 100.5, 101.0, 99.0, 99.5, 100.0, 102.0};
            one.samples = 30;
            one.accuracy = bench::results::OperatorAccuracy{0.9999, 0.01, true, "", ""};
            sample.implementations.push_back(one);
        }
        result.samples.push_back(sample);
    }
    document.operators.push_back(result);
    return bench::results::resultJson(document);
}

[[nodiscard]] inline std::string sampleModules() {
    bench::results::ModuleDocument document;
    document.created = "2026-11-20T23:28:05Z";
    document.device = "cpu";
    document.torchVersion = "1.13.0";
    document.notes = {"no GPU here"};
    bench::results::ModuleGroup group{"lstm", "LSTM", {}};
    for (const char* name : {"cudnn", "aten"}) {
        bench::results::ModuleResult runner;
        runner.name = name;
        runner.forwardMs = {0.12, 0.13, 0.11, 0.12, 0.125, 0.115};
        runner.backwardMs = {0.3, 0.31, 0.29, 0.3, 0.3, 0.3};
        runner.agreement = bench::results::ModuleAgreement{"py", 1e-7, true};
        runner.profile = bench::results::ModuleProfile{"/tmp/lstm.json", 10, 1.5, 0.5, 0.25};
        group.runners.push_back(runner);
    }
    document.groups.push_back(group);
    return bench::results::resultJson(document);
}

[[nodiscard]] inline std::vector<std::string> sampleResults() {
    return {sampleKernels(), sampleOperators(), sampleModules()};
}

}  // namespace kinetoscope::test
