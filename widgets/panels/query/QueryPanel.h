// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

#include "widgets/models/CsvModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/parts/Panel.h"
#include "widgets/panels/query/QueryRunner.h"
#include "widgets/panels/query/SqlEditor.h"
#include "widgets/plots/PointPlot.h"
#include "widgets/style/MessageBar.h"

namespace kinetoscope::panels {

/// Queries of the shown trace in SQL: an editor, the rows of the answer, two of its columns as a
/// chart. A double click or Enter on a row goes to its slice in the timeline.
class QueryPanel final : public Panel {
    Q_OBJECT

public:
    explicit QueryPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override { return &m_model; }
    [[nodiscard]] bool busy() const override { return m_runner.busy(); }

private:
    [[nodiscard]] QWidget* makeToolBar();
    void fillQueries();
    void addQuery(const QString& title, const QString& sql);
    void save();
    void run();
    void show(const QueryAnswer& answer);
    void listColumns();
    void plot();
    void tellState();
    void goTo(const QModelIndex& index);
    void takeTrace();

    session::ViewState& m_view;
    session::Settings& m_settings;
    QueryRunner m_runner;
    models::CsvModel m_model;
    SqlEditor* m_editor;
    DataTable* m_table;
    plots::PointPlot* m_plot;
    style::MessageBar* m_errors;
    QPushButton* m_run;
    QPushButton* m_cancel;
    QToolButton* m_queries;
    QMenu* m_queryMenu;
    QCheckBox* m_selectedOnly;
    QComboBox* m_across;
    QComboBox* m_up;
    QLabel* m_state;
    QString m_answerText;
};

}  // namespace kinetoscope::panels
