// SPDX-License-Identifier: Apache-2.0
#include "core/stream/ChunkReader.h"

#include <cstddef>
#include <cstring>

#include "core/stream/Checksum.h"

namespace kinetoscope::stream {

using namespace format;

namespace {

bool isCompressed(std::string_view head) {
    constexpr std::string_view kGzip = "\x1f\x8b";
    constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd";
    return head.starts_with(kGzip) || head.starts_with(kZstd);
}

}  // namespace

bool hasRightChecksum(const format::ChunkHeader& header, std::string_view payload) {
    const std::string_view fields(reinterpret_cast<const char*>(&header),
                                  offsetof(format::ChunkHeader, checksum));
    return crc32c(payload, crc32c(fields)) == header.checksum;
}

ChunkStatus ChunkReader::next(std::string_view bytes, Chunk& chunk) {
    const std::size_t skipped = m_sequence == 0 ? format::kMagic.size() : 0;
    m_consumed = 0;
    if (bytes.size() < skipped + sizeof(format::ChunkHeader)) {
        return ChunkStatus::NeedMore;
    }
    if (skipped > 0 && !isCapture(bytes)) {
        m_reason = isCompressed(bytes)
                       ? "it is compressed; decompress it, or open it without its folder"
                       : "it does not start like a capture";
        return ChunkStatus::Damaged;
    }
    format::ChunkHeader header;
    std::memcpy(&header, bytes.data() + skipped, sizeof header);
    if (header.sequence != m_sequence || header.size > format::kMaxPayloadBytes) {
        m_reason = "a chunk header is damaged";
        return ChunkStatus::Damaged;
    }
    const std::size_t whole = skipped + sizeof header + format::padded(header.size);
    if (bytes.size() < whole) {
        return ChunkStatus::NeedMore;
    }
    chunk.payloadOffset = skipped + sizeof header;
    chunk.payload = bytes.substr(chunk.payloadOffset, header.size);
    if (!hasRightChecksum(header, chunk.payload)) {
        m_reason = "the checksum of a chunk is wrong";
        return ChunkStatus::Damaged;
    }
    chunk.type = static_cast<format::ChunkType>(header.type);
    m_consumed = whole;
    ++m_sequence;
    return ChunkStatus::Chunk;
}

}  // namespace kinetoscope::stream
