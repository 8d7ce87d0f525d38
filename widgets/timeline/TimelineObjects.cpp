// SPDX-License-Identifier: GPL-3.0-or-later
// Objects under the pointer: slices and the idle gaps of a GPU.
#include <algorithm>
#include <cmath>

#include "widgets/session/IdleFinder.h"
#include "widgets/session/ViewState.h"
#include "widgets/timeline/MarkedScrollBar.h"
#include "widgets/timeline/SliceToolTip.h"
#include "widgets/timeline/TimelineWidget.h"

namespace kinetoscope::timeline {

namespace {

constexpr double kHitReach = 3.0;  // logical pixels beside a slice

}  // namespace

std::optional<TimelineHit> TimelineWidget::hitAt(QPointF at) {
    if (!QRectF(timeArea()).contains(at)) {
        return std::nullopt;
    }
    const double scale = devicePixelRatioF();
    const int column = static_cast<int>(std::floor(at.x() * scale)) - deviceArea().left();
    return hitTest(laneGeometry(), column, static_cast<int>(std::floor(at.y() * scale)),
                   static_cast<int>(kHitReach * scale));
}

TimelineWidget::Pointed TimelineWidget::pointedSlice(const TimelineHit& hit) const {
    return {session::SelectedSlice{hit.item->slice},
            {seenPart(itemBox(*hit.strip, *hit.item), m_rows.rows()[hit.strip->row].pinned)},
            toolTipFor(*m_state.trace(), *hit.item)};
}

TimelineWidget::Pointed TimelineWidget::pointedAt(QPointF at) {
    if (!m_layout || !QRectF(timeArea()).contains(at)) {
        return {};
    }
    const double scale = devicePixelRatioF();
    const int column = static_cast<int>(std::floor(at.x() * scale)) - deviceArea().left();
    const auto hit = hitAt(at);
    if (Pointed instant = pointedInstant(at); !isNothing(instant.what)) {
        return instant;
    }
    if (Pointed sample = pointedSample(at); !isNothing(sample.what)) {
        return sample;
    }
    if (hit && hit->item->first <= column && column < hit->item->last) {
        return pointedSlice(*hit);
    }
    // Slices that are easily pointed at leave what is beside them to the gap there.
    const bool isWide = hit && hit->item->last - hit->item->first > 2 * kHitReach * scale;
    Pointed gap = !hit || isWide ? pointedGap(at) : Pointed();
    return hit && isNothing(gap.what) ? pointedSlice(*hit) : gap;
}

bool TimelineWidget::isGpuRow(const TimelineRow& row) const {
    if (row.kind != RowKind::Slices) {
        return false;
    }
    if (const session::TraceGaps* gaps = m_idle.gaps()) {
        return gaps->gpuOf(row.track).has_value();
    }
    const auto slice = m_layout->lanes.anySlice(row.track);
    const trace::Category category =
        slice ? m_state.trace()->category(*slice) : trace::Category::None;
    return trace::isGpuOperation(category) || category == trace::Category::GpuUserAnnotation;
}

TimelineWidget::Pointed TimelineWidget::pointedGap(QPointF at) {
    const TimelineRow* row = rowAt(at);
    if (row == nullptr || !isGpuRow(*row)) {
        return {};
    }
    m_idle.want();
    const session::TraceGaps* gaps = m_idle.gaps();
    const auto gpu = gaps != nullptr ? gaps->gpuOf(row->track) : std::nullopt;
    const analysis::NamedGap* gap = gpu ? gaps->at(*gpu, coordinates().time(at.x())) : nullptr;
    if (gap == nullptr) {
        return {};
    }
    const session::SelectedGap what = session::selectionOf(*gap);
    Pointed found{what, {}, toolTipFor(*m_state.trace(), *gap)};
    for (const RowBox& one : gapBoxes(what)) {
        if (const QRectF box = seenPart(one.box, one.pinned); !box.isEmpty()) {
            found.boxes.push_back(box);
        }
    }
    return found;
}

std::vector<TimelineWidget::RowBox> TimelineWidget::gapBoxes(
    const session::SelectedGap& gap) const {
    std::vector<RowBox> boxes;
    const session::TraceGaps* gaps = m_idle.gaps();
    const TimeCoordinates at = coordinates();
    const double left = at.x(gap.span.start);
    const double right = std::max(at.x(gap.span.end), left + 1.0);
    for (const TimelineRow& row : m_rows.rows()) {
        if (gaps != nullptr && row.kind == RowKind::Slices && gaps->gpuOf(row.track) == gap.gpu) {
            const int top = row.top + m_rows.shift(row, rowView());
            boxes.push_back(
                {QRectF(QPointF(left, top), QPointF(right, top + row.height - 1)), row.pinned});
        }
    }
    return boxes;
}

// The gaps needed for a click or the pointer have been found.
void TimelineWidget::takeGaps() {
    if (const auto clicked = std::exchange(m_clicked, std::nullopt);
        clicked && isNothing(m_state.selection())) {
        m_state.setSelection(pointedAt(*clicked).what);
    }
    if (m_pointer && m_drag == Drag::None) {
        hover(*m_pointer, mapToGlobal(*m_pointer).toPoint());
    }
    update();
}

void TimelineWidget::showRowOfGap(const session::SelectedGap& gap) {
    m_idle.want();
    const session::TraceGaps* gaps = m_idle.gaps();
    if (gaps == nullptr) {
        return;
    }
    std::vector<RowBox> boxes = gapBoxes(gap);
    if (boxes.empty()) {  // the GPU is collapsed, or its rows are hidden
        const auto track = std::ranges::find(gaps->gpuOfTrack, std::optional(gap.gpu));
        if (track != gaps->gpuOfTrack.end()) {
            const auto id = static_cast<std::size_t>(track - gaps->gpuOfTrack.begin());
            showTrack(static_cast<trace::TrackId>(id));
            boxes = gapBoxes(gap);
        }
    }
    const auto isOnScreen = [this](const RowBox& row) {
        return !seenPart(row.box, row.pinned).isEmpty();
    };
    if (!boxes.empty() && std::ranges::none_of(boxes, isOnScreen)) {
        m_scrollBar->setValue(m_scrollBar->value() + static_cast<int>(boxes.front().box.top()) -
                              rowView().pinned - m_rows.metrics().groupHeight);
    }
}

bool TimelineWidget::stepObject(int key) {
    if (stepMark(key)) {
        return true;
    }
    const auto* gap = std::get_if<session::SelectedGap>(&m_state.selection());
    const session::TraceGaps* gaps = m_idle.gaps();
    const bool forward = key == Qt::Key_Right || key == Qt::Key_Period;
    if (gap == nullptr || gaps == nullptr ||
        (!forward && key != Qt::Key_Left && key != Qt::Key_Comma)) {
        return false;
    }
    if (const analysis::NamedGap* next = gaps->neighbour(*gap, forward)) {
        const session::SelectedGap what = session::selectionOf(*next);
        m_state.setSelection(what);
        m_state.reveal(what);
    }
    return true;
}

}  // namespace kinetoscope::timeline
