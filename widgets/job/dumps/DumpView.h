// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QTabWidget>
#include <memory>
#include <vector>

#include "widgets/job/AnswerList.h"
#include "widgets/job/JobPage.h"
#include "widgets/job/JobTableModels.h"
#include "widgets/job/WordsPane.h"
#include "widgets/job/dumps/CallMatrix.h"
#include "widgets/panels/parts/DataTable.h"

namespace kinetoscope::job::dumps {

/// The dumps of NCCL's flight recorder of one job: the matrix of calls of a process group, what is
/// stuck, what is selected in words, and tables of groups and of the ranks' last calls.
class DumpView final : public JobPage {
    Q_OBJECT

public:
    explicit DumpView(DumpState::Dumps dumps, QWidget* parent = nullptr);
    ~DumpView() override;

    [[nodiscard]] DumpState& state() { return m_state; }
    [[nodiscard]] CallMatrix& matrix() { return *m_matrix; }
    [[nodiscard]] const WordsPane& words() const { return *m_words; }
    [[nodiscard]] AnswerList& answerList() { return *m_answers; }
    [[nodiscard]] QComboBox& groups() { return *m_groups; }

    /// Which of DumpState::views() is shown.
    [[nodiscard]] Choices choices() const override;
    void setChoices(const Choices& choices) override;
    /// Of "matrix", "tables".
    [[nodiscard]] QWidget* part(const QString& name) const override;
    [[nodiscard]] const models::ColumnTableModel* tableInFront(QString* title) const override;
    [[nodiscard]] QStringList summary() const override;
    [[nodiscard]] QStringList lost() const override;
    void fit() override { m_matrix->fit(); }
    void zoom(double factor) override { m_matrix->zoom(factor); }

private:
    [[nodiscard]] std::size_t answers() const override { return m_state.answers(); }
    [[nodiscard]] QString answerText(std::size_t answer) const override;
    void goToAnswer(std::size_t answer) override { m_state.goToAnswer(answer); }
    [[nodiscard]] QWidget* makeGroups();
    [[nodiscard]] QWidget* makeTables();
    panels::DataTable* addTable(const char* name, const text::PrintedTable& printed);
    void tellSelection();

    DumpState m_state;
    CallMatrix* m_matrix;
    WordsPane* m_words;
    AnswerList* m_answers = nullptr;
    QComboBox* m_groups = nullptr;
    QTabWidget* m_tabs = nullptr;
    std::vector<std::unique_ptr<JobTableModel>> m_models;  ///< by tab
};

}  // namespace kinetoscope::job::dumps
