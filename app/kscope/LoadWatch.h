// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

#include "core/base/Progress.h"
#include "core/base/Result.h"
#include "core/import/LoadTrace.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
}

namespace kinetoscope {

/// While it lives, Ctrl-C asks to stop instead of ending the program, and long work shows its
/// progress on standard error when that is a terminal. Make it before any other thread.
class LoadWatch {
public:
    explicit LoadWatch(std::string what);
    LoadWatch(const LoadWatch&) = delete;
    LoadWatch& operator=(const LoadWatch&) = delete;
    ~LoadWatch();

    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }
    [[nodiscard]] Progress& progress() { return m_progress; }

private:
    void watch(const std::stop_token& done);

    std::string m_what;
    std::stop_source m_stop;
    Progress m_progress;
    sigset_t m_before{};
    std::jthread m_thread;
};

/// loadTrace() under a LoadWatch. Threads: 0 for as many as there are processors.
[[nodiscard]] Result<std::shared_ptr<const Trace>> loadWatched(const std::string& path,
                                                               unsigned threads = 0);

/// The option --threads of commands that load a trace.
void declareThreads(CLI::App& app, unsigned& threads);

}  // namespace kinetoscope
