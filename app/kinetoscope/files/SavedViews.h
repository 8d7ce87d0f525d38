// SPDX-License-Identifier: GPL-3.0-or-later
// How a file is looked at, to and from what a session keeps of it.
#pragma once

#include <QString>
#include <string>

#include "core/sidecar/SessionFile.h"
#include "widgets/session/Run.h"
#include "widgets/session/ViewState.h"

namespace kinetoscope::app {

/// Without a view only the path.
[[nodiscard]] sidecar::SavedFile savedFile(const session::Run& run,
                                           const session::ViewState::Snapshot* view);

/// `view` of the trace, changed to the saved one. Anything that the trace does not have (any more)
/// is left out.
[[nodiscard]] session::ViewState::Snapshot restoredView(const trace::Trace& trace,
                                                        session::ViewState::Snapshot view,
                                                        const sidecar::SavedFile& file);

}  // namespace kinetoscope::app
