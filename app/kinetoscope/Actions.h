// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QObject>
#include <QWidget>
#include <span>

#include "app/kinetoscope/Commands.h"

namespace kinetoscope::app {

enum class ActionId {
    Open,
    OpenJob,
    Reload,
    Close,
    SaveSession,
    Record,
    ExportTable,
    SavePart,
    SaveScreenshot,
    SaveSelection,
    Quit,
    Fit,
    ZoomIn,
    ZoomOut,
    ResetLayout,
    ThemeSystem,
    ThemeLight,
    ThemeDark,
    Back,
    Forward,
    Palette,
    Find,
    FindNext,
    FindPrevious,
    GoToStep,
    AddNote,
    Play,
    CompareRuns,
    CompareTimelines,
    PreviousFile,
    NextFile,
    WhatsThis,
    Tour,
    Keys,
    About
};

enum class MenuId { File, View, Theme, Go, Help };

struct ActionEntry {
    ActionId id;
    MenuId menu;
    const char* name;      ///< objectName, stable
    const char* text;      ///< in the menu
    const char* shortcut;  ///< portable text; empty: none
    const char* icon;      ///< drawing of resources/icons; empty: none
    const char* toolTip;
    bool separatorBefore;
    bool needsTrace;  ///< disabled while nothing is open
    void (Commands::*run)();
};

/// Every action of the menus, in their order, one line each.
[[nodiscard]] std::span<const ActionEntry> actionTable();

/// The QActions of the table, wired to a window.
class Actions final : public QObject {
    Q_OBJECT

public:
    /// Adds them to `window`, for their shortcuts.
    Actions(QWidget& window, Commands& commands);
    [[nodiscard]] QAction* action(ActionId id) const;
    void setTraceOpen(bool open);

private:
    QList<QAction*> m_actions;
};

}  // namespace kinetoscope::app
