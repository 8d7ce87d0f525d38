// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaType>
#include <QString>
#include <cstdint>
#include <optional>
#include <variant>

#include "core/base/Time.h"
#include "core/trace/Trace.h"

namespace kinetoscope::session {

struct SelectedSlice {
    trace::SliceId slice = trace::kNoSlice;
    friend bool operator==(const SelectedSlice&, const SelectedSlice&) = default;
};

/// An interval in which nothing ran on a GPU.
struct SelectedGap {
    std::int32_t gpu = 0;
    TimeSpan span;
    friend bool operator==(const SelectedGap&, const SelectedGap&) = default;
};

struct SelectedInstant {
    std::uint32_t instant = 0;  ///< row of Trace::instants()
    friend bool operator==(const SelectedInstant&, const SelectedInstant&) = default;
};

/// One value of one series of a counter.
struct SelectedSample {
    std::uint32_t sample = 0;  ///< row of Trace::counters()
    friend bool operator==(const SelectedSample&, const SelectedSample&) = default;
};

/// The one thing of a trace that is selected, or nothing.
using Selection =
    std::variant<std::monostate, SelectedSlice, SelectedGap, SelectedInstant, SelectedSample>;

/// Nothing for kNoSlice.
[[nodiscard]] inline Selection selectionOf(trace::SliceId slice) {
    return slice == trace::kNoSlice ? Selection() : SelectedSlice{slice};
}
/// kNoSlice for everything else.
[[nodiscard]] inline trace::SliceId sliceOf(const Selection& selection) {
    const auto* slice = std::get_if<SelectedSlice>(&selection);
    return slice != nullptr ? slice->slice : trace::kNoSlice;
}
[[nodiscard]] inline bool isNothing(const Selection& selection) {
    return selection.index() == 0;
}

/// When it is; instants and samples take no time. Nothing where the trace has no such thing.
[[nodiscard]] std::optional<TimeSpan> selectedTime(const trace::Trace& trace,
                                                   const Selection& selection);

/// What it is in one line, names as the file has them: a slice's name, "GPU 0 idle for 220 µs from
/// 1.2 ms on", a counter's series with its value and time. Times count from the first event.
[[nodiscard]] QString selectionText(const trace::Trace& trace, const Selection& selection);

}  // namespace kinetoscope::session

Q_DECLARE_METATYPE(kinetoscope::session::Selection)
