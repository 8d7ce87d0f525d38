// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>

#include "core/analysis/Operators.h"
#include "widgets/models/OperatorTableModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/parts/Panel.h"
#include "widgets/session/AchievedFinder.h"
#include "widgets/session/WindowRunner.h"

namespace kinetoscope::panels {

/// Calls and times of the operators in the window. A selected one is emphasised in the timeline; a
/// double click goes to its longest call.
class OperatorsPanel final : public Panel {
    Q_OBJECT

public:
    explicit OperatorsPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override { return &m_model; }
    [[nodiscard]] bool busy() const override { return m_runner.busy() || m_achieved.busy(); }
    void setInFront(bool inFront) override {
        m_runner.setWanted(inFront);
        m_achieved.setWanted(this, inFront);
    }

private:
    [[nodiscard]] QWidget* makeToolBar();
    void addOperatorActions();
    void refresh();
    void hideColumns();
    void tellState();
    [[nodiscard]] QString emptyText() const;
    [[nodiscard]] std::optional<NameId> nameOfRow(int row) const;
    void highlightCurrent();
    void followHighlight();
    void goTo(trace::SliceId analysis::OperatorRow::*occurrence);

    session::ViewState& m_view;
    session::AchievedFinder& m_achieved;
    session::WindowRunner<analysis::OperatorTable> m_runner;
    models::OperatorTableModel m_model;
    DataTable* m_table;
    QCheckBox* m_byShape;
    QComboBox* m_sides;
    QLineEdit* m_filter;
    QLabel* m_state;
    bool m_refreshing = false;
};

}  // namespace kinetoscope::panels
