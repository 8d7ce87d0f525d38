// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/capture/BoundedQueue.h"

namespace kinetoscope {

/// A buffer that CUPTI has filled.
struct FilledBuffer {
    std::uint8_t* data = nullptr;
    std::size_t size = 0;
    std::size_t validSize = 0;
};

/// Zeroed buffers for CUPTI. take() and fill() run on the recorded program's threads: they take no
/// lock, allocate nothing and call nothing of the system. The rest is for our own thread.
class BufferPool {
public:
    static constexpr std::size_t kBufferBytes = 1U << 20;
    static constexpr std::size_t kMostBuffers = 256;
    static constexpr std::size_t kReady = 32;  ///< free buffers that top() keeps at hand

    BufferPool() = default;
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;

    /// A zeroed buffer of kBufferBytes, null when none is left; counts both.
    [[nodiscard]] std::uint8_t* take();
    /// For a CUPTI that cannot be refused: a new buffer at once, by one system call.
    [[nodiscard]] std::uint8_t* makeOne();
    void fill(const FilledBuffer& buffer);

    /// Makes and touches buffers until kReady are free or kMostBuffers exist.
    void top();
    [[nodiscard]] bool nextFilled(FilledBuffer& buffer) { return m_filled.pop(buffer); }
    /// Clears the used part and gives the buffer out again.
    void recycle(const FilledBuffer& buffer);

    [[nodiscard]] std::uint64_t taken() const { return m_taken.load(); }
    [[nodiscard]] std::uint64_t filled() const { return m_returned.load(); }
    /// Requests that could not be met; CUPTI drops the records.
    [[nodiscard]] std::uint64_t refused() const { return m_refused.load(); }

private:
    BoundedQueue<std::uint8_t*, 4 * kMostBuffers> m_free;
    BoundedQueue<FilledBuffer, 4 * kMostBuffers> m_filled;
    std::size_t m_made = 0;
    std::atomic<std::int64_t> m_freeCount{0};
    std::atomic<std::uint64_t> m_taken{0};
    std::atomic<std::uint64_t> m_returned{0};
    std::atomic<std::uint64_t> m_refused{0};
};

}  // namespace kinetoscope
