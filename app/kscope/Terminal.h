// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/Result.h"
#include "core/text/TextTable.h"

namespace kinetoscope::app {

/// Style of text for standard output, or for a file when `toFile`: the terminal's width, else
/// COLUMNS, else 100; colour only on a terminal without NO_COLOR.
[[nodiscard]] text::TextStyle textStyle(bool toFile, bool fullNames);

/// One line on standard error as it is: printable() is the caller's.
void printNote(std::string line);
/// "kscope: MESSAGE" as one line on standard error.
void printError(std::string_view message);
/// "kscope: warning: MESSAGE".
void printWarning(std::string_view message);

/// Prints the error and gives the exit code of its kind.
[[nodiscard]] int reportError(const Error& error);

/// Writes to standard output.
[[nodiscard]] Result<void> printOut(std::string_view text);

}  // namespace kinetoscope::app
