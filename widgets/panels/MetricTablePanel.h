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

namespace kinetoscope {

/// A metric table, or any other CSV file: sorted by a click on a header, with the chosen column as
/// bars in the same order.
class MetricTablePanel final : public Panel {
    Q_OBJECT

public:
    explicit MetricTablePanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const ColumnTableModel* table() const override { return &m_model; }

private:
    [[nodiscard]] QWidget* makeToolBar();
    void choose();
    void openTable(const QString& path);
    void listColumns();
    void plot();

    Settings& m_settings;
    CsvModel m_model;
    DataTable* m_table;
    MessageBar* m_errors;
    ElidedLabel* m_path;
    QComboBox* m_column;
    QLineEdit* m_filter;
    BarPlot* m_plot;
};

}  // namespace kinetoscope
