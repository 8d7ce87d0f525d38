// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTabWidget>

#include "widgets/models/BenchModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/parts/Panel.h"
#include "widgets/plots/BarPlot.h"
#include "widgets/session/LatestTask.h"
#include "widgets/session/programs/BenchRunner.h"
#include "widgets/style/ElidedLabel.h"
#include "widgets/style/MessageBar.h"

namespace kinetoscope::panels {

/// The kernels of a compiler's cache with their sources; runs some or all of them in a process of
/// its own and fills the table while they run. A double click goes to the kernel in the trace.
class BenchPanel final : public Panel {
    Q_OBJECT

public:
    explicit BenchPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override { return &m_model; }
    [[nodiscard]] bool busy() const override { return m_planning.busy(); }

private:
    [[nodiscard]] QWidget* makeToolBar();
    [[nodiscard]] QWidget* makeDetails();
    void connectRunner();
    void chooseCache();
    void openCaches(const QStringList& folders);
    void takePlan(Result<bench::plan::CachePlan> plan);
    void tellProblems(const std::vector<std::string>& problems);
    void tellReasons();
    void run(const QStringList& keys, int count);
    void runSelected();
    void takeResult(const bench::results::BenchItem& result);
    void endRun(const QString& error);
    void showCurrent();
    void showTimes(int row);
    void showInTrace();
    void showKernel(const QString& name);
    void refreshButtons();

    session::Session& m_session;
    session::ViewState& m_view;
    session::Settings& m_settings;
    models::BenchModel m_model;
    session::BenchRunner m_runner;
    DataTable* m_table;
    style::MessageBar* m_errors;
    style::ElidedLabel* m_folder;
    QComboBox* m_method;
    QLineEdit* m_filter;
    QPushButton* m_runAll;
    QPushButton* m_runSelected;
    QPushButton* m_cancel;
    QProgressBar* m_progress;
    QTabWidget* m_details;
    plots::BarPlot* m_times;
    QPlainTextEdit* m_source;
    QStringList m_asked;   ///< the caches that are being read
    QStringList m_paths;   ///< of the caches that are shown
    QString m_sourcePath;  ///< of the source that is shown
    session::LatestTask<bench::plan::CachePlan> m_planning;
};

}  // namespace kinetoscope::panels
