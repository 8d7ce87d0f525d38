// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing of the timeline: its rows, which are cached, and the overlays.
#include <QPaintEngine>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/text/Format.h"
#include "widgets/session/ViewState.h"
#include "widgets/session/notes/TraceNotes.h"
#include "widgets/timeline/MarkedColumns.h"
#include "widgets/timeline/NoteMarks.h"
#include "widgets/timeline/TimeRuler.h"
#include "widgets/timeline/TimeTicks.h"
#include "widgets/timeline/TimelineWidget.h"
#include "widgets/timeline/rows/RowLabels.h"

namespace kinetoscope::timeline {

namespace {

constexpr double kArrowRoom = 6.0;  // logical pixels that the head of an arrow is high

}  // namespace

QRect TimelineWidget::deviceArea() const {
    const double scale = devicePixelRatioF();
    const QRect area = timeArea();
    const int left = static_cast<int>(std::lround(area.left() * scale));
    const int right = static_cast<int>(std::lround((area.left() + area.width()) * scale));
    return {left, 0, right - left, static_cast<int>(std::lround(height() * scale))};
}

GeometrySpec TimelineWidget::geometrySpec() const {
    const RowView view = rowView();
    return {m_state.visible(),   deviceArea().width(), view.scroll,      view.height,
            devicePixelRatioF(), view.pinned,          view.pinnedScroll};
}

const TimelineGeometry& TimelineWidget::laneGeometry() {
    if (!m_geometryValid) {
        m_geometry = m_layout
                         ? layOutGeometry(m_layout->lanes, m_rows, m_layout->marks, geometrySpec())
                         : TimelineGeometry{geometrySpec(), {}, {}, {}, {}};
        m_geometryValid = true;
    }
    return m_geometry;
}

void TimelineWidget::renderCanvas() {
    const double scale = devicePixelRatioF();
    const QSize size = (QSizeF(width(), height()) * scale).toSize();
    if (m_canvas.size() != size) {
        m_canvas = QImage(size, QImage::Format_RGB32);
    }
    std::vector<int> grid;
    const QRect area = deviceArea();
    if (m_state.trace() && area.width() > 0) {
        const TimeCoordinates at(m_state.visible(), 0.0, area.width());
        const TimeTicks ticks = timeTicks(at.visible(), m_state.trace()->extent().start,
                                          timeArea().width(), TimeRuler::kTickSpacing);
        for (const TimeTick& tick : ticks.ticks) {
            grid.push_back(std::clamp(static_cast<int>(at.x(tick.time)), 0, area.width() - 1));
        }
    }
    m_canvas.setDevicePixelRatio(1.0);
    m_painter.paint(m_canvas, area, laneGeometry(), m_rows, grid);
    if (m_state.marks()) {
        QPainter marks(&m_canvas);
        marks.setClipRect(area);
        paintMarks(marks, area, laneGeometry(), m_rows, *m_state.trace(), *m_state.marks(),
                   m_state.chosenMark());
    }
    m_canvas.setDevicePixelRatio(scale);
    QPainter painter(&m_canvas);
    paintSides(painter);
    m_canvasValid = true;
}

void TimelineWidget::paintSides(QPainter& painter) {
    painter.setFont(labelFont());
    paintRowLabels(painter, m_rows, rowView(), m_labelWidth);
    painter.fillRect(QRect(width() - rightMargin(), 0, rightMargin(), height()),
                     style::Theme::current().raised());
}

// Slices are an image, as they are on screen, and all names texts over it.
void TimelineWidget::paintVectors(QPainter& painter) {
    m_painter.setNamed(false);
    renderCanvas();
    m_painter.setNamed(true);
    m_canvasValid = false;
    painter.drawImage(QPoint(0, 0), m_canvas);
    const double scale = devicePixelRatioF();
    painter.save();
    painter.scale(1.0 / scale, 1.0 / scale);
    m_painter.paintNames(painter, deviceArea(), laneGeometry());
    painter.restore();
    painter.save();
    paintSides(painter);
    painter.restore();
}

void TimelineWidget::paintEvent(QPaintEvent* /*event*/) {
    if (m_canvas.devicePixelRatio() != devicePixelRatioF()) {
        resetColors();  // moved to another screen
        invalidate();
    }
    QPainter painter(this);
    if (painter.paintEngine()->type() == QPaintEngine::SVG) {
        paintVectors(painter);
    } else {
        if (!m_canvasValid) {
            renderCanvas();
        }
        painter.drawImage(QPoint(0, 0), m_canvas);
    }
    if (!m_state.trace()) {
        painter.setPen(style::Theme::current().mutedText());
        painter.drawText(rect(), Qt::AlignCenter, tr("No trace is open"));
        return;
    }
    paintOverlay(painter);
    paintRowState(painter);
}

QRectF TimelineWidget::itemBox(const LaneStrip& strip, const query::ViewItem& item) const {
    const double scale = devicePixelRatioF();
    const QRect area = deviceArea();
    return {(area.left() + item.first) / scale, strip.top / scale, (item.last - item.first) / scale,
            (strip.bottom - strip.top) / scale};
}

bool TimelineWidget::isPinned(trace::TrackId track) const {
    const auto row = m_rows.rowOf(track);
    return row && m_rows.rows()[*row].pinned;
}

QRectF TimelineWidget::seenPart(const QRectF& box, bool pinned) const {
    const int edge = rowView().pinned;
    return box.intersected(pinned ? QRectF(box.left(), 0, box.width(), edge)
                                  : QRectF(box.left(), edge, box.width(), height() - edge));
}

// What scrolled away below pinned rows: an arrow ends at their edge and not in one of them.
QRectF TimelineWidget::belowPinned(const QRectF& box, trace::SliceId slice) const {
    const QRectF beside(box.left(), rowView().pinned + 1, box.width(), kArrowRoom);
    const bool hidden = box.center().y() < beside.center().y();
    return hidden && !isPinned(m_layout->lanes.trackOf(slice)) ? beside : box;
}

const std::vector<ArrowBoxes>& TimelineWidget::arrowBoxes() {
    if (m_arrowBoxesValid) {
        return m_arrowBoxes;
    }
    m_arrowBoxes.clear();
    for (const query::FlowArrow& arrow : m_arrows) {
        const auto from = sliceBox(arrow.from);
        const auto to = sliceBox(arrow.to);
        if (from && to) {
            m_arrowBoxes.push_back(
                {belowPinned(*from, arrow.from), belowPinned(*to, arrow.to), arrow.kind});
        }
    }
    m_arrowBoxesValid = true;
    return m_arrowBoxes;
}

void TimelineWidget::paintOverlay(QPainter& painter) {
    const QRectF area = timeArea();
    const TimeCoordinates at = coordinates();
    painter.setClipRect(area);
    if (m_notes != nullptr) {
        paintNotes(painter, area, at, m_notes->notes());
    }
    if (const auto range = m_state.selectedRange()) {
        paintSelectedArea(painter, *range);
    }
    for (const QRectF& box : m_hoverBoxes) {
        paintHover(painter, box);
    }
    paintSelected(painter, area);
    if (m_cursor) {
        paintCursor(painter, area, at, *m_cursor);
    }
}

// Scrolled rows never cover pinned ones. Ends of an outline lie a little outside the area if the
// outlined part continues there.
void TimelineWidget::paintSelected(QPainter& painter, const QRectF& area) {
    const QRectF wide = area.adjusted(-4, -1e6, 4, 1e6);
    if (const auto* gap = std::get_if<session::SelectedGap>(&m_state.selection())) {
        for (const RowBox& row : gapBoxes(*gap)) {
            if (const QRectF box = seenPart(row.box, row.pinned); !box.isEmpty()) {
                paintGap(painter, box.intersected(wide));
            }
        }
    }
    paintSelectedMark(painter, area);
    if (const trace::SliceId slice = m_state.selected(); slice != trace::kNoSlice) {
        if (const auto box = sliceBox(slice)) {
            painter.setClipRect(seenPart(area, isPinned(m_layout->lanes.trackOf(slice))));
            paintSelection(painter, box->intersected(wide));
            painter.setClipRect(area);
        }
        paintArrows(painter, arrowBoxes());
    }
}

std::vector<RowBand> TimelineWidget::areaBands() const {
    if (m_state.selectedTracks().empty() || !m_state.trace()) {
        return {{0, height()}};
    }
    std::vector<RowBand> bands = bandsOf(m_rows, *m_state.trace(), m_state.selectedTracks());
    for (RowBand& band : bands) {
        const RowView view = rowView();
        const bool pinned = band.top < m_rows.pinnedHeight();
        const int shift =
            pinned ? -view.pinnedScroll : view.pinned - m_rows.pinnedHeight() - view.scroll;
        band = {pinned ? band.top + shift : std::max(band.top + shift, view.pinned),
                std::max(band.bottom + shift, pinned ? 0 : view.pinned)};
    }
    return bands;
}

void TimelineWidget::paintSelectedArea(QPainter& painter, TimeSpan range) const {
    const style::Theme& theme = style::Theme::current();
    const QRectF area = timeArea();
    const TimeCoordinates at = coordinates();
    const double from = std::clamp(at.x(range.start), area.left(), area.right());
    const double to = std::clamp(at.x(range.end), area.left(), area.right());
    for (const RowBand& band : areaBands()) {
        const QRectF rows(area.left(), band.top, area.width(), band.bottom - band.top);
        paintRange(painter, rows, at, range);
        if (!m_state.selectedTracks().empty()) {
            painter.fillRect(QRectF(from, rows.top(), to - from, 1), theme.accent());
            painter.fillRect(QRectF(from, rows.bottom() - 1, to - from, 1), theme.accent());
        }
    }
    // For all rows the chip on the time axis is enough. A label would hide the first lane.
    if (!m_state.selectedTracks().empty() && to > from) {
        painter.save();
        painter.setFont(labelFont());
        const auto bands = areaBands();
        const auto first =
            std::ranges::find_if(bands, [](const RowBand& band) { return band.bottom > 0; });
        if (first != bands.end()) {
            const double height = m_rows.metrics().laneHeight - 1;
            const double top = std::max(0.0, first->top - height);
            paintBadge(painter, (from + to) / 2, QRectF(area.left(), top, area.width(), height),
                       QString::fromStdString(text::formatDuration(range.duration())),
                       theme.accent(), theme.textOn(theme.accent()));
        }
        painter.restore();
    }
}

}  // namespace kinetoscope::timeline
