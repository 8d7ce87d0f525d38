// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <thread>

namespace kinetoscope::pickle {

/// Touches memory on a thread of its own before it is needed: the system clears every page at its
/// first touch, which takes longer than what is written into it. Where the system cannot, or starts
/// no thread, nothing happens.
class PageToucher {
public:
    PageToucher() = default;
    PageToucher(const PageToucher&) = delete;
    PageToucher& operator=(const PageToucher&) = delete;
    ~PageToucher();

    /// Does not block. The memory may be written meanwhile, and must outlive this.
    void touch(std::span<std::byte> memory);

private:
    void work(const std::stop_token& stop);

    std::mutex m_mutex;  ///< of the queue
    std::condition_variable_any m_more;
    std::deque<std::span<std::byte>> m_queue;
    std::optional<std::jthread> m_thread;
};

}  // namespace kinetoscope::pickle
