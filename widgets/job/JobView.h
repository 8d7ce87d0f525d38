// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QTabWidget>
#include <QToolButton>
#include <memory>
#include <vector>

#include "widgets/job/JobPage.h"
#include "widgets/job/JobState.h"
#include "widgets/job/JobTableModels.h"
#include "widgets/job/MatrixView.h"
#include "widgets/job/RankTimeline.h"
#include "widgets/job/WordsPane.h"
#include "widgets/panels/parts/DataTable.h"

namespace kinetoscope::job {

/// All of one job: the matrix with its legend, answers and words beside it, the timeline of the
/// ranks, and the tables.
class JobView final : public JobPage {
    Q_OBJECT

public:
    explicit JobView(JobState::Shown shown, QWidget* parent = nullptr);
    ~JobView() override;

    [[nodiscard]] JobState& state() { return m_state; }
    [[nodiscard]] const JobState::Shown& shown() const { return m_shown; }
    [[nodiscard]] MatrixView& matrix() { return *m_matrix; }
    [[nodiscard]] RankTimeline& timeline() { return *m_timeline; }
    /// "ranks", "steps", "collectives", "clocks"; null for another name.
    [[nodiscard]] panels::DataTable* table(const QString& name) const;
    [[nodiscard]] const models::ColumnTableModel* tableInFront(QString* title) const override;
    /// Of "matrix", "timeline", "tables".
    [[nodiscard]] QWidget* part(const QString& name) const override;
    [[nodiscard]] QStringList summary() const override;
    [[nodiscard]] QStringList lost() const override;
    [[nodiscard]] bool busy() const override { return m_timeline->busy(); }
    void fit() override { m_state.fit(); }
    void zoom(double factor) override;
    [[nodiscard]] Choices choices() const override;
    void setChoices(const Choices& choices) override;

private:
    /// A table in its tab.
    struct Tab {
        QString name;
        QString title;
        std::unique_ptr<JobTableModel> model;
        panels::DataTable* table;
    };

    [[nodiscard]] std::size_t answers() const override { return m_state.job().answers.size(); }
    [[nodiscard]] QString answerText(std::size_t answer) const override;
    void goToAnswer(std::size_t answer) override { m_state.goTo(m_state.job().answers[answer]); }
    [[nodiscard]] QWidget* makePictures();
    [[nodiscard]] QToolButton* makeFindingsButton();
    void makeChoices();
    [[nodiscard]] QWidget* makeTables();
    void addTable(const QString& name, const QString& title, std::unique_ptr<JobTableModel> model);
    void connectTables();
    void goToCollectiveRow(std::uint32_t row);
    void goToRank(std::size_t record);
    void syncChoices();
    void tellSelection();

    JobState m_state;
    JobState::Shown m_shown;
    MatrixView* m_matrix;
    RankTimeline* m_timeline;
    WordsPane* m_words;
    QTabWidget* m_tabs = nullptr;
    QComboBox* m_figure = nullptr;
    QComboBox* m_order = nullptr;
    QComboBox* m_groups = nullptr;
    std::vector<Tab> m_tables;
};

}  // namespace kinetoscope::job
