// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/CommandWatch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <ctime>

#include "app/kscope/HugeHeap.h"
#include "app/kscope/Terminal.h"
#include "core/base/ProcessSetup.h"
#include "core/base/Threads.h"
#include "core/import/execution/JoinedTrace.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

constexpr int kTicksBeforeProgress = 5;
constexpr long kTickNs = 100'000'000;
constexpr std::string_view kClearLine = "\r\x1b[K";

// Signals that end a program and are not ignored; and SIGUSR1, which tells the watcher that the
// work is done.
sigset_t watchedSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
        struct sigaction known {};
        if (::sigaction(signal, nullptr, &known) == 0 && known.sa_handler != SIG_IGN) {
            sigaddset(&signals, signal);
        }
    }
    return signals;
}

}  // namespace

CommandWatch::CommandWatch() : m_signals(watchedSignals()) {
    pthread_sigmask(SIG_BLOCK, &m_signals, &m_before);
    m_thread = tryThread([this](const std::stop_token& done) { watch(done); });
    if (!m_thread) {
        // Without the watcher, signals end the program immediately.
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
}

CommandWatch::~CommandWatch() {
    if (m_thread) {
        m_thread->request_stop();
        pthread_kill(m_thread->native_handle(), SIGUSR1);
        m_thread->join();
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
}

void CommandWatch::show(std::string what) {
    const std::scoped_lock lock(m_mutex);
    m_what = std::move(what);
}

Result<void> CommandWatch::resume() const {
    return m_stop.stop_requested() ? fail("cancelled", ErrorKind::Cancelled) : Result<void>{};
}

void CommandWatch::onSignal(int signal) {
    if (signal == SIGUSR1) {
        return;
    }
    if (m_stop.stop_requested()) {
        endBySignal(signal);
    }
    m_stop.request_stop();
}

void CommandWatch::showProgress() {
    const std::scoped_lock lock(m_mutex);
    // Without an allocation: its exception would not be caught in this thread.
    std::array<char, 256> line;
    const auto end = fmt::format_to_n(line.data(), line.size(), "{}{} {:3.0f} %", kClearLine,
                                      m_what, 100.0 * m_progress.fraction());
    writeToStandardError({line.data(), std::min(end.size, line.size())});
}

void CommandWatch::watch(const std::stop_token& done) {
    const bool visible = ::isatty(STDERR_FILENO) != 0;
    bool shown = false;
    for (int tick = 0; !done.stop_requested(); ++tick) {
        const timespec wait{0, kTickNs};
        const int signal = sigtimedwait(&m_signals, nullptr, &wait);
        if (signal > 0) {
            onSignal(signal);
        } else if (visible && tick >= kTicksBeforeProgress) {
            shown = true;
            showProgress();
        }
    }
    if (shown) {
        writeToStandardError(kClearLine);
    }
}

Result<std::shared_ptr<const trace::Trace>> loadWatched(CommandWatch& watch,
                                                        const std::string& path, unsigned threads,
                                                        const std::string& execution) {
    useHugeHeap();
    watch.show("reading " + text::printable(path));
    import::LoadOptions options;
    options.stop = watch.token();
    options.progress = &watch.progress();
    options.threads = threads;
    auto trace = import::loadTrace(path, options);
    bool isDamaged = false;
    if (trace && !execution.empty()) {
        watch.show("reading " + text::printable(execution));
        auto inputs = import::execution::ExecutionTrace::read(execution, options.stop);
        isDamaged = inputs && (*inputs)->isDamaged();
        trace = inputs ? import::execution::joined(*trace, std::move(*inputs))
                       : tl::unexpected(inputs.error());
    }
    const auto resume = watch.resume();
    if (isDamaged) {
        printWarning("'" + execution + "': is damaged; operators after the damage have no inputs");
    }
    return resume ? std::move(trace) : tl::unexpected(resume.error());
}

}  // namespace kinetoscope::app
