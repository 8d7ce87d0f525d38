// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/TerminalConsole.h"

#include <unistd.h>

#include "app/kscope/Terminal.h"
#include "core/base/ProcessSetup.h"

namespace kinetoscope::app {

void TerminalConsole::warn(const std::string& message) {
    printWarning(message);
}

void TerminalConsole::note(const std::string& line) {
    printNote(line);
}

void TerminalConsole::progress(const std::string& what) {
    if (::isatty(STDERR_FILENO) != 0) {
        writeToStandardError("\r\x1b[K" + what);
    }
}

void TerminalConsole::output(std::string_view text) {
    (void)printOut(text);  // a closed pipe ends us by SIGPIPE
}

}  // namespace kinetoscope::app
