// SPDX-License-Identifier: Apache-2.0
#include "core/capture/RecordRun.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>

#include "core/capture/LocalSocket.h"
#include "core/stream/CaptureFolder.h"

namespace kinetoscope {

namespace {

namespace fs = std::filesystem;

constexpr std::array kForwarded{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGCONT};
constexpr int kSignalExit = 128;

// A descriptor that is closed with its owner.
class Descriptor {
public:
    explicit Descriptor(int number = -1) : m_number(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (m_number >= 0) {
            ::close(m_number);
        }
    }
    [[nodiscard]] int get() const { return m_number; }

private:
    int m_number;
};

sigset_t watchedSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    for (const int signal : kForwarded) {
        sigaddset(&signals, signal);
    }
    return signals;
}

// Restores the mask when it goes.
class BlockedSignals {
public:
    BlockedSignals() {
        const sigset_t signals = watchedSignals();
        ::pthread_sigmask(SIG_BLOCK, &signals, &m_before);
    }
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;
    ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }
    [[nodiscard]] const sigset_t& before() const { return m_before; }

private:
    sigset_t m_before{};
};

// In the child; returns only when the program cannot be started.
void becomeProgram(const RecordRun& run, const sigset_t& mask) {
    if (!run.injection.empty()) {
        optionsToEnvironment(run.options, run.injection);
    }
    std::vector<char*> arguments;
    arguments.reserve(run.command.size() + 1);
    for (const std::string& argument : run.command) {
        arguments.push_back(const_cast<char*>(argument.c_str()));
    }
    arguments.push_back(nullptr);
    ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
    ::execvp(arguments[0], arguments.data());
}

// The pipe closes by itself when exec works, and carries errno when it does not.
Result<pid_t> startProgram(const RecordRun& run, const sigset_t& mask) {
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
        return fail(fmt::format("cannot start a program: {}", std::strerror(errno)));
    }
    const pid_t child = ::fork();
    if (child == 0) {
        becomeProgram(run, mask);
        const int error = errno;
        const ssize_t told = ::write(pipe[1], &error, sizeof error);
        ::_exit(told == sizeof error ? 127 : 126);
    }
    ::close(pipe[1]);
    const Descriptor reader(pipe[0]);
    int error = child < 0 ? errno : 0;
    if (child >= 0 && ::read(reader.get(), &error, sizeof error) == sizeof error) {
        ::waitpid(child, nullptr, 0);
    }
    if (error != 0) {
        return fail(fmt::format("cannot run '{}': {}", run.command.front(), std::strerror(error)));
    }
    return child;
}

// The recorded processes, and whoever sends commands, on one socket.
class Listener {
public:
    Listener(int socket, const RecordRun& run, RecordOutcome& outcome)
        : m_socket(socket), m_run(run), m_outcome(outcome) {}
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    ~Listener() {
        for (const auto& [peer, text] : m_peers) {
            ::close(peer);
        }
    }

    void addTo(std::vector<pollfd>& waiting) const {
        if (m_socket >= 0) {
            waiting.push_back({m_socket, POLLIN, 0});
        }
        for (const auto& [peer, text] : m_peers) {
            waiting.push_back({peer, POLLIN, 0});
        }
    }

    void accept() {
        const int peer = ::accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (peer >= 0 && !peerIsSameUser(peer)) {
            ::close(peer);
        } else if (peer >= 0) {
            m_peers[peer];
        }
    }

    void read(int peer) {
        std::array<char, 4096> bytes{};
        const ssize_t count = ::recv(peer, bytes.data(), bytes.size(), 0);
        if (count <= 0) {
            if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
                ::close(peer);
                m_peers.erase(peer);
            }
            return;
        }
        std::string& text = m_peers[peer];
        text.append(bytes.data(), static_cast<std::size_t>(count));
        for (std::size_t end = 0; (end = text.find('\n')) != std::string::npos;) {
            const std::string line = text.substr(0, end);
            text.erase(0, end + 1);
            obey(line);
        }
    }

    [[nodiscard]] int socket() const { return m_socket; }
    /// Whatever is still waiting to be read.
    void readRest() {
        if (m_socket >= 0) {
            accept();
        }
        const auto peers = m_peers;
        for (const auto& [peer, text] : peers) {
            read(peer);
        }
    }

private:
    void obey(const std::string& line) {
        constexpr std::string_view kFile = "file ";
        constexpr std::string_view kNote = "note ";
        if (line.starts_with(kFile)) {
            m_outcome.captures.push_back(line.substr(kFile.size()));
        } else if (line.starts_with(kNote)) {
            m_run.onNote(line.substr(kNote.size()));
        } else if (line == "start" || line == "stop") {
            for (const auto& [peer, text] : m_peers) {
                const std::string command = line + "\n";
                const ssize_t sent = ::send(peer, command.data(), command.size(), MSG_NOSIGNAL);
                static_cast<void>(sent);  // one that has ended needs no command
            }
        }
    }

    int m_socket;
    const RecordRun& m_run;
    RecordOutcome& m_outcome;
    std::map<int, std::string> m_peers;  // with what came of a line
};

int exitCodeOf(int status) {
    return WIFSIGNALED(status) ? kSignalExit + WTERMSIG(status) : WEXITSTATUS(status);
}

// The exit code once the program has ended.
std::optional<int> onSignal(int signals, pid_t child) {
    signalfd_siginfo info{};
    std::optional<int> exitCode;
    while (::read(signals, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo != SIGCHLD) {
            // What comes from the terminal has reached the program already.
            if (info.ssi_code != SI_KERNEL) {
                ::kill(child, static_cast<int>(info.ssi_signo));
            }
            continue;
        }
        int status = 0;
        if (::waitpid(child, &status, WNOHANG) == child) {
            exitCode = exitCodeOf(status);
        }
    }
    return exitCode;
}

int waitForEnd(pid_t child, int signals, Listener& listener) {
    for (;;) {
        std::vector<pollfd> waiting{{signals, POLLIN, 0}};
        listener.addTo(waiting);
        ::poll(waiting.data(), waiting.size(), -1);
        for (const pollfd& one : waiting) {
            if (one.revents == 0 || one.fd == signals) {
                continue;
            }
            if (one.fd == listener.socket()) {
                listener.accept();
            } else {
                listener.read(one.fd);
            }
        }
        if (const auto exitCode = onSignal(signals, child)) {
            listener.readRest();
            return *exitCode;
        }
    }
}

}  // namespace

Result<RecordOutcome> runRecorded(const RecordRun& run) {
    RecordOutcome outcome;
    const Descriptor socket(listenLocally(run.options.control));
    if (socket.get() < 0) {
        return fail(fmt::format("cannot make the socket '{}': {}", run.options.control,
                                std::strerror(errno)),
                    ErrorKind::Output);
    }
    const BlockedSignals blocked;
    const sigset_t watched = watchedSignals();
    const Descriptor signals(::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
    const auto child = startProgram(run, blocked.before());
    if (!child) {
        ::unlink(run.options.control.c_str());
        return tl::unexpected(child.error());
    }
    Listener listener(socket.get(), run, outcome);
    outcome.exitCode = waitForEnd(*child, signals.get(), listener);
    ::unlink(run.options.control.c_str());
    // Processes on other hosts of a shared folder cannot reach the socket.
    outcome.captures = capturesIn(run.options.folder);
    return outcome;
}

std::string otherTool(const std::vector<std::string>& command) {
    // Nsight's launchers leave these in the environment of what they start.
    const auto environment = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string_view(value == nullptr ? "" : value);
    };
    if (!environment("NSYS_PROFILING_SESSION_ID").empty()) {
        return "Nsight Systems";
    }
    if (!environment("NV_TPS_LAUNCH_TOKEN").empty() ||
        !environment("NV_NSIGHT_INJECTION_PORT_BASE").empty() ||
        environment("LD_PRELOAD").find("TreeLauncher") != std::string_view::npos) {
        return "Nsight Compute";
    }
    if (const auto library = environment("CUDA_INJECTION64_PATH");
        !library.empty() && environment("KINETOSCOPE_FOLDER").empty()) {
        return std::string(library);
    }
    constexpr std::array<std::string_view, 4> kTools{"ncu", "nsys", "compute-sanitizer",
                                                     "cuda-gdb"};
    const std::string program = fs::path(command.front()).filename().string();
    return std::ranges::find(kTools, program) == kTools.end() ? std::string() : program;
}

Result<void> sendControl(const std::string& folder, const std::string& word) {
    const std::string path = folder + "/" + kControlName;
    const Descriptor socket(connectLocally(path));
    const std::string line = word + "\n";
    if (socket.get() < 0 || ::send(socket.get(), line.data(), line.size(), MSG_NOSIGNAL) < 0) {
        return fail(fmt::format("no recording is running in '{}'", folder));
    }
    return {};
}

Result<std::string> findInjectLibrary() {
    if (const char* chosen = std::getenv("KINETOSCOPE_INJECT")) {
        return std::string(chosen);
    }
    constexpr const char* kName = "libkinetoscope-inject.so";
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const char* folder : {".", "../lib", "../lib/kinetoscope"}) {
        const fs::path candidate = program / folder / kName;
        if (fs::exists(candidate, error)) {
            return fs::canonical(candidate, error).string();
        }
    }
    return fail(
        fmt::format("{} was found neither beside kscope nor in ../lib; name it in "
                    "KINETOSCOPE_INJECT",
                    kName));
}

}  // namespace kinetoscope
