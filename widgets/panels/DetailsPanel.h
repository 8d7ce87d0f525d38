// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/models/details/DetailsModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/parts/Panel.h"

namespace kinetoscope::session {
class IdleFinder;
class PathFinder;
}  // namespace kinetoscope::session

namespace kinetoscope::panels {

/// Everything about what is selected, in a comparison on the side used last; lines with a link
/// select and show what they name.
class DetailsPanel final : public Panel {
    Q_OBJECT

public:
    explicit DetailsPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override { return &m_model; }

private:
    void followView();
    void refresh();
    void fitProse();
    [[nodiscard]] std::vector<models::DetailLine> lines();
    [[nodiscard]] std::vector<models::DetailLine> sliceLines(trace::SliceId slice);
    void follow(const QModelIndex& index);
    [[nodiscard]] trace::SliceId chosenSlice() const;
    void showCalls();

    session::Session& m_session;
    session::ViewState* m_view;
    session::IdleFinder* m_idle;
    session::PathFinder* m_paths;
    models::DetailsModel m_model;
    DataTable* m_table;
};

}  // namespace kinetoscope::panels
