// SPDX-License-Identifier: Apache-2.0
#include "core/capture/inject/BufferPool.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>

namespace kinetoscope::capture::inject {

namespace {

constexpr int kIndexBits = 32;

std::uint8_t* map(std::size_t bytes, int flags) {
    void* memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<std::uint8_t*>(memory);
}

std::uint64_t changed(std::uint64_t head, std::uint32_t first) {
    return ((head >> kIndexBits) + 1) << kIndexBits | first;
}

// A limit was made for the program; most of it is left to it.
std::size_t affordable() {
    constexpr rlim_t kShare = 16;
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return BufferPool::kMaxBuffers;
    }
    return std::min<std::size_t>(limit.rlim_cur / kShare / BufferPool::kBufferBytes,
                                 BufferPool::kMaxBuffers);
}

}  // namespace

// Addresses only; memory comes with the first touch.
BufferPool::BufferPool()
    : m_most(affordable()),
      m_memory(m_most == 0 ? nullptr : map(m_most * kBufferBytes, MAP_NORESERVE)) {
    m_most = m_memory == nullptr ? 0 : m_most;
}

std::uint8_t* BufferPool::take() {
    std::uint64_t head = m_free.load(std::memory_order_acquire);
    for (;;) {
        const auto first = static_cast<std::uint32_t>(head);
        if (first == kNone) {
            m_refused.fetch_add(1, std::memory_order_relaxed);
            return nullptr;
        }
        const std::uint32_t next = m_next[first].load(std::memory_order_relaxed);
        if (m_free.compare_exchange_weak(head, changed(head, next), std::memory_order_acquire)) {
            m_freeCount.fetch_sub(1, std::memory_order_relaxed);
            m_taken.fetch_add(1, std::memory_order_relaxed);
            return at(first);
        }
    }
}

void BufferPool::push(std::uint32_t index) {
    std::uint64_t head = m_free.load(std::memory_order_relaxed);
    do {
        m_next[index].store(static_cast<std::uint32_t>(head), std::memory_order_relaxed);
    } while (!m_free.compare_exchange_weak(head, changed(head, index), std::memory_order_release));
    m_freeCount.fetch_add(1, std::memory_order_relaxed);
}

void BufferPool::fill(const FilledBuffer& buffer) {
    // There are more cells than buffers, so this fails only when CUPTI cannot be refused and
    // floods us; the loss shows as a buffer that never came back.
    if (m_filled.push(buffer)) {
        m_returned.fetch_add(1, std::memory_order_relaxed);
    }
}

std::uint8_t* BufferPool::makeOne() {
    std::uint8_t* memory = map(kBufferBytes, 0);
    if (memory != nullptr) {
        m_taken.fetch_add(1, std::memory_order_relaxed);
    }
    return memory;
}

void BufferPool::top() {
    while (m_freeCount.load(std::memory_order_relaxed) < static_cast<std::int64_t>(kReady) &&
           m_made < m_most) {
        // Touched here, so that the program's threads meet no page faults.
        constexpr std::size_t kPage = 4096;
        for (std::size_t byte = 0; byte < kBufferBytes; byte += kPage) {
            *static_cast<volatile std::uint8_t*>(at(m_made) + byte) = 0;
        }
        push(m_made++);
    }
}

void BufferPool::recycle(const FilledBuffer& buffer) {
    if (owns(buffer.data)) {
        push(static_cast<std::uint32_t>(static_cast<std::size_t>(buffer.data - m_memory) /
                                        kBufferBytes));
    } else {
        ::munmap(buffer.data, kBufferBytes);  // of makeOne()
    }
}

}  // namespace kinetoscope::capture::inject
