// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kinetoscope::app {

/// Handlers of the menus' actions; Actions.cpp names one for each.
class Commands {
public:
    Commands() = default;
    Commands(const Commands&) = delete;
    Commands& operator=(const Commands&) = delete;
    virtual ~Commands() = default;

    virtual void openDialog() = 0;
    virtual void openJobDialog() = 0;
    virtual void saveSession() = 0;
    virtual void recordDialog() = 0;
    virtual void reloadFile() = 0;
    virtual void closeFile() = 0;
    virtual void exportTable() = 0;
    virtual void savePart() = 0;
    virtual void savePicture() = 0;
    virtual void saveSelection() = 0;
    virtual void quit() = 0;
    virtual void fitTrace() = 0;
    virtual void zoomIn() = 0;
    virtual void zoomOut() = 0;
    virtual void resetLayout() = 0;
    virtual void useSystemTheme() = 0;
    virtual void useLightTheme() = 0;
    virtual void useDarkTheme() = 0;
    virtual void goBack() = 0;
    virtual void goForward() = 0;
    virtual void showPalette() = 0;
    virtual void startFind() = 0;
    virtual void findNext() = 0;
    virtual void findPrevious() = 0;
    virtual void goToStep() = 0;
    virtual void addNote() = 0;
    virtual void togglePlay() = 0;
    virtual void chooseRuns() = 0;
    virtual void toggleCompare() = 0;
    virtual void showPreviousFile() = 0;
    virtual void showNextFile() = 0;
    virtual void startWhatsThis() = 0;
    virtual void startTour() = 0;
    virtual void showKeys() = 0;
    virtual void showAbout() = 0;
};

}  // namespace kinetoscope::app
