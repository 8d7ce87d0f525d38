// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <string>
#include <vector>

#include "widgets/models/CategoryModel.h"
#include "widgets/models/KernelTableModel.h"
#include "widgets/panels/MeasuredKernels.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/parts/Panel.h"
#include "widgets/session/AchievedFinder.h"
#include "widgets/session/LatestTask.h"

namespace kinetoscope::panels {

/// Kernel time by category (left) and by name (right). A selected kernel is emphasised in the
/// timeline; a double click goes to its longest occurrence.
class KernelsPanel final : public Panel {
    Q_OBJECT

public:
    explicit KernelsPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override { return &m_kernels; }
    [[nodiscard]] bool busy() const override {
        return m_session.reports().busy() || m_launches.busy() || m_achieved.busy() ||
               m_measured.busy();
    }
    void setInFront(bool inFront) override { m_achieved.setWanted(this, inFront); }

private:
    enum class Occurrence { First, Longest };

    [[nodiscard]] QWidget* makeToolBar();
    void addKernelActions();
    void refresh();
    void showAchieved();
    void openMeasured(const QString& path);
    void showMeasured();
    void chooseGroup(int index);
    void chooseCategory();
    void showCategory(const std::string& name);
    void takeLaunches(Result<std::vector<analysis::KernelRow>> rows);
    void highlightCurrent();
    void followHighlight();
    void goTo(Occurrence which);
    void tellCount();
    [[nodiscard]] QString emptyText() const;
    void keepCategory();
    [[nodiscard]] bool kernelsHaveOneCategory() const;

    session::Session& m_session;
    session::ViewState& m_view;
    session::Settings& m_settings;
    session::AchievedFinder& m_achieved;
    MeasuredKernels m_measured;
    models::CategoryModel m_categories;
    models::KernelTableModel m_kernels;
    DataTable* m_categoryTable;
    DataTable* m_kernelTable;
    QComboBox* m_group;
    QLineEdit* m_filter;
    QToolButton* m_clearCategory;
    QToolButton* m_openMeasured;
    QToolButton* m_closeMeasured;
    QLabel* m_count;
    std::string m_category;  ///< whose kernels alone are shown; empty: all are
    QString m_problem;       ///< why its launches were not summed up
    session::LatestTask<std::vector<analysis::KernelRow>> m_launches;
    bool m_refreshing = false;
};

}  // namespace kinetoscope::panels
