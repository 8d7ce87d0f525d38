// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/bars/LoadBar.h"

#include <QFileInfo>

#include "core/text/Format.h"

namespace kinetoscope::app {

LoadBar::LoadBar(session::TraceLoader& loader, QWidget* parent)
    : WaitBar(QStringLiteral("cancelLoad"), tr("Cancel loading; discards what was read"), parent),
      m_loader(loader) {
    connect(this, &WaitBar::cancelled, &loader, &session::TraceLoader::cancel);
    connect(&loader, &session::TraceLoader::started, this, &LoadBar::beginFile);
    connect(&loader, &session::TraceLoader::progressed, this, &LoadBar::tellBytes);
    connect(&loader, &session::TraceLoader::idle, this, &WaitBar::end);
}

void LoadBar::beginFile(const QString& path) {
    m_title = tr("Opening %1").arg(QFileInfo(path).fileName());
    if (m_loader.waiting() > 0) {
        m_title += tr(" (%1 more)").arg(m_loader.waiting());
    }
    begin(m_title);
}

void LoadBar::tellBytes(quint64 done, quint64 total) {
    tell(total == 0 ? m_title
                    : tr("%1: %2 of %3")
                          .arg(m_title, QString::fromStdString(text::formatBytes(done)),
                               QString::fromStdString(text::formatBytes(total))),
         m_loader.progress().fraction());
}

}  // namespace kinetoscope::app
