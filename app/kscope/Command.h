// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace kinetoscope {

/// What a command returns to the shell.
enum ExitCode : int {
    kExitGood = 0,
    kExitOutput = 1,       ///< a result could not be written
    kExitInput = 2,        ///< wrong options, unreadable files
    kExitCancelled = 130,  ///< Ctrl-C: 128 + SIGINT, as shells have it
};

/// One row of the table of commands in main.cpp.
struct Command {
    const char* name;
    const char* summary;
    const char* usage;  ///< what follows "kscope NAME"
    /// Declares the options on `app`; what it returns runs once they are parsed and gives an
    /// ExitCode.
    std::function<int()> (*declare)(CLI::App& app);
    /// Whatever is no option of the command, and all behind it, is a program to run.
    bool takesProgram = false;
};

std::function<int()> declareReport(CLI::App& app);
std::function<int()> declareCut(CLI::App& app);
std::function<int()> declareRecord(CLI::App& app);
std::function<int()> declareConvert(CLI::App& app);

}  // namespace kinetoscope
