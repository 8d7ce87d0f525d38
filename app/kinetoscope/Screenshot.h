// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/kinetoscope/CommandLine.h"
#include "app/kinetoscope/MainWindow.h"

namespace kinetoscope::app {

/// Opens the file of the command line in the window, waits until everything about it is computed
/// and drawn, and writes the picture. Exit code: 0 done, 1 not written, 2 not readable; the
/// reason goes to stderr.
[[nodiscard]] int takeScreenshot(MainWindow& window, const CommandLine& options);

}  // namespace kinetoscope::app
