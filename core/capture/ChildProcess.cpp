// SPDX-License-Identifier: Apache-2.0
#include "core/capture/ChildProcess.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>

namespace kinetoscope::capture {

namespace {

constexpr std::array kStopping{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
constexpr int kSignalExit = 128;
constexpr auto kChildGrace = std::chrono::seconds(2);
constexpr int kLookAgainMs = 10;

struct Stopping {
    int users = 0;
    int descriptor = -1;
    int came = 0;
    sigset_t before{};
    struct sigaction children {};
};
Stopping stopState;

// A group of its own is not in the foreground: reading from the terminal would stop it for ever.
void leadGroup(pid_t parent) {
    ::setpgid(0, 0);
    ::signal(SIGTTOU, SIG_IGN);
    if (::isatty(STDIN_FILENO) != 0) {
        const int nothing = ::open("/dev/null", O_RDONLY);
        if (nothing > STDIN_FILENO) {
            ::dup2(nothing, STDIN_FILENO);
            ::close(nothing);
        }
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) {
        ::_exit(kSignalExit + SIGKILL);  // it has ended in between
    }
}

// In the child; returns only when the program cannot be started.
void become(const ChildStart& start, char** words, pid_t parent) {
    if (start.input >= 0) {
        ::dup2(start.input, STDIN_FILENO);
    }
    if (start.output >= 0) {
        ::dup2(start.output, STDOUT_FILENO);
    }
    if (start.isOurs) {
        leadGroup(parent);
    }
    if (start.prepare) {
        start.prepare();
    }
    ::pthread_sigmask(SIG_SETMASK, &start.mask, nullptr);
    ::execvp(start.program.c_str(), words);
}

}  // namespace

// The pipe closes by itself when exec works, and carries errno when it does not.
int startChild(const ChildStart& start, pid_t& child) {
    std::vector<char*> words;
    words.reserve(start.words.size() + 1);
    for (const std::string& word : start.words) {
        words.push_back(const_cast<char*>(word.c_str()));
    }
    words.push_back(nullptr);
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
        return errno;
    }
    const pid_t parent = ::getpid();
    child = ::fork();
    if (child == 0) {
        become(start, words.data(), parent);
        const int error = errno;
        const ssize_t told = ::write(pipe[1], &error, sizeof error);
        ::_exit(told == sizeof error ? 127 : 126);
    }
    int error = child < 0 ? errno : 0;
    ::close(pipe[1]);
    if (child >= 0) {
        ssize_t got = 0;
        do {
            got = ::read(pipe[0], &error, sizeof error);
        } while (got < 0 && errno == EINTR);
        if (got == sizeof error) {
            ::waitpid(child, nullptr, 0);
        }
    }
    ::close(pipe[0]);
    return error;
}

int exitCodeOf(int waitStatus) {
    return WIFSIGNALED(waitStatus) ? kSignalExit + WTERMSIG(waitStatus) : WEXITSTATUS(waitStatus);
}

StopSignals::StopSignals() {
    if (stopState.users++ > 0) {
        return;
    }
    stopState.came = 0;
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : kStopping) {
        struct sigaction known {};
        if (::sigaction(signal, nullptr, &known) == 0 && known.sa_handler != SIG_IGN) {
            sigaddset(&signals, signal);
        }
    }
    ::pthread_sigmask(SIG_BLOCK, &signals, &stopState.before);
    stopState.descriptor = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    // Ignored by who started us, children would go without telling how they ended.
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    ::sigaction(SIGCHLD, &standard, &stopState.children);
}

StopSignals::~StopSignals() {
    if (--stopState.users > 0) {
        return;
    }
    static_cast<void>(came());
    ::sigaction(SIGCHLD, &stopState.children, nullptr);
    if (stopState.descriptor >= 0) {
        ::close(stopState.descriptor);
        stopState.descriptor = -1;
    }
    ::pthread_sigmask(SIG_SETMASK, &stopState.before, nullptr);
}

int StopSignals::descriptor() {
    return stopState.descriptor;
}

int StopSignals::came() {
    signalfd_siginfo info{};
    while (stopState.descriptor >= 0 &&
           ::read(stopState.descriptor, &info, sizeof info) == sizeof info) {
        if (stopState.came == 0) {
            stopState.came = static_cast<int>(info.ssi_signo);
        }
    }
    return stopState.came;
}

sigset_t StopSignals::maskBefore() {
    return stopState.before;
}

int waitForChild(pid_t child) {
    using Clock = std::chrono::steady_clock;
    std::optional<Clock::time_point> stopRequested;
    for (;;) {
        siginfo_t ended{};
        const int waited =
            ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT);
        if ((waited == 0 && ended.si_pid == child) || (waited < 0 && errno != EINTR)) {
            break;
        }
        if (!stopRequested && StopSignals::came() != 0) {
            stopRequested = Clock::now();
            endGroup(child, SIGTERM);
        } else if (stopRequested && Clock::now() - *stopRequested > kChildGrace) {
            endGroup(child, SIGKILL);
        }
        pollfd waiting{stopRequested ? -1 : StopSignals::descriptor(), POLLIN, 0};
        ::poll(&waiting, 1, kLookAgainMs);
    }
    if (stopRequested) {
        endGroup(child, SIGKILL);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

void endGroup(pid_t child, int signal) {
    if (child > 0) {
        ::kill(-child, signal);
    }
}

}  // namespace kinetoscope::capture
