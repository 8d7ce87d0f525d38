// SPDX-License-Identifier: Apache-2.0
#include "core/query/CounterView.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace kinetoscope::query {

namespace {

constexpr std::size_t kBlock = CounterBlock::kSamples;
// A column of so many whole blocks may end behind one of them: less than a quarter of its samples
// are then drawn one column before their place.
constexpr std::size_t kCounterBlocksToCut = 4;

class CounterFolder {
public:
    CounterFolder(const trace::Trace& trace, const CounterSeries& series, TimeSpan view,
                  std::int32_t columns)
        : m_all(trace.counters()), m_series(series), m_view(view), m_columns(columns) {}

    std::vector<CounterColumn> run() {
        std::vector<CounterColumn> columns;
        std::size_t at = firstWhere([this](TimeNs time) { return time > m_view.start; }, 0);
        if (at > 0) {
            const double value = valueAt(at - 1);  // still holds at the left edge
            columns.push_back({0, value, value, value});
        }
        while (at < m_series.samples.size() && timeAt(at) < m_view.end) {
            const std::int32_t column = columnOf(timeAt(at));
            const std::size_t next = nextColumn(at, column);
            if (columns.empty() || columns.back().column != column) {
                const double value = valueAt(at);
                columns.push_back({column, value, value, value});
            }
            fold(at, next, columns.back());
            at = next;
        }
        return columns;
    }

private:
    [[nodiscard]] TimeNs timeAt(std::size_t at) const { return m_all[m_series.samples[at]].time; }
    [[nodiscard]] double valueAt(std::size_t at) const { return m_all[m_series.samples[at]].value; }
    [[nodiscard]] std::int32_t columnOf(TimeNs time) const {
        const double share =
            static_cast<double>(time - m_view.start) / static_cast<double>(m_view.duration());
        return std::min(m_columns - 1, static_cast<std::int32_t>(std::floor(share * m_columns)));
    }

    // Position of the first sample of a later column, or of the block behind this column.
    [[nodiscard]] std::size_t nextColumn(std::size_t at, std::int32_t column) const {
        const auto isLater = [&](TimeNs time) {
            return time >= m_view.end || columnOf(time) > column;
        };
        const std::size_t cut = std::min(blockWhere(isLater, at) * kBlock, m_series.samples.size());
        return cut >= at + kCounterBlocksToCut * kBlock ? cut : firstWhere(isLater, at);
    }

    // The first block that begins at `from` or later for whose start it is true.
    template <class Predicate>
    [[nodiscard]] std::size_t blockWhere(const Predicate& isTrue, std::size_t from) const {
        const auto blocks = m_series.blocks.begin();
        const auto after = std::partition_point(
            blocks + static_cast<std::ptrdiff_t>((from + kBlock - 1) / kBlock),
            m_series.blocks.end(), [&](const CounterBlock& block) { return !isTrue(block.start); });
        return static_cast<std::size_t>(after - blocks);
    }

    // Position of the first sample from `from` on for whose time it is true, as it is from then on.
    template <class Predicate>
    [[nodiscard]] std::size_t firstWhere(const Predicate& isTrue, std::size_t from) const {
        // It turns true at the start of that block or inside of the one before.
        const std::size_t index = blockWhere(isTrue, from);
        const std::size_t end = std::min(index * kBlock, m_series.samples.size());
        const std::size_t begin = std::max(from, index > 0 ? (index - 1) * kBlock : 0);
        const auto samples = m_series.samples.begin();
        const auto found =
            std::partition_point(samples + static_cast<std::ptrdiff_t>(std::min(begin, end)),
                                 samples + static_cast<std::ptrdiff_t>(end),
                                 [&](std::uint32_t row) { return !isTrue(m_all[row].time); });
        return static_cast<std::size_t>(found - samples);
    }

    void fold(std::size_t from, std::size_t to, CounterColumn& column) const {
        column.last = valueAt(to - 1);
        while (from < to) {
            if (from % kBlock == 0 && from + kBlock <= to) {
                const CounterBlock& block = m_series.blocks[from / kBlock];
                column.least = std::min(column.least, block.least);
                column.most = std::max(column.most, block.most);
                from += kBlock;
            } else {
                column.least = std::min(column.least, valueAt(from));
                column.most = std::max(column.most, valueAt(from));
                ++from;
            }
        }
    }

    std::span<const trace::CounterSample> m_all;
    const CounterSeries& m_series;
    TimeSpan m_view;
    std::int32_t m_columns;
};

bool saysBytes(std::string_view name) {
    std::string lower(name);
    std::ranges::transform(lower, lower.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    return lower.find("bytes") != std::string::npos || lower == "total allocated" ||
           lower == "total reserved";
}

}  // namespace

std::vector<CounterColumn> counterColumns(const trace::Trace& trace, const CounterSeries& series,
                                          TimeSpan view, std::int32_t columns) {
    if (view.empty() || columns <= 0 || series.samples.empty()) {
        return {};
    }
    return CounterFolder(trace, series, view, columns).run();
}

std::optional<std::size_t> sampleAt(const trace::Trace& trace, const CounterSeries& series,
                                    TimeNs time) {
    const auto all = trace.counters();
    const auto after = std::ranges::upper_bound(series.samples, time, {},
                                                [&](std::uint32_t row) { return all[row].time; });
    return after == series.samples.begin()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(after - series.samples.begin()) - 1);
}

std::optional<double> meanOver(const trace::Trace& trace, const CounterSeries& series,
                               TimeSpan time) {
    const auto all = trace.counters();
    std::size_t at = sampleAt(trace, series, time.start).value_or(0);
    std::size_t inside = 0;
    double sum = 0.0;
    double covered = 0.0;
    for (; at < series.samples.size(); ++at) {
        const trace::CounterSample& sample = all[series.samples[at]];
        if (sample.time >= time.end) {
            break;
        }
        inside += sample.time >= time.start ? 1 : 0;
        const TimeNs next = at + 1 < series.samples.size()
                                ? std::min(all[series.samples[at + 1]].time, time.end)
                                : time.end;
        const auto held = static_cast<double>(next - std::max(sample.time, time.start));
        if (held > 0.0) {
            sum += sample.value * held;
            covered += held;
        }
    }
    return inside >= kMinSamplesOfMean && covered > 0.0 ? std::optional(sum / covered)
                                                        : std::nullopt;
}

CounterScale counterScale(const trace::Trace& trace, std::span<const CounterSeries> series) {
    CounterScale scale;
    for (const CounterSeries& one : series) {
        scale.least = std::min(scale.least, trace.counters()[one.lowest].value);
        scale.most = std::max(scale.most, trace.counters()[one.highest].value);
    }
    return scale;
}

bool countsBytes(const trace::Trace& trace, trace::TrackId track, NameId series) {
    constexpr std::size_t kLongest = 200;  // a name may have megabytes
    return saysBytes(trace.text(series).substr(0, kLongest)) ||
           saysBytes(trace.rowIdText(trace.tracks()[track].tid).substr(0, kLongest));
}

}  // namespace kinetoscope::query
