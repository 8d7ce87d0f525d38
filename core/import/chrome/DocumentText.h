// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/import/scan/JsonScan.h"
#include "core/import/source/TextWindow.h"

namespace kinetoscope::import::chrome {

/// Building blocks of a trace's document around its events. `at` is a place in the window and moves
/// past what is read; false means damage, the end of the text or a stop.

/// The member whose array holds the events.
inline constexpr std::string_view kEventsKey = "traceEvents";

/// To the beginning of a text, behind its byte order mark. The window may have read nothing yet.
[[nodiscard]] const char* documentBegin(source::TextWindow& window);
/// To the next byte that is not white space.
[[nodiscard]] bool skipSpace(source::TextWindow& window, const char*& at);
/// Moves past a value, however long, or to where it is damaged.
[[nodiscard]] bool readValue(source::TextWindow& window, const char*& at, scan::JsonText& value);
/// Behind `"key":` and the space after it. The key is decoded, and there even when no ':' follows.
[[nodiscard]] bool readKey(source::TextWindow& window, const char*& at, std::string& key);
/// Behind damage: to the key of the events.
[[nodiscard]] bool findEventsKey(source::TextWindow& window, const char*& at);

}  // namespace kinetoscope::import::chrome
