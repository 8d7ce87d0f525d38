// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/ncu/Table.h"
#include "core/report/Report.h"
#include "widgets/models/AchievedColumns.h"
#include "widgets/models/ColumnTableModel.h"

namespace kinetoscope::models {

/// One row per kernel name and GPU of a report.
class KernelTableModel final : public ColumnTableModel {
    Q_OBJECT

public:
    enum Column {
        Name,
        Gpu,
        Group,
        Share,
        Total,
        Count,
        Mean,
        Achieved,  ///< the first of kAchievedColumns
        Median = Achieved + kAchievedColumns,
        Min,
        Max,
        Std,
        Grid,
        Block,
        Registers,
        Shared,
        Occupancy,
        Shapes,
        MmConv,
        Measured  ///< the first of those that Nsight Compute measured, if any
    };

    explicit KernelTableModel(QObject* parent = nullptr);

    /// Both null: no rows. The trace gives the names.
    void setReport(std::shared_ptr<const trace::Trace> trace,
                   std::shared_ptr<const report::Report> report);
    /// Only kernels of this category of the report's grouping; empty: all. Without effect where
    /// the launches of a kernel may be of several (operator, stream).
    void setCategory(const QString& category);
    /// These rows instead of the report's, of some of its launches; null: the report's again.
    void setLaunches(std::shared_ptr<const std::vector<analysis::KernelRow>> rows);
    /// Of the report's trace and window, or null and the reason.
    void setAchieved(std::shared_ptr<const model::AchievedTable> achieved, const QString& whyNone);
    /// What Nsight Compute measured of the trace's kernels: a column for each metric that its
    /// tables show. Null: none.
    void setMeasured(std::shared_ptr<const ncu::Table> measured);

    [[nodiscard]] const analysis::KernelRow& kernel(int row) const;
    /// Row of a kernel name on that GPU (any GPU: -1), -1 when it is not shown.
    [[nodiscard]] int rowOf(NameId name, std::int32_t gpu = -1) const;
    [[nodiscard]] bool hasSeveralGpus() const;

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] query::SortKey sortKey(std::uint32_t row, int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;
    [[nodiscard]] QString exportCell(std::uint32_t row, int column) const override;
    [[nodiscard]] bool matches(std::uint32_t row, std::string_view filter) const override;

private:
    [[nodiscard]] const analysis::KernelRow& at(std::uint32_t row) const { return rows()[row]; }
    [[nodiscard]] const std::vector<analysis::KernelRow>& rows() const {
        return m_launches ? *m_launches : m_report->kernels;
    }
    [[nodiscard]] const std::string& groupOf(const analysis::KernelRow& kernel) const;
    [[nodiscard]] QString shownName(const analysis::KernelRow& kernel) const;
    [[nodiscard]] double number(const analysis::KernelRow& kernel, int column) const;
    [[nodiscard]] double shareOf(const analysis::KernelRow& kernel) const;

    [[nodiscard]] const model::Achieved* achieved(const analysis::KernelRow& kernel) const;

    std::shared_ptr<const trace::Trace> m_trace;
    std::shared_ptr<const report::Report> m_report;
    std::shared_ptr<const model::AchievedTable> m_achieved;
    QString m_whyNotAchieved;
    [[nodiscard]] const ncu::Value* measured(const analysis::KernelRow& kernel, int column) const;
    [[nodiscard]] QString measuredTip(const analysis::KernelRow& kernel, int column) const;

    std::shared_ptr<const std::vector<analysis::KernelRow>> m_launches;
    std::shared_ptr<const ncu::Table> m_measured;
    std::vector<ncu::ShownColumn> m_metrics;                    ///< shown of m_measured
    std::unordered_map<NameId, const ncu::Kernel*> m_ofKernel;  ///< of m_measured, by name
    std::string m_category;
    TimeNs m_sumNs = 0;
    text::TimeUnit m_totalUnit = text::kMicroseconds;
    std::unordered_map<std::string, NameId> m_shortNames;  ///< kEmptyName: several names share it
    std::unordered_map<std::string, std::string>
        m_stems;  ///< what names share, by their first word
};

}  // namespace kinetoscope::models
