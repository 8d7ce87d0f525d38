// SPDX-License-Identifier: Apache-2.0
#include "core/pickle/PageToucher.h"

#include <sys/mman.h>

#include "core/base/Threads.h"

namespace kinetoscope::pickle {

namespace {

#ifdef MADV_POPULATE_WRITE
constexpr int kPopulate = MADV_POPULATE_WRITE;
#else
constexpr int kPopulate = 23;  // of Linux 5.14; older ones refuse it
#endif

}  // namespace

PageToucher::~PageToucher() {
    if (m_thread) {
        m_thread->request_stop();
        m_thread.reset();  // waits for it
    }
}

void PageToucher::touch(std::span<std::byte> memory) {
    if (!m_thread) {
        m_thread = tryThread([this](const std::stop_token& stop) { work(stop); });
    }
    if (m_thread) {
        const std::scoped_lock lock(m_mutex);
        m_queue.push_back(memory);
        m_more.notify_one();
    }
}

void PageToucher::work(const std::stop_token& stop) {
    for (;;) {
        std::span<std::byte> next;
        {
            std::unique_lock lock(m_mutex);
            if (!m_more.wait(lock, stop, [&] { return !m_queue.empty(); }) ||
                stop.stop_requested()) {
                return;
            }
            next = m_queue.front();
            m_queue.pop_front();
        }
        static_cast<void>(::madvise(next.data(), next.size(), kPopulate));
    }
}

}  // namespace kinetoscope::pickle
