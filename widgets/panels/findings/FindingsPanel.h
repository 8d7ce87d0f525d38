// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <memory>
#include <vector>

#include "widgets/models/fields/FieldModel.h"
#include "widgets/panels/findings/FindingView.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/parts/Panel.h"
#include "widgets/session/advice/AdviceFinder.h"

namespace kinetoscope::panels {

/// What to change first: a line for each finding with what it saves at most, ticked ones also
/// together, and the evidence of the chosen one. Rules that could not judge come last and give the
/// reason.
class FindingsPanel final : public Panel {
    Q_OBJECT

public:
    explicit FindingsPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override { return &m_model; }
    [[nodiscard]] bool busy() const override { return m_finder.busy() || m_chosen->busy(); }
    void setInFront(bool inFront) override { m_finder.setWanted(inFront); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeList();
    [[nodiscard]] std::vector<models::Field> fields() const;
    [[nodiscard]] const advise::Finding& finding(std::uint32_t row) const;
    void refresh();
    void choose();
    void toggle(std::uint32_t row);
    void combine();
    void tellState();
    void tellNothing();
    void tellSaving();

    session::ViewState& m_view;
    session::AdviceFinder& m_finder;
    std::shared_ptr<const session::ShownAdvice> m_shown;
    std::vector<bool> m_ticked;  ///< by finding
    models::FieldModel m_model;
    DataTable* m_table;
    FindingView* m_chosen;
    QLabel* m_saving;
    QLabel* m_nothing;
    QLabel* m_state;
    QLineEdit* m_filter;
};

}  // namespace kinetoscope::panels
