// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>
#include <variant>

#include "widgets/style/Theme.h"

namespace kinetoscope::app {

struct CommandLine {
    QStringList files;
    QString screenshot;    ///< PNG to write instead of showing the window; empty: show it
    QString panel;         ///< only this panel, or "timeline"; empty: the whole window
    bool job = false;      ///< the files are ranks of one job
    bool compare = false;  ///< the first file is the baseline of the others
    QString select;        ///< first slice whose name contains this is selected
    QString find;          ///< what is searched for
    QSize size{1600, 1000};
    bool record = false;  ///< `files` are a program and its arguments
    style::ThemeChoice theme = style::ThemeChoice::System;
    bool themeGiven = false;
};

/// Said before anything starts: help, version or what is wrong with the options.
struct EarlyExit {
    int code = 0;  ///< 0 with text for stdout, 2 with one line for stderr
    QString text = {};
};

[[nodiscard]] std::variant<CommandLine, EarlyExit> parseCommandLine(int argc,
                                                                    const char* const* argv);

[[nodiscard]] QString programVersion();

}  // namespace kinetoscope::app
