// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QList>
#include <QWidget>

namespace kinetoscope::app {

/// Every gesture of the timeline and every shortcut of the menus. Not modal.
void showKeysDialog(QWidget& parent, const QList<QAction*>& panelActions);

/// Versions, licences, and what `kscope about` finds on this machine. Not modal.
void showAboutDialog(QWidget& parent);

}  // namespace kinetoscope::app
