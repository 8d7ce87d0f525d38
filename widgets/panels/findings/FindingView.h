// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QToolButton>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/models/fields/FieldModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/parts/Panel.h"
#include "widgets/session/advice/AdviceFinder.h"
#include "widgets/session/emphasis/Emphasiser.h"

namespace kinetoscope::panels {

/// One finding: what to try, the figures that show it, the events it is about, and where it leads.
class FindingView final : public QWidget {
    Q_OBJECT

public:
    explicit FindingView(const PanelContext& context, QWidget* parent = nullptr);

    /// A row of the advice's findings; none: nothing is shown.
    void setFinding(std::shared_ptr<const session::ShownAdvice> advice,
                    std::optional<std::size_t> row);
    [[nodiscard]] bool busy() const { return m_emphasiser.busy(); }

private:
    [[nodiscard]] QWidget* makeButtons();
    [[nodiscard]] const advise::Finding* finding() const;
    [[nodiscard]] std::vector<models::Field> evidenceFields() const;
    [[nodiscard]] std::vector<models::Field> eventFields() const;
    [[nodiscard]] trace::SliceId benchable() const;
    void tellButtons();
    void growEvidence();
    void show();
    void goToEvent(const QModelIndex& index);

    session::Session& m_session;
    session::ViewState& m_view;
    session::AdviceFinder& m_finder;
    session::Emphasiser m_emphasiser;
    std::shared_ptr<const session::ShownAdvice> m_advice;
    std::optional<std::size_t> m_row;
    models::FieldModel m_evidence;
    models::FieldModel m_events;
    QLabel* m_title;
    QLabel* m_words;
    QWidget* m_wordsArea = nullptr;
    QToolButton* m_show;
    QToolButton* m_bench;
    QToolButton* m_compare;
    QToolButton* m_explain;
    DataTable* m_evidenceTable;
    DataTable* m_eventTable;
};

}  // namespace kinetoscope::panels
