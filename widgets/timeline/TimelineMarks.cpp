// SPDX-License-Identifier: GPL-3.0-or-later
// Instants and counter samples under the pointer and when they are selected.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/query/CounterView.h"
#include "widgets/session/ViewState.h"
#include "widgets/timeline/MarkedScrollBar.h"
#include "widgets/timeline/SliceToolTip.h"
#include "widgets/timeline/TimelineOverlay.h"
#include "widgets/timeline/TimelineWidget.h"

namespace kinetoscope::timeline {

namespace {

constexpr double kInstantReach = 4.0;  // logical pixels beside an instant
constexpr double kMarkSize = 4.0;      // logical pixels from the middle of a mark to its edge

// The neighbour of a row in a list of rows; nullopt at its ends.
std::optional<std::uint32_t> besideIn(std::span<const std::uint32_t> rows, std::uint32_t row,
                                      bool next) {
    const auto at = std::ranges::find(rows, row);
    if (at == rows.end() || (next ? at + 1 == rows.end() : at == rows.begin())) {
        return std::nullopt;
    }
    return *(next ? at + 1 : at - 1);
}

/// The row of an instant or a sample.
std::optional<trace::TrackId> markTrack(const trace::Trace& trace,
                                        const session::Selection& selection) {
    if (const auto* instant = std::get_if<session::SelectedInstant>(&selection)) {
        return trace.instants()[instant->instant].track;
    }
    if (const auto* sample = std::get_if<session::SelectedSample>(&selection)) {
        return trace.counters()[sample->sample].track;
    }
    return std::nullopt;
}

}  // namespace

TimelineWidget::Pointed TimelineWidget::pointedInstant(QPointF at) {
    const double scale = devicePixelRatioF();
    const InstantMark* mark = hitInstant(
        laneGeometry(), static_cast<int>(std::floor(at.x() * scale)) - deviceArea().left(),
        static_cast<int>(std::floor(at.y() * scale)), static_cast<int>(kInstantReach * scale));
    if (mark == nullptr) {
        return {};
    }
    Pointed found{session::SelectedInstant{mark->instant}, {}, toolTipFor(*m_state.trace(), *mark)};
    if (const auto box = markBox(found.what)) {
        found.boxes = {seenPart(*box, m_rows.rows()[mark->row].pinned)};
    }
    return found;
}

// The sample that holds at the pointer's time, of the series whose line is nearest.
TimelineWidget::Pointed TimelineWidget::pointedSample(QPointF at) {
    const TimelineRow* row = rowAt(at);
    if (row == nullptr || row->kind != RowKind::Counter) {
        return {};
    }
    const trace::Trace& trace = *m_state.trace();
    const TimeNs time = coordinates().time(at.x());
    const double y = at.y() * devicePixelRatioF();
    std::optional<std::uint32_t> nearest;
    double distance = 0.0;
    for (const CounterStrip& strip : laneGeometry().counters) {
        if (&m_rows.rows()[strip.row] != row) {
            continue;
        }
        if (const auto sample = query::sampleAt(trace, *strip.series, time)) {
            const std::uint32_t id = strip.series->samples[*sample];
            const double away = std::abs(counterY(strip, trace.counters()[id].value) - y);
            if (!nearest || away < distance) {
                nearest = id;
                distance = away;
            }
        }
    }
    if (!nearest) {
        return {};
    }
    Pointed found{session::SelectedSample{*nearest},
                  {},
                  toolTipFor(trace, row->track, m_layout->marks.counters(row->track), time)};
    if (const auto box = markBox(found.what)) {
        found.boxes = {seenPart(*box, row->pinned)};
    }
    return found;
}

std::optional<QRectF> TimelineWidget::markBox(const session::Selection& selection) const {
    const trace::Trace& trace = *m_state.trace();
    const auto around = [&](const TimelineRow& row, TimeNs time, double y, double half) {
        const double x = coordinates().x(time) + 0.5;
        return QRectF(x - kMarkSize, y - half + m_rows.shift(row, rowView()), 2 * kMarkSize,
                      2 * half);
    };
    const RowMetrics& metrics = m_rows.metrics();
    if (const auto* selected = std::get_if<session::SelectedInstant>(&selection)) {
        const trace::Instant& instant = trace.instants()[selected->instant];
        const double half = 0.5 * metrics.instantHeight;
        if (instant.scope == 't') {
            const auto row = m_rows.rowOf(instant.track);
            return row ? std::optional(around(m_rows.rows()[*row], instant.time,
                                              m_rows.rows()[*row].top + metrics.rowPadding + half,
                                              half))
                       : std::nullopt;
        }
        const auto row = m_rows.headingOf(trace.tracks()[instant.track].process);
        return row ? std::optional(around(m_rows.rows()[*row], instant.time,
                                          m_rows.rows()[*row].bottom() - metrics.rowPadding - half,
                                          half))
                   : std::nullopt;
    }
    const auto* selected = std::get_if<session::SelectedSample>(&selection);
    const trace::CounterSample* sample =
        selected != nullptr ? &trace.counters()[selected->sample] : nullptr;
    const auto row = sample != nullptr ? m_rows.rowOf(sample->track) : std::nullopt;
    if (!row || !std::isfinite(sample->value)) {
        return std::nullopt;
    }
    const TimelineRow& one = m_rows.rows()[*row];
    const query::CounterScale scale =
        query::counterScale(trace, m_layout->marks.counters(sample->track));
    const double room = one.height - 2 * metrics.rowPadding - 1;
    return around(one, sample->time,
                  one.top + metrics.rowPadding + room * (1.0 - scale.heightOf(sample->value)),
                  kMarkSize);
}

void TimelineWidget::paintSelectedMark(QPainter& painter, const QRectF& area) {
    const auto box = markBox(m_state.selection());
    const auto track = markTrack(*m_state.trace(), m_state.selection());
    if (box && track) {
        painter.setClipRect(seenPart(area, isPinned(*track)));
        paintSelection(painter, *box);
        painter.setClipRect(area);
    }
}

void TimelineWidget::showRowOfMark(const session::Selection& selection) {
    const trace::Trace& trace = *m_state.trace();
    const auto track = markTrack(trace, selection);
    if (!track) {
        return;
    }
    if (!markBox(selection)) {
        showTrack(*track);
    }
    const int top = rowView().pinned;
    if (const auto box = markBox(selection);
        box && !isPinned(*track) && (box->top() < top || box->bottom() > height())) {
        m_scrollBar->setValue(m_scrollBar->value() + static_cast<int>(box->center().y()) -
                              height() / 2);
    }
}

bool TimelineWidget::stepMark(int key) {
    const bool next = key == Qt::Key_Right || key == Qt::Key_Period;
    if (!next && key != Qt::Key_Left && key != Qt::Key_Comma) {
        return false;
    }
    const trace::Trace& trace = *m_state.trace();
    session::Selection what;
    if (const auto* sample = std::get_if<session::SelectedSample>(&m_state.selection())) {
        const query::CounterSeries* series = m_layout->marks.seriesOf(trace, sample->sample);
        const auto beside =
            series != nullptr ? besideIn(series->samples, sample->sample, next) : std::nullopt;
        what = beside ? session::Selection(session::SelectedSample{*beside}) : what;
    } else if (const auto* instant = std::get_if<session::SelectedInstant>(&m_state.selection())) {
        const trace::Instant& one = trace.instants()[instant->instant];
        const auto rows = one.scope == 't'
                              ? m_layout->marks.instants(one.track)
                              : m_layout->marks.processInstants(trace.tracks()[one.track].process);
        const auto beside = besideIn(rows, instant->instant, next);
        what = beside ? session::Selection(session::SelectedInstant{*beside}) : what;
    } else {
        return false;
    }
    if (!isNothing(what)) {
        m_state.setSelection(what);
        m_state.reveal(what);
    }
    return true;
}

}  // namespace kinetoscope::timeline
