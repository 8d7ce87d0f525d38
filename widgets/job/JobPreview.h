// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/job/JobPage.h"
#include "widgets/job/JobState.h"
#include "widgets/job/MatrixView.h"

namespace kinetoscope::job {

/// A job that is still being read: the step times of the ranks that are there.
class JobPreview final : public JobPage {
    Q_OBJECT

public:
    /// `files`: how many are read in all.
    JobPreview(JobState::Shown shown, qint64 files, QWidget* parent = nullptr);

    [[nodiscard]] JobState& state() { return m_state; }
    [[nodiscard]] Choices choices() const override { return {}; }
    void setChoices(const Choices& /*choices*/) override {}
    /// Of "matrix".
    [[nodiscard]] QWidget* part(const QString& name) const override;
    [[nodiscard]] const models::ColumnTableModel* tableInFront(QString* /*title*/) const override {
        return nullptr;
    }
    [[nodiscard]] QStringList summary() const override;
    [[nodiscard]] QStringList lost() const override { return {}; }
    [[nodiscard]] bool busy() const override { return true; }
    void fit() override {}
    void zoom(double /*factor*/) override {}

private:
    JobState m_state;
    qint64 m_files;
    MatrixView* m_matrix;
};

}  // namespace kinetoscope::job
