// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/capture/inject/BoundedQueue.h"

namespace kinetoscope::capture::inject {

/// A buffer that CUPTI has filled.
struct FilledBuffer {
    std::uint8_t* data = nullptr;
    std::size_t size = 0;
    std::size_t validSize = 0;
};

/// Buffers for CUPTI. take() and fill() run on the recorded program's threads: they take no lock,
/// allocate nothing and call nothing of the system. The rest is for our own thread. The buffer
/// that came back last is given out first, while it is still in the processor's caches. Where the
/// program's address space is limited, there are fewer.
class BufferPool {
public:
    static constexpr std::size_t kBufferBytes = 256U << 10;
    static constexpr std::size_t kMaxBuffers = 1024;
    static constexpr std::size_t kReady = 128;  ///< free buffers that top() keeps at hand

    BufferPool();
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;

    /// A buffer of kBufferBytes, null if none is left; counts both.
    [[nodiscard]] std::uint8_t* take();
    /// For a CUPTI that cannot be refused: a new buffer immediately, by one system call.
    [[nodiscard]] std::uint8_t* makeOne();
    void fill(const FilledBuffer& buffer);
    /// Whether it is one of those that take() gives.
    [[nodiscard]] bool owns(const std::uint8_t* buffer) const {
        return m_memory != nullptr && buffer >= m_memory &&
               buffer < m_memory + m_most * kBufferBytes;
    }
    /// 0 if there is no address space for them.
    [[nodiscard]] std::size_t most() const { return m_most; }

    /// Makes and touches buffers until kReady are free or most() exist.
    void top();
    [[nodiscard]] bool nextFilled(FilledBuffer& buffer) { return m_filled.pop(buffer); }
    /// Gives the buffer out again.
    void recycle(const FilledBuffer& buffer);

    [[nodiscard]] std::uint64_t taken() const { return m_taken.load(); }
    [[nodiscard]] std::uint64_t filled() const { return m_returned.load(); }
    /// Requests that could not be met; CUPTI drops the records.
    [[nodiscard]] std::uint64_t refused() const { return m_refused.load(); }

private:
    static constexpr std::uint32_t kNone = 0xffffffff;

    [[nodiscard]] std::uint8_t* at(std::uint32_t index) const {
        return m_memory + index * kBufferBytes;
    }
    void push(std::uint32_t index);

    BoundedQueue<FilledBuffer, 4 * kMaxBuffers> m_filled;
    std::size_t m_most;
    std::uint8_t* m_memory;  ///< of m_most, touched one by one
    // The free buffers are a stack: index of the first in the lower half, and in the upper half a
    // count of all changes, so that a stack that looks the same but is not is noticed.
    std::atomic<std::uint64_t> m_free{kNone};
    std::atomic<std::int64_t> m_freeCount{0};
    std::atomic<std::uint64_t> m_taken{0};
    std::atomic<std::uint64_t> m_returned{0};
    std::atomic<std::uint64_t> m_refused{0};
    std::uint32_t m_made = 0;
    std::array<std::atomic<std::uint32_t>, kMaxBuffers> m_next{};
};

}  // namespace kinetoscope::capture::inject
