// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace kinetoscope::session {
class ViewState;
}  // namespace kinetoscope::session

namespace kinetoscope::app {

/// The timeline with the strips above it.
[[nodiscard]] QWidget* makeCentralView(session::ViewState& view, QWidget* parent);

}  // namespace kinetoscope::app
