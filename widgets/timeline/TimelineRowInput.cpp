// SPDX-License-Identifier: GPL-3.0-or-later
// What rows do in the timeline: their order and visibility, their menus, and the keys that go from
// one to another.
#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/query/SlicesInView.h"
#include "widgets/session/ViewState.h"
#include "widgets/timeline/MarkedScrollBar.h"
#include "widgets/timeline/TimelineWidget.h"
#include "widgets/timeline/rows/RowFilterField.h"
#include "widgets/timeline/rows/RowLabels.h"

namespace kinetoscope::timeline {

namespace {

constexpr double kMaxPinned = 0.6;   // of the height, for pinned rows
constexpr int kScrollEdge = 16;      // logical pixels where a dragged row scrolls the others
constexpr double kEndMargin = 0.02;  // of the visible time, beside the trace's ends

}  // namespace

RowView TimelineWidget::rowView() const {
    const int most = static_cast<int>(height() * kMaxPinned);
    const int pinned = std::min(m_rows.pinnedHeight(), most);
    return {m_scrollBar->value(), height(), pinned,
            std::clamp(m_pinnedScroll, 0, m_rows.pinnedHeight() - pinned)};
}

TopRow TimelineWidget::topRow() const {
    const int edge = m_rows.pinnedHeight() + m_scrollBar->value();
    const auto row = m_rows.rowAt(edge);
    return row ? TopRow{m_rows.rows()[*row].key, edge - m_rows.rows()[*row].top} : TopRow();
}

void TimelineWidget::scrollTo(const TopRow& top) {
    const auto found = std::ranges::find(m_rows.rows(), top.key, &TimelineRow::key);
    if (found != m_rows.rows().end() && !found->pinned) {
        m_scrollBar->setValue(found->top + top.above - m_rows.pinnedHeight());
    }
}

MenuTarget TimelineWidget::menuTarget() {
    return {[this]() -> const TimelineRows& { return m_rows; },
            [this](const auto& change) { changeRows(change); },
            [this](const auto& key, const auto& before) { moveRow(key, before); },
            [this] { startRowFilter(); }, [this] { fitSelection(); }};
}

void TimelineWidget::changeRows(const std::function<void(session::RowChoices&)>& change) {
    session::RowChoices rows = m_state.rowChoices();
    change(rows);
    m_state.setRowChoices(std::move(rows));
}

void TimelineWidget::applyRows() {
    m_rows.apply(m_state.rowChoices());
    updateScrollBar();
    invalidate();
}

void TimelineWidget::setCollapsed(std::uint32_t process, bool collapsed) {
    for (const std::string& key : m_rows.keysIn("")) {
        if (m_rows.find(key)->process == process) {
            changeRows([&](session::RowChoices& rows) { rows.fold(key, collapsed); });
        }
    }
}

void TimelineWidget::showTrack(trace::TrackId track) {
    const TimelineRow* row = m_rows.find(track);
    if (row == nullptr || m_rows.rowOf(track)) {
        return;
    }
    changeRows([key = row->key, group = row->group](session::RowChoices& rows) {
        rows.fold(group, false);
        rows.hide(group, false);
        rows.hidden.erase(key);
    });
    if (!m_rows.rowOf(track)) {
        changeRows([](session::RowChoices& rows) { rows.filter.clear(); });
    }
}

void TimelineWidget::moveRow(const std::string& key, const std::string& before) {
    const auto& all = m_rows.rows();
    const auto row = std::ranges::find(all, key, &TimelineRow::key);
    if (row != all.end()) {
        changeRows([&](session::RowChoices& rows) {
            timeline::moveRow(rows, m_rows, static_cast<std::size_t>(row - all.begin()), before);
        });
    }
}

void TimelineWidget::startRowFilter() {
    m_rowFilter->start();
}

std::optional<std::size_t> TimelineWidget::rowIndexAt(QPointF at) const {
    const int y = static_cast<int>(std::floor(at.y()));
    return at.x() < m_labelWidth ? labelAt(m_rows, rowView(), y) : m_rows.rowOnScreen(y, rowView());
}

void TimelineWidget::scrollRows(QPointF at, int by) {
    const RowView view = rowView();
    if (at.y() < view.pinned && m_rows.pinnedHeight() > view.pinned) {
        m_pinnedScroll = std::clamp(view.pinnedScroll + by, 0, m_rows.pinnedHeight() - view.pinned);
        invalidate();
    } else {
        m_scrollBar->setValue(m_scrollBar->value() + by);
    }
}

bool TimelineWidget::dragRow(QPointF at) {
    const bool begins = m_drag == Drag::Pending && m_pressAt.x() < m_labelWidth &&
                        (at - m_pressAt).manhattanLength() >= QApplication::startDragDistance();
    if (begins) {
        const auto row = rowIndexAt(m_pressAt);
        m_draggedRow = row ? m_rows.rows()[*row].key : std::string();
        m_drag = Drag::Row;
        setCursor(Qt::ClosedHandCursor);
        QToolTip::hideText();
    }
    if (m_drag != Drag::Row) {
        return false;
    }
    const auto& all = m_rows.rows();
    const auto row = std::ranges::find(all, m_draggedRow, &TimelineRow::key);
    m_drop.reset();
    if (row != all.end()) {
        const int edge = row->pinned ? height() : rowView().pinned + kScrollEdge;
        scrollRows(at, at.y() > height() - kScrollEdge ? kScrollEdge
                       : at.y() < edge                 ? -kScrollEdge
                                                       : 0);
        m_drop = dropAt(m_rows, rowView(), static_cast<std::size_t>(row - all.begin()),
                        static_cast<int>(at.y()));
    }
    update();
    return true;
}

void TimelineWidget::dropRow() {
    if (m_drag == Drag::Row && m_drop) {
        const RowDrop drop = *std::exchange(m_drop, std::nullopt);
        moveRow(m_draggedRow, drop.before);
    }
    m_draggedRow.clear();
}

/// The place of a row that is dragged, and whether the keyboard is here.
void TimelineWidget::paintRowState(QPainter& painter) {
    const style::Theme& theme = style::Theme::current();
    painter.setClipping(false);
    if (m_drag == Drag::Row && m_drop) {
        painter.fillRect(QRect(0, m_drop->line - 1, m_labelWidth, 3), theme.accent());
    }
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.accent(), 1.0));
        painter.drawRect(QRectF(0.5, 0.5, width() - 1.0, height() - 1.0));
    }
}

MenuPlace TimelineWidget::menuPlaceAt(QPoint at) {
    MenuPlace place;
    place.row = rowIndexAt(at);
    place.onLabel = at.x() < m_labelWidth;
    if (!place.onLabel) {
        place.what = pointedAt(at).what;
        place.time = coordinates().time(at.x());
    }
    return place;
}

MenuPlace TimelineWidget::menuPlaceOfSelection() const {
    MenuPlace place;
    place.what = m_state.selection();
    if (const auto time = session::selectedTime(*m_state.trace(), place.what)) {
        place.time = time->start;
    }
    if (const trace::SliceId slice = m_state.selected(); slice != trace::kNoSlice) {
        place.row = m_rows.rowOf(m_layout->lanes.placeOf(slice).track);
    }
    return place;
}

void TimelineWidget::contextMenuEvent(QContextMenuEvent* event) {
    if (!m_layout) {
        return;
    }
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const MenuPlace place = byKey ? menuPlaceOfSelection() : menuPlaceAt(event->pos());
    QToolTip::hideText();
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("timelineMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    m_menus.fill(*menu, place);
    QPoint at = event->globalPos();
    const trace::SliceId slice = byKey ? sliceOf(place.what) : trace::kNoSlice;
    if (const auto box = slice != trace::kNoSlice ? sliceBox(slice) : std::nullopt) {
        at = mapToGlobal(box->intersected(timeArea()).bottomLeft().toPoint());
    }
    menu->popup(at);
}

/// The keys that select something first, go from row to row, and to the trace's ends.
bool TimelineWidget::rowKey(QKeyEvent* event) {
    const trace::SliceId slice = m_state.selected();
    const TimeSpan visible = m_state.visible();
    const TimeSpan all = m_state.trace()->extent();
    const auto room = static_cast<TimeNs>(static_cast<double>(visible.duration()) * kEndMargin);
    switch (event->key()) {
        case Qt::Key_Escape:
            if (m_drag == Drag::Row) {
                m_drag = Drag::None;
                m_drop.reset();
                unsetCursor();
                update();
                return true;
            }
            return false;
        case Qt::Key_Slash:
            startRowFilter();
            return true;
        case Qt::Key_Home:
            m_state.pan(all.start - room - visible.start);
            return true;
        case Qt::Key_End:
            m_state.pan(all.end + room - visible.end);
            return true;
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Comma:
        case Qt::Key_Period:
        case Qt::Key_Up:
        case Qt::Key_Down:
            break;
        default:
            return false;
    }
    const bool up = event->key() == Qt::Key_Up;
    if (isNothing(m_state.selection())) {
        step(firstInView());
        return true;
    }
    const bool leaves =
        slice != trace::kNoSlice &&
        ((up && !query::enclosing(m_layout->lanes, slice)) ||
         (event->key() == Qt::Key_Down && !query::firstInside(m_layout->lanes, slice)));
    if (leaves) {
        step(besideRow(slice, up));
    }
    return leaves;
}

/// The first slice on screen of the top row that has one there.
std::optional<trace::SliceId> TimelineWidget::firstInView() {
    const trace::Trace& trace = *m_state.trace();
    const TimeSpan visible = m_state.visible();
    for (const std::size_t index : m_rows.inView(rowView())) {
        const TimelineRow& row = m_rows.rows()[index];
        const bool drawn = row.kind == RowKind::Slices && m_layout->lanes.laneCount(row.track) > 0;
        if (!drawn) {
            continue;
        }
        const query::Lane lane = m_layout->lanes.lane(row.track, 0);
        const std::uint32_t at = query::firstNotBefore(trace, lane, visible.start);
        if (at < lane.slices.size() && trace.start(lane.slices[at]) < visible.end) {
            return lane.slices[at];
        }
    }
    return std::nullopt;
}

/// The slice that runs at the same time, or begins next, on the row above or below.
std::optional<trace::SliceId> TimelineWidget::besideRow(trace::SliceId slice, bool up) {
    const trace::Trace& trace = *m_state.trace();
    const auto own = m_rows.rowOf(m_layout->lanes.placeOf(slice).track);
    const std::size_t rows = m_rows.rows().size();
    for (std::size_t index = own.value_or(rows); index < rows;) {
        index = up ? index - 1 : index + 1;  // beyond the first is beyond the last
        if (index >= rows || m_rows.rows()[index].kind != RowKind::Slices ||
            m_layout->lanes.laneCount(m_rows.rows()[index].track) == 0) {
            continue;
        }
        const query::Lane lane = m_layout->lanes.lane(m_rows.rows()[index].track, 0);
        const auto last = static_cast<std::uint32_t>(lane.slices.size()) - 1;
        return lane.slices[std::min(last, query::firstNotBefore(trace, lane, trace.start(slice)))];
    }
    return std::nullopt;
}

}  // namespace kinetoscope::timeline
