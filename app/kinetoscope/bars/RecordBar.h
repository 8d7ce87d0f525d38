// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QWidget>

#include "widgets/session/programs/Recorder.h"

namespace kinetoscope::app {

/// State of the recording and its actions. Hidden while there is none.
class RecordBar final : public QWidget {
    Q_OBJECT

public:
    explicit RecordBar(session::Recorder& recorder, QWidget* parent = nullptr);
    [[nodiscard]] QString text() const { return m_text->text(); }

signals:
    void saveCapturesRequested();
    void saveRequested();
    void closeRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QPushButton* addButton(const char* name, const QString& text, const QString& toolTip);
    void refresh();
    void tell();
    [[nodiscard]] QString amount() const;

    session::Recorder& m_recorder;
    QLabel* m_text;
    QPushButton* m_stop;
    QPushButton* m_resume;
    QPushButton* m_end;
    QPushButton* m_saveCaptures;
    QPushButton* m_save;
    QPushButton* m_close;
    QTimer m_tick;
    std::size_t m_operations = 0;
};

}  // namespace kinetoscope::app
