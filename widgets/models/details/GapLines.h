// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/IdleList.h"
#include "widgets/models/details/DetailText.h"

namespace kinetoscope::models {

/// An idle gap of a GPU: when, why with the shares of each reason and what to do about the largest,
/// what the host did meanwhile, and the operations before and behind it.
[[nodiscard]] std::vector<DetailLine> gapLines(const trace::Trace& trace,
                                               const analysis::NamedGap& gap);

}  // namespace kinetoscope::models
