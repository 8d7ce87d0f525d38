// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

#include "widgets/session/Settings.h"
#include "widgets/session/programs/Recorder.h"

class QFormLayout;

namespace kinetoscope::app {

/// Asks which program to record, and remembers the answers.
class RecordDialog final : public QDialog {
    Q_OBJECT

public:
    explicit RecordDialog(session::Settings& settings, QWidget* parent = nullptr);

    [[nodiscard]] session::RecordRequest request() const;

signals:
    void recordRequested(const kinetoscope::session::RecordRequest& request);

private:
    void addPathRow(QFormLayout* form, const QString& title, QLineEdit* edit, bool folder);
    void choosePath(QLineEdit* edit, bool folder);
    void check();
    void confirm();

    session::Settings& m_settings;
    QLineEdit* m_program;
    QLineEdit* m_arguments;
    QLineEdit* m_folder;
    QPlainTextEdit* m_environment;
    QComboBox* m_level;
    QLabel* m_hint;
    QPushButton* m_record;
};

}  // namespace kinetoscope::app
