// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/LoadWatch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <ctime>

#include "app/kscope/HugeHeap.h"
#include "core/export/Printable.h"

namespace kinetoscope {

namespace {

// SIGUSR1 wakes the watcher when the work is done.
sigset_t watchedSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGUSR1);
    return signals;
}

constexpr int kTicksBeforeProgress = 5;
constexpr long kTickNs = 100'000'000;

}  // namespace

LoadWatch::LoadWatch(std::string what) : m_what(std::move(what)) {
    const sigset_t signals = watchedSignals();
    pthread_sigmask(SIG_BLOCK, &signals, &m_before);
    m_thread = std::jthread([this](const std::stop_token& done) { watch(done); });
}

LoadWatch::~LoadWatch() {
    m_thread.request_stop();
    pthread_kill(m_thread.native_handle(), SIGUSR1);
    m_thread.join();
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

void LoadWatch::watch(const std::stop_token& done) {
    const sigset_t signals = watchedSignals();
    const bool visible = ::isatty(STDERR_FILENO) != 0;
    bool shown = false;
    for (int tick = 0; !done.stop_requested(); ++tick) {
        const timespec wait{0, kTickNs};
        const int signal = sigtimedwait(&signals, nullptr, &wait);
        if (signal == SIGINT || signal == SIGTERM) {
            m_stop.request_stop();
        }
        if (visible && signal < 0 && tick >= kTicksBeforeProgress) {
            shown = true;
            fmt::print(stderr, "\r\x1b[K{} {:3.0f} %", m_what, 100.0 * m_progress.fraction());
            std::fflush(stderr);
        }
    }
    if (shown) {
        fmt::print(stderr, "\r\x1b[K");
    }
}

Result<std::shared_ptr<const Trace>> loadWatched(const std::string& path, unsigned threads) {
    useHugeHeap();
    LoadWatch watch("reading " + printable(path));
    LoadOptions options;
    options.stop = watch.token();
    options.progress = &watch.progress();
    options.threads = threads;
    auto trace = loadTrace(path, options);
    if (!trace && trace.error().kind == ErrorKind::Cancelled) {
        return fail("cancelled", ErrorKind::Cancelled);
    }
    return trace;
}

void declareThreads(CLI::App& app, unsigned& threads) {
    constexpr unsigned kMost = 1024;
    app.add_option("--threads", threads, "Threads that read a trace (default: one a processor)")
        ->type_name("N")
        ->check(CLI::Range(1U, kMost));
}

}  // namespace kinetoscope
