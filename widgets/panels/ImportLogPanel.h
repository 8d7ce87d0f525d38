// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/models/ImportLogModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/parts/Panel.h"

namespace kinetoscope::panels {

/// Problems found while importing the file.
class ImportLogPanel final : public Panel {
    Q_OBJECT

public:
    explicit ImportLogPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override { return &m_model; }

private:
    models::ImportLogModel m_model;
    DataTable* m_table;
};

}  // namespace kinetoscope::panels
