// SPDX-License-Identifier: Apache-2.0
#include "core/bench/workers/WorkerProcess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

#include "core/capture/ChildProcess.h"

namespace kinetoscope::bench::workers {

namespace {

// A file in memory, read from its start: unlike a pipe it does not fill up. Negative on failure.
int memoryFile(std::string_view text) {
    const int file = ::memfd_create("request", MFD_CLOEXEC);
    std::size_t done = 0;
    while (file >= 0 && done < text.size()) {
        const ssize_t written = ::write(file, text.data() + done, text.size() - done);
        if (written <= 0 && errno != EINTR) {
            ::close(file);
            return -1;
        }
        done += written > 0 ? static_cast<std::size_t>(written) : 0;
    }
    if (file >= 0) {
        ::lseek(file, 0, SEEK_SET);
    }
    return file;
}

}  // namespace

Result<void> WorkerProcess::start(const std::string& program, std::vector<std::string> arguments,
                                  std::optional<std::string_view> input) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        return fail(fmt::format("no pipe for a worker: {}", std::strerror(errno)),
                    ErrorKind::Output);
    }
    const int request = input ? memoryFile(*input) : -1;
    int error = input && request < 0 ? errno : 0;
    if (error == 0) {
        capture::ChildStart start;
        start.program = program;
        start.words = std::move(arguments);
        start.input = request;
        start.output = ends[1];
        start.mask = capture::StopSignals::maskBefore();
        error = capture::startChild(start, m_process);
    }
    if (request >= 0) {
        ::close(request);
    }
    ::close(ends[1]);
    m_output = ends[0];
    if (error != 0) {
        m_process = -1;
        return fail(fmt::format("cannot start worker: {}", std::strerror(error)),
                    ErrorKind::Output);
    }
    return {};
}

std::optional<std::string> WorkerProcess::line(double seconds) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
    for (;;) {
        if (const auto at = m_buffer.find('\n'); at != std::string::npos) {
            std::string found = m_buffer.substr(0, at);
            m_buffer.erase(0, at + 1);
            return found;
        }
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        std::array<pollfd, 2> wait{
            {{m_output, POLLIN, 0}, {capture::StopSignals::descriptor(), POLLIN, 0}}};
        const int ready =
            left.count() > 0 ? ::poll(wait.data(), wait.size(), static_cast<int>(left.count())) : 0;
        if (capture::StopSignals::came() != 0) {
            return std::nullopt;  // end() ends it
        }
        if (ready == 0) {
            m_hung = true;
            capture::endGroup(m_process, SIGKILL);
            return std::nullopt;
        }
        char bytes[65536];
        const ssize_t got = ready > 0 ? ::read(m_output, bytes, sizeof(bytes)) : -1;
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return std::nullopt;
        }
        m_buffer.append(bytes, got > 0 ? static_cast<std::size_t>(got) : 0);
    }
}

std::string WorkerProcess::end() {
    if (m_output >= 0) {
        ::close(std::exchange(m_output, -1));
    }
    if (m_process <= 0) {
        return {};
    }
    const int status = capture::waitForChild(std::exchange(m_process, -1));
    m_good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (capture::StopSignals::came() != 0) {
        return "it was cancelled";
    }
    if (m_hung) {
        return "it did not finish, and its worker was stopped";
    }
    if (WIFSIGNALED(status)) {
        return fmt::format("its worker was killed by signal {}", WTERMSIG(status));
    }
    return fmt::format("its worker ended with exit code {}", WEXITSTATUS(status));
}

}  // namespace kinetoscope::bench::workers
