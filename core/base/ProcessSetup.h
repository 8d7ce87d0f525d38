// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace kinetoscope {

/// What a program of ours does first, before any thread: holds the standard descriptors and makes
/// signals leave no temporary file. Not for a library inside of somebody else's program.
void setUpProcess();

/// Lets a closed descriptor 0, 1 or 2 be taken by no file that is opened later: messages would be
/// written into it. Programs that are started find it closed as before.
void holdStandardDescriptors();

/// SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPIPE remove temporary files and end the program as if
/// nobody had caught them; where the parent ignores one, it stays ignored, but SIGPIPE: a reader
/// that goes away (| head) always ends the program quietly. SIGXFSZ becomes an error of writing.
void cleanUpOnSignals();

/// Removes temporary files and ends the process by this signal, as if nobody had caught it.
[[noreturn]] void endBySignal(int signal);

/// Text for standard error as it is. Never fails: who closed it does not want to read it.
void writeToStandardError(std::string_view text) noexcept;

}  // namespace kinetoscope
