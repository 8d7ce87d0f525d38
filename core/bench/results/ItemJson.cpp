// SPDX-License-Identifier: Apache-2.0
// Items of a bench's result: their series, samples, accuracies.
#include <cmath>
#include <set>

#include "core/bench/results/JsonParts.h"
#include "core/bench/results/MemberVisitors.h"

namespace kinetoscope::bench::results {

namespace {

Json summaryJson(const BenchSeries& series) {
    const stats::SampleSummary s = series.summary();
    return {{"samples", s.count}, {"median_ns", s.median}, {"low_ns", s.low}, {"high_ns", s.high},
            {"min_ns", s.min},    {"q1_ns", s.q1},         {"q3_ns", s.q3},   {"max_ns", s.max},
            {"mean_ns", s.mean},  {"std_ns", s.deviation}};
}

}  // namespace

template <class Visitor, Is<Accuracy> T>
void members(Visitor& visit, T& accuracy) {
    visit("with", accuracy.with);
    visit.always("cosine", accuracy.cosine);
    visit.always("max_abs", accuracy.maxAbsolute);
    visit.always("max_rel", accuracy.maxRelative);
    visit.always("same", accuracy.same);
    visit("buffer", accuracy.buffer);
    visit("reason", accuracy.reason);
    visit("difference", accuracy.difference);
    if constexpr (!Visitor::kWrites) {
        if (std::isnan(accuracy.cosine)) {
            accuracy.cosine = accuracy.reason.empty() ? 0.0 : 1.0;
        }
    }
}

template <class Visitor, Is<RunnerProfile> T>
void members(Visitor& visit, T& profile) {
    visit("trace", profile.trace);
    visit("runs", profile.runs);
    visit("wall_ms", profile.wallMs);
    visit("utilization", profile.utilization);
    visit("mm_conv_utilization", profile.mmConvUtilization);
}

template <class Visitor, Is<BenchSeries> T>
void members(Visitor& visit, T& series) {
    visit("name", series.name);
    visit("reason", series.reason);
    if constexpr (Visitor::kWrites) {
        if (series.measured()) {
            visit.always("time_ns", series.timeNs());
            visit("throttled", series.throttled());
            visit("clock_mhz", series.clockMhz());
        }
        if (!series.samples.empty() && (series.repeatsNs.empty() || series.runs == 0)) {
            visit.always("summary", summaryJson(series));
        }
    }
    visit("minimum", series.minimum);
    visit("autotuned", series.winner);
    visit("registers", series.registers);
    visit("spills", series.spills);
    visit("shared_bytes", series.sharedBytes);
    visit("occupancy", series.occupancy);
    visit("repeats_ns", series.repeatsNs);
    visit("moved", series.moved);
    visit("runs", series.runs);
    visit("low_ns", series.lowNs);
    visit("high_ns", series.highNs);
    visit("graph", series.graph);
    visit("graph_reason", series.graphReason);
    visit("kernels", series.kernels);
    visit("accuracy", series.accuracy);
    visit.samples(series.samples);
}

template <class Visitor, Is<BenchItem> T>
void members(Visitor& visit, T& item) {
    visit("name", item.name);
    visit("key", item.key);
    if (!Visitor::kWrites || item.count > 0 || item.index > 0) {
        visit.always("index", item.index);
    }
    visit.count("count", item.count);
    visit("traced", item.traced);
    visit("recast", item.recast);
    visit("category", item.category);
    visit("source", item.source);
    visit("gb", item.gigabytes);
    visit("flop", item.flop);
    visit("reason", item.reason);
    visit("note", item.note);
    visit("done", item.done);
    visit("accuracy", item.accuracy);
    visit("profile", item.profile);
    visit("series", item.series);
    visit("parts", item.parts);
}

template <class Visitor, Is<LaunchedKernel> T>
void members(Visitor& visit, T& kernel) {
    visit("name", kernel.name);
    visit.time("time_ns", kernel.timeNs);
}

template <class Visitor, Is<TracedCall> T>
void members(Visitor& visit, T& traced) {
    visit.time("time_ns", traced.timeNs);
    visit.time("total_ns", traced.totalNs);
    visit("kernels", traced.kernels);
    visit("assumed", traced.assumed);
}

namespace {

// Of an operator.
Json speedupsJson(const BenchItem& item) {
    Json speedups = Json::object();
    std::set<std::string_view> seen{kBaseline};
    for (const BenchItem& call : item.parts) {
        for (const BenchSeries& series : call.series) {
            const auto found =
                seen.insert(series.name).second ? item.speedups(series.name) : std::nullopt;
            if (found) {
                speedups[series.name] = {
                    {"q20", (*found)[0]}, {"q50", (*found)[1]}, {"q80", (*found)[2]}};
            }
        }
    }
    return speedups;
}

// Derived values, for readers who would have to compute them: rates, speedups, verdicts.
void addDerived(const BenchItem& item, const BenchItem* group, Json& json) {
    for (std::size_t i = 0; i < item.series.size(); ++i) {
        const BenchSeries& series = item.series[i];
        MemberWriter visit(json["series"][i]);
        visit("gb_per_s", item.gbPerS(series.timeNs()));
        visit("speedup", item.speedup(series.name));
        visit("verdict", group != nullptr ? runnerVerdict(*group, item, series.name) : "");
    }
    for (std::size_t i = 0; i < item.parts.size(); ++i) {
        addDerived(item.parts[i], item.key.empty() ? nullptr : &item, json["parts"][i]);
    }
    MemberWriter visit(json);
    const auto time = item.traceTime();
    visit("trace_ratio", item.traceRatio());
    visit("trace_time", std::string(time ? traceTimeName(*time) : ""));
    visit("same_kernels", item.sameKernels());
    visit("measured", item.partsRun());
    visit("speedups", speedupsJson(item));
}

}  // namespace

Json itemJson(const BenchItem& item, const BenchItem* group) {
    Json json = Json::object();
    MemberWriter visit(json);
    members(visit, item);
    addDerived(item, group, json);
    return json;
}

BenchItem readItem(const Json& json) {
    return MemberReader::read<BenchItem>(json);
}

std::optional<Accuracy> readAccuracy(const Json& json) {
    std::optional<Accuracy> accuracy;
    MemberReader visit(json);
    visit("accuracy", accuracy);
    return accuracy;
}

std::optional<RunnerProfile> readProfile(const Json& json) {
    std::optional<RunnerProfile> profile;
    MemberReader visit(json);
    visit("profile", profile);
    return profile;
}

std::vector<LaunchedKernel> readKernels(const Json& json) {
    std::vector<LaunchedKernel> kernels;
    MemberReader visit(json);
    visit("kernels", kernels);
    return kernels;
}

}  // namespace kinetoscope::bench::results
