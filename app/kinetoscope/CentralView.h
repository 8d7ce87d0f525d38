// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace kinetoscope::session {
class TraceNotes;
class ViewState;
}  // namespace kinetoscope::session

namespace kinetoscope::app {

/// The timeline with the strips above it, and the notes of its trace.
[[nodiscard]] QWidget* makeCentralView(session::ViewState& view, session::TraceNotes& notes,
                                       QWidget* parent);

}  // namespace kinetoscope::app
