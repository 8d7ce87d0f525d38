// SPDX-License-Identifier: Apache-2.0
#include "core/query/TrackMarks.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace kinetoscope::query {

namespace {

// Counters have a few series, which are found sooner one by one than in a table.
constexpr std::size_t kFirstSeries = 8;

// Files write nearly all of them in order.
template <class Row>
void sortByTime(std::vector<std::uint32_t>& rows, std::span<const Row> all) {
    const auto time = [&](std::uint32_t row) { return all[row].time; };
    if (!std::ranges::is_sorted(rows, {}, time)) {
        std::ranges::stable_sort(rows, {}, time);
    }
}

void describe(CounterSeries& series, std::span<const trace::CounterSample> all) {
    series.lowest = series.samples.front();
    series.highest = series.samples.front();
    for (std::size_t at = 0; at < series.samples.size(); ++at) {
        const std::uint32_t row = series.samples[at];
        const double value = all[row].value;
        if (at % CounterBlock::kSamples == 0) {
            series.blocks.push_back({all[row].time, value, value});
        }
        CounterBlock& block = series.blocks.back();
        block.least = std::min(block.least, value);
        block.most = std::max(block.most, value);
        series.lowest = value < all[series.lowest].value ? row : series.lowest;
        series.highest = value > all[series.highest].value ? row : series.highest;
    }
}

}  // namespace

TrackMarks::TrackMarks(const trace::Trace& trace) {
    addInstants(trace);
    addCounters(trace);
}

void TrackMarks::addInstants(const trace::Trace& trace) {
    m_instants.resize(trace.tracks().size());
    m_processInstants.resize(trace.processes().size());
    const auto all = trace.instants();
    for (std::uint32_t row = 0; row < all.size(); ++row) {
        const trace::TrackId track = all[row].track;
        (all[row].scope == 't' ? m_instants[track]
                               : m_processInstants[trace.tracks()[track].process])
            .push_back(row);
    }
    for (auto* lists : {&m_instants, &m_processInstants}) {
        for (auto& rows : *lists) {
            sortByTime(rows, all);
        }
    }
}

void TrackMarks::addCounters(const trace::Trace& trace) {
    m_counters.resize(trace.tracks().size());
    const auto all = trace.counters();
    // Where the other series are on their tracks: a hostile file has a million of them.
    std::unordered_map<std::uint64_t, std::size_t> places;
    for (std::uint32_t row = 0; row < all.size(); ++row) {
        const trace::CounterSample& sample = all[row];
        if (!std::isfinite(sample.value)) {
            continue;
        }
        std::vector<CounterSeries>& series = m_counters[sample.track];
        const auto first = std::span(series).first(std::min(series.size(), kFirstSeries));
        if (const auto known = std::ranges::find(first, sample.series, &CounterSeries::name);
            known != first.end()) {
            known->samples.push_back(row);
            continue;
        }
        const std::uint64_t key = std::uint64_t{sample.track} << 32U | sample.series;
        const auto [place, isNew] = places.try_emplace(key, series.size());
        if (isNew) {
            series.push_back({sample.series, {}, {}, row, row});
        }
        series[place->second].samples.push_back(row);
    }
    for (auto& track : m_counters) {
        for (CounterSeries& series : track) {
            sortByTime(series.samples, all);
            describe(series, all);
        }
    }
}

const CounterSeries* TrackMarks::seriesOf(const trace::Trace& trace, std::uint32_t sample) const {
    if (sample >= trace.counters().size() || !std::isfinite(trace.counters()[sample].value)) {
        return nullptr;
    }
    const trace::CounterSample& one = trace.counters()[sample];
    const auto all = counters(one.track);
    const auto found = std::ranges::find(all, one.series, &CounterSeries::name);
    return found != all.end() ? &*found : nullptr;
}

}  // namespace kinetoscope::query
