// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/TrackMarks.h"

#include <algorithm>

namespace kinetoscope::timeline {

namespace {

CounterSeries& seriesOf(std::vector<CounterSeries>& all, NameId name) {
    const auto found = std::ranges::find(all, name, &CounterSeries::name);
    if (found != all.end()) {
        return *found;
    }
    all.push_back({name, {}, 0.0, 0.0});
    return all.back();
}

}  // namespace

TrackMarks::TrackMarks(const trace::Trace& trace) {
    m_instants.resize(trace.tracks().size());
    m_counters.resize(trace.tracks().size());
    const auto instants = trace.instants();
    for (std::uint32_t row = 0; row < instants.size(); ++row) {
        m_instants[instants[row].track].push_back(row);
    }
    for (auto& rows : m_instants) {
        std::ranges::stable_sort(rows, {}, [&](std::uint32_t row) { return instants[row].time; });
    }
    const auto counters = trace.counters();
    for (std::uint32_t row = 0; row < counters.size(); ++row) {
        CounterSeries& series = seriesOf(m_counters[counters[row].track], counters[row].series);
        const double value = counters[row].value;
        // The scale includes zero, so that heights compare.
        series.least = std::min(series.least, value);
        series.most = std::max(series.most, value);
        series.samples.push_back(row);
    }
    for (auto& all : m_counters) {
        for (CounterSeries& series : all) {
            std::ranges::stable_sort(series.samples, {},
                                     [&](std::uint32_t row) { return counters[row].time; });
        }
    }
}

}  // namespace kinetoscope::timeline
