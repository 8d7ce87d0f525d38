// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QPlainTextEdit>

#include "widgets/job/JobState.h"

namespace kinetoscope::job {

/// What happened in the selected cell, and in the selected collective, in words.
class WordsPane final : public QWidget {
    Q_OBJECT

public:
    explicit WordsPane(JobState& state, QWidget* parent = nullptr);

    [[nodiscard]] QString heading() const { return m_heading->text(); }
    [[nodiscard]] QString text() const { return m_text->toPlainText(); }

private:
    void refresh();

    JobState& m_state;
    QLabel* m_heading;
    QPlainTextEdit* m_text;
};

}  // namespace kinetoscope::job
