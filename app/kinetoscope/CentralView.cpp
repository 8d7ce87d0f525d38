// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/CentralView.h"

#include "widgets/plots/TimelineView.h"

namespace kinetoscope::app {

QWidget* makeCentralView(session::ViewState& view, QWidget* parent) {
    return new plots::TimelineView(view, parent);
}

}  // namespace kinetoscope::app
