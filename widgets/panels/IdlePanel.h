// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "core/analysis/IdleList.h"
#include "widgets/models/IdleModels.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/parts/Panel.h"
#include "widgets/session/IdleFinder.h"

namespace kinetoscope::panels {

/// Why the GPU was idle: the time by reason or by what the host did (left), and every gap (right).
/// Selecting a gap here selects it in the timeline and vice versa; a double click goes to what the
/// host did.
class IdlePanel final : public Panel {
    Q_OBJECT

public:
    explicit IdlePanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override { return &m_gaps; }
    [[nodiscard]] bool busy() const override { return m_idle.busy(); }
    void setInFront(bool inFront) override { m_idle.setWanted(inFront); }

private:
    [[nodiscard]] QWidget* makeToolBar();
    void addGapActions();
    [[nodiscard]] models::IdleGroup group() const;
    void refresh();
    void chooseGroup();
    void chooseKey();
    void tellState();
    [[nodiscard]] QString emptyText() const;
    void showGap();
    void followSelection();
    void goTo(trace::SliceId slice);
    [[nodiscard]] const analysis::NamedGap* currentGap() const;

    session::ViewState& m_view;
    session::IdleFinder& m_idle;
    models::IdleGroupModel m_groups;
    models::IdleGapModel m_gaps;
    DataTable* m_groupTable;
    DataTable* m_gapTable;
    QComboBox* m_by;
    QToolButton* m_clear;
    QLineEdit* m_filter;
    QLabel* m_state;
    bool m_refreshing = false;  ///< the current row changes, but not by the user
};

}  // namespace kinetoscope::panels
