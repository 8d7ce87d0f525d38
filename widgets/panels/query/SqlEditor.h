// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

class QCompleter;

namespace kinetoscope::panels {

/// An editor of SQL: keywords, strings, numbers and comments are highlighted, tables, columns and
/// functions are completed while typing (Ctrl+Space: immediately), Ctrl+Enter runs.
class SqlEditor final : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit SqlEditor(QWidget* parent = nullptr);

    [[nodiscard]] QCompleter& completer() { return *m_completer; }

signals:
    void runWanted();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QString wordBefore() const;
    void offer(bool atOnce);
    void complete(const QString& word);

    QCompleter* m_completer;
};

}  // namespace kinetoscope::panels
