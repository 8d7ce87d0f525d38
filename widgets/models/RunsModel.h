// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/models/ColumnTableModel.h"
#include "widgets/session/CompareState.h"

namespace kinetoscope::models {

/// Everything that can be compared, and its part in the comparison.
class RunsModel final : public ColumnTableModel {
    Q_OBJECT

public:
    enum Column { Role, Name, Kind, Gpu, Details };

    explicit RunsModel(session::CompareState& state, QObject* parent = nullptr);
    [[nodiscard]] const session::Comparable& item(int row) const;

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] query::SortKey sortKey(std::uint32_t row, int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;

private:
    session::CompareState& m_state;
};

}  // namespace kinetoscope::models
