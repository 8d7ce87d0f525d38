// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/models/ColumnTableModel.h"
#include "widgets/models/details/DetailLines.h"

namespace kinetoscope::models {

/// The lines about the selection; LinkRole is the target of a line.
class DetailsModel final : public ColumnTableModel {
    Q_OBJECT

public:
    enum Column { Label, Value };

    explicit DetailsModel(QObject* parent = nullptr);
    void setLines(std::vector<DetailLine> lines);
    [[nodiscard]] const DetailLine& line(int row) const { return m_lines[sourceRow(row)]; }

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] query::SortKey sortKey(std::uint32_t row, int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;

private:
    std::vector<DetailLine> m_lines;
};

}  // namespace kinetoscope::models
