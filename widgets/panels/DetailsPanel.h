// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/models/DetailsModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/parts/Panel.h"

namespace kinetoscope::panels {

/// Everything about the selected slice; lines with a link select and show the slice they name.
class DetailsPanel final : public Panel {
    Q_OBJECT

public:
    explicit DetailsPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override { return &m_model; }

private:
    void refresh();
    void follow(const QModelIndex& index);

    session::ViewState& m_view;
    models::DetailsModel m_model;
    DataTable* m_table;
};

}  // namespace kinetoscope::panels
