// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace kinetoscope::capture::inject {

/// A ring that any number of threads push to and pop from without locks and without allocating
/// (the sequence-number scheme of D. Vyukov). `Capacity` is a power of two.
template <class T, std::size_t Capacity>
class BoundedQueue {
    static_assert((Capacity & (Capacity - 1)) == 0);

public:
    BoundedQueue() {
        for (std::size_t i = 0; i < Capacity; ++i) {
            m_cells[i].sequence.store(i, std::memory_order_relaxed);
        }
    }

    /// Calls fill(T&) on a free cell; false, without calling it, when the ring is full.
    template <class Fill>
    [[nodiscard]] bool pushWith(Fill&& fill) {
        std::size_t at = m_head.load(std::memory_order_relaxed);
        for (;;) {
            Cell& cell = m_cells[at & (Capacity - 1)];
            const std::size_t sequence = cell.sequence.load(std::memory_order_acquire);
            if (sequence == at) {
                if (m_head.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) {
                    fill(cell.value);
                    cell.sequence.store(at + 1, std::memory_order_release);
                    return true;
                }
            } else if (sequence < at) {
                return false;
            } else {
                at = m_head.load(std::memory_order_relaxed);
            }
        }
    }

    [[nodiscard]] bool push(const T& value) {
        return pushWith([&](T& cell) { cell = value; });
    }

    /// Calls take(T&) on the oldest cell; false, without calling it, when the ring is empty.
    template <class Take>
    [[nodiscard]] bool popWith(Take&& take) {
        std::size_t at = m_tail.load(std::memory_order_relaxed);
        for (;;) {
            Cell& cell = m_cells[at & (Capacity - 1)];
            const std::size_t sequence = cell.sequence.load(std::memory_order_acquire);
            if (sequence == at + 1) {
                if (m_tail.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) {
                    take(cell.value);
                    cell.sequence.store(at + Capacity, std::memory_order_release);
                    return true;
                }
            } else if (sequence < at + 1) {
                return false;
            } else {
                at = m_tail.load(std::memory_order_relaxed);
            }
        }
    }

    [[nodiscard]] bool pop(T& value) {
        return popWith([&](T& cell) { value = cell; });
    }

private:
    static constexpr std::size_t kCacheLine = 64;
    struct Cell {
        std::atomic<std::size_t> sequence;
        T value;
    };

    alignas(kCacheLine) std::atomic<std::size_t> m_head{0};
    alignas(kCacheLine) std::atomic<std::size_t> m_tail{0};
    alignas(kCacheLine) std::array<Cell, Capacity> m_cells{};
};

}  // namespace kinetoscope::capture::inject
