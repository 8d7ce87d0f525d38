// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "widgets/session/ViewState.h"

namespace kinetoscope::panels {

/// One line that says what is selected, for a status bar. `view` outlives it.
[[nodiscard]] QWidget* makeSelectionLabel(session::ViewState& view, QWidget* parent);

}  // namespace kinetoscope::panels
