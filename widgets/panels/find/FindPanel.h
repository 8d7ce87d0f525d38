// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLineEdit>
#include <QToolButton>

#include "widgets/panels/find/FigureLine.h"
#include "widgets/panels/find/HitModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/parts/LongWork.h"
#include "widgets/panels/parts/Panel.h"

namespace kinetoscope::panels {

/// Results of the search: every hit, their total time, and filters by category, row and time. A
/// clicked hit is shown in the timeline.
class FindPanel final : public Panel {
    Q_OBJECT

public:
    explicit FindPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override { return &m_model; }
    [[nodiscard]] bool busy() const override { return m_find.busy() || m_model.busy(); }
    void setInFront(bool inFront) override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeToolBar();
    void refresh();
    void fillChoices();
    void fillCategories();
    void fillRows();
    void tellFilter();
    void tellFigures();
    [[nodiscard]] QString emptyText() const;
    void filter();
    void goTo(const QModelIndex& row);
    void showChosen();

    session::ViewState& m_view;
    session::FindState& m_find;
    HitModel m_model;
    DataTable* m_table;
    QLineEdit* m_text;
    QComboBox* m_category;
    QComboBox* m_row;
    QComboBox* m_time;
    QToolButton* m_durations;
    FigureLine* m_figures;
    LongWork m_work;
    bool m_inFront = false;
    bool m_refreshing = false;
};

}  // namespace kinetoscope::panels
