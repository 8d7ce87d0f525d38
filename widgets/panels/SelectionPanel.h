// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>

#include "core/query/AreaSummary.h"
#include "widgets/models/AreaModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/parts/Panel.h"
#include "widgets/session/WindowRunner.h"

namespace kinetoscope::panels {

/// The slices in the selected time and rows, by name, category or row. A selected name is
/// highlighted in the timeline; a double click goes to the longest slice.
class SelectionPanel final : public Panel {
    Q_OBJECT

public:
    explicit SelectionPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override { return &m_model; }
    [[nodiscard]] bool busy() const override { return m_runner.busy(); }
    void setInFront(bool inFront) override { m_runner.setWanted(inFront); }

private:
    [[nodiscard]] QWidget* makeToolBar();
    [[nodiscard]] models::AreaGroup group() const;
    [[nodiscard]] QStringList trackLabels() const;
    void refresh();
    void tellState();
    [[nodiscard]] QString totals() const;
    [[nodiscard]] QString emptyText() const;
    void highlightCurrent();
    void goToLongest();

    session::ViewState& m_view;
    session::WindowRunner<query::AreaSummary> m_runner;
    models::AreaModel m_model;
    DataTable* m_table;
    QComboBox* m_by;
    QLineEdit* m_filter;
    QLabel* m_state;
    QLabel* m_totals;
    bool m_refreshing = false;
};

}  // namespace kinetoscope::panels
