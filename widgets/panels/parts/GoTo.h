// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/session/ViewState.h"

namespace kinetoscope::panels {

/// Shows the span from near enough that it can be seen, and selects the slice; kNoSlice: nothing.
inline void goTo(session::ViewState& view, TimeSpan span, trace::SliceId slice) {
    constexpr TimeNs kNarrowest = 50;  // narrower than this part of the picture is zoomed to
    if (slice != trace::kNoSlice) {
        view.select(slice);
    }
    const bool isNarrow = span.duration() < view.visible().duration() / kNarrowest;
    view.reveal(span);
    if (isNarrow) {
        view.zoomTo(span, 1.0);
    }
    if (slice != trace::kNoSlice) {
        view.reveal(slice);
    }
}

}  // namespace kinetoscope::panels
