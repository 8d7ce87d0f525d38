// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace kinetoscope {

class ViewState;

/// The timeline with the strips above it.
[[nodiscard]] QWidget* makeCentralView(ViewState& view, QWidget* parent);

}  // namespace kinetoscope
