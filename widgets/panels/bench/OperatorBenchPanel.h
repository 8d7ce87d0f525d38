// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabWidget>

#include "widgets/models/results/ResultModel.h"
#include "widgets/panels/bench/BenchBase.h"
#include "widgets/panels/bench/OperatorBenchOptions.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/plots/OperatorSpeedupChart.h"

namespace kinetoscope::panels {

/// Speedups of operators over eager, as a chart and a table, that fill while `kscope bench
/// operators` runs; the samples of the one that was clicked beside them.
class OperatorBenchPanel final : public BenchBase {
    Q_OBJECT

public:
    explicit OperatorBenchPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override;
    void setInFront(bool inFront) override;

private:
    [[nodiscard]] QWidget* makeSamples();
    void run();
    /// The operator of a trace whose event begins at this byte.
    void runFrom(const QString& trace, quint64 offset);
    void takeLine(const QByteArray& line);
    void showDocument() override;
    void select(int index);
    void showSamples();
    void tellFacts();

    OperatorBenchOptions* m_options;
    models::ResultModel m_model;
    models::ResultModel m_sampleModel;
    QTabWidget* m_views;
    plots::OperatorSpeedupChart* m_chart;
    DataTable* m_table;
    style::ElidedLabel* m_title;
    DataTable* m_samples;
    int m_selected = -1;  ///< index in the document
};

}  // namespace kinetoscope::panels
