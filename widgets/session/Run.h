// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <optional>

#include "core/trace/Trace.h"
#include "widgets/session/TraceLayout.h"
#include "widgets/session/ViewState.h"

namespace kinetoscope::session {

/// An open file and how it was looked at when another one came to the front.
struct Run {
    QString path;
    QString title;  ///< file name, with its folder when two open files share the name
    std::shared_ptr<const trace::Trace> trace;
    std::shared_ptr<TraceLayout> layout;
    std::optional<ViewState::Snapshot> view;
};

}  // namespace kinetoscope::session
