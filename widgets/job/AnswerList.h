// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>
#include <functional>

namespace kinetoscope::job {

/// The answers of a job, a sentence each.
class AnswerList final : public QListWidget {
    Q_OBJECT

public:
    /// `text` returns the sentence of each; `none` is shown if there is no answer.
    AnswerList(std::size_t count, const std::function<QString(std::size_t)>& text,
               const QString& none, QWidget* parent = nullptr);

signals:
    void chosen(std::size_t answer);

protected:
    void resizeEvent(QResizeEvent* event) override;
};

}  // namespace kinetoscope::job
