// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>

#include "core/bench/plan/KernelPlan.h"
#include "widgets/models/results/ResultModel.h"
#include "widgets/panels/bench/BenchBase.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/plots/BarPlot.h"
#include "widgets/session/LatestTask.h"

namespace kinetoscope::panels {

/// The kernels of a compiler's cache with their sources; runs some or all of them and fills the
/// table while they run. A double click goes to the kernel in the trace. Saved results are shown
/// without a cache.
class KernelBenchPanel final : public BenchBase {
    Q_OBJECT

public:
    explicit KernelBenchPanel(const PanelContext& context, QWidget* parent = nullptr);
    [[nodiscard]] const models::ColumnTableModel* table() const override { return &m_model; }
    [[nodiscard]] bool busy() const override { return m_planning.busy(); }

private:
    void addOptions();
    [[nodiscard]] QWidget* makeDetails();
    void chooseCache();
    void openCaches(const QStringList& folders);
    void takePlan(Result<bench::plan::CachePlan> plan);
    void tellProblems(const std::vector<std::string>& problems);
    void tellReasons();
    void run(const QStringList& keys);
    void runSelected();
    void takeLine(const QByteArray& line);
    void takeKernel(const bench::results::BenchItem& kernel);
    void showDocument() override;
    void showCurrent();
    void showTimes();
    void showInTrace();
    void showKernel(const QString& name);
    void refreshButtons();
    /// Null: nothing is shown.
    [[nodiscard]] const bench::results::BenchItem* currentKernel() const;

    session::ViewState& m_view;
    session::Settings& m_settings;
    bench::results::ResultDocument m_kernels;  ///< of the caches, with what was measured so far
    models::ResultModel m_model;
    DataTable* m_table;
    QComboBox* m_method;
    QLineEdit* m_filter;
    QPushButton* m_runSelected;
    QTabWidget* m_details;
    plots::BarPlot* m_times;
    QPlainTextEdit* m_source;
    QStringList m_requested;  ///< the caches that are being read
    QStringList m_paths;      ///< of the caches that are shown
    QString m_sourcePath;     ///< of the source that is shown
    session::LatestTask<bench::plan::CachePlan> m_planning;
};

}  // namespace kinetoscope::panels
