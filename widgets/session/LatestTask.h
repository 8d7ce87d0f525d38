// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaObject>
#include <QObject>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "core/base/Threads.h"
#include "core/base/VectorState.h"

namespace kinetoscope::session {

/// Runs functions on one worker thread, the newest only: start() asks the one before to stop and
/// forgets its result. A result waits in a mailbox; one queued call wakes the owner's thread, which
/// takes it. Nothing is delivered after cancel() or destruction. start, cancel and the destructor
/// belong to the owner's thread; the destructor waits for the function that runs.
/// Whatever ends a function early is delivered as its error: exceptions, lack of memory most of
/// all, and that the system starts no more threads; the next start() tries again.
template <class T>
class LatestTask {
public:
    using Work = std::function<Result<T>(std::stop_token)>;
    using Deliver = std::function<void(Result<T>)>;

    explicit LatestTask(Deliver deliver) : m_deliver(std::move(deliver)) {}
    LatestTask(const LatestTask&) = delete;
    LatestTask& operator=(const LatestTask&) = delete;
    ~LatestTask() {
        cancel();
        m_thread = std::jthread();  // requests a stop and joins while the mailbox still exists
    }

    void start(Work work) {
        {
            const std::lock_guard lock(m_mutex);
            m_jobStop.request_stop();
            m_jobStop = std::stop_source();
            m_result.reset();
            m_next = std::move(work);
            ++m_generation;
            m_busy = true;
        }
        if (!m_thread.joinable()) {
            auto thread = tryThread([this](const std::stop_token& stop) { run(stop); });
            if (!thread) {
                reportNoThread();
                return;
            }
            m_thread = std::move(*thread);
        }
        m_wake.notify_all();
    }

    /// Does not block; the function itself may still be ending.
    void cancel() {
        const std::lock_guard lock(m_mutex);
        m_jobStop.request_stop();
        m_result.reset();
        m_next = nullptr;
        ++m_generation;
        m_busy = false;
    }

    /// Between start() and the delivery.
    [[nodiscard]] bool busy() const { return m_busy; }

private:
    void run(const std::stop_token& stop) {
        clearVectorState();
        while (true) {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, stop, [this] { return static_cast<bool>(m_next); })) {
                return;
            }
            const Work work = std::exchange(m_next, nullptr);
            const std::uint64_t generation = m_generation;
            const std::stop_token jobStop = m_jobStop.get_token();
            lock.unlock();
            Result<T> result = guarded([&] { return work(jobStop); });
            lock.lock();
            if (generation == m_generation) {
                m_result.emplace(std::move(result));
                wakeOwner(lock, stop);
            }
        }
    }

    // The wake-up takes memory. Where even that is missing, others give some back sooner or later.
    void wakeOwner(std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
        constexpr std::chrono::milliseconds kPause(20);
        while (!stop.stop_requested()) {
            try {
                QMetaObject::invokeMethod(
                    &m_owner, [this] { take(); }, Qt::QueuedConnection);
                return;
            } catch (const std::bad_alloc&) {
                lock.unlock();
                std::this_thread::sleep_for(kPause);
                lock.lock();
            }
        }
    }

    void reportNoThread() {
        m_next = nullptr;
        m_result.emplace(
            fail("cannot start another thread; close other programs or raise the process limit "
                 "(ulimit -u), then try again",
                 ErrorKind::Output));
        QMetaObject::invokeMethod(
            &m_owner, [this] { take(); }, Qt::QueuedConnection);
    }

    void take() {
        std::optional<Result<T>> result;
        {
            const std::lock_guard lock(m_mutex);
            result.swap(m_result);
            if (!result) {
                return;
            }
            m_busy = false;
        }
        m_deliver(std::move(*result));
    }

    QObject m_owner;  ///< lives in the owner's thread; its destruction drops queued wake-ups
    Deliver m_deliver;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    Work m_next;
    std::optional<Result<T>> m_result;
    std::stop_source m_jobStop;
    std::uint64_t m_generation = 0;
    bool m_busy = false;  ///< owner's thread only
    std::jthread m_thread;
};

}  // namespace kinetoscope::session
