// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <optional>

#include "widgets/models/fields/FieldModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/parts/Panel.h"
#include "widgets/panels/path/PartBar.h"
#include "widgets/session/path/PathFinder.h"

namespace kinetoscope::panels {

/// The critical path of a step: a bar of its kinds of parts, its largest contributors, and the
/// length of the step if something took less. A click on a row goes to its longest stretch.
class PathPanel final : public Panel {
    Q_OBJECT

public:
    explicit PathPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override { return &m_model; }
    [[nodiscard]] bool busy() const override { return m_paths.busy(); }
    void setInFront(bool inFront) override { m_paths.setWanted(inFront); }

private:
    [[nodiscard]] QWidget* makeToolBar();
    void refresh();
    void fillSteps();
    void fillRows();
    void tellState();
    void goTo(const QModelIndex& index);
    [[nodiscard]] std::vector<models::Field> fields() const;

    session::ViewState& m_view;
    session::PathFinder& m_paths;
    std::vector<path::Part> m_rows;  ///< shown, before the filter of the table
    std::optional<path::PartKind> m_kind;
    std::shared_ptr<const path::Graph> m_stepsOf;
    models::FieldModel m_model;
    PartBar* m_bar;
    DataTable* m_table;
    QComboBox* m_step;
    QComboBox* m_by;
    QCheckBox* m_drawn;
    QLabel* m_state;
    QLineEdit* m_filter;
};

}  // namespace kinetoscope::panels
