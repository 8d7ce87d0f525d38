// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/trace/Trace.h"
#include "widgets/models/ColumnTableModel.h"

namespace kinetoscope::models {

/// Problems found while importing the file, one row a kind.
class ImportLogModel final : public ColumnTableModel {
    Q_OBJECT

public:
    enum Column { Level, Name, Count, Offset, Example };

    explicit ImportLogModel(QObject* parent = nullptr);
    void setTrace(const std::shared_ptr<const trace::Trace>& trace);

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] query::SortKey sortKey(std::uint32_t row, int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;
    [[nodiscard]] QString exportCell(std::uint32_t row, int column) const override;

private:
    std::vector<trace::ImportIssue> m_issues;
};

}  // namespace kinetoscope::models
