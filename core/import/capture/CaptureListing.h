// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/source/TextWindow.h"
#include "core/trace/EventText.h"

namespace kinetoscope::import::capture {

/// Lists what `kscope convert` would write of the capture in `bytes`, event by event, as
/// EventText::forEach() does.
[[nodiscard]] Result<void> listCapture(source::TextWindow& bytes,
                                       const trace::EventText::TakeEvent& take);

}  // namespace kinetoscope::import::capture
