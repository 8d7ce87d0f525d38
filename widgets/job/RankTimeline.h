// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QImage>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/job/JobState.h"
#include "widgets/job/OpenedRank.h"
#include "widgets/job/RankTraces.h"
#include "widgets/job/RowHeights.h"
#include "widgets/timeline/TimeCoordinates.h"

namespace kinetoscope::job {

/// All ranks of a job on one clock: a strip of what each GPU did, below it its collectives, of
/// which the thin part is waiting. A row that is opened shows the GPU's rows of the rank's trace.
/// The members of the selected collective are joined from arrival to arrival, the last one marked.
/// Gestures and keys are those of the timeline of a trace.
class RankTimeline final : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit RankTimeline(JobState& state, QWidget* parent = nullptr);
    ~RankTimeline() override;

    void setOpened(std::size_t record, bool opened);
    /// Its rows are shown; not while its trace is still read.
    [[nodiscard]] bool isOpened(std::size_t record) const { return m_opened.contains(record); }
    [[nodiscard]] bool busy() const { return m_traces.busy(); }

    /// Pixels of the viewport.
    [[nodiscard]] timeline::TimeCoordinates coordinates() const;
    [[nodiscard]] QRect stripRect(std::size_t record) const;
    [[nodiscard]] QRect marksRect(std::size_t record) const;
    /// Where a collective is drawn on a rank; empty: it has none of it.
    [[nodiscard]] QRectF markRect(std::size_t record, std::size_t collective) const;
    void revealRank(std::size_t record);
    /// Where the last arrival of the selected collective is named, once it is painted; a click
    /// there brings its row into sight.
    [[nodiscard]] QRectF lastSign() const { return m_lastSign; }

signals:
    void failed(const QString& why);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// A place in the widget.
    struct Place {
        std::size_t record = 0;
        bool isLabel = false;
        bool isToggle = false;
        bool isDetail = false;  ///< of an opened row
        const ranks::view::CollectiveMark* mark = nullptr;
        TimeNs time = 0;
        int column = 0;  ///< device pixels, of the detail
        int y = 0;
    };
    enum class Drag : std::uint8_t { None, Pending, Pan };

    void layOut();
    void follow();
    void takeTrace(std::size_t record);
    void resetOpened();
    [[nodiscard]] std::optional<Place> placeAt(QPoint at) const;
    [[nodiscard]] const ranks::view::CollectiveMark* markAt(std::size_t record, QPoint at) const;
    [[nodiscard]] QString toolTipAt(QPoint at) const;
    [[nodiscard]] QString stripTip(std::size_t record, int x) const;
    [[nodiscard]] int rowTop(std::size_t row) const;
    [[nodiscard]] int stripHeight() const;
    void click(QPoint at);
    bool moveKey(const QKeyEvent& event);
    bool rowKey(const QKeyEvent& event);
    void stepCollective(int by);
    void selectAt(const Place& place);

    void paintRows();
    void paintStrip(std::size_t record, int top);
    void paintMarks(std::size_t record, int top);
    void paintDetail(std::size_t record, int top);
    void fill(const QRect& device, QRgb color);
    [[nodiscard]] int device(double logical) const;
    void paintOverlay(QPainter& painter);
    void paintStep(QPainter& painter);
    void paintCollective(QPainter& painter);
    void paintLast(QPainter& painter, QPointF at, std::int64_t rank);
    void paintLabels(QPainter& painter);
    void paintRowLabel(QPainter& painter, std::size_t row, int top);
    void paintRuler(QPainter& painter);

    JobState& m_state;
    RankTraces m_traces;
    std::map<std::size_t, std::unique_ptr<OpenedRank>> m_opened;
    std::vector<std::size_t> m_wanted;  ///< records whose traces are read
    RowHeights m_rows;
    int m_rowHeight = 0;
    int m_wantedHeight = 0;                ///< by hand; 0: as fits
    std::optional<std::size_t> m_current;  ///< record that keys are about
    QImage m_canvas;                       ///< device pixels
    std::vector<int> m_grid;               ///< columns of the time area
    std::vector<ranks::view::BusyShare> m_columns;
    Drag m_drag = Drag::None;
    QPoint m_pressAt;
    TimeSpan m_pressVisible;
    int m_pressScroll = 0;
    QRectF m_lastSign;  ///< as it was painted
};

}  // namespace kinetoscope::job
