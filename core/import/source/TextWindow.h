// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <stop_token>

#include "core/import/source/TextSource.h"

namespace kinetoscope::import::source {

/// Bytes of text read at a time: large enough that a system call costs nothing, small enough to
/// stay in the processor's second-level cache.
inline constexpr std::size_t kTextChunk = 512 * 1024;

/// The part of a text that is in memory: one piece, followed by kTextPadding zeros.
class TextWindow {
public:
    explicit TextWindow(TextSource& source, std::size_t chunk = kTextChunk,
                        std::stop_token stop = {});
    /// Calls this with the position in the file whenever more of it has been read.
    void whenAdvanced(std::function<void(std::uint64_t)> advanced) {
        m_advanced = std::move(advanced);
    }

    [[nodiscard]] const char* begin() const { return m_begin; }
    [[nodiscard]] const char* end() const { return m_end; }
    [[nodiscard]] std::uint64_t offsetOf(const char* at) const {
        return m_offset + static_cast<std::uint64_t>(at - m_begin);
    }

    /// Drops the text before `keep` and reads on; `keep` then points to the same text in its new
    /// place, all other pointers are invalid. False if there is no more or a stop is requested.
    [[nodiscard]] bool more(const char*& keep);
    /// The text from `at` on for an example in a message: the same however the text is cut into
    /// chunks. `at` moves like `keep`.
    [[nodiscard]] std::string_view example(const char*& at);
    /// Goes to a place of the text, whose source must be able to; all pointers are invalid. The
    /// place is the end() of what is in memory unless it was there already. Little is wanted behind
    /// `until`: it can be read, in small pieces.
    [[nodiscard]] const char* seek(std::uint64_t offset, std::uint64_t until = kNoLimit);
    [[nodiscard]] bool atEnd() const { return m_atEnd; }
    [[nodiscard]] bool stopped() const { return m_stop.stop_requested(); }
    [[nodiscard]] const TextSource& source() const { return m_source; }

private:
    static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max() / 2;

    void makeRoom(std::size_t kept, const char* keep);
    [[nodiscard]] std::size_t pieceAt(std::uint64_t offset) const;

    TextSource& m_source;
    std::size_t m_chunk;
    std::stop_token m_stop;
    std::function<void(std::uint64_t)> m_advanced;
    std::unique_ptr<char[]> m_buffer;
    std::size_t m_capacity = 0;
    const char* m_begin = nullptr;
    const char* m_end = nullptr;
    std::uint64_t m_offset = 0;  // of m_begin in the text
    std::uint64_t m_until = kNoLimit;
    bool m_atEnd = false;
};

}  // namespace kinetoscope::import::source
