// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/TimelineWidget.h"

#include <QEvent>
#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/session/IdleFinder.h"
#include "widgets/session/ViewState.h"
#include "widgets/session/notes/TraceNotes.h"
#include "widgets/style/PlainText.h"
#include "widgets/timeline/MarkedColumns.h"
#include "widgets/timeline/PathLine.h"
#include "widgets/timeline/rows/RowFilterField.h"

namespace kinetoscope::timeline {

namespace {

constexpr int kMinLabelWidth = 80;
constexpr int kFontPixels = 11;
constexpr double kFitMargin = 0.1;  // of a slice's duration, on each side

// The middle of a slice, else of the first lane of its row.
std::optional<double> heightOf(const TimelineWidget& timeline, trace::SliceId slice,
                               trace::TrackId track) {
    if (slice != trace::kNoSlice) {
        const auto box = timeline.sliceBox(slice);
        return box ? std::optional(box->center().y()) : std::nullopt;
    }
    const TimelineRows& rows = timeline.rows();
    const auto place = rows.rowOf(track);
    if (!place) {
        return std::nullopt;
    }
    const TimelineRow& row = rows.rows()[*place];
    return rows.laneTop(row, 0) + rows.metrics().laneHeight / 2.0 +
           rows.shift(row, timeline.rowView());
}

}  // namespace

TimelineWidget::TimelineWidget(session::ViewState& state, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_idle(session::IdleFinder::of(state)),
      m_scrollBar(new MarkedScrollBar(this)),
      m_rowFilter(new RowFilterField(state, this)),
      m_menus(state, menuTarget()),
      m_rangeDrag(state) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(tr("Timeline"));
    setWhatsThis(
        tr("One row per GPU stream, thread and counter. A slice is drawn below the one that "
           "contains it. Where several slices share a pixel, the bar's height shows how much of "
           "that time something ran."));
    connect(m_scrollBar, &QScrollBar::valueChanged, this, &TimelineWidget::invalidate);
    connect(&state, &session::ViewState::traceChanged, this, &TimelineWidget::resetTrace);
    connect(&state, &session::ViewState::traceGrown, this, &TimelineWidget::growTrace);
    connect(&state, &session::ViewState::visibleChanged, this, &TimelineWidget::invalidate);
    connect(&state, &session::ViewState::selectionChanged, this, &TimelineWidget::selectionChanged);
    connect(&m_idle, &session::IdleFinder::found, this, &TimelineWidget::takeGaps);
    connect(&state, &session::ViewState::rangeChanged, this, [this] { update(); });
    connect(&state, &session::ViewState::rowChoicesChanged, this, &TimelineWidget::applyRows);
    connect(m_rowFilter, &RowFilterField::left, this, [this] { setFocus(Qt::OtherFocusReason); });
    connect(&state, &session::ViewState::highlightChanged, this, [this] {
        m_painter.setHighlight(m_state.highlightedName());
        m_canvasValid = false;
        update();
    });
    connect(&state, &session::ViewState::emphasisChanged, this, [this] {
        m_painter.setEmphasis(m_state.emphasis());
        m_canvasValid = false;
        update();
    });
    connect(&state, &session::ViewState::marksChanged, this, &TimelineWidget::updateMarks);
    resetTrace();
    new PathLine(*this, state,
                 {[this] { return coordinates(); }, [this] { return timeArea(); },
                  [this](trace::SliceId slice, trace::TrackId track) {
                      return heightOf(*this, slice, track);
                  }});
}

TimelineWidget::~TimelineWidget() = default;

void TimelineWidget::setLabelWidth(int newWidth) {
    const int most = std::max(kMinLabelWidth, width() / 2);
    const int clamped = std::clamp(newWidth, kMinLabelWidth, most);
    if (clamped == m_labelWidth) {
        return;
    }
    m_labelWidth = clamped;
    updateScrollBar();
    invalidate();
    emit labelWidthChanged(clamped);
}

int TimelineWidget::rightMargin() const {
    return MarkedScrollBar::kWidth;
}

QRect TimelineWidget::timeArea() const {
    return {m_labelWidth, 0, std::max(0, width() - m_labelWidth - rightMargin()), height()};
}

TimeCoordinates TimelineWidget::coordinates() const {
    const QRect area = timeArea();
    return {m_state.visible(), static_cast<double>(area.left()), static_cast<double>(area.width())};
}

void TimelineWidget::resetTrace() {
    m_layout = m_state.layout();
    m_arrows.clear();
    m_hoverBoxes.clear();
    m_clicked.reset();
    m_scrollBar->setValue(0);
    m_pinnedScroll = 0;
    m_painter.setHighlight(m_state.highlightedName());
    m_painter.setEmphasis(m_state.emphasis());
    resetColors();
    resetRows();
}

void TimelineWidget::growTrace() {
    m_layout = m_state.layout();
    m_hoverBoxes.clear();
    resetColors();
    resetRows();
    m_arrows = m_state.selected() == trace::kNoSlice
                   ? std::vector<query::FlowArrow>()
                   : query::arrowsOf(m_layout->lanes, m_state.selected());
}

void TimelineWidget::resetRows() {
    const int text = QFontMetrics(labelFont()).height();
    RowMetrics metrics;
    metrics.laneHeight = text + 5;
    metrics.groupHeight = text + 11;
    m_rows = m_layout
                 ? TimelineRows(m_layout->lanes, metrics, &m_layout->marks, m_state.rowChoices())
                 : TimelineRows();
    updateScrollBar();
    invalidate();
}

void TimelineWidget::resetColors() {
    m_painter.reset(m_state.trace(), style::Theme::current(), labelFont(), devicePixelRatioF());
    m_canvasValid = false;
    update();
}

QFont TimelineWidget::labelFont() const {
    QFont small = font();
    small.setPixelSize(kFontPixels);
    return small;
}

void TimelineWidget::invalidate() {
    m_geometryValid = false;
    m_canvasValid = false;
    m_arrowBoxesValid = false;
    m_hoverBoxes.clear();
    update();
}

void TimelineWidget::selectionChanged() {
    m_arrows.clear();
    m_arrowBoxesValid = false;
    const trace::SliceId slice = m_state.selected();
    if (m_layout && slice != trace::kNoSlice) {
        m_arrows = query::arrowsOf(m_layout->lanes, slice);
        showRowOf(slice);
    } else if (const auto* gap = std::get_if<session::SelectedGap>(&m_state.selection())) {
        showRowOfGap(*gap);
    } else if (m_layout) {
        showRowOfMark(m_state.selection());
    }
    update();
}

void TimelineWidget::showRowOf(trace::SliceId slice) {
    const query::LanePlace place = m_layout->lanes.placeOf(slice);
    showTrack(place.track);
    if (const auto row = m_rows.rowOf(place.track); row && !m_rows.rows()[*row].pinned) {
        const int seen = height() - rowView().pinned;
        const int top = m_rows.laneTop(m_rows.rows()[*row], place.lane) - m_rows.pinnedHeight();
        const int lane = m_rows.metrics().laneHeight;
        const int scroll = m_scrollBar->value();
        m_scrollBar->setValue(
            std::clamp(scroll, std::min(scroll, top + 2 * lane - seen), std::max(0, top - lane)));
        if (top + 2 * lane > m_scrollBar->value() + seen) {
            m_scrollBar->setValue(top + 2 * lane - seen);
        }
    }
}

void TimelineWidget::fitSelection() {
    const auto time = m_state.trace() ? session::selectedTime(*m_state.trace(), m_state.selection())
                                      : std::nullopt;
    if (!time) {
        m_state.fit();
        return;
    }
    if (time->duration() <= 0) {  // as wide as it gets at any scale
        m_state.reveal(m_state.selection());
        return;
    }
    m_state.zoomTo(*time, kFitMargin);
}

void TimelineWidget::setNotes(session::TraceNotes& notes) {
    m_notes = &notes;
    connect(&notes, &session::TraceNotes::changed, this, [this] { update(); });
}

void TimelineWidget::setCursorTime(std::optional<TimeNs> time) {
    if (time != m_cursor) {
        m_cursor = time;
        update();
    }
}

void TimelineWidget::setColorNames(const QHash<NameId, std::string>& names) {
    m_painter.setColorNames(names);
    m_canvasValid = false;
    update();
}

std::optional<QRectF> TimelineWidget::sliceBox(trace::SliceId slice) const {
    const query::LanePlace place = m_layout->lanes.placeOf(slice);
    const auto row = m_rows.rowOf(place.track);
    if (!row) {
        return std::nullopt;
    }
    const TimeCoordinates at = coordinates();
    const TimeSpan span = m_state.trace()->span(slice);
    const TimelineRow& found = m_rows.rows()[*row];
    const int top = m_rows.laneTop(found, place.lane) + m_rows.shift(found, rowView());
    return QRectF(QPointF(at.x(span.start), top),
                  QPointF(at.x(span.end), top + m_rows.metrics().laneHeight - 1));
}

void TimelineWidget::updateScrollBar() {
    m_scrollBar->setGeometry(width() - rightMargin(), 0, rightMargin(), height());
    const int seen = height() - rowView().pinned;
    m_scrollBar->setRange(0, std::max(0, m_rows.height() - m_rows.pinnedHeight() - seen));
    m_scrollBar->setVisible(m_scrollBar->maximum() > 0);
    m_scrollBar->setPageStep(seen);
    m_scrollBar->setSingleStep(m_rows.metrics().laneHeight);
    m_rowFilter->setGeometry(4, height() - 30, m_labelWidth - 8, 26);
    updateMarks();
}

void TimelineWidget::updateMarks() {
    const session::SliceMarks* marks = m_state.marks().get();
    const trace::SliceId chosen = m_state.chosenMark();
    int chosenAt = -1;
    if (marks != nullptr && marks->has(chosen)) {
        if (const auto row = m_rows.rowOf(m_layout->lanes.trackOf(chosen))) {
            chosenAt = m_rows.rows()[*row].top + m_rows.rows()[*row].height / 2;
        }
    }
    m_scrollBar->setMarks(marks != nullptr ? markedRows(m_rows, *marks) : std::vector<int>(),
                          chosenAt, m_rows.height());
    m_canvasValid = false;
    update();
}

void TimelineWidget::resizeEvent(QResizeEvent* /*event*/) {
    updateScrollBar();
    invalidate();
}

void TimelineWidget::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) {
        resetColors();
    } else if (event->type() == QEvent::FontChange) {
        resetColors();
        resetRows();
    }
    QWidget::changeEvent(event);
}

bool TimelineWidget::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto index = rowIndexAt(help->pos());
        const TimelineRow* row = index ? &m_rows.rows()[*index] : nullptr;
        if (row != nullptr && help->pos().x() < m_labelWidth) {
            QToolTip::showText(help->globalPos(),
                               style::plainToolTip(style::shownText(std::string_view(row->label))),
                               this);
        }
        return true;
    }
    return QWidget::event(event);
}

}  // namespace kinetoscope::timeline
