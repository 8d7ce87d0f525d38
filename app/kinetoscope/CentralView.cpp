// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/CentralView.h"

#include "widgets/plots/TimelineView.h"

namespace kinetoscope::app {

QWidget* makeCentralView(session::ViewState& view, session::TraceNotes& notes, QWidget* parent) {
    auto* made = new plots::TimelineView(view, parent);
    made->setNotes(notes);
    return made;
}

}  // namespace kinetoscope::app
