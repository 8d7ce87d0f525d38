// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace kinetoscope::import {

/// Lets threads that read parts of a file add them to a trace in the order of the parts.
class Turns {
public:
    /// Calls `work` once all parts before `number`, from 0 on, have had their turn. False, without
    /// a call, where that will not be.
    template <class Work>
    [[nodiscard]] bool take(std::size_t number, const Work& work) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_next == number || m_ended; });
        if (m_ended) {
            return false;
        }
        work();
        ++m_next;
        m_changed.notify_all();
        return true;
    }
    /// Nobody has a turn any more: one part will not come.
    void end() {
        const std::scoped_lock lock(m_mutex);
        m_ended = true;
        m_changed.notify_all();
    }
    /// Calls `work`, which takes turns; what it throws ends those of the others.
    template <class Work>
    void during(const Work& work) {
        try {
            work();
        } catch (...) {
            end();
            throw;
        }
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::size_t m_next = 0;
    bool m_ended = false;
};

}  // namespace kinetoscope::import
