// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "core/stream/CaptureFormat.h"
#include "core/stream/Checksum.h"

namespace kinetoscope::test {

template <class Record>
[[nodiscard]] std::string bytesOf(const Record& record) {
    return {reinterpret_cast<const char*>(&record), sizeof record};
}

/// The bytes of captures in memory.
class CaptureBytes {
public:
    CaptureBytes& add(stream::format::ChunkType type, std::string_view payload) {
        stream::format::ChunkHeader header;
        header.type = static_cast<std::uint32_t>(type);
        header.size = static_cast<std::uint32_t>(payload.size());
        header.sequence = m_sequence++;
        const std::string fields =
            bytesOf(header).substr(0, offsetof(stream::format::ChunkHeader, checksum));
        header.checksum = stream::crc32c(payload, stream::crc32c(fields));
        m_bytes += bytesOf(header);
        m_bytes += payload;
        m_bytes.resize(m_bytes.size() + stream::format::padded(payload.size()) - payload.size());
        return *this;
    }
    [[nodiscard]] const std::string& bytes() const { return m_bytes; }
    /// What came since the last time; chunks go on behind it.
    [[nodiscard]] std::string take() { return std::exchange(m_bytes, {}); }

private:
    std::string m_bytes{stream::format::kMagic};
    std::uint32_t m_sequence = 0;
};

[[nodiscard]] inline std::string nameEntry(std::uint32_t id, std::string_view text) {
    std::string entry =
        bytesOf(stream::format::NameHeader{id, static_cast<std::uint32_t>(text.size())});
    entry += text;
    entry.resize(stream::format::padded(entry.size()));
    return entry;
}

/// Makes sizes, sequence and checksums of whatever stands where chunks are right, so that what the
/// chunks hold is read.
inline void mendCapture(std::string& bytes) {
    using namespace stream::format;
    std::size_t at = stream::format::kMagic.size();
    bytes.replace(0, std::min(at, bytes.size()), stream::format::kMagic);
    for (std::uint32_t sequence = 0; at + sizeof(stream::format::ChunkHeader) <= bytes.size();
         ++sequence) {
        stream::format::ChunkHeader header;
        std::memcpy(&header, bytes.data() + at, sizeof header);
        const std::size_t rest = bytes.size() - at - sizeof header;
        if (stream::format::padded(header.size) > rest) {
            header.size = static_cast<std::uint32_t>(rest / stream::format::kAlignment *
                                                     stream::format::kAlignment);
        }
        header.sequence = sequence;
        const std::string fields =
            bytesOf(header).substr(0, offsetof(stream::format::ChunkHeader, checksum));
        const std::string_view payload(bytes.data() + at + sizeof header, header.size);
        header.checksum = stream::crc32c(payload, stream::crc32c(fields));
        std::memcpy(bytes.data() + at, &header, sizeof header);
        at += sizeof header + stream::format::padded(header.size);
    }
}

}  // namespace kinetoscope::test
