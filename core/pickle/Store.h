// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "core/pickle/PageToucher.h"

namespace kinetoscope::pickle {

struct FreeMemory {
    void operator()(void* memory) const { std::free(memory); }
};

using Memory = std::unique_ptr<void, FreeMemory>;

/// Memory for millions of values: large areas in pages as large as the system has them, because the
/// first touch of each page costs more than all other work with it. Null on failure.
[[nodiscard]] inline Memory tryMemory(std::size_t bytes) {
    constexpr std::size_t kHugePage = std::size_t{2} << 20U;
    Memory memory;
    if (bytes < kHugePage) {
        memory.reset(std::malloc(bytes));
    } else {
        const std::size_t whole = (bytes + kHugePage - 1) / kHugePage * kHugePage;
        memory.reset(std::aligned_alloc(kHugePage, whole));
        if (memory) {
            // Advice: where the system does not take it, nothing is lost.
            static_cast<void>(::madvise(memory.get(), whole, MADV_HUGEPAGE));
        }
    }
    return memory;
}

/// Memory in pieces of one size. Where there are many, the next one is touched beforehand.
class Pieces {
public:
    explicit Pieces(std::size_t bytes) : m_bytes(bytes) {}

    /// Null: no more from now on.
    void touchBy(PageToucher* toucher) { m_toucher = toucher; }

    /// The next piece, or one of another size.
    [[nodiscard]] Memory take(std::size_t bytes) {
        constexpr std::size_t kMany = 8;
        const bool isPiece = bytes == m_bytes;
        Memory memory = isPiece && m_ahead ? std::exchange(m_ahead, {}) : tryMemory(bytes);
        if (!memory) {
            throw std::bad_alloc();
        }
        m_taken += isPiece ? 1U : 0U;
        if (isPiece && m_toucher != nullptr && m_taken >= kMany) {
            m_ahead = tryMemory(m_bytes);
            if (m_ahead) {
                m_toucher->touch({static_cast<std::byte*>(m_ahead.get()), m_bytes});
            }
        }
        return memory;
    }

private:
    std::size_t m_bytes;
    std::size_t m_taken = 0;
    PageToucher* m_toucher = nullptr;
    Memory m_ahead;
};

/// Plain values by their numbers, which stay where they are as more come.
template <class T>
class Store {
public:
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] T& operator[](std::size_t index) {
        return m_pieces[index / kPiece][index % kPiece];
    }
    [[nodiscard]] const T& operator[](std::size_t index) const {
        return m_pieces[index / kPiece][index % kPiece];
    }
    void touchBy(PageToucher* toucher) { m_source.touchBy(toucher); }
    void push(const T& value) {
        if (m_size == m_room) {
            grow();
        }
        ::new (&m_pieces[m_size / kPiece][m_size % kPiece]) T(value);
        ++m_size;
    }

private:
    static constexpr std::size_t kPiece = std::size_t{1} << 18U;
    static constexpr std::size_t kFirst = 1024;  // small documents take little

    // The first piece grows to its whole size, the others have it.
    void grow() {
        const std::size_t wanted = m_room < kPiece ? std::max(kFirst, 4 * m_room) : m_room + kPiece;
        auto memory = m_source.take(std::min(wanted, kPiece) * sizeof(T));
        T* const piece = static_cast<T*>(memory.get());
        if (m_room > 0 && m_room < kPiece) {
            std::uninitialized_copy_n(m_pieces.front(), m_size, piece);
            m_pieces.front() = piece;
            m_memory.front() = std::move(memory);
        } else {
            m_pieces.push_back(piece);
            m_memory.push_back(std::move(memory));
        }
        m_room = wanted;
    }

    static_assert(std::is_trivially_destructible_v<T>);
    std::vector<T*> m_pieces;
    std::vector<Memory> m_memory;
    Pieces m_source{kPiece * sizeof(T)};
    std::size_t m_size = 0;
    std::size_t m_room = 0;
};

}  // namespace kinetoscope::pickle
