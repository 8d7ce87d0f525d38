// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/models/StepModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/parts/Panel.h"

namespace kinetoscope::panels {

/// The steps of the run; a double click zooms to one and makes it the window of the figures.
class StepsPanel final : public Panel {
    Q_OBJECT

public:
    explicit StepsPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override { return &m_model; }
    /// The steps are the same whatever is selected.
    [[nodiscard]] bool busy() const override {
        return m_session.reports().busy() && m_model.rowCount() == 0;
    }

private:
    void refresh();
    void tellEmpty();
    void goTo(const QModelIndex& index);

    session::Session& m_session;
    session::ViewState& m_view;
    models::StepModel m_model;
    DataTable* m_table;
};

}  // namespace kinetoscope::panels
