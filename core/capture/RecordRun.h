// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/capture/RecordOptions.h"

namespace kinetoscope::capture {

/// Something that works beside a recording, for as long as it runs. Called on the thread of
/// runRecorded().
class RecordCompanion {
public:
    RecordCompanion() = default;
    RecordCompanion(const RecordCompanion&) = delete;
    RecordCompanion& operator=(const RecordCompanion&) = delete;
    virtual ~RecordCompanion() = default;

    /// The program runs; the control socket takes notes.
    virtual void started() = 0;
    /// A process has started to write this capture.
    virtual void captureBegan(const std::string& capture) = 0;
    /// The program has ended; notes that came up to the return are still read.
    virtual void ended() = 0;
};

/// A program to run under recording.
struct RecordRun {
    std::vector<std::string> command;
    RecordOptions options;  ///< `folder` exists; `control` is the path of the socket to make
    RecordCompanion* companion = nullptr;  ///< receives events of the recording; may be null
    std::string injection;  ///< libkinetoscope-inject.so; empty: the program runs unrecorded
    /// It works for us and not for the user: a signal that ends us ends it and everything that it
    /// has started, as does our death.
    bool isOurs = false;
    /// One line for the user, from a recorded process; called on the calling thread.
    std::function<void(const std::string& text)> onNote;
};

struct RecordOutcome {
    /// As a shell has it: the program's own, or 128 + the signal that ended it.
    int exitCode = 0;
    std::vector<std::string> captures;  ///< one for each process that was recorded
};

/// Starts the program, passes signals on to it, listens to the recorded processes, and waits for
/// its end. Fails if it cannot be started, and as cancelled if one of ours was ended by a signal to
/// us. Otherwise SIGPIPE is ignored from here on: a missing reader of our messages does not change
/// the exit code, which is the program's.
[[nodiscard]] Result<RecordOutcome> runRecorded(const RecordRun& run);

/// Another tool that takes CUPTI's place in the program and would end it if we were there too: one
/// that started this process, or the program itself. Empty if there is none.
[[nodiscard]] std::string otherTool(const std::vector<std::string>& command);

/// Sends "start" or "stop" to the processes of the recording in `folder`. Fails if none is running.
[[nodiscard]] Result<void> sendControl(const std::string& folder, const std::string& word);

/// Places of the library, relative to this program: $KINETOSCOPE_INJECT, beside it, ../lib.
[[nodiscard]] Result<std::string> findInjectLibrary();

/// Name of the control socket in a recording's folder.
inline constexpr const char* kControlName = "control.sock";

}  // namespace kinetoscope::capture
