// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/import/source/TextWindow.h"
#include "core/stream/CallRanges.h"
#include "core/trace/EventText.h"

namespace kinetoscope::import::capture {

/// Lists what `kscope convert` would write of the capture in `bytes`, event by event, as
/// EventText::forEach() does. `calls` are sorted.
[[nodiscard]] Result<void> listCapture(source::TextWindow& bytes,
                                       const trace::EventText::TakeEvent& take,
                                       std::shared_ptr<const stream::CallRanges> calls);

}  // namespace kinetoscope::import::capture
