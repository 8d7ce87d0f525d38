// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLineEdit>

#include "widgets/models/CsvModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/parts/Panel.h"
#include "widgets/plots/BarPlot.h"
#include "widgets/style/ElidedLabel.h"
#include "widgets/style/MessageBar.h"

namespace kinetoscope::panels {

/// A metric table, or any other CSV file: sorted by a click on a header, with the chosen column as
/// bars in the same order.
class MetricTablePanel final : public Panel {
    Q_OBJECT

public:
    explicit MetricTablePanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override { return &m_model; }

private:
    [[nodiscard]] QWidget* makeToolBar();
    void choose();
    void openTable(const QString& path);
    void listColumns();
    void plot();

    session::Settings& m_settings;
    models::CsvModel m_model;
    DataTable* m_table;
    style::MessageBar* m_errors;
    style::ElidedLabel* m_path;
    QComboBox* m_column;
    QLineEdit* m_filter;
    plots::BarPlot* m_plot;
};

}  // namespace kinetoscope::panels
