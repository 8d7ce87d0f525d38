// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "core/base/Progress.h"
#include "core/base/Result.h"
#include "core/import/load/LoadTrace.h"

namespace kinetoscope::app {

/// While it lives, Ctrl-C and its kin request a stop instead of ending the program, a second one
/// ends it; and long work shows its progress on standard error if that is a terminal. One for a
/// whole command, made before any other thread, so that no signal is lost between two steps.
class CommandWatch {
public:
    CommandWatch();
    CommandWatch(const CommandWatch&) = delete;
    CommandWatch& operator=(const CommandWatch&) = delete;
    ~CommandWatch();

    /// The current activity, for the progress line.
    void show(std::string what);

    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }
    [[nodiscard]] Progress& progress() { return m_progress; }
    /// Fails with ErrorKind::Cancelled once a stop was requested.
    [[nodiscard]] Result<void> resume() const;

private:
    void watch(const std::stop_token& done);
    void onSignal(int signal);
    void showProgress();

    sigset_t m_signals;
    sigset_t m_before{};  // blocked when this was made
    std::mutex m_mutex;   // of m_what
    std::string m_what;
    std::stop_source m_stop;
    Progress m_progress;
    std::optional<std::jthread> m_thread;
};

/// loadTrace() under the watch. Threads: 0 for as many as there are processors. `execution`:
/// PyTorch's execution trace with the inputs of the trace's operators; may be empty.
[[nodiscard]] Result<std::shared_ptr<const trace::Trace>> loadWatched(
    CommandWatch& watch, const std::string& path, unsigned threads = 0,
    const std::string& execution = {});

}  // namespace kinetoscope::app
