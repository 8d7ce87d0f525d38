// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kinetoscope::capture {

/// A program to start.
struct ChildStart {
    std::string program;             ///< looked for in PATH unless it has a slash
    std::vector<std::string> words;  ///< its arguments, its name first
    int input = -1;                  ///< becomes its standard input; -1: ours
    int output = -1;                 ///< the same of standard output
    /// It works for us alone: it leads a group of processes, which endGroup() ends, does not read
    /// from our terminal, and is killed when we are.
    bool isOurs = true;
    sigset_t mask{};                ///< the signals that are blocked in it
    std::function<void()> prepare;  ///< called in the child, before the program
};

/// 0 and the process, or errno of what failed.
[[nodiscard]] int startChild(const ChildStart& start, pid_t& child);

/// As a shell has it: the program's own, or 128 + the signal that ended it.
[[nodiscard]] int exitCodeOf(int waitStatus);

/// While one lives, SIGHUP, SIGINT, SIGQUIT and SIGTERM do not end this process but are waited for,
/// so that children can be ended and temporary folders removed. Ignored signals stay ignored.
/// Several may live at a time; make the first before any thread.
class StopSignals {
public:
    StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;
    ~StopSignals();

    /// Readable when one has come; for poll(). -1 where the system has none.
    [[nodiscard]] static int descriptor();
    /// The first that has come since the first of these was made, 0 without.
    [[nodiscard]] static int came();
    /// The signal mask from before, for children.
    [[nodiscard]] static sigset_t maskBefore();
};

/// Waits until `child`, one of ours, has ended and gives its wait status. When a signal comes, or
/// has come, that asks us to end, its group gets SIGTERM, and SIGKILL two seconds later.
[[nodiscard]] int waitForChild(pid_t child);

/// A signal to `child`, one of ours, and to all that it has started and that stayed in its group.
void endGroup(pid_t child, int signal);

}  // namespace kinetoscope::capture
