// SPDX-License-Identifier: Apache-2.0
#include "core/baseline/Measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>

#include "core/compare/MatchRules.h"
#include "core/stats/Statistics.h"

namespace kinetoscope::baseline {

namespace {

constexpr std::size_t kMaxMeasures = 200;

/// The interval is that of the median of `samples`.
Measure measureOf(std::string name, double value, const std::vector<double>& samples) {
    const stats::SampleSummary summary = stats::summarize(samples);
    return {std::move(name), value, summary.low, summary.high, samples.size(), {value}};
}

/// Measures and the time by which they are ordered.
class MeasureList {
public:
    void add(Measure measure, double weight) { m_rows.emplace_back(weight, std::move(measure)); }
    [[nodiscard]] std::vector<Measure> after(std::vector<Measure> first) && {
        std::ranges::stable_sort(m_rows, std::greater<>(), &Row::first);
        m_rows.resize(std::min(m_rows.size(), kMaxMeasures));
        for (auto& [weight, measure] : m_rows) {
            first.push_back(std::move(measure));
        }
        return first;
    }

private:
    using Row = std::pair<double, Measure>;
    std::vector<Row> m_rows;
};

// The launches of each kernel name, then of names that differ only between builds.
std::map<std::string, std::vector<double>> launchesByName(const compare::ComparedRun& run) {
    std::map<NameId, std::vector<double>> byId;
    for (const compare::KernelLaunch& launch : run.launches) {
        byId[run.trace->nameId(launch.slice)].push_back(static_cast<double>(launch.duration));
    }
    std::map<std::string, std::vector<double>> byName;
    for (const auto& [id, times] : byId) {
        auto& all = byName[compare::MatchRules::builtin().normalised(run.trace->text(id))];
        all.insert(all.end(), times.begin(), times.end());
    }
    return byName;
}

Measure stepMeasure(const std::vector<analysis::Step>& steps) {
    std::vector<double> times;
    times.reserve(steps.size());
    for (const analysis::Step& step : steps) {
        times.push_back(static_cast<double>(step.span.duration()));
    }
    return measureOf(std::string(kStep), stats::summarize(times).median, times);
}

Measure kernelTimeOf(const compare::ComparedRun& run) {
    const std::size_t steps = run.report.steps.size();
    std::vector<double> times(std::max<std::size_t>(steps, 1), 0.0);
    for (const compare::KernelLaunch& launch : run.launches) {
        if (steps == 0 || launch.step < steps) {
            times[steps == 0 ? 0 : launch.step] += static_cast<double>(launch.duration);
        }
    }
    return measureOf(steps == 0 ? "kernel time" : std::string(kStepKernelTime),
                     stats::summarize(times).median, times);
}

/// One item, as every run measured it: as a run's interval that of its samples, of several that of
/// the runs.
Measure itemOf(std::string name, const std::vector<const compare::MeasuredItem*>& items) {
    std::vector<double> runs;
    runs.reserve(items.size());
    for (const compare::MeasuredItem* item : items) {
        runs.push_back(item->timeNs);
    }
    if (runs.size() == 1) {
        return measureOf(std::move(name), runs.front(), items.front()->samplesNs);
    }
    Measure measure = measureOf(std::move(name), stats::summarize(runs).median, runs);
    measure.runs = std::move(runs);
    return measure;
}

using ItemsByName = std::map<std::string, std::vector<const compare::MeasuredItem*>>;

// Names that occur more than once in a result are distinguished by their keys, then by their order.
ItemsByName itemsOf(const std::vector<compare::MeasuredResult>& runs) {
    ItemsByName items;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        std::map<std::string, std::size_t> seen;
        for (const compare::MeasuredItem& item : runs[i].items) {
            const std::string name =
                item.key.empty() ? item.name : fmt::format("{} [{}]", item.name, item.key);
            const std::size_t nth = ++seen[name];
            auto& found = items[nth == 1 ? name : fmt::format("{} #{}", name, nth)];
            if (found.size() == i && item.isMeasured()) {
                found.push_back(&item);
            }
        }
    }
    std::erase_if(items, [&runs](const auto& row) { return row.second.size() < runs.size(); });
    return items;
}

}  // namespace

std::vector<Measure> measuresOf(const compare::ComparedRun& run) {
    std::vector<Measure> first{kernelTimeOf(run)};
    if (!run.report.steps.empty()) {
        first.push_back(stepMeasure(run.report.steps));
    }
    MeasureList kernels;
    for (const auto& [name, times] : launchesByName(run)) {
        const stats::SampleSummary summary = stats::summarize(times);
        kernels.add(measureOf(name, summary.median, times),
                    summary.mean * static_cast<double>(times.size()));
    }
    return std::move(kernels).after(std::move(first));
}

std::vector<Measure> measuresOf(const std::vector<compare::MeasuredResult>& runs) {
    Measure all;
    all.name = "all";
    all.runs.resize(runs.size());
    MeasureList parts;
    for (const auto& [name, items] : itemsOf(runs)) {
        for (std::size_t i = 0; i < items.size(); ++i) {
            all.runs[i] += items[i]->timeNs;
        }
        Measure part = itemOf(name, items);
        const double weight = part.value;
        parts.add(std::move(part), weight);
    }
    const stats::SampleSummary summary = stats::summarize(all.runs);
    all.value = summary.median;
    all.low = summary.low;
    all.high = summary.high;
    all.samples = runs.size();
    return std::move(parts).after({std::move(all)});
}

double clockOf(const trace::Trace& trace) {
    constexpr std::string_view kClocks = "Clocks (MHz)";
    std::vector<double> clocks;
    for (const trace::CounterSample& sample : trace.counters()) {
        if (trace.text(sample.series) == "SM" &&
            trace.rowIdText(trace.tracks()[sample.track].tid).starts_with(kClocks)) {
            clocks.push_back(sample.value);
        }
    }
    return stats::medianOf(clocks);
}

double clockOf(const std::vector<compare::MeasuredResult>& runs) {
    std::vector<double> clocks;
    for (const compare::MeasuredResult& run : runs) {
        for (const compare::MeasuredItem& item : run.items) {
            if (item.clockMhz > 0.0) {
                clocks.push_back(item.clockMhz);
            }
        }
    }
    return stats::medianOf(clocks);
}

}  // namespace kinetoscope::baseline
