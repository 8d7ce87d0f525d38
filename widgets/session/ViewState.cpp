// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/ViewState.h"

#include <algorithm>
#include <cmath>

namespace kinetoscope::session {

namespace {

constexpr TimeNs kShortestView = 20;   // a few clock ticks of a GPU
constexpr double kFitMargin = 0.02;    // of the length, on each side
constexpr double kRevealShare = 0.05;  // of the view, for a slice that was too small to see

bool sameWindow(const analysis::WindowChoice& a, const analysis::WindowChoice& b) {
    return a.kind == b.kind && a.step == b.step && a.range == b.range;
}

}  // namespace

ViewState::ViewState(QObject* parent) : QObject(parent) {}

void ViewState::setTrace(std::shared_ptr<const trace::Trace> trace,
                         std::shared_ptr<TraceLayout> layout) {
    m_trace = std::move(trace);
    m_layout = layout ? std::move(layout) : layOutTrace(m_trace);
    m_selection = {};
    m_range.reset();
    m_highlight.reset();
    m_window = {};
    m_visible = fitSpan();
    emit traceChanged();
}

void ViewState::growTrace(std::shared_ptr<const trace::Trace> trace,
                          std::shared_ptr<TraceLayout> layout) {
    const bool whole = m_visible == fitSpan();
    const TimeNs end = m_trace ? m_trace->extent().end : 0;
    m_trace = std::move(trace);
    m_layout = layout ? std::move(layout) : layOutTrace(m_trace);
    const TimeSpan before = m_visible;
    if (whole) {
        m_visible = fitSpan();
    } else if (m_visible.contains(end)) {
        const TimeNs more = m_trace->extent().end - end;
        m_visible = {m_visible.start + more, m_visible.end + more};
    }
    emit traceGrown();
    if (m_visible != before) {
        emit visibleChanged();
    }
}

ViewState::Snapshot ViewState::snapshot() const {
    return {m_visible, m_selection, m_range, m_highlight, m_window};
}

void ViewState::restore(const Snapshot& snapshot) {
    setVisible(snapshot.visible);
    setSelection(snapshot.selection);
    selectRange(snapshot.range);
    highlightName(snapshot.highlight);
    setWindow(snapshot.window);
}

TimeSpan ViewState::fitSpan() const {
    const TimeSpan all = m_trace ? m_trace->extent() : TimeSpan{0, 1000};
    const auto margin = static_cast<TimeNs>(static_cast<double>(all.duration()) * kFitMargin);
    const TimeNs room = std::max(margin, kShortestView);
    return {all.start - room, all.end + room};
}

void ViewState::setVisible(TimeSpan span) {
    const TimeSpan fit = fitSpan();
    const TimeNs longest = 2 * fit.duration();
    const TimeNs length = std::clamp(span.duration(), kShortestView, longest);
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
    const double next = std::clamp(length * factor, static_cast<double>(kShortestView),
                                   2.0 * static_cast<double>(fitSpan().duration()));
    const TimeNs start = anchor - std::llround(next * share);
    setVisible({start, start + std::llround(next)});
}

void ViewState::pan(TimeNs by) {
    setVisible({m_visible.start + by, m_visible.end + by});
}

void ViewState::zoomTo(TimeSpan span) {
    const auto margin = static_cast<TimeNs>(static_cast<double>(span.duration()) * kFitMargin);
    setVisible({span.start - margin, span.end + margin});
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
    const auto time = m_trace ? selectedTime(*m_trace, selection) : std::nullopt;
    if (!time) {
        return;
    }
    const TimeSpan span = *time;
    TimeNs length = m_visible.duration();
    const double share = static_cast<double>(span.duration()) / static_cast<double>(length);
    // What takes no time is as wide as it gets at any scale.
    const bool isMoment = span.duration() <= 0;
    if (!isMoment && (share > 1.0 || share < kRevealShare / 10)) {
        length = std::llround(static_cast<double>(span.duration()) / kRevealShare);
    } else if (m_visible.contains(span.start) && m_visible.contains(span.end)) {
        return;
    }
    const TimeNs middle = span.start + span.duration() / 2;
    setVisible({middle - length / 2, middle - length / 2 + length});
}

void ViewState::selectRange(std::optional<TimeSpan> range) {
    if (range == m_range) {
        return;
    }
    m_range = range;
    emit rangeChanged();
    if (m_window.kind == analysis::WindowKind::Range) {
        if (m_range) {
            useRangeAsWindow();
        } else {
            setWindow({});
        }
    }
}

void ViewState::showStep(std::int64_t number, TimeSpan span) {
    zoomTo(span);
    setWindow({.kind = analysis::WindowKind::Step, .step = number, .range = {}});
}

void ViewState::useRangeAsWindow() {
    if (m_range && m_trace) {
        const TimeNs first = m_trace->extent().start;
        setWindow({.kind = analysis::WindowKind::Range,
                   .step = 0,
                   .range = {m_range->start - first, m_range->end - first}});
    }
}

void ViewState::setWindow(const analysis::WindowChoice& window) {
    if (sameWindow(window, m_window)) {
        return;
    }
    m_window = window;
    emit windowChanged();
}

void ViewState::askForKernel(trace::SliceId slice) {
    if (m_trace && slice < m_trace->sliceCount() &&
        m_trace->category(slice) == trace::Category::Kernel) {
        const std::string_view name = m_trace->name(slice);
        emit kernelRequested(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
    }
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

}  // namespace kinetoscope::session
