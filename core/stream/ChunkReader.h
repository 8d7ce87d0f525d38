// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/stream/CaptureFormat.h"

namespace kinetoscope::stream {

/// A chunk whose checksum is right. The views point into the bytes given to ChunkReader.
struct Chunk {
    format::ChunkType type = format::ChunkType::Header;
    std::string_view payload;
    std::size_t payloadOffset = 0;  ///< in the bytes given
};

enum class ChunkStatus {
    Chunk,     ///< one was read
    NeedMore,  ///< the bytes end before the chunk does
    Damaged,   ///< not a chunk; nothing behind it can be trusted
};

/// Whether the checksum in the header is that of the chunk.
[[nodiscard]] bool hasRightChecksum(const format::ChunkHeader& header, std::string_view payload);

/// Cuts a capture file into its chunks, whoever delivers the bytes.
class ChunkReader {
public:
    [[nodiscard]] static bool isCapture(std::string_view head) {
        return head.starts_with(format::kMagic);
    }

    /// Reads the next chunk at the beginning of `bytes`, which follow what was consumed() before.
    [[nodiscard]] ChunkStatus next(std::string_view bytes, Chunk& chunk);
    /// Bytes of the last chunk, the file's magic before the first one included.
    [[nodiscard]] std::size_t consumed() const { return m_consumed; }
    [[nodiscard]] std::uint32_t chunks() const { return m_sequence; }
    /// Why the last status was Damaged, in words for the user.
    [[nodiscard]] const std::string& reason() const { return m_reason; }

private:
    std::uint32_t m_sequence = 0;
    std::size_t m_consumed = 0;
    std::string m_reason;
};

}  // namespace kinetoscope::stream
