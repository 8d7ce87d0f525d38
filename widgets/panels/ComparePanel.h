// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTabWidget>

#include "widgets/models/CompareModel.h"
#include "widgets/models/StepChangeModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/parts/Panel.h"

namespace kinetoscope::panels {

/// Results of the comparison: kernels and steps on the left, charts on the right. A double click on
/// a kernel or step goes there in both timelines.
class ComparePanel final : public Panel {
    Q_OBJECT

public:
    explicit ComparePanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override;

private:
    [[nodiscard]] QWidget* makeToolBar();
    void makeSummary();
    [[nodiscard]] QWidget* makeTables();
    [[nodiscard]] QWidget* makeCharts();
    void refresh();
    void takeSelection();
    void showSelection();
    void goToKernel(const QModelIndex& index);

    session::CompareState& m_state;
    models::CompareModel m_kernels;
    models::StepChangeModel m_steps;
    DataTable* m_kernelTable;
    DataTable* m_stepTable;
    QTabWidget* m_tables;
    QComboBox* m_candidate;
    QLineEdit* m_filter;
    QLabel* m_summary;
    QLabel* m_replacement;
    bool m_refreshing = false;
};

}  // namespace kinetoscope::panels
