// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

#include <cerrno>
#include <csignal>
#include <ctime>

namespace kinetoscope::capture::inject {

/// While we work on a thread of the recorded program: neither a signal of a write of ours (a reader
/// of standard error that went away, RLIMIT_FSIZE) nor a cancellation ends the program inside of
/// us, and errno is as it was.
class EntryGuard {
public:
    EntryGuard() : m_error(errno) {
        ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &m_cancel);
        sigset_t pending;
        ::sigpending(&pending);
        sigemptyset(&m_ours);
        for (const int signal : {SIGPIPE, SIGXFSZ}) {
            // What waits already is the program's.
            if (sigismember(&pending, signal) == 0) {
                sigaddset(&m_ours, signal);
            }
        }
        ::pthread_sigmask(SIG_BLOCK, &m_ours, &m_mask);
    }
    EntryGuard(const EntryGuard&) = delete;
    EntryGuard& operator=(const EntryGuard&) = delete;
    ~EntryGuard() {
        const timespec atOnce{};
        while (::sigtimedwait(&m_ours, nullptr, &atOnce) > 0) {
        }
        ::pthread_sigmask(SIG_SETMASK, &m_mask, nullptr);
        ::pthread_setcancelstate(m_cancel, nullptr);
        errno = m_error;
    }

private:
    int m_error;
    int m_cancel = PTHREAD_CANCEL_ENABLE;
    sigset_t m_ours{};
    sigset_t m_mask{};
};

}  // namespace kinetoscope::capture::inject
