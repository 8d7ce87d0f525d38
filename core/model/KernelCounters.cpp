// SPDX-License-Identifier: Apache-2.0
#include "core/model/KernelCounters.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

namespace kinetoscope::model {

namespace {

// Kernels that start or end between two samples blur each end by up to one of them.
constexpr TimeNs kMinSamples = 5;

struct Sample {
    TimeNs time = 0;
    double value = 0.0;
};

struct Series {
    CounterName name;
    std::vector<Sample> samples;  ///< by time
    TimeNs interval = 0;          ///< the shortest between two samples
};

using SeriesOfGpu = std::map<std::int32_t, std::vector<Series>>;

std::int32_t gpuOfTrack(const trace::Trace& trace, const query::GpuTimeline& timeline,
                        trace::TrackId track) {
    const trace::RowId pid = trace.processes()[trace.tracks()[track].process].pid;
    const bool fits = !pid.isText && pid.value >= 0 &&
                      pid.value <= std::numeric_limits<std::int32_t>::max() &&
                      timeline.find(static_cast<std::int32_t>(pid.value)) != nullptr;
    return fits ? static_cast<std::int32_t>(pid.value) : -1;
}

SeriesOfGpu gather(const trace::Trace& trace, const query::GpuTimeline& timeline) {
    std::map<std::pair<trace::TrackId, NameId>, std::vector<Sample>> all;
    for (const trace::CounterSample& sample : trace.counters()) {
        all[{sample.track, sample.series}].push_back({sample.time, sample.value});
    }
    SeriesOfGpu result;
    for (auto& [key, samples] : all) {
        const std::int32_t gpu = gpuOfTrack(trace, timeline, key.first);
        if (gpu < 0 || samples.size() < 2) {
            continue;
        }
        Series series;
        series.name = {trace.rowIdText(trace.tracks()[key.first].tid),
                       std::string(trace.text(key.second))};
        std::ranges::stable_sort(samples, {}, &Sample::time);
        series.interval = std::numeric_limits<TimeNs>::max();
        for (std::size_t i = 1; i < samples.size(); ++i) {
            const TimeNs step = samples[i].time - samples[i - 1].time;
            series.interval = step > 0 ? std::min(series.interval, step) : series.interval;
        }
        series.samples = std::move(samples);
        result[gpu].push_back(std::move(series));
    }
    return result;
}

// Of the values over a time that begins not before that of the call before.
class Integral {
public:
    explicit Integral(const Series& series) : m_samples(series.samples) {}

    /// In value × ns; `covered` is the time of the span from the first sample on.
    [[nodiscard]] double over(TimeSpan span, TimeNs& covered) {
        while (m_next + 1 < m_samples.size() && m_samples[m_next + 1].time <= span.start) {
            ++m_next;
        }
        double sum = 0.0;
        covered = 0;
        for (std::size_t i = m_next; i < m_samples.size() && m_samples[i].time < span.end; ++i) {
            const TimeNs from = std::max(m_samples[i].time, span.start);
            const TimeNs to =
                i + 1 < m_samples.size() ? std::min(m_samples[i + 1].time, span.end) : span.end;
            if (to > from) {
                sum += m_samples[i].value * static_cast<double>(to - from);
                covered += to - from;
            }
        }
        return sum;
    }

private:
    std::span<const Sample> m_samples;
    std::size_t m_next = 0;
};

// Spans of the kernels that share the GPU with nothing.
std::vector<query::OperationTime> aloneKernels(const trace::Trace& trace, const query::GpuRow& row,
                                               const analysis::WindowScope& scope) {
    std::vector<query::OperationTime> result;
    TimeNs end = std::numeric_limits<TimeNs>::min();  // of all before
    for (std::size_t i = 0; i < row.operations.size(); ++i) {
        const query::OperationTime& one = row.operations[i];
        const bool alone =
            one.span.start >= end &&
            (i + 1 == row.operations.size() || row.operations[i + 1].span.start >= one.span.end);
        end = std::max(end, one.span.end);
        const trace::SliceId slice = trace.gpuOperations()[one.operation].slice;
        if (alone && scope.takes(one.span.start) &&
            trace.category(slice) == trace::Category::Kernel) {
            result.push_back(one);
        }
    }
    return result;
}

struct Sums {
    std::uint64_t count = 0;
    TimeNs time = 0;
    std::vector<std::pair<double, TimeNs>> series;  ///< integral, covered time
};

// Such as sensors, sampled ten times a second.
void dropUnmeasured(GpuCounters& counters) {
    for (std::size_t i = counters.names.size(); i-- > 0;) {
        const auto column = static_cast<std::ptrdiff_t>(i);
        if (std::ranges::all_of(counters.kernels,
                                [i](const auto& kernel) { return std::isnan(kernel.means[i]); })) {
            counters.names.erase(counters.names.begin() + column);
            for (MeasuredKernel& kernel : counters.kernels) {
                kernel.means.erase(kernel.means.begin() + column);
            }
        }
    }
}

GpuCounters measure(const trace::Trace& trace, const query::GpuRow& row,
                    const analysis::WindowScope& scope, const std::vector<Series>& series) {
    std::vector<Integral> integrals(series.begin(), series.end());
    std::unordered_map<NameId, Sums> sums;
    for (const query::OperationTime& kernel : aloneKernels(trace, row, scope)) {
        Sums found;
        found.series.resize(series.size());
        for (std::size_t i = 0; i < series.size(); ++i) {
            if (kernel.span.duration() / kMinSamples >= series[i].interval) {
                found.series[i].first = integrals[i].over(kernel.span, found.series[i].second);
                found.count |= found.series[i].second > 0 ? 1U : 0U;
            }
        }
        if (found.count == 0) {
            continue;
        }
        Sums& all = sums[trace.nameId(trace.gpuOperations()[kernel.operation].slice)];
        all.series.resize(series.size());
        all.count += 1;
        all.time = addTime(all.time, kernel.span.duration());
        for (std::size_t i = 0; i < series.size(); ++i) {
            all.series[i].first += found.series[i].first;
            all.series[i].second += found.series[i].second;
        }
    }
    GpuCounters result;
    result.gpu = row.gpu;
    for (const Series& one : series) {
        result.names.push_back(one.name);
    }
    for (const auto& [name, all] : sums) {
        MeasuredKernel kernel{name, all.count, all.time, {}};
        for (const auto& [integral, covered] : all.series) {
            kernel.means.push_back(covered > 0 ? integral / static_cast<double>(covered)
                                               : std::numeric_limits<double>::quiet_NaN());
        }
        result.kernels.push_back(std::move(kernel));
    }
    dropUnmeasured(result);
    std::ranges::sort(result.kernels, [&](const MeasuredKernel& a, const MeasuredKernel& b) {
        return std::pair(-a.timeNs, trace.text(a.name)) < std::pair(-b.timeNs, trace.text(b.name));
    });
    return result;
}

// As the recorder names them. Gigabytes a second are bytes a nanosecond.
bool isTraffic(const CounterName& name) {
    return name.counter == "DRAM bandwidth (GB/s)" &&
           (name.series == "read" || name.series == "write");
}

void addTraffic(const std::vector<query::OperationTime>& kernels, std::vector<Series> series,
                std::vector<MeasuredTraffic>& result) {
    std::erase_if(series, [](const Series& one) { return !isTraffic(one.name); });
    if (series.size() != 2) {
        return;
    }
    std::vector<Integral> integrals(series.begin(), series.end());
    for (const query::OperationTime& kernel : kernels) {
        double bytes = 0.0;
        bool whole = true;
        for (std::size_t i = 0; i < series.size(); ++i) {
            TimeNs covered = 0;
            bytes += integrals[i].over(kernel.span, covered);
            whole = whole && covered == kernel.span.duration() &&
                    kernel.span.duration() / kMinSamples >= series[i].interval;
        }
        if (whole) {
            result.push_back({kernel.operation, bytes});
        }
    }
}

}  // namespace

std::vector<MeasuredTraffic> measuredTraffic(const trace::Trace& trace,
                                             const query::GpuTimeline& timeline,
                                             const analysis::WindowScope& scope) {
    std::vector<MeasuredTraffic> result;
    if (trace.counters().empty()) {
        return result;
    }
    for (auto& [gpu, series] : gather(trace, timeline)) {
        addTraffic(aloneKernels(trace, *timeline.find(gpu), scope), std::move(series), result);
    }
    return result;
}

std::vector<GpuCounters> kernelCounters(const trace::Trace& trace,
                                        const query::GpuTimeline& timeline,
                                        const analysis::WindowScope& scope) {
    std::vector<GpuCounters> result;
    if (trace.counters().empty()) {
        return result;
    }
    for (const auto& [gpu, series] : gather(trace, timeline)) {
        GpuCounters counters = measure(trace, *timeline.find(gpu), scope, series);
        if (!counters.kernels.empty()) {
            result.push_back(std::move(counters));
        }
    }
    return result;
}

}  // namespace kinetoscope::model
