// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/WorkerProcess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

extern char** environ;

namespace kinetoscope {

namespace {

// A file in memory, read from its beginning: no pipe that fills up. Negative when there is none.
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

int spawn(pid_t& process, const std::string& program, std::vector<std::string>& arguments,
          int input, int output) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (input >= 0) {
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    std::vector<char*> pointers;
    pointers.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) {
        pointers.push_back(argument.data());
    }
    pointers.push_back(nullptr);
    const int error =
        ::posix_spawnp(&process, program.c_str(), &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
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
        error = spawn(m_process, program, arguments, request, ends[1]);
    }
    if (request >= 0) {
        ::close(request);
    }
    ::close(ends[1]);
    m_output = ends[0];
    if (error != 0) {
        m_process = -1;
        return fail(fmt::format("a worker does not start: {}", std::strerror(error)),
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
        pollfd wait{m_output, POLLIN, 0};
        const int ready = left.count() > 0 ? ::poll(&wait, 1, static_cast<int>(left.count())) : 0;
        if (ready == 0) {
            m_hung = true;
            ::kill(m_process, SIGKILL);
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
    int status = 0;
    while (::waitpid(m_process, &status, 0) < 0 && errno == EINTR) {
    }
    m_process = -1;
    m_good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (m_hung) {
        return "it did not come to an end, and its worker was stopped";
    }
    if (WIFSIGNALED(status)) {
        return fmt::format("its worker was ended by signal {}", WTERMSIG(status));
    }
    return fmt::format("its worker ended with exit code {}", WEXITSTATUS(status));
}

}  // namespace kinetoscope
