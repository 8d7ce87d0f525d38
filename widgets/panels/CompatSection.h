// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QWidget>
#include <memory>
#include <optional>

#include "widgets/session/CompatRunner.h"
#include "widgets/style/MessageBar.h"

namespace kinetoscope::panels {

/// PyTorch's own figures behind a title that unfolds them: wall time, runs and name to enter, the
/// tables, and the text of the terminal to copy.
class CompatSection final : public QWidget {
    Q_OBJECT

public:
    explicit CompatSection(session::CompatRunner& runner, QWidget* parent = nullptr);

signals:
    /// It needs another width.
    void contentsChanged();

private:
    [[nodiscard]] QWidget* makeHead();
    [[nodiscard]] QLayout* makeFields();
    [[nodiscard]] QLayout* makeLine();
    [[nodiscard]] QLineEdit* makeField(const char* name, const QString& placeholder);
    [[nodiscard]] std::optional<sidecar::EnteredRun> written();
    void unfold(bool open);
    void enter();
    void refresh();
    void show(std::shared_ptr<const session::CompatFigures> figures);
    void setField(QLineEdit* field, const QString& text);
    void say(const QString& problem);

    session::CompatRunner& m_runner;
    QToolButton* m_title;
    QWidget* m_body;
    QLineEdit* m_wall;
    QLineEdit* m_runs;
    QLineEdit* m_name;
    style::MessageBar* m_problem;
    QWidget* m_tables;
    QLineEdit* m_line;
    QPushButton* m_copyLine;
    QPushButton* m_copy;
    std::shared_ptr<const session::CompatFigures> m_shown;  ///< null: none yet
    QString m_told;  ///< the runner's problem that was said last
};

}  // namespace kinetoscope::panels
