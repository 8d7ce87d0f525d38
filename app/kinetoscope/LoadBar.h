// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QWidget>

#include "widgets/session/TraceLoader.h"

namespace kinetoscope::app {

/// Progress of the file being read, with Cancel. Small files are done before it would show.
class LoadBar final : public QWidget {
    Q_OBJECT

public:
    explicit LoadBar(session::TraceLoader& loader, QWidget* parent = nullptr);

private:
    void begin(const QString& path);
    void tell(quint64 done, quint64 total);
    void end();

    session::TraceLoader& m_loader;
    QString m_title;
    QLabel* m_text;
    QProgressBar* m_bar;
    QPushButton* m_cancel;
    QTimer m_patience;
};

}  // namespace kinetoscope::app
