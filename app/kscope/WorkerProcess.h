// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"

namespace kinetoscope {

/// A child process whose standard output is read line by line.
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

    /// The next line; nothing at the end of the output or after `seconds` without a line, when the
    /// process is killed.
    [[nodiscard]] std::optional<std::string> line(double seconds);

    /// Waits for its end. How it ended, as a sentence for what it was at.
    [[nodiscard]] std::string end();
    /// After end(): whether it ended by itself with exit code 0.
    [[nodiscard]] bool good() const { return m_good; }

private:
    pid_t m_process = -1;
    int m_output = -1;
    bool m_hung = false;
    bool m_good = false;
    std::string m_buffer;
};

}  // namespace kinetoscope
