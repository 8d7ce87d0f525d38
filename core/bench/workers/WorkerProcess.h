// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/capture/ChildProcess.h"

namespace kinetoscope::bench::workers {

/// A child process whose standard output is read line by line. A signal that asks us to end ends
/// it, and all that it has started: see isCancelled().
class WorkerProcess {
public:
    WorkerProcess() = default;
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;
    ~WorkerProcess() { (void)end(); }

    /// Starts `program` (looked for in PATH unless it has a slash) with `arguments`, the first of
    /// which is its name. It reads `input` from its standard input; without it, ours.
    [[nodiscard]] Result<void> start(const std::string& program, std::vector<std::string> arguments,
                                     std::optional<std::string_view> input = std::nullopt);

    /// The next line; nothing at the end of the output, when we are asked to end, or after
    /// `seconds` without a line, when the process is killed.
    [[nodiscard]] std::optional<std::string> line(double seconds);

    /// Waits for its end. How it ended, as a sentence for what it was at.
    [[nodiscard]] std::string end();
    /// After end(): whether it ended by itself with exit code 0.
    [[nodiscard]] bool good() const { return m_good; }

    /// Whether we have been asked to end.
    [[nodiscard]] static bool isCancelled() { return capture::StopSignals::came() != 0; }

private:
    capture::StopSignals m_stopping;
    pid_t m_process = -1;
    int m_output = -1;
    bool m_hung = false;
    bool m_good = false;
    std::string m_buffer;
};

}  // namespace kinetoscope::bench::workers
