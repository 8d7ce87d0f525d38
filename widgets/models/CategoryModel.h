// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/report/Report.h"
#include "widgets/models/ColumnTableModel.h"

namespace kinetoscope::models {

/// The categories of a report: what the chosen grouping divides the kernel time into.
class CategoryModel final : public ColumnTableModel {
    Q_OBJECT

public:
    enum Column { Name, Share, Total, Count };

    explicit CategoryModel(QObject* parent = nullptr);
    void setReport(std::shared_ptr<const report::Report> report);
    [[nodiscard]] const analysis::CategoryRow& category(int row) const;

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] query::SortKey sortKey(std::uint32_t row, int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;
    [[nodiscard]] QString exportCell(std::uint32_t row, int column) const override;

private:
    std::shared_ptr<const report::Report> m_report;
    text::TimeUnit m_unit = text::kMicroseconds;
};

}  // namespace kinetoscope::models
