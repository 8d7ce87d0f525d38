// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>

namespace kinetoscope::pickle {

/// Puts the next bytes there, at most `capacity`; gives how many, 0 at the end alone.
using ReadBytes = std::function<std::size_t(char* to, std::size_t capacity)>;

/// The next bytes of a stream, in memory one after the other.
class ByteWindow {
public:
    explicit ByteWindow(const ReadBytes& read)
        : m_read(read), m_bytes(std::make_unique_for_overwrite<char[]>(kBytes)), m_room(kBytes) {}

    [[nodiscard]] const char* begin() const { return m_bytes.get() + m_from; }
    [[nodiscard]] const char* end() const { return m_bytes.get() + m_to; }
    /// Everything before `next` was used.
    void usedUpTo(const char* next) { m_from = static_cast<std::size_t>(next - m_bytes.get()); }
    /// Of begin().
    [[nodiscard]] std::uint64_t offset() const { return m_before + m_from; }

    /// Makes at least `count` bytes available between begin() and end(); false if the stream ends
    /// before. Pointers into it become invalid. Allocates only for bytes that exist.
    [[nodiscard]] bool fill(std::size_t count) {
        std::memmove(m_bytes.get(), m_bytes.get() + m_from, m_to - m_from);
        m_before += m_from;
        m_to -= m_from;
        m_from = 0;
        while (m_to < count || (m_to < kBytes / 2 && !m_ended)) {
            if (m_to == m_room) {
                grow();
            }
            const std::size_t got = m_ended ? 0 : m_read(m_bytes.get() + m_to, m_room - m_to);
            if (got == 0) {
                m_ended = true;
                return m_to >= count;
            }
            m_to += got;
        }
        return true;
    }

private:
    static constexpr std::size_t kBytes = std::size_t{1} << 20U;

    void grow() {
        auto larger = std::make_unique_for_overwrite<char[]>(2 * m_room);
        std::memcpy(larger.get(), m_bytes.get(), m_to);
        m_bytes = std::move(larger);
        m_room *= 2;
    }

    const ReadBytes& m_read;
    std::unique_ptr<char[]> m_bytes;
    std::size_t m_room;
    std::size_t m_from = 0;
    std::size_t m_to = 0;
    std::uint64_t m_before = 0;  // bytes of the stream before m_bytes
    bool m_ended = false;
};

}  // namespace kinetoscope::pickle
