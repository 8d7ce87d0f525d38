// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>

#include "widgets/panels/NotesModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/parts/Panel.h"

namespace kinetoscope::panels {

/// Notes on times of the trace. A click goes there, F2 edits, Delete removes, Ctrl+Z undoes that.
class NotesPanel final : public Panel {
    Q_OBJECT

public:
    explicit NotesPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override { return &m_model; }

private:
    void addActions();
    void refresh();
    void showNote(const sidecar::Note& note);
    void goToCurrent();
    void removeCurrent();
    [[nodiscard]] QString emptyText() const;

    session::ViewState& m_view;
    session::TraceNotes& m_notes;
    NotesModel m_model;
    DataTable* m_table;
    QAction* m_undo;
    bool m_refreshing = false;
};

}  // namespace kinetoscope::panels
