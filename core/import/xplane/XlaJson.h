// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Result.h"
#include "core/import/Importer.h"
#include "core/trace/EventText.h"
#include "core/trace/TraceBuilder.h"

namespace kinetoscope::import::xplane {

/// Of the Chrome JSON that XLA writes beside an XSpace (planes are processes, lines are threads,
/// statistics are arguments, and no event has a category): tells what each slice is, as in the
/// XSpace, and makes those of streams GPU operations. Without a process that is called like the
/// plane of a GPU or of the host it does nothing. `text` has the events again. Fails, with one line
/// for the user, when loading was cancelled.
[[nodiscard]] Result<void> describeXlaJson(const ImportInput& input, trace::TraceBuilder& builder,
                                           const trace::EventText& text);

}  // namespace kinetoscope::import::xplane
