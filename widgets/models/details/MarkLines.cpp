// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/details/MarkLines.h"

#include <algorithm>

#include "core/query/CounterView.h"
#include "core/query/SlicesInView.h"
#include "core/text/Format.h"
#include "widgets/models/Text.h"

namespace kinetoscope::models {

namespace {

constexpr std::size_t kMaxSeries = 24;  // listed beside the selected one

QString quantity(const trace::Trace& trace, const trace::CounterSample& sample) {
    return toText(
        text::formatQuantity(sample.value, query::countsBytes(trace, sample.track, sample.series)));
}

const char* scopeText(char scope) {
    return scope == 'g' ? "the whole trace" : scope == 'p' ? "its process" : "its thread";
}

// The row of the event at this byte; events are in the order of the file.
template <class Rows>
std::optional<std::uint32_t> rowAt(const Rows& rows, std::uint64_t offset) {
    const auto found =
        std::ranges::lower_bound(rows, offset, {}, [](const auto& row) { return row.offset; });
    return found != rows.end() && found->offset == offset
               ? std::optional(static_cast<std::uint32_t>(found - rows.begin()))
               : std::nullopt;
}

void addMeanwhile(Lines& lines, query::LaneIndex& lanes, const trace::Instant& instant) {
    if (const auto slice = query::innermostAt(lanes, instant.track, instant.time)) {
        add(lines, "During", linkText(lanes.trace(), *slice), *slice);
    }
}

void addExtreme(Lines& lines, const trace::Trace& trace, const char* label, std::uint32_t row) {
    const trace::CounterSample& sample = trace.counters()[row];
    add(lines, label,
        QStringLiteral("%1 at %2")
            .arg(quantity(trace, sample),
                 shortTime(static_cast<double>(sample.time - trace.extent().start))),
        session::SelectedSample{row});
}

void addOthers(Lines& lines, const trace::Trace& trace, const query::TrackMarks& marks,
               const trace::CounterSample& sample) {
    Lines others;
    const auto all = marks.counters(sample.track);
    for (const query::CounterSeries& series : all.first(std::min(all.size(), kMaxSeries))) {
        const auto at = query::sampleAt(trace, series, sample.time);
        if (series.name != sample.series && at) {
            const std::uint32_t row = series.samples[*at];
            others.push_back({toText(trace.text(series.name)),
                              quantity(trace, trace.counters()[row]), 0, false,
                              session::SelectedSample{row}});
        }
    }
    if (!others.empty()) {
        heading(lines, "At that time");
        lines.insert(lines.end(), others.begin(), others.end());
    }
}

void addNeighbours(Lines& lines, const trace::Trace& trace, const query::CounterSeries& series,
                   std::uint32_t row) {
    const trace::CounterSample& sample = trace.counters()[row];
    const auto at = std::ranges::find(series.samples, row);
    if (at == series.samples.end()) {
        return;
    }
    if (at != series.samples.begin()) {
        trace::CounterSample change = sample;
        change.value -= trace.counters()[*(at - 1)].value;
        add(lines, "Change",
            (change.value > 0 ? QStringLiteral("+") : QString()) + quantity(trace, change));
    }
    if (at + 1 != series.samples.end()) {
        add(lines, "Holds for",
            shortTime(static_cast<double>(trace.counters()[*(at + 1)].time - sample.time)));
    }
}

}  // namespace

std::vector<DetailLine> instantLines(query::LaneIndex& lanes, std::uint32_t instant) {
    const trace::Trace& trace = lanes.trace();
    const trace::Instant& one = trace.instants()[instant];
    Lines lines;
    heading(lines, "Instant");
    add(lines, "Name", toText(trace.text(one.name)));
    add(lines, "Category", toText(trace.categoryText(one.category)));
    add(lines, "Time", exactTime(one.time - trace.extent().start));
    add(lines, "Stands for", QString::fromUtf8(scopeText(one.scope)));
    add(lines, "Track", trackTitle(lanes, one.track));
    addMeanwhile(lines, lanes, one);
    if (const auto sample = rowAt(trace.counters(), one.offset)) {
        const trace::CounterSample& counted = trace.counters()[*sample];
        add(lines, "Counter",
            QStringLiteral("%1: %2").arg(toText(trace.rowIdText(trace.tracks()[counted.track].tid)),
                                         quantity(trace, counted)),
            session::SelectedSample{*sample});
    }
    addFileRows(lines, trace, one.offset);
    return lines;
}

std::vector<DetailLine> sampleLines(query::LaneIndex& lanes, const query::TrackMarks& marks,
                                    std::uint32_t sample) {
    const trace::Trace& trace = lanes.trace();
    const trace::CounterSample& one = trace.counters()[sample];
    Lines lines;
    heading(lines, "Counter");
    add(lines, "Name", toText(trace.rowIdText(trace.tracks()[one.track].tid)));
    if (const std::string_view series = trace.text(one.series); !series.empty()) {
        add(lines, "Series", toText(series));
    }
    add(lines, "Value", quantity(trace, one));
    add(lines, "Time", exactTime(one.time - trace.extent().start));
    const query::CounterSeries* series = marks.seriesOf(trace, sample);
    if (series != nullptr) {
        addNeighbours(lines, trace, *series, sample);
    }
    add(lines, "Track", trackTitle(lanes, one.track));
    if (const auto instant = rowAt(trace.instants(), one.offset)) {
        addMeanwhile(lines, lanes, trace.instants()[*instant]);
    }
    if (series != nullptr) {
        heading(lines, "Go to");
        addExtreme(lines, trace, "Peak", series->highest);
        addExtreme(lines, trace, "Lowest", series->lowest);
    }
    addOthers(lines, trace, marks, one);
    addFileRows(lines, trace, one.offset);
    return lines;
}

void addCounterMeans(Lines& lines, const trace::Trace& trace, const query::TrackMarks& marks,
                     const trace::GpuOperation& operation) {
    const trace::RowId gpu{false, operation.gpu};
    const TimeSpan time{trace.start(operation.slice), trace.end(operation.slice)};
    Lines means;
    for (trace::TrackId track = 0; track < trace.tracks().size(); ++track) {
        if (trace.processes()[trace.tracks()[track].process].pid != gpu) {
            continue;
        }
        for (const query::CounterSeries& series : marks.counters(track)) {
            const auto mean = query::meanOver(trace, series, time);
            if (!mean || means.size() == kMaxSeries) {
                continue;
            }
            const std::string_view name = trace.text(series.name);
            const QString counter = toText(trace.rowIdText(trace.tracks()[track].tid));
            means.push_back({name.empty() ? counter : counter + QLatin1String(", ") + toText(name),
                             toText(text::formatQuantity(
                                 *mean, query::countsBytes(trace, track, series.name)))});
        }
    }
    if (!means.empty()) {
        heading(lines, "Counters while it ran, means");
        lines.insert(lines.end(), means.begin(), means.end());
    }
}

}  // namespace kinetoscope::models
