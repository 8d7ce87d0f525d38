// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/Selection.h"

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

}  // namespace kinetoscope::session
