// SPDX-License-Identifier: Apache-2.0
#include "core/capture/inject/Ranges.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

namespace kinetoscope::capture::inject {

std::uint64_t monotonicNow() {
    constexpr std::uint64_t kSecond = 1'000'000'000;
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * kSecond +
           static_cast<std::uint64_t>(now.tv_nsec);
}

std::uint32_t currentThread() {
    thread_local const auto thread = static_cast<std::uint32_t>(::syscall(SYS_gettid));
    return thread;
}

RangeQueue::RangeQueue() : m_queue(std::make_unique<Queue>()) {}

void RangeQueue::push(RangeEvent::Type type, std::uint64_t id, std::string_view name) {
    const std::uint64_t now = monotonicNow();
    const bool pushed = m_queue->pushWith([&](RangeEvent& event) {
        event.type = type;
        event.thread = currentThread();
        event.time = now;
        event.id = id;
        event.nameSize = static_cast<std::uint32_t>(std::min(name.size(), event.name.size()));
        std::copy_n(name.begin(), event.nameSize, event.name.begin());
    });
    if (!pushed) {
        m_dropped.fetch_add(1, std::memory_order_relaxed);
    }
}

std::uint64_t RangeQueue::start(std::string_view name) {
    const std::uint64_t id = m_nextId.fetch_add(1, std::memory_order_relaxed);
    push(RangeEvent::Type::Start, id, name);
    return id;
}

void RangeQueue::end(std::uint64_t id) {
    push(RangeEvent::Type::End, id, {});
}

void RangeQueue::mark(std::string_view name) {
    push(RangeEvent::Type::Mark, 0, name);
}

bool RangeQueue::next(RangeEvent& event) {
    return m_queue->pop(event);
}

}  // namespace kinetoscope::capture::inject
