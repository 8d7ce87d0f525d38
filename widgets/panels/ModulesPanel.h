// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QLineEdit>
#include <QSpinBox>

#include "core/bench/modules/ModuleStream.h"
#include "widgets/models/ModuleModel.h"
#include "widgets/panels/DataTable.h"
#include "widgets/panels/Panel.h"
#include "widgets/panels/TorchBenchBar.h"
#include "widgets/plots/BarPlot.h"

namespace kinetoscope {

/// The runners of a module bench in a table that fills while `kscope bench modules` runs, with bars
/// for forward and backward of the group that is selected. Recorded ones lead to their traces.
class ModulesPanel final : public Panel {
    Q_OBJECT

public:
    explicit ModulesPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const ColumnTableModel* table() const override { return &m_model; }

private:
    void addOptions();
    [[nodiscard]] QWidget* makePlots();
    void chooseGroup();
    void chooseFile();
    void run();
    [[nodiscard]] QStringList runnerArguments() const;
    void takeLine(const QByteArray& line);
    void openFile(const QString& path);
    void openResult(const QString& name, const std::string& json);
    void showDocument();
    void plot();
    void openTrace();

    Session& m_session;
    Settings& m_settings;
    ModuleStream m_stream;
    ModuleModel m_model;
    TorchBenchBar* m_bar;
    QComboBox* m_group;
    QComboBox* m_runner;
    QLineEdit* m_input;
    QSpinBox* m_loops;
    QCheckBox* m_profile;
    QPushButton* m_trace;
    DataTable* m_table;
    BarPlot* m_forward;
    BarPlot* m_backward;
    QString m_file;  ///< chosen instead of a group
};

}  // namespace kinetoscope
