// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <span>

#include "core/bench/results/JsonParts.h"

namespace kinetoscope::bench::results {

namespace {

constexpr std::size_t kMaxParts = 20;

// Cuts the runs of one repeat; tenths of a nanosecond are finer than any clock.
void addParts(std::span<const double> runs, std::vector<BenchSample>& samples) {
    const std::size_t count = std::min(runs.size(), kMaxParts);
    for (std::size_t part = 0; part < count; ++part) {
        const std::size_t first = part * runs.size() / count;
        const std::size_t last = (part + 1) * runs.size() / count;
        const double median = stats::summarize(runs.subspan(first, last - first)).median;
        samples.push_back({std::round(10.0 * median) / 10.0});
    }
}

// The line has every run; a document has their statistics.
BenchSeries summarized(const std::string& name, const fields::Json& json, bool means) {
    BenchSeries series;
    series.name = name;
    series.graph = fields::flag(json, "graph");
    series.graphReason = fields::text(json, "graph_reason");
    series.reason = fields::text(json, "reason");
    series.accuracy = readAccuracy(json);
    std::vector<double> all;
    for (const fields::Json& times : fields::list(json, "repeats_ns")) {
        const std::vector<double> runs = fields::times(times);
        if (!runs.empty()) {
            const stats::SampleSummary repeat = stats::summarize(runs);
            series.repeatsNs.push_back(means ? repeat.mean : repeat.median);
            addParts(runs, series.samples);
            all.insert(all.end(), runs.begin(), runs.end());
        }
    }
    series.moved = fields::flag(json, "moved");
    const stats::SampleSummary summary = stats::summarize(all);
    const bool ofRepeats = series.moved && series.repeatsNs.size() > 1;
    const stats::Interval interval =
        ofRepeats ? series.interval() : stats::Interval{summary.low, summary.high};
    series.runs = all.size();
    series.lowNs = interval.low;
    series.highNs = interval.high;
    return series;
}

}  // namespace

Result<void> takeCallLine(std::string_view line, BenchItem& call, bool means) {
    const auto json = fields::jsonObject(line);
    if (!json) {
        return tl::unexpected(json.error());
    }
    if (const std::string input = fields::text(*json, "input"); !input.empty()) {
        call.name = input;
    }
    call.reason = fields::text(*json, "reason");
    for (const auto& [name, result] : fields::object(*json, "implementations").items()) {
        if (result.is_object()) {
            call.series.push_back(summarized(name, result, means));
        }
    }
    return {};
}

void takeKernelsLine(std::string_view line, BenchItem& call) {
    const auto json = fields::jsonObject(line);
    const fields::Json found =
        json ? fields::object(*json, "implementations") : fields::Json::object();
    for (BenchSeries& series : call.series) {
        series.kernels = readKernels(fields::object(found, series.name.c_str()));
    }
}

Result<void> takeRunnerLine(std::string_view line, BenchItem& runner) {
    const auto json = fields::jsonObject(line);
    if (!json) {
        return tl::unexpected(json.error());
    }
    runner.note = fields::text(*json, "note");
    runner.reason = fields::text(*json, "reason");
    runner.accuracy = readAccuracy(*json);
    runner.profile = readProfile(*json);
    runner.series.clear();
    for (const char* direction : kDirections) {
        constexpr double kNsPerMs = 1e6;
        BenchSeries series;
        series.name = direction;
        for (const double ms :
             fields::times(fields::list(*json, (series.name + "_ms").c_str()), kNsPerMs)) {
            series.samples.push_back({ms * kNsPerMs});
        }
        if (series.measured()) {
            runner.series.push_back(std::move(series));
        }
    }
    return {};
}

}  // namespace kinetoscope::bench::results
