// SPDX-License-Identifier: Apache-2.0
#include "core/capture/BufferPool.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace kinetoscope {

std::uint8_t* BufferPool::take() {
    std::uint8_t* buffer = nullptr;
    if (!m_free.pop(buffer)) {
        m_refused.fetch_add(1, std::memory_order_relaxed);
        return nullptr;
    }
    m_freeCount.fetch_sub(1, std::memory_order_relaxed);
    m_taken.fetch_add(1, std::memory_order_relaxed);
    return buffer;
}

void BufferPool::fill(const FilledBuffer& buffer) {
    // There are more cells than buffers, so this fails only when CUPTI cannot be refused and
    // floods us; the loss shows as a buffer that never came back.
    if (m_filled.push(buffer)) {
        m_returned.fetch_add(1, std::memory_order_relaxed);
    }
}

std::uint8_t* BufferPool::makeOne() {
    void* memory =
        ::mmap(nullptr, kBufferBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return nullptr;
    }
    m_taken.fetch_add(1, std::memory_order_relaxed);
    return static_cast<std::uint8_t*>(memory);
}

void BufferPool::top() {
    while (m_freeCount.load(std::memory_order_relaxed) < static_cast<std::int64_t>(kReady) &&
           m_made < kMostBuffers) {
        // Populated here, so that the program's threads meet no page faults.
        void* memory = ::mmap(nullptr, kBufferBytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
        if (memory == MAP_FAILED) {
            return;
        }
        ++m_made;
        m_freeCount.fetch_add(1, std::memory_order_relaxed);
        if (!m_free.push(static_cast<std::uint8_t*>(memory))) {
            return;
        }
    }
}

void BufferPool::recycle(const FilledBuffer& buffer) {
    std::memset(buffer.data, 0, std::min(buffer.size, kBufferBytes));
    m_freeCount.fetch_add(1, std::memory_order_relaxed);
    if (!m_free.push(buffer.data)) {
        ::munmap(buffer.data, kBufferBytes);
    }
}

}  // namespace kinetoscope
