// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "widgets/panels/parts/Panel.h"

namespace kinetoscope::app {

/// Every panel, in the order of the View menu. This table is all the window knows of them.
[[nodiscard]] std::span<const panels::PanelEntry> panelTable();

}  // namespace kinetoscope::app
