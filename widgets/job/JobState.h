// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/ranks/view/JobRows.h"
#include "core/ranks/view/ShownJob.h"

namespace kinetoscope::job {

/// A cell of the matrix.
struct CellPlace {
    std::size_t record = 0;
    std::size_t step = 0;  ///< row of Job::steps

    friend bool operator==(CellPlace, CellPlace) = default;
};

/// How one job is looked at: matrix, timeline, tables and words listen to it and know nothing of
/// each other. Times are on the job's clock. GUI thread.
class JobState final : public QObject {
    Q_OBJECT

public:
    using Shown = std::shared_ptr<const ranks::view::ShownJob>;

    explicit JobState(Shown job, QObject* parent = nullptr);

    [[nodiscard]] const ranks::view::ShownJob& shown() const { return *m_shown; }
    [[nodiscard]] const ranks::Job& job() const { return m_shown->job; }

    /// Rows of matrix and timeline.
    [[nodiscard]] const std::vector<ranks::view::JobRow>& rows() const { return m_rows; }
    /// Where the record stands in them.
    [[nodiscard]] std::size_t rowOf(std::size_t record) const { return m_rowOf[record]; }
    [[nodiscard]] ranks::view::CellFigure figure() const { return m_figure; }
    [[nodiscard]] ranks::view::RowOrder order() const { return m_order; }
    [[nodiscard]] ranks::view::RowGroups groups() const { return m_groups; }
    void setFigure(ranks::view::CellFigure figure);
    void setOrder(ranks::view::RowOrder order);
    void setGroups(ranks::view::RowGroups groups);

    /// Selecting a cell also selects the collective that explains most of it.
    [[nodiscard]] std::optional<CellPlace> cell() const { return m_cell; }
    void setCell(std::optional<CellPlace> cell);
    [[nodiscard]] std::optional<std::size_t> collective() const { return m_collective; }
    void setCollective(std::optional<std::size_t> collective);
    /// Selects the cell and shows its time.
    void goTo(CellPlace cell);
    /// Where a cause lies; of several steps in the first one.
    void goTo(const ranks::Cause& cause);
    /// Selects the collective and shows its time.
    void goToCollective(std::size_t collective);

    [[nodiscard]] TimeSpan visible() const { return m_visible; }
    void setVisible(TimeSpan span);
    void fit();
    void zoom(double factor, TimeNs anchor);
    void pan(TimeNs by);
    /// With that share of its length on both sides.
    void zoomTo(TimeSpan span, double margin);

    /// The time at which a rank's own trace is opened: the selected step or collective, else the
    /// visible range; on the rank's own clock.
    [[nodiscard]] TimeSpan ownTime(std::size_t record) const;
    void askForRank(std::size_t record);

signals:
    void rowsChanged();
    void figureChanged();
    void selectionChanged();
    void visibleChanged();
    /// Somebody wants to see the rank's own trace; times on its own clock.
    void rankRequested(const QString& path, qint64 start, qint64 end);

private:
    void arrange();
    [[nodiscard]] TimeSpan cellSpan(CellPlace cell) const;

    Shown m_shown;
    std::vector<ranks::view::JobRow> m_rows;
    std::vector<std::size_t> m_rowOf;
    ranks::view::CellFigure m_figure = ranks::view::CellFigure::Caused;
    ranks::view::RowOrder m_order = ranks::view::RowOrder::Rank;
    ranks::view::RowGroups m_groups = ranks::view::RowGroups::None;
    std::optional<CellPlace> m_cell;
    std::optional<std::size_t> m_collective;
    TimeSpan m_visible;
};

}  // namespace kinetoscope::job
