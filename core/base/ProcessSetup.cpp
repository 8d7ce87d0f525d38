// SPDX-License-Identifier: Apache-2.0
#include "core/base/ProcessSetup.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "core/base/TemporaryFiles.h"

namespace kinetoscope {

namespace {

bool isIgnored(int signal) {
    struct sigaction known {};
    return ::sigaction(signal, nullptr, &known) == 0 && known.sa_handler == SIG_IGN;
}

void handle(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
}

}  // namespace

void setUpProcess() {
    holdStandardDescriptors();
    cleanUpOnSignals();
}

void holdStandardDescriptors() {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
        if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) {
            continue;
        }
        // open() returns the lowest free number, the wanted one. Opened for the wrong direction, it
        // fails as a closed one does.
        const int direction = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
        if (::open("/dev/null", direction | O_CLOEXEC) < 0) {
            return;
        }
    }
}

void cleanUpOnSignals() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
        if (!isIgnored(signal)) {
            handle(signal, endBySignal);
        }
    }
    handle(SIGPIPE, endBySignal);
    // A handler, not SIG_IGN, which a program that is started would inherit.
    handle(SIGXFSZ, [](int) {});
}

void endBySignal(int signal) {
    removeTemporaryFiles();
    handle(signal, SIG_DFL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, signal);
    ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
    ::raise(signal);
    constexpr int kShellsOffset = 128;
    ::_exit(kShellsOffset + signal);
}

void writeToStandardError(std::string_view text) noexcept {
    while (!text.empty()) {
        const ssize_t done = ::write(STDERR_FILENO, text.data(), text.size());
        if (done < 0 && errno != EINTR) {
            return;
        }
        text.remove_prefix(done > 0 ? static_cast<std::size_t>(done) : 0);
    }
}

}  // namespace kinetoscope
