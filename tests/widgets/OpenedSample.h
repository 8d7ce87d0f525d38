// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/session/Settings.h"

namespace kinetoscope {

/// The window with the sample trace, and settings of its own. `ready`: its figures are there.
struct OpenedSample {
    OpenedSample() {
        window.resize(1280, 800);
        window.show();
        window.openFiles({samplePath()});
        ready = waitFor([&] {
            return window.session().current() && window.session().reports().report() != nullptr &&
                   !window.docks().busy();
        });
    }
    session::Settings settings{session::Settings::InMemory{}};
    app::MainWindow window{settings};
    bool ready = false;
};

}  // namespace kinetoscope
