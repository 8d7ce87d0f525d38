// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "widgets/models/ColumnTableModel.h"
#include "widgets/session/FindState.h"
#include "widgets/session/LatestTask.h"

namespace kinetoscope::panels {

/// Slices that were found, one row each. Nothing of them is copied but their numbers; many are
/// sorted by a worker, and the rows stay as they are until it is done.
class HitModel final : public models::ColumnTableModel {
    Q_OBJECT

public:
    enum Column { Name, Category, Row, Start, Duration };

    explicit HitModel(QObject* parent = nullptr);

    /// Null: no rows. `layout` is that of the result's trace.
    void setResult(std::shared_ptr<const session::FindResult> result,
                   std::shared_ptr<session::TraceLayout> layout);
    [[nodiscard]] trace::SliceId hit(int row) const { return (*m_hits)[sourceRow(row)]; }
    /// -1: not there.
    [[nodiscard]] int rowOf(trace::SliceId slice) const;
    [[nodiscard]] int rowOfLargest(int column) const override;
    /// Being sorted.
    [[nodiscard]] bool busy() const { return m_task.busy(); }

signals:
    void busyChanged();

protected:
    [[nodiscard]] bool sortsItself() const override { return true; }
    void sortItself(int column, Qt::SortOrder order) override;
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] query::SortKey sortKey(std::uint32_t row, int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;
    [[nodiscard]] QString exportCell(std::uint32_t row, int column) const override;

private:
    using Slices = session::FindResult::Slices;

    void order();
    void show(Slices hits);
    [[nodiscard]] trace::SliceId at(std::uint32_t row) const { return (*m_hits)[row]; }
    [[nodiscard]] TimeNs start(std::uint32_t row) const;

    std::shared_ptr<const session::FindResult> m_result;
    std::shared_ptr<session::TraceLayout> m_layout;
    Slices m_hits;  ///< as they are shown; null: none
    int m_column = -1;
    Qt::SortOrder m_order = Qt::AscendingOrder;
    session::LatestTask<Slices> m_task;
};

}  // namespace kinetoscope::panels
