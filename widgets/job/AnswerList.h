// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>

#include "widgets/job/JobState.h"

namespace kinetoscope::job {

/// The answers of a job, a sentence each: who waited for whom, and why. Choosing one goes to its
/// cell and its time.
class AnswerList final : public QListWidget {
    Q_OBJECT

public:
    explicit AnswerList(JobState& state, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    JobState& m_state;
};

}  // namespace kinetoscope::job
