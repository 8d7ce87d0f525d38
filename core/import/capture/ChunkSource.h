// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/import/source/TextWindow.h"
#include "core/stream/ChunkReader.h"

namespace kinetoscope::import::capture {

/// Chunks out of a text window, which here holds bytes.
class ChunkSource {
public:
    explicit ChunkSource(source::TextWindow& window) : m_window(window), m_at(window.begin()) {}

    [[nodiscard]] stream::ChunkStatus next(stream::Chunk& chunk) {
        for (;;) {
            const std::string_view bytes(m_at, static_cast<std::size_t>(m_window.end() - m_at));
            const stream::ChunkStatus status = m_reader.next(bytes, chunk);
            if (status == stream::ChunkStatus::Chunk) {
                m_offset = m_window.offsetOf(m_at) + chunk.payloadOffset;
                m_at += m_reader.consumed();
            }
            if (status != stream::ChunkStatus::NeedMore || !m_window.more(m_at)) {
                return status;
            }
        }
    }
    [[nodiscard]] std::uint64_t payloadOffset() const { return m_offset; }
    /// Bytes behind the last whole chunk.
    [[nodiscard]] std::uint64_t rest() const {
        return static_cast<std::uint64_t>(m_window.end() - m_at);
    }
    [[nodiscard]] std::uint64_t position() const { return m_window.offsetOf(m_at); }
    [[nodiscard]] const stream::ChunkReader& reader() const { return m_reader; }

private:
    source::TextWindow& m_window;
    const char* m_at;
    stream::ChunkReader m_reader;
    std::uint64_t m_offset = 0;
};

}  // namespace kinetoscope::import::capture
