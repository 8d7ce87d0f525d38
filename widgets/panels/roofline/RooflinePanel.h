// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <array>
#include <memory>
#include <vector>

#include "core/model/Roofline.h"
#include "widgets/models/roofline/RooflineModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/parts/Panel.h"
#include "widgets/plots/RooflineChart.h"
#include "widgets/session/AchievedFinder.h"
#include "widgets/session/WindowRunner.h"
#include "widgets/session/emphasis/Emphasiser.h"

namespace kinetoscope::panels {

/// How far each operator, shape, kernel or module stayed below the roofs of its GPU: a chart (left)
/// and a table (right) with a common selection, whose GPU operations are highlighted in the
/// timeline; a double click, or a click on a point, goes to the longest of them.
class RooflinePanel final : public Panel {
    Q_OBJECT

public:
    explicit RooflinePanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override { return &m_model; }
    [[nodiscard]] bool busy() const override { return m_runner.busy(); }
    void setInFront(bool inFront) override { m_runner.setWanted(inFront); }

private:
    /// Of one window, with rows of every kind.
    struct Found {
        session::SharedCalls::Calls calls;
        std::array<model::Roofline, 4> rooflines;  ///< by RooflineBy
    };

    [[nodiscard]] static session::WindowRunner<Found>::Make maker(
        const session::AchievedFinder& finder);
    void chooseRoof();
    [[nodiscard]] QWidget* makeToolBar();
    [[nodiscard]] std::shared_ptr<const model::Roofline> shown() const;
    void refresh();
    void tellState();
    [[nodiscard]] QString emptyText() const;
    void followTable();
    void chooseRows(const std::vector<std::uint32_t>& rows);
    void emphasise(const std::vector<std::uint32_t>& rows);
    void goTo(std::uint32_t row);

    /// A measured roof was requested, and none is saved for a GPU of this trace.
    [[nodiscard]] bool lacksMeasured() const;

    session::ViewState& m_view;
    session::Settings& m_settings;
    session::AchievedFinder& m_finder;
    session::WindowRunner<Found> m_runner;
    session::Emphasiser m_emphasiser;
    models::RooflineModel m_model;
    plots::RooflineChart* m_chart;
    DataTable* m_table;
    QComboBox* m_by;
    QComboBox* m_roof;
    QLabel* m_state;
    QLineEdit* m_filter;
    bool m_choosing = false;  ///< rows are being chosen, but not by the user
};

}  // namespace kinetoscope::panels
