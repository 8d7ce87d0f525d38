// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/CentralView.h"

#include "widgets/plots/TimelineView.h"

namespace kinetoscope {

QWidget* makeCentralView(ViewState& view, QWidget* parent) {
    return new TimelineView(view, parent);
}

}  // namespace kinetoscope
