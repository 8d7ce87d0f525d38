// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

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
    CaptureBytes& add(capture::ChunkType type, std::string_view payload) {
        capture::ChunkHeader header;
        header.type = static_cast<std::uint32_t>(type);
        header.size = static_cast<std::uint32_t>(payload.size());
        header.sequence = m_sequence++;
        const std::string fields =
            bytesOf(header).substr(0, offsetof(capture::ChunkHeader, checksum));
        header.checksum = crc32c(payload, crc32c(fields));
        m_bytes += bytesOf(header);
        m_bytes += payload;
        m_bytes.resize(m_bytes.size() + capture::padded(payload.size()) - payload.size());
        return *this;
    }
    [[nodiscard]] const std::string& bytes() const { return m_bytes; }

private:
    std::string m_bytes{capture::kMagic};
    std::uint32_t m_sequence = 0;
};

[[nodiscard]] inline std::string nameEntry(std::uint32_t id, std::string_view text) {
    std::string entry = bytesOf(capture::NameHeader{id, static_cast<std::uint32_t>(text.size())});
    entry += text;
    entry.resize(capture::padded(entry.size()));
    return entry;
}

/// Makes sizes, sequence and checksums of whatever stands where chunks are right, so that what the
/// chunks hold is read.
inline void mendCapture(std::string& bytes) {
    using namespace capture;
    std::size_t at = kMagic.size();
    bytes.replace(0, std::min(at, bytes.size()), kMagic);
    for (std::uint32_t sequence = 0; at + sizeof(ChunkHeader) <= bytes.size(); ++sequence) {
        ChunkHeader header;
        std::memcpy(&header, bytes.data() + at, sizeof header);
        const std::size_t rest = bytes.size() - at - sizeof header;
        if (padded(header.size) > rest) {
            header.size = static_cast<std::uint32_t>(rest / kAlignment * kAlignment);
        }
        header.sequence = sequence;
        const std::string fields = bytesOf(header).substr(0, offsetof(ChunkHeader, checksum));
        const std::string_view payload(bytes.data() + at + sizeof header, header.size);
        header.checksum = crc32c(payload, crc32c(fields));
        std::memcpy(bytes.data() + at, &header, sizeof header);
        at += sizeof header + padded(header.size);
    }
}

}  // namespace kinetoscope::test
