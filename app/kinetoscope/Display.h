// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace kinetoscope::app {

/// Chooses Qt's platform before the application object exists: none that draws on a screen for
/// pictures. Returns why no window can be shown, in one line; empty when it can.
[[nodiscard]] QString preparePlatform(bool pictureOnly);

/// Gives text a font on machines whose font list is empty. Returns a one-line warning when there
/// is not a font at all.
[[nodiscard]] QString prepareFonts();

}  // namespace kinetoscope::app
