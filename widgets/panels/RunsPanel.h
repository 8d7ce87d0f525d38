// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "widgets/models/RunsModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/parts/Panel.h"

namespace kinetoscope::panels {

/// Everything open, recorded or benchmarked; one is marked as the baseline, others as candidates,
/// and Compare compares them.
class RunsPanel final : public Panel {
    Q_OBJECT

public:
    explicit RunsPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override { return &m_model; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    [[nodiscard]] QWidget* makeToolBar();
    void addRole(const char* name, const QString& text, const QString& toolTip,
                 session::CompareRole role, QLayout* row);
    void mark(session::CompareRole role);
    void takeOptions();
    void tell();

    session::CompareState& m_state;
    models::RunsModel m_model;
    DataTable* m_table;
    QComboBox* m_per;
    QComboBox* m_match;
    QPushButton* m_compare;
    QLabel* m_hint;
    QList<QToolButton*> m_roles;
};

}  // namespace kinetoscope::panels
