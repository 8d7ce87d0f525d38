// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/Actions.h"

#include <array>

#include "widgets/style/Icons.h"

namespace kinetoscope::app {

namespace {

using A = ActionId;
using M = MenuId;
using W = Commands;

// clang-format off
constexpr std::array kActions{
    ActionEntry{A::Open, M::File, "open", "&Open…", "Ctrl+O", "open", "Open trace files", false, false, &W::openDialog},
    ActionEntry{A::OpenJob, M::File, "openJob", "Open &job…", "Ctrl+Alt+O", "", "Open the traces, partials or flight recorder dumps of all ranks of a run: which rank waited for which, and what is stuck", false, false, &W::openJobDialog},
    ActionEntry{A::Reload, M::File, "reload", "&Reload", "F5", "recent", "Reload the file and keep the view", false, true, &W::reloadFile},
    ActionEntry{A::Close, M::File, "close", "&Close", "Ctrl+W", "close", "Close this trace", false, true, &W::closeFile},
    ActionEntry{A::SaveSession, M::File, "saveSession", "Save s&ession…", "Ctrl+S", "layout", "Save which files are open and how they are shown, to restore later", false, true, &W::saveSession},
    ActionEntry{A::Record, M::File, "record", "Re&cord…", "Ctrl+Shift+R", "record", "Run a CUDA program and record its GPU activity", true, false, &W::recordDialog},
    ActionEntry{A::ExportTable, M::File, "export", "&Export table…", "Ctrl+E", "export", "Save the front panel's table as CSV or Markdown", true, true, &W::exportTable},
    ActionEntry{A::SavePart, M::File, "partPicture", "Save screenshot of &panel…", "Ctrl+Shift+E", "picture", "Save the focused panel, or the timeline, as PNG or SVG; plots have this in their context menus", false, true, &W::savePart},
    ActionEntry{A::SaveScreenshot, M::File, "picture", "Save &screenshot…", "Ctrl+Shift+S", "picture", "Save the window as PNG or SVG", false, true, &W::savePicture},
    ActionEntry{A::SaveSelection, M::File, "saveSelection", "Save selected &time…", "Ctrl+Alt+S", "export", "Save the selected time as a smaller trace", false, false, &W::saveSelection},
    ActionEntry{A::Quit, M::File, "quit", "&Quit", "Ctrl+Q", "quit", "Close the window", true, false, &W::quit},
    ActionEntry{A::Fit, M::View, "fit", "&Fit whole trace", "Ctrl+0", "fit", "Show the whole trace; F in the timeline fits the selected slice or time", true, true, &W::fitTrace},
    ActionEntry{A::ZoomIn, M::View, "zoomIn", "Zoom &in", "Ctrl++", "zoom-in", "Zoom in; W in the timeline", false, true, &W::zoomIn},
    ActionEntry{A::ZoomOut, M::View, "zoomOut", "Zoom &out", "Ctrl+-", "zoom-out", "Zoom out; S in the timeline", false, true, &W::zoomOut},
    ActionEntry{A::ResetLayout, M::View, "resetLayout", "&Reset layout", "", "layout", "Restore the original panel layout", true, false, &W::resetLayout},
    ActionEntry{A::ThemeSystem, M::Theme, "themeSystem", "Follow the &system", "", "", "Light or dark, like the desktop", false, false, &W::useSystemTheme},
    ActionEntry{A::ThemeLight, M::Theme, "themeLight", "&Light", "", "", "Dark text on a light background", false, false, &W::useLightTheme},
    ActionEntry{A::ThemeDark, M::Theme, "themeDark", "&Dark", "", "", "Light text on a dark background", false, false, &W::useDarkTheme},
    ActionEntry{A::Back, M::Go, "back", "&Back", "Alt+Left", "back", "Go back to the previous view, selection or file", false, false, &W::goBack},
    ActionEntry{A::Forward, M::Go, "forward", "For&ward", "Alt+Right", "forward", "Go forward again", false, false, &W::goForward},
    ActionEntry{A::Palette, M::Go, "palette", "Comman&ds…", "Ctrl+Shift+P", "keys", "Find any command, panel, file or step by name", true, false, &W::showPalette},
    ActionEntry{A::Find, M::Go, "find", "&Find…", "Ctrl+F", "find", "Find slices by name; /…/ is a regular expression", true, true, &W::startFind},
    ActionEntry{A::FindNext, M::Go, "findNext", "Find &next", "F3", "next", "Go to the next slice found", false, true, &W::findNext},
    ActionEntry{A::FindPrevious, M::Go, "findPrevious", "Find &previous", "Shift+F3", "previous", "Go to the previous slice found", false, true, &W::findPrevious},
    ActionEntry{A::GoToStep, M::Go, "goToStep", "Go to &step…", "Ctrl+G", "step", "Zoom to a step and show its figures", true, true, &W::goToStep},
    ActionEntry{A::AddNote, M::Go, "addNote", "Write a &note…", "N", "notes", "Add a note to the selected time or slice, or to the time under the pointer; saved next to the trace", true, true, &W::addNote},
    ActionEntry{A::Play, M::Go, "play", "P&lay in a loop", "L", "sample", "Sweep a line through the selected time, or what is in view, in a loop; Escape in the timeline stops it", true, true, &W::togglePlay},
    ActionEntry{A::CompareRuns, M::Go, "compareRuns", "&Compare runs…", "Ctrl+R", "compare", "Choose a baseline and candidates and compare them", true, true, &W::chooseRuns},
    ActionEntry{A::CompareTimelines, M::Go, "compareTimelines", "Compared &timelines", "Ctrl+T", "", "Show baseline and candidate one above the other, or go back to a single file", false, false, &W::toggleCompare},
    ActionEntry{A::PreviousFile, M::Go, "previousFile", "P&revious file", "Ctrl+PgUp", "", "Switch to the file on the left", true, true, &W::showPreviousFile},
    ActionEntry{A::NextFile, M::Go, "nextFile", "Ne&xt file", "Ctrl+PgDown", "", "Switch to the file on the right", false, true, &W::showNextFile},
    ActionEntry{A::WhatsThis, M::Help, "whatsThis", "&What’s this?", "Shift+F1", "info", "Click a figure, a table header or a strip for its definition", false, false, &W::startWhatsThis},
    ActionEntry{A::Tour, M::Help, "tour", "&Tour", "", "", "A five-step tour of the window, with the sample trace if none is open", false, false, &W::startTour},
    ActionEntry{A::Keys, M::Help, "keys", "&Keys and gestures", "?", "keys", "Keyboard shortcuts and mouse gestures", false, false, &W::showKeys},
    ActionEntry{A::About, M::Help, "about", "&About Kinetoscope", "", "info", "Version and licences", true, false, &W::showAbout},
};
// clang-format on

}  // namespace

std::span<const ActionEntry> actionTable() {
    return kActions;
}

Actions::Actions(QWidget& window, Commands& commands) {
    for (const ActionEntry& entry : kActions) {
        auto* action = new QAction(tr(entry.text), this);
        action->setObjectName(QString::fromLatin1(entry.name));
        action->setShortcut(QKeySequence(QString::fromLatin1(entry.shortcut)));
        action->setToolTip(tr(entry.toolTip));
        action->setStatusTip(tr(entry.toolTip));
        action->setWhatsThis(tr(entry.toolTip));
        action->setIcon(style::themedIcon(QString::fromLatin1(entry.icon)));
        connect(action, &QAction::triggered, &window,
                [&commands, run = entry.run] { (commands.*run)(); });
        window.addAction(action);
        m_actions.append(action);
    }
}

QAction* Actions::action(ActionId id) const {
    for (std::size_t i = 0; i < kActions.size(); ++i) {
        if (kActions[i].id == id) {
            return m_actions[static_cast<qsizetype>(i)];
        }
    }
    Q_UNREACHABLE();
}

void Actions::setTraceOpen(bool open) {
    for (const ActionEntry& entry : kActions) {
        if (entry.needsTrace) {
            action(entry.id)->setEnabled(open);
        }
    }
}

}  // namespace kinetoscope::app
