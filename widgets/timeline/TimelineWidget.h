// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>

#include "core/query/LaunchFlow.h"
#include "widgets/session/Selection.h"
#include "widgets/timeline/AreaRows.h"
#include "widgets/timeline/LaneGeometry.h"
#include "widgets/timeline/MarkedScrollBar.h"
#include "widgets/timeline/RangeDrag.h"
#include "widgets/timeline/TimeCoordinates.h"
#include "widgets/timeline/TimelineMenus.h"
#include "widgets/timeline/TimelineOverlay.h"
#include "widgets/timeline/TimelinePainter.h"
#include "widgets/timeline/rows/RowMoves.h"
#include "widgets/timeline/rows/TimelineRows.h"

namespace kinetoscope::session {
class IdleFinder;
class TraceNotes;
class ViewState;
struct TraceLayout;
}  // namespace kinetoscope::session

namespace kinetoscope::timeline {

class RowFilterField;

/// The row at the upper edge below the pinned ones, and how many logical pixels of it are above.
struct TopRow {
    std::string key;
    int above = 0;
};

/// The rows of the trace over time, with a column of labels at the left and a scroll bar at the
/// right. Wheel zooms at the pointer, with Shift or over the labels it scrolls; dragging pans, with
/// Shift it selects time and rows; W, A, S, D, F, Escape, arrows, comma and full stop as in other
/// viewers. Labels can be dragged to another place, and everything has a context menu.
class TimelineWidget final : public QWidget {
    Q_OBJECT

public:
    explicit TimelineWidget(session::ViewState& state, QWidget* parent = nullptr);
    ~TimelineWidget() override;

    /// Logical pixels of the labels; emits labelWidthChanged().
    void setLabelWidth(int width);
    [[nodiscard]] int labelWidth() const { return m_labelWidth; }
    /// Logical pixels at the right that are not part of the time area.
    [[nodiscard]] int rightMargin() const;
    /// Of the widget's logical pixels.
    [[nodiscard]] TimeCoordinates coordinates() const;
    [[nodiscard]] QRect timeArea() const;

    [[nodiscard]] const TimelineRows& rows() const { return m_rows; }
    [[nodiscard]] const TimelineGeometry& laneGeometry();
    /// Where the slice is, in the widget's logical pixels, on screen or not; nullopt when its
    /// group is collapsed.
    [[nodiscard]] std::optional<QRectF> sliceBox(trace::SliceId slice) const;
    void setCollapsed(std::uint32_t process, bool collapsed);
    /// Changes which rows are shown, of the view that this shows.
    void changeRows(const std::function<void(session::RowChoices&)>& change);
    /// Puts a row before another on screen; empty: after all of its kind.
    void moveRow(const std::string& key, const std::string& before);
    /// Shows the field for the rows' filter, with the keyboard in it.
    void startRowFilter();
    [[nodiscard]] RowView rowView() const;
    [[nodiscard]] TimelineMenus& menus() { return m_menus; }
    [[nodiscard]] TopRow topRow() const;
    /// As far as there are rows; a row that is not on screen leaves everything where it is.
    void scrollTo(const TopRow& top);
    /// Scrolls until the slice's row is on screen, opening its group.
    void showRowOf(trace::SliceId slice);
    /// A place on a row, in logical pixels, on screen or not.
    struct RowBox {
        QRectF box;
        bool pinned = false;  ///< the row
    };
    /// Where the gap is: on every row of its GPU that has operations.
    [[nodiscard]] std::vector<RowBox> gapBoxes(const session::SelectedGap& gap) const;
    /// Where an instant or a sample is, on screen or not; nullopt for anything else, and when its
    /// group is collapsed.
    [[nodiscard]] std::optional<QRectF> markBox(const session::Selection& selection) const;
    /// The visible time becomes what is selected with a little room, or the whole trace.
    void fitSelection();
    void setCursorTime(std::optional<TimeNs> time);
    /// Under the pointer; nullopt: it is elsewhere.
    [[nodiscard]] std::optional<TimeNs> cursorTime() const { return m_cursor; }
    /// Of the shown trace; outlive the widget. Their times are shaded.
    void setNotes(session::TraceNotes& notes);
    /// Where the rows of the selected area are, in the widget's logical pixels; one band over all
    /// of the height when it is about all rows.
    [[nodiscard]] std::vector<RowBand> areaBands() const;
    /// Slices of these names have the colours of others, until another trace is shown.
    void setColorNames(const QHash<NameId, std::string>& names);

    [[nodiscard]] QSize sizeHint() const override { return {900, 500}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 80}; }

signals:
    void labelWidthChanged(int width);
    /// The time under the pointer; nullopt when it left the time area.
    void cursorMoved(std::optional<TimeNs> time);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    enum class Drag { None, Pending, Pan, Range, Divider, Row };
    /// The object at a place: a click selects it.
    struct Pointed {
        session::Selection what;
        std::vector<QRectF> boxes;  ///< what is seen of it, in logical pixels
        QString toolTip;
    };

    void resetTrace();
    void growTrace();
    void resetRows();
    void resetColors();
    void invalidate();
    void selectionChanged();
    void updateScrollBar();
    void updateMarks();

    void renderCanvas();
    void paintVectors(QPainter& painter);
    void paintSides(QPainter& painter);
    void paintOverlay(QPainter& painter);
    void paintSelected(QPainter& painter, const QRectF& area);
    void paintSelectedMark(QPainter& painter, const QRectF& area);
    void paintSelectedArea(QPainter& painter, TimeSpan range) const;
    [[nodiscard]] bool isPinned(trace::TrackId track) const;
    /// The part of a place on a row that no other row covers.
    [[nodiscard]] QRectF seenPart(const QRectF& box, bool pinned) const;
    [[nodiscard]] QRectF belowPinned(const QRectF& box, trace::SliceId slice) const;
    [[nodiscard]] bool isOnAreaEdge(QPointF at) const;
    [[nodiscard]] const std::vector<ArrowBoxes>& arrowBoxes();
    [[nodiscard]] QRect deviceArea() const;
    [[nodiscard]] GeometrySpec geometrySpec() const;
    [[nodiscard]] QFont labelFont() const;
    [[nodiscard]] QRectF itemBox(const LaneStrip& strip, const query::ViewItem& item) const;

    [[nodiscard]] std::optional<TimelineHit> hitAt(QPointF at);
    [[nodiscard]] bool isOnDivider(QPointF at) const;
    [[nodiscard]] const TimelineRow* rowAt(QPointF at) const;
    void drag(QPointF at);
    void click(QPointF at);
    void hover(QPointF at, QPoint global);
    [[nodiscard]] Pointed pointedAt(QPointF at);
    [[nodiscard]] Pointed pointedSlice(const TimelineHit& hit) const;
    [[nodiscard]] Pointed pointedGap(QPointF at);
    [[nodiscard]] Pointed pointedInstant(QPointF at);
    [[nodiscard]] Pointed pointedSample(QPointF at);
    [[nodiscard]] bool isGpuRow(const TimelineRow& row) const;
    void takeGaps();
    void showRowOfGap(const session::SelectedGap& gap);
    void showRowOfMark(const session::Selection& selection);
    void zoomAtCursor(double factor);
    void fitSelected();
    void endSelection();
    bool moveKey(QKeyEvent* event);
    bool selectionKey(QKeyEvent* event);
    void step(std::optional<trace::SliceId> slice);
    bool stepObject(int key);
    bool stepMark(int key);

    // What rows can do, in TimelineRowInput.cpp.
    [[nodiscard]] MenuTarget menuTarget();
    void applyRows();
    /// Brings the row of a track back, whatever keeps it away.
    void showTrack(trace::TrackId track);
    [[nodiscard]] std::optional<std::size_t> rowIndexAt(QPointF at) const;
    void scrollRows(QPointF at, int by);
    /// Whether the pointer moves a row.
    bool dragRow(QPointF at);
    void dropRow();
    void paintRowState(QPainter& painter);
    [[nodiscard]] MenuPlace menuPlaceAt(QPoint at);
    [[nodiscard]] MenuPlace menuPlaceOfSelection() const;
    bool rowKey(QKeyEvent* event);
    [[nodiscard]] std::optional<trace::SliceId> firstInView();
    [[nodiscard]] std::optional<trace::SliceId> besideRow(trace::SliceId slice, bool up);

    session::ViewState& m_state;
    session::TraceNotes* m_notes = nullptr;
    session::IdleFinder& m_idle;
    MarkedScrollBar* m_scrollBar;
    int m_labelWidth = 220;
    int m_pinnedScroll = 0;
    RowFilterField* m_rowFilter;
    TimelineMenus m_menus;
    std::string m_draggedRow;  ///< key, while Drag::Row
    std::optional<RowDrop> m_drop;

    std::shared_ptr<session::TraceLayout> m_layout;  ///< null without a trace
    TimelineRows m_rows;
    TimelinePainter m_painter;
    TimelineGeometry m_geometry;
    QImage m_canvas;
    bool m_geometryValid = false;
    bool m_canvasValid = false;

    std::vector<query::FlowArrow> m_arrows;
    std::vector<ArrowBoxes> m_arrowBoxes;  ///< of m_arrows; thousands after a graph launch
    bool m_arrowBoxesValid = false;
    std::optional<TimeNs> m_cursor;
    std::vector<QRectF> m_hoverBoxes;
    std::optional<QPointF> m_pointer;  ///< where it hovers
    std::optional<QPointF> m_clicked;  ///< on a GPU's row whose gaps are being looked for
    Drag m_drag = Drag::None;
    QPointF m_pressAt;
    TimeSpan m_pressVisible;
    int m_pressScroll = 0;
    Drag m_pressDrag = Drag::Pan;  ///< what a drag from there does
    RangeDrag m_rangeDrag;
};

}  // namespace kinetoscope::timeline
