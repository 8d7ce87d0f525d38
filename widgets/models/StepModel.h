// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/report/Report.h"
#include "widgets/models/ColumnTableModel.h"

namespace kinetoscope::models {

/// The steps of a run.
class StepModel final : public ColumnTableModel {
    Q_OBJECT

public:
    enum Column { Name, Start, Length, CpuLength, Busy, BusyShare, Kernels };

    explicit StepModel(QObject* parent = nullptr);
    void setReport(const std::shared_ptr<const trace::Trace>& trace,
                   std::shared_ptr<const report::Report> report);
    [[nodiscard]] const analysis::Step& step(int row) const;

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] query::SortKey sortKey(std::uint32_t row, int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;
    [[nodiscard]] QString exportCell(std::uint32_t row, int column) const override;

private:
    [[nodiscard]] double number(const analysis::Step& step, int column) const;

    std::shared_ptr<const report::Report> m_report;
    TimeNs m_traceStart = 0;
};

}  // namespace kinetoscope::models
