// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QLineEdit>
#include <QSpinBox>

#include "widgets/models/results/ResultModel.h"
#include "widgets/panels/bench/BenchBase.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/plots/BarPlot.h"

namespace kinetoscope::panels {

/// The runners of a module bench in a table that fills while `kscope bench modules` runs, with bars
/// for forward and backward of the group that is selected. Recorded ones lead to their traces.
class ModuleBenchPanel final : public BenchBase {
    Q_OBJECT

public:
    explicit ModuleBenchPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override { return &m_model; }

private:
    void addOptions();
    [[nodiscard]] QWidget* makePlots();
    void chooseGroup();
    void chooseFile();
    void run();
    [[nodiscard]] QStringList runnerArguments() const;
    void takeLine(const QByteArray& line);
    void showDocument() override;
    void plot();
    void openTrace();

    session::Settings& m_settings;
    models::ResultModel m_model;
    QComboBox* m_group;
    QComboBox* m_runner;
    QLineEdit* m_input;
    QSpinBox* m_loops;
    QCheckBox* m_profile;
    QPushButton* m_trace;
    DataTable* m_table;
    plots::BarPlot* m_forward;
    plots::BarPlot* m_backward;
    QString m_file;  ///< chosen instead of a group
};

}  // namespace kinetoscope::panels
