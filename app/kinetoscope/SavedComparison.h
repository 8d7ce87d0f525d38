// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/sidecar/SessionFile.h"
#include "widgets/plots/CompareTimelines.h"
#include "widgets/session/Session.h"

namespace kinetoscope::app {

/// What is compared and how it is looked at; `inFront`: its timelines are. Nothing without a
/// baseline.
[[nodiscard]] std::optional<sidecar::SavedComparison> savedComparison(
    session::Session& session, plots::CompareTimelines& timelines, bool inFront);

/// Before comparing.
void setSavedOptions(session::CompareState& state, const sidecar::SavedComparison& saved);

/// Once the pair is shown: what both timelines have at one place, what of them is in view and
/// selected, and the row of the table.
void restoreSides(session::CompareState& state, plots::CompareTimelines& timelines,
                  const sidecar::SavedComparison& saved);

}  // namespace kinetoscope::app
