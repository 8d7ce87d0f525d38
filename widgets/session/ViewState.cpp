// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/ViewState.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/SaturatedTime.h"

namespace kinetoscope::session {

namespace {

constexpr TimeNs kMinViewNs = 20;      // a few clock ticks of a GPU
constexpr double kFitMargin = 0.02;    // of the length, on each side
constexpr double kRevealMargin = 0.1;  // of what is too long for the view

TimeNs shareOf(TimeNs length, double share) {
    return static_cast<TimeNs>(std::ceil(static_cast<double>(length) * share));
}

}  // namespace

ViewState::ViewState(QObject* parent) : QObject(parent) {}

void ViewState::setTrace(std::shared_ptr<const trace::Trace> trace,
                         std::shared_ptr<TraceLayout> layout) {
    m_trace = std::move(trace);
    m_layout = layout ? std::move(layout) : layOutTrace(m_trace);
    m_selection = {};
    m_highlight.reset();
    m_emphasis.reset();
    m_marks.reset();
    m_chosenMark = trace::kNoSlice;
    m_window = {};
    m_tracks.clear();
    m_rows = {};
    m_visible = fitSpan();
    emit traceChanged();
}

void ViewState::growTrace(std::shared_ptr<const trace::Trace> trace,
                          std::shared_ptr<TraceLayout> layout) {
    if (m_trace && m_trace->counts().drops != trace->counts().drops) {
        return shortenTrace(std::move(trace), std::move(layout));
    }
    const bool whole = m_visible == fitSpan();
    const TimeNs end = m_trace ? m_trace->extent().end : 0;
    const auto range = selectedRange();
    m_trace = std::move(trace);
    if (range) {
        m_window.range = fromFirstSlice(*range);
    }
    m_layout = layout ? std::move(layout) : layOutTrace(m_trace);
    const TimeSpan before = std::exchange(m_visible, followed(m_visible, whole, end));
    emit traceGrown();
    if (m_visible != before) {
        emit visibleChanged();
    }
}

// Where a view goes with a trace that ended at `end` before: one of the whole or of the end
// follows.
TimeSpan ViewState::followed(TimeSpan view, bool whole, TimeNs end) const {
    const TimeNs more = m_trace->extent().end - end;
    return whole ? fitSpan() : view.contains(end) ? movedSpan(view, more) : view;
}

// Times of steps and selections count from there; the first slice may be another one now.
TimeSpan ViewState::fromFirstSlice(TimeSpan span) const {
    const TimeNs first = m_trace ? m_trace->extent().start : 0;
    return {span.start - first, span.end - first};
}

void ViewState::shortenTrace(std::shared_ptr<const trace::Trace> trace,
                             std::shared_ptr<TraceLayout> layout) {
    const bool whole = m_visible == fitSpan();
    const TimeNs end = m_trace->extent().end;
    const auto range = selectedRange();
    Snapshot kept = snapshot();
    setTrace(std::move(trace), std::move(layout));
    kept.visible = followed(kept.visible, whole, end);
    if (!whole && kept.visible.end <= m_trace->extent().start) {
        kept.visible = movedInside(kept.visible);
    }
    kept.selection = {};
    if (range) {
        kept.window.range = fromFirstSlice(*range);
    }
    emit traceShortened();
    restore(kept);
}

ViewState::Snapshot ViewState::snapshot() const {
    return {m_visible, m_selection, m_highlight, m_window, m_tracks, m_rows};
}

void ViewState::restore(const Snapshot& snapshot) {
    setVisible(snapshot.visible);
    setSelection(snapshot.selection);
    highlightName(snapshot.highlight);
    choose(snapshot.window, snapshot.tracks);
    setRowChoices(snapshot.rows);  // last, as a selection brings its row into view
}

TimeSpan ViewState::fitSpan() const {
    const TimeSpan all = m_trace ? m_trace->extent() : TimeSpan{0, 1000};
    const auto margin = static_cast<TimeNs>(static_cast<double>(all.duration()) * kFitMargin);
    const TimeNs room = std::max(margin, kMinViewNs);
    return {all.start - room, all.end + room};
}

// Twice the whole trace, if that is a time.
TimeNs ViewState::longestView() const {
    constexpr TimeNs kMost = std::numeric_limits<TimeNs>::max() / 2;
    const TimeNs whole = fitSpan().duration();
    return whole > kMost / 2 ? std::max(whole, kMost) : 2 * whole;
}

void ViewState::setVisible(TimeSpan span) {
    const TimeSpan fit = fitSpan();
    const TimeNs length = std::clamp(span.duration(), kMinViewNs, longestView());
    const TimeNs middle = span.start + span.duration() / 2;
    const TimeNs start =
        std::clamp(middle - length / 2, fit.start - length / 2, fit.end - length / 2);
    const TimeSpan next{start, start + length};
    if (next == m_visible) {
        return;
    }
    m_visible = next;
    emit visibleChanged();
}

void ViewState::zoom(double factor, TimeNs anchor) {
    const double length = static_cast<double>(m_visible.duration());
    const double share = static_cast<double>(anchor - m_visible.start) / length;
    const double next = std::clamp(length * factor, static_cast<double>(kMinViewNs),
                                   static_cast<double>(longestView()));
    const TimeNs start = addTime(anchor, -std::llround(next * share));
    setVisible({start, addTime(start, std::llround(next))});
}

void ViewState::pan(TimeNs by) {
    setVisible(movedSpan(m_visible, by));
}

// Moves a span that reaches beyond the trace's ends back, but for a little room.
TimeSpan ViewState::movedInside(TimeSpan span) const {
    const TimeNs length = span.duration();
    const TimeSpan all = m_trace ? m_trace->extent() : fitSpan();
    const TimeNs room = std::max(shareOf(length, kFitMargin), kMinViewNs);
    const TimeSpan bounds{all.start - room, all.end + room};
    const TimeNs start = length >= bounds.duration()
                             ? bounds.start + (bounds.duration() - length) / 2
                             : std::clamp(span.start, bounds.start, bounds.end - length);
    return {start, start + length};
}

void ViewState::zoomTo(TimeSpan span, double margin) {
    const TimeNs room = shareOf(span.duration(), margin) + 1;
    const TimeSpan wanted{span.start - room, span.end + room};
    setVisible(wanted.duration() < fitSpan().duration() ? movedInside(wanted) : fitSpan());
}

void ViewState::setSelection(const Selection& selection) {
    const bool isThere = m_trace && selectedTime(*m_trace, selection);
    const Selection next = isThere ? selection : Selection();
    if (next == m_selection) {
        return;
    }
    m_selection = next;
    emit selectionChanged();
}

void ViewState::reveal(const Selection& selection) {
    if (const auto time = m_trace ? selectedTime(*m_trace, selection) : std::nullopt) {
        reveal(*time);
    }
}

void ViewState::reveal(TimeSpan span) {
    const TimeNs length = m_visible.duration();
    if (span.duration() > length) {
        zoomTo(span, kRevealMargin);
    } else if (!m_visible.contains(span.start) || span.end > m_visible.end) {
        const TimeNs start = span.start + span.duration() / 2 - length / 2;
        setVisible(movedInside({start, start + length}));
    }
}

std::optional<TimeSpan> ViewState::selectedRange() const {
    if (!m_trace || !isPartSelected() || m_window.range.empty()) {
        return std::nullopt;
    }
    const TimeNs first = m_trace->extent().start;
    return movedSpan(m_window.range, first);
}

void ViewState::selectRange(std::optional<TimeSpan> range, std::vector<trace::TrackId> tracks) {
    if (range && m_trace) {
        const TimeSpan all = m_trace->extent();
        const TimeSpan inside = all.clip(*range);
        choose({.kind = analysis::WindowKind::Range, .step = 0, .range = fromFirstSlice(inside)},
               std::move(tracks));
    } else if (isPartSelected()) {
        choose({}, {});
    }
}

void ViewState::selectStep(std::int64_t number, TimeSpan span) {
    setWindow({.kind = analysis::WindowKind::Step, .step = number, .range = fromFirstSlice(span)});
}

void ViewState::showStep(std::int64_t number, TimeSpan span) {
    zoomTo(span);
    selectStep(number, span);
}

void ViewState::setWindow(const analysis::WindowChoice& window) {
    choose(window, {});
}

// Members that a choice's kind does not use are cleared, so that equal choices compare equal.
analysis::WindowChoice ViewState::cutOff(analysis::WindowChoice window) const {
    const bool isStep = window.kind == analysis::WindowKind::Step;
    const bool isRange = window.kind == analysis::WindowKind::Range;
    const TimeNs length = m_trace ? m_trace->extent().duration() : 0;
    window.step = isStep ? window.step : 0;
    window.range = isStep || isRange ? TimeSpan{0, length}.clip(window.range) : TimeSpan{};
    return isRange && window.range.empty() ? analysis::WindowChoice{} : window;
}

void ViewState::choose(const analysis::WindowChoice& window, std::vector<trace::TrackId> tracks) {
    const analysis::WindowChoice next = cutOff(window);
    if (next.kind != analysis::WindowKind::Range) {
        tracks.clear();
    }
    std::ranges::sort(tracks);
    const auto range = selectedRange();
    const bool otherWindow = next != m_window;
    const bool otherTracks = tracks != m_tracks;
    m_window = next;
    m_tracks = std::move(tracks);
    if (otherWindow) {
        emit windowChanged();
    }
    if (otherTracks || selectedRange() != range) {
        emit rangeChanged();
    }
}

void ViewState::setRowChoices(RowChoices rows) {
    if (rows == m_rows) {
        return;
    }
    m_rows = std::move(rows);
    emit rowChoicesChanged();
}

void ViewState::askForKernel(trace::SliceId slice) {
    if (m_trace && slice < m_trace->sliceCount() &&
        m_trace->category(slice) == trace::Category::Kernel) {
        const std::string_view name = m_trace->name(slice);
        emit kernelRequested(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
    }
}

void ViewState::askForBench(trace::SliceId slice) {
    if (isBenchable(slice)) {
        emit benchRequested(QString::fromStdString(m_trace->info().path), m_trace->offset(slice));
    }
}

bool ViewState::isBenchable(trace::SliceId slice) const {
    if (!m_trace || slice >= m_trace->sliceCount() || m_trace->info().path == "-" ||
        m_trace->eventText() == nullptr) {
        return false;
    }
    const trace::Category category = m_trace->category(slice);
    // "aten::mm"; autograd's own calls have longer names.
    const std::string_view name = m_trace->name(slice);
    const std::size_t colons = name.find("::");
    return category == trace::Category::Kernel || category == trace::Category::GpuMemcpy ||
           category == trace::Category::GpuMemset ||
           (category == trace::Category::CpuOp && colons != std::string_view::npos &&
            colons == name.rfind("::"));
}

void ViewState::askForCalls(NameId name) {
    if (m_trace && name < m_trace->names().size()) {
        emit callsRequested(name);
    }
}

void ViewState::highlightName(std::optional<NameId> name) {
    if (name == m_highlight) {
        return;
    }
    m_highlight = name;
    emit highlightChanged();
}

void ViewState::setEmphasis(std::shared_ptr<const SliceMarks> slices) {
    if (slices == m_emphasis) {
        return;
    }
    m_emphasis = std::move(slices);
    emit emphasisChanged();
}

void ViewState::setMarks(std::shared_ptr<const SliceMarks> marks, trace::SliceId chosen) {
    if (marks == m_marks && chosen == m_chosenMark) {
        return;
    }
    m_marks = std::move(marks);
    m_chosenMark = chosen;
    emit marksChanged();
}

}  // namespace kinetoscope::session
