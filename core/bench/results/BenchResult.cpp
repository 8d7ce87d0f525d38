// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/BenchResult.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/stats/Verdict.h"

namespace kinetoscope::bench::results {

namespace {

bool faster(const BenchSeries& a, const BenchSeries& b) {
    return a.timeNs() < b.timeNs();
}

template <class Count>
auto sumOver(const std::vector<BenchItem>& items, Count count) {
    std::int64_t sum = 0;
    for (const BenchItem& item : items) {
        sum += static_cast<std::int64_t>(count(item));
    }
    return sum;
}

bool failed(const std::optional<Accuracy>& accuracy, bool onlyOfOtherForm) {
    return accuracy && accuracy->differs() && (!onlyOfOtherForm || !accuracy->difference.empty());
}

std::int64_t inaccurateOf(const BenchItem& item, bool onlyOfOtherForm) {
    const auto ofSeries = std::ranges::count_if(
        item.series, [&](const BenchSeries& one) { return failed(one.accuracy, onlyOfOtherForm); });
    return ofSeries + (failed(item.accuracy, onlyOfOtherForm) ? 1 : 0) +
           sumOver(item.parts,
                   [&](const BenchItem& part) { return inaccurateOf(part, onlyOfOtherForm); });
}

}  // namespace

std::string Accuracy::why() const {
    return difference.empty() ? fmt::format("cosine similarity {:.4f} is below 0.99", cosine)
                              : difference;
}

std::vector<double> countedNs(const std::vector<BenchSample>& samples) {
    const bool all = std::ranges::all_of(samples, &BenchSample::throttled);
    std::vector<double> counted;
    for (const BenchSample& sample : samples) {
        if (all || !sample.throttled) {
            counted.push_back(sample.gpuNs);
        }
    }
    return counted;
}

std::vector<double> placementTimes(const std::vector<BenchSample>& samples) {
    std::vector<double> times;
    for (auto first = samples.begin(); first != samples.end();) {
        const auto last = std::find_if(first, samples.end(), [first](const auto& sample) {
            return sample.placement != first->placement;
        });
        times.push_back(stats::summarize(countedNs({first, last})).median);
        first = last;
    }
    return times;
}

double BenchSeries::timeNs() const {
    if (!repeatsNs.empty()) {
        return stats::middleMean(repeatsNs);
    }
    const stats::SampleSummary all = summary();
    return minimum ? all.min : all.median;
}

stats::Interval BenchSeries::interval() const {
    if (moved && repeatsNs.size() > 1) {
        return stats::meanInterval(repeatsNs);
    }
    const stats::SampleSummary all = summary();
    return {all.low, all.high};
}

std::size_t BenchSeries::throttled() const {
    return static_cast<std::size_t>(std::ranges::count(samples, true, &BenchSample::throttled));
}

double BenchSeries::clockMhz() const {
    std::vector<double> clocks;
    for (const BenchSample& sample : samples) {
        if (sample.clockMhz > 0.0) {
            clocks.push_back(sample.clockMhz);
        }
    }
    return stats::summarize(clocks).median;
}

const BenchSeries* BenchItem::find(std::string_view seriesName) const {
    const auto found = std::ranges::find(series, seriesName, &BenchSeries::name);
    return found == series.end() ? nullptr : &*found;
}

std::size_t BenchItem::best() const {
    return static_cast<std::size_t>(std::ranges::min_element(series, faster) - series.begin());
}

std::size_t BenchItem::worst() const {
    return static_cast<std::size_t>(std::ranges::max_element(series, faster) - series.begin());
}

std::size_t BenchItem::chosen() const {
    const auto found = std::ranges::find(series, true, &BenchSeries::winner);
    return found == series.end() ? best() : static_cast<std::size_t>(found - series.begin());
}

std::optional<double> BenchItem::gbPerS(double ns) const {
    return gigabytes && ns > 0.0 ? std::optional(*gigabytes / (ns / 1e9)) : std::nullopt;
}

std::optional<double> BenchItem::speedup(std::string_view implementation) const {
    const BenchSeries* before = find(kBaseline);
    const BenchSeries* after = find(implementation);
    return before != nullptr && before->measured() && after != nullptr && after->timeNs() > 0.0
               ? std::optional(before->timeNs() / after->timeNs())
               : std::nullopt;
}

std::optional<bool> BenchItem::sameKernels() const {
    const BenchSeries* baseline = find(kBaseline);
    if (!traced || traced->kernels.empty() || baseline == nullptr || baseline->kernels.empty()) {
        return std::nullopt;
    }
    return namesOf(traced->kernels) == namesOf(baseline->kernels);
}

std::optional<TraceTime> BenchItem::traceTime() const {
    const BenchSeries* baseline = find(kBaseline);
    return traced && baseline != nullptr && baseline->measured()
               ? std::optional(results::traceTime(traced->timeNs, baseline->timeNs(),
                                                  totalNs(baseline->kernels)))
               : std::nullopt;
}

std::optional<double> BenchItem::traceRatio() const {
    const BenchSeries* baseline = find(kBaseline);
    return traced && baseline != nullptr && baseline->timeNs() > 0.0
               ? std::optional(traced->timeNs / baseline->timeNs())
               : std::nullopt;
}

std::optional<Quantiles> BenchItem::speedups(std::string_view implementation) const {
    std::vector<double> values;
    for (const BenchItem& call : parts) {
        if (const auto value = call.speedup(implementation)) {
            values.push_back(*value);
        }
    }
    if (values.empty()) {
        return std::nullopt;
    }
    std::ranges::sort(values);
    Quantiles found{};
    std::ranges::transform(kSpeedupQuantiles, found.begin(),
                           [&](double q) { return stats::quantileOfSorted(values, q); });
    return found;
}

std::size_t BenchItem::partsRun() const {
    return static_cast<std::size_t>(std::ranges::count_if(parts, &BenchItem::ran));
}

std::int64_t BenchItem::calls() const {
    return sumOver(parts, [](const BenchItem& call) { return call.count; });
}

std::int64_t ResultDocument::calls() const {
    return sumOver(items, [](const BenchItem& item) { return item.calls(); });
}

std::int64_t ResultDocument::callsRun() const {
    return sumOver(items, [](const BenchItem& item) {
        return sumOver(item.parts,
                       [](const BenchItem& call) { return call.ran() ? call.count : 0; });
    });
}

std::size_t ResultDocument::inaccurate(bool onlyOfOtherForm) const {
    return static_cast<std::size_t>(
        sumOver(items, [&](const BenchItem& item) { return inaccurateOf(item, onlyOfOtherForm); }));
}

std::size_t ResultDocument::failures() const {
    return static_cast<std::size_t>(sumOver(items, [](const BenchItem& group) {
        return std::ranges::count_if(group.parts,
                                     [](const BenchItem& one) { return !one.reason.empty(); });
    }));
}

std::string seriesVerdict(const BenchSeries& baseline, const BenchSeries& series) {
    const std::size_t count = std::min(baseline.samples.size(), series.samples.size());
    stats::PairedTimes times;
    for (std::size_t i = 0; i < count; ++i) {
        if (baseline.samples[i].gpuNs > 0.0 && series.samples[i].gpuNs > 0.0) {
            times.base.push_back(baseline.samples[i].gpuNs);
            times.candidate.push_back(series.samples[i].gpuNs);
        }
    }
    if (times.base.empty()) {
        return {};
    }
    const stats::VerdictRule rule{.tolerance = stats::kBenchTolerance};
    return std::string(stats::verdictName(stats::decide({&times, 1}, rule).front().verdict));
}

std::string runnerVerdict(const BenchItem& group, const BenchItem& runner,
                          std::string_view direction) {
    const BenchItem& first = group.parts.front();
    const BenchSeries* before = first.find(direction);
    const BenchSeries* after = runner.find(direction);
    return &runner == &first || before == nullptr || after == nullptr
               ? std::string()
               : seriesVerdict(*before, *after);
}

}  // namespace kinetoscope::bench::results
