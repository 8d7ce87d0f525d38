// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/event/RawEvent.h"

namespace kinetoscope::import::event {

/// Reads the well-formed event whose '{' stands at `at`; any order of keys, any white space.
/// Nested values are only skipped. Whatever is unusual stops it, and then TolerantReader's turn has
/// come; so does the end of the text (at most kTextPadding bytes before `end`).
[[nodiscard]] ReadResult readEvent(const char* at, const char* end, RawEvent& event);

/// The same, and tolerantly where that fails, as an import does.
[[nodiscard]] ReadResult readEitherWay(const char* at, const char* end, RawEvent& event);

}  // namespace kinetoscope::import::event
