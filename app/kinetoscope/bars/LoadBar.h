// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/kinetoscope/bars/WaitBar.h"
#include "widgets/session/TraceLoader.h"

namespace kinetoscope::app {

/// Progress of the file being read, with Cancel.
class LoadBar final : public WaitBar {
    Q_OBJECT

public:
    explicit LoadBar(session::TraceLoader& loader, QWidget* parent = nullptr);

private:
    void beginFile(const QString& path);
    void tellBytes(quint64 done, quint64 total);

    session::TraceLoader& m_loader;
    QString m_title;
};

}  // namespace kinetoscope::app
