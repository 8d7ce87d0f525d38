// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/Selection.h"

#include <QObject>

#include "core/query/CounterView.h"
#include "core/text/Format.h"

namespace kinetoscope::session {

std::optional<TimeSpan> selectedTime(const trace::Trace& trace, const Selection& selection) {
    if (const auto* slice = std::get_if<SelectedSlice>(&selection)) {
        return slice->slice < trace.sliceCount() ? std::optional(trace.span(slice->slice))
                                                 : std::nullopt;
    }
    if (const auto* gap = std::get_if<SelectedGap>(&selection)) {
        return gap->span.duration() > 0 ? std::optional(gap->span) : std::nullopt;
    }
    const auto at = [](auto rows, std::uint32_t row) {
        return row < rows.size() ? std::optional(TimeSpan{rows[row].time, rows[row].time})
                                 : std::nullopt;
    };
    if (const auto* instant = std::get_if<SelectedInstant>(&selection)) {
        return at(trace.instants(), instant->instant);
    }
    if (const auto* sample = std::get_if<SelectedSample>(&selection)) {
        return at(trace.counters(), sample->sample);
    }
    return std::nullopt;
}

QString selectionText(const trace::Trace& trace, const Selection& selection) {
    const auto toText = [](std::string_view text) {
        return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    };
    const auto since = [&](TimeNs time) {
        return toText(text::formatDuration(time - trace.extent().start));
    };
    if (!selectedTime(trace, selection)) {
        return {};
    }
    if (const trace::SliceId slice = sliceOf(selection); slice != trace::kNoSlice) {
        return toText(trace.name(slice));
    }
    if (const auto* gap = std::get_if<SelectedGap>(&selection)) {
        return QObject::tr("%1 idle for %2 from %3 on")
            .arg(toText(trace::gpuName(gap->gpu)),
                 toText(text::formatDuration(gap->span.duration())), since(gap->span.start));
    }
    if (const auto* instant = std::get_if<SelectedInstant>(&selection)) {
        return toText(trace.text(trace.instants()[instant->instant].name));
    }
    const auto& sample = trace.counters()[std::get<SelectedSample>(selection).sample];
    const bool bytes = query::countsBytes(trace, sample.track, sample.series);
    const QString counter = toText(trace.rowIdText(trace.tracks()[sample.track].tid));
    const QString series = toText(trace.text(sample.series));
    return (series.isEmpty() ? counter : counter + QLatin1Char(' ') + series) +
           QObject::tr(": %1 at %2")
               .arg(toText(text::formatQuantity(sample.value, bytes)), since(sample.time));
}

}  // namespace kinetoscope::session
