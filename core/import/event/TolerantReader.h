// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/event/RawEvent.h"

namespace kinetoscope::import::event {

/// Errors that a tolerant reading ignored.
struct SyntaxIssues {
    bool controlCharacter = false;  ///< a raw one inside a string
    bool bareWord = false;          ///< NaN, Infinity, N/A, None and the like
    bool extraComma = false;        ///< before a closing bracket, or two in a row
};

/// Reads the event whose '{' stands at `at` and overlooks what can be understood all the same;
/// brackets, quotes, colons and commas must be in order. Stops where they are not.
[[nodiscard]] ReadResult readEventTolerantly(const char* at, const char* end, RawEvent& event,
                                             SyntaxIssues& issues);

/// The same for any value.
[[nodiscard]] ReadResult readValueTolerantly(const char* at, const char* end, scan::JsonText& value,
                                             SyntaxIssues& issues);

}  // namespace kinetoscope::import::event
