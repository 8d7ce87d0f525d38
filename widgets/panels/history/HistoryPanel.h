// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <memory>
#include <string>
#include <vector>

#include "core/baseline/History.h"
#include "widgets/models/fields/FieldModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/parts/Panel.h"
#include "widgets/plots/history/HistoryChart.h"
#include "widgets/session/LatestTask.h"

namespace kinetoscope::panels {

/// A baseline over time: a table of its rows and the selected one as a picture. A click on an entry
/// opens the trace or result that was kept.
class HistoryPanel final : public Panel {
    Q_OBJECT

public:
    explicit HistoryPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override { return &m_model; }
    [[nodiscard]] bool busy() const override { return m_task.busy(); }
    /// Others may have saved entries since.
    void setInFront(bool inFront) override;
    /// Shows the baselines that are kept there, from now on.
    void openStore(const QString& folder);

private:
    /// The worker's result from the store.
    struct Found {
        std::vector<std::string> names;
        std::string name;  ///< whose history it is; empty: the store holds none
        std::shared_ptr<const baseline::History> history;
        std::string problem;  ///< the reason if there is none; else empty
    };

    [[nodiscard]] QWidget* makeToolBar();
    [[nodiscard]] QString store() const;
    void chooseStore();
    void load(const std::string& name);
    void take(Result<Found> found);
    [[nodiscard]] std::vector<models::Field> fields() const;
    void draw();
    void open(int dot);
    [[nodiscard]] const baseline::HistorySeries* series() const;

    session::Session& m_session;
    session::Settings& m_settings;
    Found m_found;
    models::FieldModel m_model;
    DataTable* m_table;
    plots::HistoryChart* m_chart;
    QComboBox* m_names;
    QToolButton* m_store;
    QLabel* m_state;
    QLineEdit* m_filter;
    session::LatestTask<Found> m_task;
};

}  // namespace kinetoscope::panels
