// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/bench/results/BenchResult.h"
#include "core/bench/results/ResultDocument.h"

namespace kinetoscope::test {

/// A runner's direction; a group of runners.
[[nodiscard]] inline bench::results::BenchSeries directionOf(const char* name,
                                                             const std::vector<double>& ms) {
    bench::results::BenchSeries series;
    series.name = name;
    for (const double one : ms) {
        series.samples.push_back({1e6 * one});
    }
    return series;
}
[[nodiscard]] inline bench::results::BenchItem groupOf(
    const std::string& key, const std::string& name,
    std::vector<bench::results::BenchItem> runners) {
    bench::results::BenchItem group;
    group.key = key;
    group.name = name;
    group.parts = std::move(runners);
    return group;
}

[[nodiscard]] inline std::string sampleKernels() {
    bench::results::ResultDocument document;
    document.created = "2026-11-20T23:28:05Z";
    document.host = "node7";
    document.method = "event-cold";
    document.gpu.name = "NVIDIA H200";
    document.gpu.copyGbPerS = 4100.0;
    bench::results::BenchItem kernel;
    kernel.name = "triton_poi_fused_0";
    kernel.gigabytes = 0.25;
    kernel.flop = 1e9;
    for (const double fastest : {900.0, 1200.0}) {
        bench::results::BenchSeries config;
        config.name = "XBLOCK: 256";
        config.winner = fastest < 1000.0;
        config.registers = 32;
        for (int i = 0; i < 8; ++i) {
            config.samples.push_back({fastest + 3.0 * i, 1980.0, i == 7});
        }
        kernel.series.push_back(config);
    }
    kernel.accuracy =
        bench::results::Accuracy{.maxAbsolute = 0.5, .maxRelative = 0.001, .buffer = "out_ptr0"};
    document.items = {kernel, kernel};
    document.items.back().name = "triton_red_fused_1";
    document.items.back().series.clear();
    document.items.back().reason = "its grid is not known";
    return bench::results::resultJson(document);
}

[[nodiscard]] inline std::string sampleOperators() {
    bench::results::ResultDocument document(bench::results::ResultKind::Operators);
    document.created = "2026-11-20T23:28:05Z";
    document.options.suite = "timm";
    document.options.dtype = "float16";
    document.device = "cpu";
    document.options.implementations = {"eager", "inductor"};
    document.unavailable["nvfuser"] = "not in this PyTorch";
    document.problems.push_back({3, 7, "no such type"});
    bench::results::BenchItem result;
    result.name = "aten.mm.default";
    result.done = true;
    for (std::size_t i = 0; i < 3; ++i) {
        bench::results::BenchItem sample;
        sample.index = i;
        sample.count = 2;
        sample.name = "((T([2, 3], f16), T([3, 2], f16)), {})";
        for (const char* name : {"eager", "inductor"}) {
            bench::results::BenchSeries one;
            one.name = name;
            one.repeatsNs = {100.0, 101.0, 99.5};
            one.samples = {{100.0}, {100.5}, {101.0}, {99.0}, {99.5}, {100.0}, {102.0}};
            one.runs = 30;
            one.accuracy = bench::results::Accuracy{.cosine = 0.9999, .maxAbsolute = 0.01};
            sample.series.push_back(one);
        }
        result.parts.push_back(sample);
    }
    document.items.push_back(result);
    return bench::results::resultJson(document);
}

[[nodiscard]] inline std::string sampleModules() {
    bench::results::ResultDocument document(bench::results::ResultKind::Modules);
    document.created = "2026-11-20T23:28:05Z";
    document.device = "cpu";
    document.torchVersion = "1.13.0";
    document.notes = {"no GPU here"};
    bench::results::BenchItem group = groupOf("lstm", "LSTM", {});
    for (const char* name : {"cudnn", "aten"}) {
        bench::results::BenchItem runner;
        runner.name = name;
        runner.series = {directionOf("forward", {0.12, 0.13, 0.11, 0.12, 0.125, 0.115}),
                         directionOf("backward", {0.3, 0.31, 0.29, 0.3, 0.3, 0.3})};
        runner.accuracy = bench::results::Accuracy{.with = "py", .maxRelative = 1e-7};
        runner.profile = bench::results::RunnerProfile{"/tmp/lstm.json", 10, 1.5, 0.5, 0.25};
        group.parts.push_back(runner);
    }
    document.items.push_back(group);
    return bench::results::resultJson(document);
}

[[nodiscard]] inline std::vector<std::string> sampleResults() {
    return {sampleKernels(), sampleOperators(), sampleModules()};
}

}  // namespace kinetoscope::test
