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
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <map>
#include <new>
#include <optional>
#include <string_view>

#include "core/capture/ChildProcess.h"
#include "core/capture/LocalSocket.h"
#include "core/stream/CaptureFolder.h"

namespace kinetoscope::capture {

namespace {

namespace fs = std::filesystem;

constexpr std::array kForwarded{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGCONT};
constexpr auto kGrace = std::chrono::seconds(2);

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

sigset_t watchedSignals(bool forwards) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    for (const int signal : kForwarded) {
        if (forwards) {
            sigaddset(&signals, signal);
        }
    }
    return signals;
}

// Restores all on destruction.
class BlockedSignals {
public:
    explicit BlockedSignals(const sigset_t& signals) {
        ::pthread_sigmask(SIG_BLOCK, &signals, &m_before);
        // Ignored by who started us, the program would go without telling how it ended.
        struct sigaction standard {};
        standard.sa_handler = SIG_DFL;
        ::sigaction(SIGCHLD, &standard, &m_children);
    }
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;
    ~BlockedSignals() {
        ::sigaction(SIGCHLD, &m_children, nullptr);
        ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
    [[nodiscard]] const sigset_t& before() const { return m_before; }
    [[nodiscard]] const struct sigaction& children() const { return m_children; }

private:
    sigset_t m_before{};
    struct sigaction m_children {};
};

Result<pid_t> startProgram(const RecordRun& run, const BlockedSignals& blocked) {
    ChildStart start;
    start.program = run.command.front();
    start.words = run.command;
    start.isOurs = run.isOurs;
    start.mask = run.isOurs ? StopSignals::maskBefore() : blocked.before();
    start.prepare = [&] {
        if (!run.injection.empty()) {
            optionsToEnvironment(run.options, run.injection);
        }
        ::sigaction(SIGCHLD, &blocked.children(), nullptr);
    };
    pid_t child = -1;
    if (const int error = startChild(start, child); error != 0) {
        return fail(
            fmt::format("'{}': cannot be run: {}", run.command.front(), std::strerror(error)));
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
        if (m_socket >= 0 && !m_full) {
            waiting.push_back({m_socket, POLLIN, 0});
        }
        for (const auto& [peer, text] : m_peers) {
            waiting.push_back({peer, POLLIN, 0});
        }
    }

    void accept() {
        const int peer = ::accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        // New connections wait until another one is closed.
        m_full = peer < 0 && (errno == EMFILE || errno == ENFILE) && !m_peers.empty();
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
                m_full = false;
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
            if (m_run.companion != nullptr) {
                m_run.companion->captureBegan(m_outcome.captures.back());
            }
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
    bool m_full = false;  // no descriptors are left
    const RecordRun& m_run;
    RecordOutcome& m_outcome;
    std::map<int, std::string> m_peers;  // with what came of a line
};

class Waiting {
public:
    Waiting(pid_t child, int signals, bool isOurs, Listener& listener)
        : m_child(child), m_signals(signals), m_isOurs(isOurs), m_listener(listener) {}

    [[nodiscard]] int exitCode() {
        while (!m_exitCode) {
            try {
                listen();
            } catch (const std::bad_alloc&) {
                ::usleep(kLookAgainMs * 1000);  // messages are not worth the program's exit code
            }
            readSignals();
            stopOnRequest();
        }
        if (m_stopRequested) {
            endGroup(m_child, SIGKILL);
        }
        return *m_exitCode;
    }

private:
    void listen() {
        std::vector<pollfd> waiting{{m_signals, POLLIN, 0}};
        if (m_isOurs && !m_stopRequested) {
            waiting.push_back({StopSignals::descriptor(), POLLIN, 0});
        }
        const std::size_t ours = waiting.size();
        m_listener.addTo(waiting);
        ::poll(waiting.data(), waiting.size(), m_stopRequested ? kLookAgainMs : -1);
        for (std::size_t i = ours; i < waiting.size(); ++i) {
            if (waiting[i].revents == 0) {
                continue;
            }
            if (waiting[i].fd == m_listener.socket()) {
                m_listener.accept();
            } else {
                m_listener.read(waiting[i].fd);
            }
        }
    }

    void readSignals() {
        signalfd_siginfo info{};
        while (::read(m_signals, &info, sizeof info) == sizeof info) {
            // What comes from the terminal has reached the program already.
            if (info.ssi_signo != SIGCHLD && info.ssi_code != SI_KERNEL) {
                ::kill(m_child, static_cast<int>(info.ssi_signo));
            }
        }
        // Not only after a signal: one that cannot be read must not be waited for.
        int status = 0;
        if (::waitpid(m_child, &status, WNOHANG) == m_child) {
            m_exitCode = exitCodeOf(status);
        }
    }

    void stopOnRequest() {
        if (!m_isOurs || m_exitCode || StopSignals::came() == 0) {
            return;
        }
        if (!m_stopRequested) {
            m_stopRequested = Clock::now();
            endGroup(m_child, SIGTERM);
        } else if (Clock::now() - *m_stopRequested > kGrace) {
            endGroup(m_child, SIGKILL);
        }
    }

    using Clock = std::chrono::steady_clock;
    static constexpr int kLookAgainMs = 10;

    pid_t m_child;
    int m_signals;
    bool m_isOurs;
    Listener& m_listener;
    std::optional<int> m_exitCode;
    std::optional<Clock::time_point> m_stopRequested;
};

}  // namespace

Result<RecordOutcome> runRecorded(const RecordRun& run) {
    RecordOutcome outcome;
    const Descriptor socket(listenLocally(run.options.control));
    if (socket.get() < 0) {
        return fail(fmt::format("'{}': cannot create this socket: {}", run.options.control,
                                std::strerror(errno)),
                    ErrorKind::Output);
    }
    std::optional<StopSignals> stopping;
    if (run.isOurs) {
        stopping.emplace();
    }
    const sigset_t watched = watchedSignals(!run.isOurs);
    const BlockedSignals blocked(watched);
    const Descriptor signals(::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
    const auto child = startProgram(run, blocked);
    if (!child) {
        ::unlink(run.options.control.c_str());
        return tl::unexpected(child.error());
    }
    if (!run.isOurs) {
        ::signal(SIGPIPE, SIG_IGN);
    }
    if (run.companion != nullptr) {
        run.companion->started();
    }
    Listener listener(socket.get(), run, outcome);
    outcome.exitCode = Waiting(*child, signals.get(), run.isOurs, listener).exitCode();
    listener.readRest();
    if (run.companion != nullptr) {
        run.companion->ended();
        listener.readRest();
    }
    ::unlink(run.options.control.c_str());
    if (run.isOurs && StopSignals::came() != 0) {
        return fail("cancelled", ErrorKind::Cancelled);
    }
    // Processes on other hosts of a shared folder cannot reach the socket.
    outcome.captures = stream::capturesIn(run.options.folder);
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
    return fail(fmt::format(
        "cannot find {} next to kscope or in ../lib; name it in KINETOSCOPE_INJECT", kName));
}

}  // namespace kinetoscope::capture
